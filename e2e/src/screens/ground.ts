/** What stands on the screens that are walked: people, assets and grants of the demo, sessions, tickets, messages. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestSshd } from '@sallyport/ssh/testing/sshd'
import type { Browser } from 'playwright-core'
import { Api } from '../api.ts'
import { authenticator } from '../authenticator.ts'
import { signIn } from '../browser.ts'
import { repository } from '../processes.ts'
import { adminPassword, type System } from '../system.ts'
import { WebClient } from '../web-client.ts'
import { grant } from '../world.ts'

export const doorPassword = 'At-the-door-1'

/** People by what they are asked for at the door, or may do behind it. */
export const atTheDoor = {
  coded: { name: 'Cora Code', mfa_level: 2 },
  uncoded: { name: 'Udo Uncoded', mfa_level: 2 },
  outdated: { name: 'Otto Outdated', need_update_password: true },
  reviewed: { name: 'Rita Reviewed' },
  guest: { name: 'Guy Guest' },
}

/** Fills the system once; the answer closes what is open at the end. */
export async function fill(system: System, sshd: TestSshd, browser: Browser): Promise<() => void> {
  await fillDemo(system, sshd)
  const leave = await openSessions(system, sshd)
  await setUpDoor(system)
  await setUpRules(system)
  await addPasskey(system, browser)
  return leave
}

async function fillDemo(system: System, sshd: TestSshd): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-screens-'))
  const keyFile = join(folder, 'key')
  await writeFile(keyFile, sshd.privateKey)
  const demo = spawn(process.execPath, [join(repository, 'apps/server/src/demo.ts')], {
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
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
}

/** A session that ended and one that is open. */
async function openSessions(system: System, sshd: TestSshd): Promise<() => void> {
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

/** Those of `atTheDoor`, and the ticket of a login that was approved. */
async function setUpDoor(system: System): Promise<void> {
  const { admin } = system
  // Nobody here reads pictures.
  await admin.patch('/api/v1/settings/setting/?category=security', { SECURITY_LOGIN_CAPTCHA_ENABLED: false })
  const ids = new Map<string, string>()
  for (const [username, about] of Object.entries(atTheDoor)) {
    const { id } = await admin.post<{ id: string }>('/api/v1/users/users/', {
      ...about,
      username,
      email: `${username}@demo.example`,
      password_strategy: 'custom',
      password: doorPassword,
    })
    ids.set(username, id)
  }
  const guest = await Api.signIn(system.origin, 'guest', doorPassword)
  await guest.patch('/api/v1/users/profile/', { is_first_login: false })
  const { id: reviewer } = await admin.get<{ id: string }>('/api/v1/users/profile/')
  await admin.post('/api/v1/acls/login-acls/', {
    name: 'Somebody looks at it first',
    user: ids.get('reviewed'),
    action: 'review',
    reviewers: [reviewer],
    rules: {
      ip_group: ['*'],
      time_period: [0, 1, 2, 3, 4, 5, 6].map((id) => ({ id, value: '00:00~00:00' })),
    },
  })

  const coded = await knock(system, 'coded')
  const offer = await coded.send('POST', '/api/v1/authentication/mfa/otp/start/')
  const code = await authenticator((offer.json as { secret: string }).secret).next()
  await coded.send('POST', '/api/v1/authentication/mfa/otp/bind/', { code })

  await knock(system, 'reviewed')
  const [ticket] = await admin.get<{ id: string }[]>('/api/v1/tickets/tickets/?state=pending')
  await admin.send('PUT', `/api/v1/tickets/tickets/${ticket?.id}/approve/`)
}

/** Rules about assets and commands, and the ticket of a connection that waits. */
async function setUpRules({ admin, origin }: System): Promise<void> {
  const [host] = await admin.get<{ id: string; name: string }[]>('/api/v1/assets/hosts/?name=live-demo')
  const [guest] = await admin.get<{ id: string }[]>('/api/v1/users/users/?username=guest')
  const { id: reviewer } = await admin.get<{ id: string }>('/api/v1/users/profile/')
  if (host === undefined || guest === undefined) throw new Error('The demo has no live host or no guest.')
  const { id: group } = await admin.post<{ id: string }>('/api/v1/acls/command-groups/', {
    name: 'Dangerous commands',
    content: 'reboot\nshutdown\nmkfs\nrm -rf',
  })
  const about = {
    users: { username_group: ['guest'] },
    assets: { name_group: [host.name], address_group: ['*'] },
    accounts: { username_group: ['*'] },
    reviewers: [reviewer],
  }
  await admin.post('/api/v1/acls/command-filter-acls/', {
    ...about,
    name: 'Warn of dangerous commands',
    action: 'warning',
    command_groups: [group],
  })
  await admin.post('/api/v1/acls/login-asset-acls/', {
    ...about,
    name: 'Guests ask first',
    action: 'review',
  })
  await grant(admin, { users: [guest.id], assets: [host.id] })
  const here = await Api.signIn(origin, 'guest', doorPassword)
  const [account] = await here.get<{ alias: string }[]>(
    `/api/v1/perms/users/self/assets/${host.id}/accounts/`,
  )
  await here.post('/api/v1/authentication/connection-token/?create_ticket=1', {
    asset: host.id,
    account: account?.alias,
    protocol: 'ssh',
    connect_method: 'web_cli',
  })
}

/** Gives name and password, and waits for what is asked next. */
export async function knock(system: System, username: string): Promise<WebClient> {
  const client = new WebClient(system.origin)
  await client.send('GET', '/core/auth/login/')
  await client.send('POST', '/core/auth/login/', { username, password: doorPassword })
  return client
}

/** The administrator's passkey, by a virtual authenticator. Browsers make them for names, not for bare addresses. */
async function addPasskey(system: System, browser: Browser): Promise<void> {
  const here = { ...system, origin: system.origin.replace('127.0.0.1', 'localhost') }
  const admin = { username: 'admin', password: adminPassword }
  const { page } = await signIn(browser, here, admin, '/ui/profile/login-security')
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  await page.getByLabel('Name of the passkey').fill('Laptop at work')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('dialog').getByLabel('Password').fill(adminPassword)
  await page.getByRole('dialog').getByRole('button', { name: 'Confirm' }).click()
  await page.getByText('Laptop at work').waitFor()
  await page.context().close()
}
