/**
 * `npm run screenshots`: walks every screen of a system of its own, filled with the demo, and keeps a picture of each, to be looked
 * at by a person. `-- --out FOLDER --only WORD --languages en,zh --modes light,dark --widths 1440,390` narrows it.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { startSshd, type TestSshd } from '@sallyport/ssh/testing/sshd'
import { openBrowser, signIn } from './browser.ts'
import { repository } from './processes.ts'
import { adminPassword, startSystem, type System } from './system.ts'
import { WebClient } from './web-client.ts'
import { grant } from './world.ts'

const { values: options } = parseArgs({
  options: {
    out: { type: 'string', default: 'screenshots' },
    only: { type: 'string', default: '' },
    languages: { type: 'string', default: 'en,zh,ja' },
    modes: { type: 'string', default: 'light,dark' },
    widths: { type: 'string', default: '1440,390' },
  },
})

interface Screen {
  name: string
  /** Where it is; `{id}` is the first row of `rows`. */
  address: string
  rows?: string
  /** What is done on it before the picture is taken. */
  act?: (page: Page) => Promise<void>
}

const list = (name: string, address: string, rows: string, more: 'read' | 'write' = 'write'): Screen[] => [
  { name, address },
  { name: `${name}-detail`, address: `${address}/{id}`, rows },
  ...(more === 'write'
    ? [
        { name: `${name}-create`, address: `${address}/create` },
        { name: `${name}-update`, address: `${address}/{id}/update`, rows },
      ]
    : []),
]

const press = (name: RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()

const screens: Screen[] = [
  ...list('users', '/ui/console/users/users', 'users/users/'),
  {
    name: 'users-row-menu',
    address: '/ui/console/users/users',
    act: async (page) => page.locator('tbody button[aria-haspopup]').first().click(),
  },
  {
    name: 'users-delete',
    address: '/ui/console/users/users/{id}',
    rows: 'users/users/?username=ann',
    act: async (page) =>
      page
        .getByRole('button', { name: /^(Delete|删除|削除)$/u })
        .first()
        .click(),
  },
  ...list('groups', '/ui/console/users/groups', 'users/groups/'),
  { name: 'users-import', address: '/ui/console/users/users', act: press(/^(Import|导入|インポート)$/u) },
  { name: 'users-export', address: '/ui/console/users/users', act: press(/^(Export|导出|エクスポート)$/u) },
  { name: 'login-rules', address: '/ui/console/users/users/user-acl' },
  { name: 'login-rule-create', address: '/ui/console/users/users/user-acl/create' },
  { name: 'roles', address: '/ui/console/users/roles' },
  { name: 'role-create', address: '/ui/console/users/roles/create?scope=org' },
  { name: 'assets', address: '/ui/console/assets/assets' },
  { name: 'asset-detail', address: '/ui/console/assets/assets/{id}', rows: 'assets/hosts/' },
  { name: 'host-create', address: '/ui/console/assets/hosts/create' },
  { name: 'host-update', address: '/ui/console/assets/hosts/{id}/update', rows: 'assets/hosts/' },
  { name: 'assets-platforms', address: '/ui/console/assets/platforms' },
  { name: 'platform-detail', address: '/ui/console/assets/platforms/{id}', rows: 'assets/platforms/' },
  { name: 'accounts', address: '/ui/console/accounts/accounts' },
  { name: 'account-detail', address: '/ui/console/accounts/accounts/{id}', rows: 'accounts/accounts/' },
  {
    name: 'account-create',
    address: '/ui/console/accounts/accounts',
    act: press(/Add account|添加账号|追加/u),
  },
  ...list('permissions', '/ui/console/perms/asset-permissions', 'perms/asset-permissions/'),
  { name: 'sessions-online', address: '/ui/audit/sessions/sessions' },
  { name: 'sessions-ended', address: '/ui/audit/sessions/sessions?activeTab=OfflineList' },
  {
    name: 'session-detail',
    address: '/ui/audit/sessions/sessions/{id}',
    rows: 'terminal/sessions/?is_finished=true',
  },
  { name: 'commands', address: '/ui/audit/sessions/command' },
  ...list('login-logs', '/ui/audit/audits/login-logs', 'audits/login-logs/', 'read'),
  { name: 'operate-logs', address: '/ui/audit/audits/operate-logs' },
  {
    name: 'operate-log-diff',
    address: '/ui/audit/audits/operate-logs',
    act: async (page) => {
      await page.locator('tbody tr').first().getByRole('button').first().click()
      await page.getByRole('dialog').waitFor()
    },
  },
  { name: 'password-change-logs', address: '/ui/audit/audits/password-change-log' },
  { name: 'home', address: '/ui/workbench/home' },
  { name: 'my-assets', address: '/ui/workbench/assets' },
  { name: 'profile-info', address: '/ui/profile/info' },
  { name: 'profile-setting', address: '/ui/profile/setting' },
  { name: 'profile-improvement', address: '/ui/profile/improvement' },
  { name: 'login-security', address: '/ui/profile/login-security' },
  { name: 'access-keys', address: '/ui/profile/key' },
  { name: 'temp-passwords', address: '/ui/profile/temp-password' },
  {
    name: 'messages',
    address: '/ui/workbench/home',
    act: press(/^(Site messages|Messages|站内信|サイトメッセージ)/u),
  },
  { name: 'settings-basic', address: '/ui/settings/basic' },
  { name: 'settings-email', address: '/ui/settings/email' },
  { name: 'settings-message', address: '/ui/settings/message' },
  { name: 'settings-security', address: '/ui/settings/security' },
  ...list('organizations', '/ui/settings/orgs', 'orgs/orgs/'),
  { name: 'connection-tokens', address: '/ui/profile/connection-token' },
  { name: 'not-found', address: '/ui/nowhere' },
  { name: 'empty-search', address: '/ui/console/users/users?search=nobody-at-all' },
  { name: 'luna', address: '/luna/' },
  {
    name: 'luna-terminal',
    address: '/luna/?login_to={id}',
    rows: 'assets/hosts/?name=live-demo',
    act: async (page) => {
      const dialog = page.getByRole('dialog')
      const rows = page.locator('.xterm-rows')
      await Promise.race([dialog.waitFor(), rows.waitFor()]).catch(() => undefined)
      if (await dialog.isVisible()) await dialog.locator('button[type=submit]').click()
      await page.locator('.xterm-rows', { hasText: '$' }).waitFor()
    },
  },
  {
    name: 'luna-settings',
    address: '/luna/',
    act: press(/Terminal settings|终端设置|ターミナル設定|端末の設定/u),
  },
  { name: 'luna-replay', address: '/luna/replay/{id}', rows: 'terminal/sessions/?is_finished=true' },
  { name: 'luna-monitor', address: '/luna/monitor/{id}', rows: 'terminal/sessions/?is_finished=false' },
]

/** People, assets and grants of the demo, a session that ended and one that is open. */
async function fill(system: System, sshd: TestSshd): Promise<() => void> {
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-screens-'))
  const keyFile = join(folder, 'key')
  await writeFile(keyFile, sshd.privateKey)
  const demo = spawn(process.execPath, [join(repository, 'apps/server/src/demo.ts')], {
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      ...system.env,
      SALLYPORT_DEMO_HOST: '127.0.0.1',
      SALLYPORT_DEMO_PORT: String(sshd.port),
      SALLYPORT_DEMO_USERNAME: sshd.username,
      SALLYPORT_DEMO_PRIVATE_KEY_FILE: keyFile,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(demo, 'exit')
  await rm(folder, { recursive: true })
  if (code !== 0) throw new Error('The demo could not be filled.')
  const [host] = await system.admin.get<{ id: string }[]>('/api/v1/assets/hosts/?name=live-demo')
  const profile = await system.admin.get<{ id: string }>('/api/v1/users/profile/')
  if (host === undefined) throw new Error('The demo has no live host.')
  await grant(system.admin, { users: [profile.id], assets: [host.id] })
  const client = await WebClient.signIn(system.origin, 'admin', adminPassword)
  const open = async () => {
    const made = await client.send('POST', '/api/v1/authentication/connection-token/', {
      asset: host.id,
      account: sshd.username,
      protocol: 'ssh',
      connect_method: 'web_cli',
    })
    const tab = client.open(`token=${(made.json as { id: string }).id}`)
    await tab.find('TERMINAL_SESSION')
    tab.type('ls -l /etc | head -20; printf "%s_%s\\n" under score\r')
    await tab.shows('under_score')
    return tab
  }
  const ended = await open()
  ended.type('uptime\rexit\r')
  await ended.find('TERMINAL_END')
  const running = await open()
  return () => running.socket.close()
}

const languageCookies: Record<string, string> = { en: 'en', zh: 'zh-hans', ja: 'ja' }

async function addressOf(screen: Screen, system: System): Promise<string | undefined> {
  if (screen.rows === undefined) return screen.address
  const separator = screen.rows.includes('?') ? '&' : '?'
  const { results } = await system.admin.get<{ results: { id: string }[] }>(
    `/api/v1/${screen.rows}${separator}limit=1&offset=0`,
  )
  const [row] = results
  return row && screen.address.replace('{id}', row.id)
}

interface Round {
  language: string
  mode: string
  width: number
}

async function walk(browser: Browser, system: System, { language, mode, width }: Round): Promise<void> {
  const chosen = screens.filter(({ name }) => name.includes(options.only))
  const shot = async (page: Page, name: string) => {
    await page.screenshot({
      path: join(options.out, `${name}-${language}-${mode}-${width}.png`),
      animations: 'disabled',
    })
  }
  const view = { viewport: { width, height: width > 800 ? 900 : 844 }, locale: language }
  const { page } = await signIn(
    browser,
    system,
    { username: 'admin', password: adminPassword },
    '/ui/workbench/home',
    view,
  )
  const context = page.context()
  await context.addCookies([
    { name: 'django_language', value: languageCookies[language] ?? language, url: system.origin },
  ])
  await context.addInitScript(
    `localStorage.setItem('themeMode', '${mode}'); localStorage.setItem('viewSwitcherTip', '1')`,
  )
  // Twice: the first page fetches the text font, those after it show it.
  await page.reload({ waitUntil: 'networkidle' })
  if ('sign-in'.includes(options.only)) {
    const visitor = await browser.newContext({ ...view, storageState: { cookies: [], origins: [] } })
    await visitor.addInitScript(`localStorage.setItem('themeMode', '${mode}')`)
    const door = await visitor.newPage()
    await door.goto(`${system.origin}/core/auth/login/`, { waitUntil: 'networkidle' })
    await shot(door, 'sign-in')
    await visitor.close()
  }
  for (const screen of chosen) {
    const address = await addressOf(screen, system)
    if (address === undefined) {
      process.stdout.write(`${screen.name}: no row to show\n`)
      continue
    }
    try {
      await page.goto(`${system.origin}${address}`)
      await page.waitForLoadState('networkidle', { timeout: 5000 }).catch(() => undefined)
      await screen.act?.(page)
      await page.waitForLoadState('networkidle', { timeout: 2000 }).catch(() => undefined)
    } catch (error) {
      process.stdout.write(`${screen.name}: ${String(error).split('\n', 1)[0]}\n`)
    }
    await shot(page, screen.name)
  }
  await context.close()
}

async function main(): Promise<void> {
  await mkdir(options.out, { recursive: true })
  const sshd = await startSshd()
  const system = await startSystem()
  const browser = await openBrowser()
  try {
    const leave = await fill(system, sshd)
    for (const language of options.languages.split(','))
      for (const mode of options.modes.split(','))
        for (const width of options.widths.split(','))
          await walk(browser, system, { language, mode, width: Number(width) })
    leave()
  } finally {
    await browser.close()
    await system.stop()
    await sshd.stop()
  }
}

await main()
