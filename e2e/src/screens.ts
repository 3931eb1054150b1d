/** Every screen there is and how one gets to it, for those who walk them all: the pictures, and the test of accessibility. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { TestSshd } from '@sallyport/ssh/testing/sshd'
import { repository } from './processes.ts'
import { adminPassword, type System } from './system.ts'
import { WebClient } from './web-client.ts'
import { grant } from './world.ts'

export interface Screen {
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

/** Presses a button, and waits for the dialog it opens. */
const press = (name: RegExp) => async (page: Page) => {
  await page.getByRole('button', { name }).first().click()
  await page.getByRole('dialog').first().waitFor()
}
/** Ticks the first row, and presses an entry of the menu for those that are ticked. */
const pressForTicked = (entry: RegExp) => async (page: Page) => {
  await page.locator('tbody input[type=checkbox]').first().check()
  await page
    .getByRole('button', { name: /^(Actions|操作)/u })
    .first()
    .click()
  await page.getByRole('menuitem', { name: entry }).click()
  await page.getByRole('dialog').first().waitFor()
}

export const screens: readonly Screen[] = [
  { name: 'tickets-mine', address: '/ui/tickets/my-tickets' },
  { name: 'tickets-assigned', address: '/ui/tickets/assigned-tickets' },
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
    act: press(/^(Delete|删除|削除)$/u),
  },
  { name: 'users-invite', address: '/ui/console/users/users', act: press(/^(Invite|邀请|招待)$/u) },
  {
    name: 'users-bulk-update',
    address: '/ui/console/users/users',
    act: pressForTicked(/Update selected|更新所选|選択した行を更新/u),
  },
  ...list('groups', '/ui/console/users/groups', 'users/groups/'),
  { name: 'users-import', address: '/ui/console/users/users', act: press(/^(Import|导入|インポート)$/u) },
  { name: 'users-export', address: '/ui/console/users/users', act: press(/^(Export|导出|エクスポート)$/u) },
  { name: 'login-rules', address: '/ui/console/users/users/user-acl' },
  { name: 'login-rule-create', address: '/ui/console/users/users/user-acl/create' },
  { name: 'roles', address: '/ui/console/users/roles' },
  { name: 'role-detail', address: '/ui/console/users/roles/{id}?scope=org', rows: 'rbac/org-roles/' },
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
      await page.locator('tbody button:not(:disabled)').first().click()
      await page.getByRole('dialog').waitFor()
    },
  },
  { name: 'password-change-logs', address: '/ui/audit/audits/password-change-log' },
  { name: 'home', address: '/ui/workbench/home' },
  { name: 'my-assets', address: '/ui/workbench/assets' },
  { name: 'profile-info', address: '/ui/profile/info' },
  { name: 'profile-setting', address: '/ui/profile/setting' },
  { name: 'profile-password', address: '/ui/profile/setting?activeTab=PasswordUpdate' },
  { name: 'profile-key', address: '/ui/profile/setting?activeTab=SSHUpdate' },
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
  { name: 'settings-email-content', address: '/ui/settings/email?activeTab=EmailContent' },
  { name: 'settings-message', address: '/ui/settings/message' },
  { name: 'settings-security', address: '/ui/settings/security' },
  { name: 'settings-interface', address: '/ui/settings/interface' },
  { name: 'settings-license', address: '/ui/settings/license' },
  {
    name: 'settings-license-import',
    address: '/ui/settings/license',
    act: press(/Import|导入|インポート/u),
  },
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
export async function fill(system: System, sshd: TestSshd): Promise<() => void> {
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

/** Where a screen is in this system; undefined when there is no row to show. */
export async function addressOf(screen: Screen, system: System): Promise<string | undefined> {
  if (screen.rows === undefined) return screen.address
  const separator = screen.rows.includes('?') ? '&' : '?'
  const { results } = await system.admin.get<{ results: { id: string }[] }>(
    `/api/v1/${screen.rows}${separator}limit=1&offset=0`,
  )
  const [row] = results
  return row && screen.address.replace('{id}', row.id)
}

/** Colours that are on their way to others are neither, and what comes in is not there yet; what turns for ever is not waited for. */
export const untilStill = (page: Page) =>
  page.evaluate(`Promise.all(
    document.getAnimations()
      .filter((one) => one.playState === 'running' && one.effect?.getComputedTiming().iterations !== Infinity)
      .map((one) => one.finished.catch(() => undefined)),
  ).then(() => undefined)`)

/** Opens a screen and does on it what it takes to see what it is about. */
export async function openScreen(page: Page, system: System, screen: Screen, address: string): Promise<void> {
  await page.goto(`${system.origin}${address}`)
  await page.waitForLoadState('networkidle', { timeout: 5000 }).catch(() => undefined)
  await screen.act?.(page)
  await page.waitForLoadState('networkidle', { timeout: 2000 }).catch(() => undefined)
  await untilStill(page)
}
