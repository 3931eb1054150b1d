/** Wrong keys, hostile targets, clients that stop, links used twice, and the death of everything at once. */
import { readdir, readFile } from 'node:fs/promises'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startSshd, type TestSshd } from '@sallyport/ssh/testing/sshd'
import { Api } from '../src/api.ts'
import { openBrowser, signIn } from '../src/browser.ts'
import { eventually, familyOf, killAll, type Program } from '../src/processes.ts'
import { shell, ssh, type SshLogin } from '../src/ssh.ts'
import { adminPassword, startSystem, type System } from '../src/system.ts'
import { WebClient } from '../src/web-client.ts'
import { addAccount, addHost, addPerson, grant, type Person } from '../src/world.ts'

let system: System
let sshd: TestSshd
/** A second machine, whose host key changes. */
let moved: TestSshd
let person: Person
let browser: WebClient
const listeners: Server[] = []
const hosts: Record<string, { id: string; name: string }> = {}
/** Everything that ran, also what was killed. */
const programs: Program[] = []
const secrets: string[] = [adminPassword]

async function listen(serve: Parameters<typeof createServer>[1]): Promise<number> {
  const server = createServer({ pauseOnConnect: false }, serve)
  listeners.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

async function add(name: string, port: number, of: TestSshd, privateKey = of.privateKey): Promise<void> {
  const host = await addHost(system.admin, { name, port })
  await addAccount(system.admin, host.id, { username: of.username, privateKey })
  hosts[name] = host
}

beforeAll(async () => {
  sshd = await startSshd()
  moved = await startSshd()
  system = await startSystem()
  person = await addPerson(system.admin)
  await add('right', sshd.port, sshd)
  await add('wrong-key', sshd.port, sshd, sshd.strangerKey)
  await add('moved', moved.port, moved)
  await add('refused', 1, sshd)
  await add('silent', await listen((socket) => void socket.on('error', () => {})), sshd)
  await add('other', await listen((socket) => void socket.end('HTTP/1.0 400 Bad Request\r\n\r\n')), sshd)
  const flood = await listen((socket) => {
    socket.on('error', () => {})
    const pour = () => {
      while (socket.write('x'.repeat(65_536)));
    }
    socket.on('drain', pour)
    pour()
  })
  await add('flood', flood, sshd)
  await grant(system.admin, { users: [person.id], assets: Object.values(hosts).map(({ id }) => id) })
  browser = await WebClient.signIn(system.origin, person.username, person.password)
  for (const key of [sshd.privateKey, sshd.strangerKey, moved.privateKey])
    secrets.push(key.split('\n')[2] ?? '')
  secrets.push(
    person.password,
    ...[...browser.cookies.values()].filter((value) => value.length > 20),
    bearer(),
  )
})
afterAll(async () => {
  await system?.stop()
  for (const server of listeners) server.close()
  await sshd?.stop()
  await moved?.stop()
})

const bearer = () => (system.admin.headers['authorization'] ?? '').replace('Bearer ', '')
const login = (name: string, of: TestSshd = sshd): SshLogin => ({
  port: system.sshPort,
  login: `${person.username}@${of.username}@${name}`,
  password: person.password,
})
interface SessionRow {
  id: string
  asset: string
  is_finished: boolean
  has_replay: boolean
  end_reason: { value: string } | null
}
const sessions = async (query: string) =>
  (await system.admin.get<{ results: SessionRow[] }>(`/api/v1/terminal/sessions/?limit=50&${query}`)).results
const castOf = async (id: string) =>
  String((await system.admin.send('GET', `/api/v1/terminal/sessions/${id}/replay/cast/`)).body)

async function connectionToken(method: 'web_cli' | 'ssh_client'): Promise<{ id: string; value: string }> {
  const made = await browser.send('POST', '/api/v1/authentication/connection-token/', {
    asset: hosts['right']?.id,
    account: sshd.username,
    protocol: 'ssh',
    connect_method: method,
  })
  expect(made).toMatchObject({ status: 201 })
  const token = made.json as { id: string; value: string }
  secrets.push(token.value)
  return token
}

it('a target that refuses, is silent, floods or speaks something else: a sentence, in the person’s language', async () => {
  const expected: Record<string, [language: string, sentence: RegExp]> = {
    'wrong-key': ['en', /refused the account: its password or key is wrong/],
    refused: ['en', /refused the connection: nothing listens there/],
    other: ['en', /does not speak SSH/],
    flood: ['en', /Connecting failed: .+/],
    silent: ['ja', /応答/],
  }
  await Promise.all(
    Object.entries(expected).map(async ([name, [language, sentence]]) => {
      const result = await ssh(login(name), 'true', undefined, [`-oSetEnv=LANG=${language}`])
      expect({ name, ...result }).toMatchObject({
        code: 255,
        stderr: expect.stringMatching(sentence) as string,
      })
    }),
  )
  const open = await eventually('all of them are closed with their reason', async () => {
    const rows = await sessions('is_finished=true')
    return rows.length === Object.keys(expected).length && rows
  })
  expect(new Set(open.map((row) => row.end_reason?.value))).toEqual(new Set(['target_failed']))
})

it('a changed host key is refused with both fingerprints, until an administrator accepts it in the console', async () => {
  expect(await ssh(login('moved', moved), 'true')).toMatchObject({ code: 0 })
  await moved.changeHostKey()
  const { code, stderr } = await ssh(login('moved', moved), 'true')
  expect(code).toBe(255)
  const [, shown = ''] = /has changed \((SHA256:\S+) instead of SHA256:\S+\)/.exec(stderr) ?? []
  expect(shown).not.toBe('')

  const chromium = await openBrowser()
  try {
    const { page } = await signIn(
      chromium,
      system,
      { username: 'admin', password: adminPassword },
      '/ui/console/assets/assets',
    )
    const notice = page.getByRole('status').filter({ hasText: 'Some assets showed a changed host key' })
    await notice.getByRole('link', { name: 'moved' }).click()
    const key = page.getByRole('row').filter({ hasText: shown })
    await key.getByText('Waiting for a decision').waitFor()
    await key.hover()
    await key.getByRole('button', { name: 'Accept key' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Accept key' }).click()
    await key.getByText('Accepted').waitFor()
  } finally {
    await chromium.close()
  }
  expect(await ssh(login('moved', moved), 'true')).toMatchObject({ code: 0 })
})

it('a flood nobody reads stops the target, not the gateway, and its memory stays', async () => {
  const gatewayPid = system.gateway?.pid ?? 0
  const residentMib = async () =>
    Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${gatewayPid}/status`, 'utf8'))?.[1]) / 1024
  const flooded = await shell(login('right'))
  await eventually('a prompt', () => /\$/.test(flooded.screen()))
  flooded.type('yes a-line-that-goes-on-and-on\r')
  await eventually('the flood', () => flooded.screen().length > 5_000_000)
  const [session] = await sessions('is_finished=false')
  const before = await residentMib()
  flooded.kill('SIGSTOP')
  // What is on its way fills up what holds it first.
  const recorded = async () => (await castOf(session?.id ?? '')).length
  let written = 0
  await eventually('a standstill', async () => {
    const before = written
    written = await recorded()
    await sleep(1500)
    return written === before
  })
  await sleep(1000)
  expect((await residentMib()) - before).toBeLessThan(48)
  // Nothing flows, so nothing more is recorded.
  expect((await recorded()) - written).toBeLessThan(1 << 20)
  expect(await ssh(login('right'), 'echo beside')).toMatchObject({ code: 0, stdout: Buffer.from('beside\n') })
  await system.admin.post('/api/v1/terminal/tasks/kill-session/', [session?.id])
  await eventually('ended', async () => (await sessions(`id=${session?.id}&is_finished=true`))[0])
  flooded.kill()
})

it.each([
  [1, 1, '4 20'],
  [600, 200, '200 600'],
  [100_000, 100_000, '200 600'],
])('a terminal of %i×%i works', async (cols, rows, told) => {
  const tab = browser.open(`token=${(await connectionToken('web_cli')).id}`, { cols, rows })
  await tab.find('TERMINAL_SESSION')
  tab.type('stty size; exit\r')
  await tab.shows(`${told}\r\n`)
  await tab.find('TERMINAL_END')
})

it('bytes that are no text pass both ways, and can be replayed', async () => {
  const bytes = Buffer.from([0xff, 0xfe, 0x00, 0xc0, 0x80, 0xed, 0xa0, 0x80, 0xf5, 0x0a])
  expect(await ssh(login('right'), 'cat', bytes)).toMatchObject({ code: 0, stdout: bytes })
  const tab = browser.open(`token=${(await connectionToken('web_cli')).id}`)
  const { session } = JSON.parse((await tab.find('TERMINAL_SESSION')).data) as { session: { id: string } }
  await tab.shows('$ ')
  tab.socket.send(Buffer.concat([Buffer.from('echo '), bytes.subarray(0, 2), Buffer.from(' $((40+2))\r')]))
  // Typed before the prompt is back, a line is not shown as one.
  await tab.shows(' 42\r\n')
  tab.type("printf '\\377\\376\\300needle\\n'\r")
  await tab.shows('needle\r\n')
  tab.type('exit\r')
  await tab.find('TERMINAL_END')
  await eventually('the recording', async () => (await sessions(`id=${session.id}`))[0]?.has_replay)
  const lines = (await castOf(session.id)).trim().split('\n')
  expect(lines.map((line) => JSON.parse(line) as unknown).length).toBeGreaterThan(1)
  const commands = await eventually('the commands', async () => {
    const rows = await system.admin.get<unknown[]>(`/api/v1/terminal/commands/?session_id=${session.id}`)
    return rows.length >= 2 && rows
  })
  expect(JSON.stringify(commands)).toContain('printf')
})

it('one link lets one in, and an expired one nobody', async () => {
  const link = await connectionToken('ssh_client')
  const byLink = { port: system.sshPort, login: `JMS-${link.id}`, password: link.value }
  const both = await Promise.all([ssh(byLink, 'echo in'), ssh(byLink, 'echo in')])
  expect(both.map(({ stdout }) => stdout.toString()).toSorted()).toEqual(['', 'in\n'])

  const { id } = await connectionToken('web_cli')
  const tabs = [browser.open(`token=${id}`), browser.open(`token=${id}`)]
  const told = await Promise.all(
    tabs.map((tab) =>
      eventually('an answer', () =>
        tab.messages.find(({ type }) => type === 'TERMINAL_SESSION' || type === 'TERMINAL_END'),
      ),
    ),
  )
  expect(told.map(({ type }) => type).toSorted()).toEqual(['TERMINAL_END', 'TERMINAL_SESSION'])
  for (const tab of tabs) tab.socket.close()

  const expired = await connectionToken('web_cli')
  const expiring = await browser.send(
    'PATCH',
    `/api/v1/authentication/connection-token/${expired.id}/expire/`,
  )
  expect(expiring.status).toBeLessThan(300)
  const late = browser.open(`token=${expired.id}`)
  const end = JSON.parse((await late.find('TERMINAL_END')).data) as { reason: string; message: string }
  expect(end).toMatchObject({ reason: 'refused', message: expect.stringMatching(/expired/i) as string })
})

it('kill -9 of everything: it comes up by itself with every acknowledged row, no ghost, and the recording', async () => {
  const running = await shell(login('right'))
  await eventually('a prompt', () => /\$/.test(running.screen()))
  running.type('while :; do date +t=%s%3N; sleep 0.03; done\r')
  await eventually('output', () => (running.screen().match(/t=\d{13}/g)?.length ?? 0) > 60)
  const id = (await sessions('is_finished=false')).find(({ asset }) => asset.startsWith('right'))?.id ?? ''

  const acknowledged: string[] = []
  const writing = (async () => {
    for (let at = 0; ; at++) {
      const name = `written-${String(at).padStart(6, '0')}`
      const answer = await system.admin.send('POST', '/api/v1/users/groups/', { name }).catch(() => undefined)
      if (answer === undefined) return
      if (answer.status === 201) acknowledged.push(name)
    }
  })()
  await eventually('rows', () => acknowledged.length > 100)
  const gateway = system.gateway as Program
  programs.push(system.server, gateway)
  const family = [...(await familyOf(system.server.pid)), gateway.pid]
  expect(family.length).toBeGreaterThan(4)
  killAll(family)
  await writing
  await Promise.all([system.server.kill(), gateway.kill()])
  running.kill()

  await system.startServer()
  await system.startGateway()
  system.admin = await Api.signIn(system.origin, 'admin', adminPassword)
  secrets.push(bearer())
  const rows = await system.admin.get<{ name: string }[]>('/api/v1/users/groups/?search=written-')
  expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(acknowledged))
  expect(rows.length - acknowledged.length).toBeLessThanOrEqual(1)
  await eventually('nobody is online', async () => (await sessions('is_finished=false')).length === 0, 10_000)
  const newest = (text: string) =>
    Math.max(...[...text.matchAll(/t=(\d{13})/g)].map((match) => Number(match[1])))
  const seen = newest(running.screen())
  // It can be played from the end of the session on; the chunk the gateway died over comes last.
  await eventually(
    'the recording, without at most a second of what the person saw',
    async () => seen - newest(await castOf(id)) < 1000,
  )
  expect(await ssh(login('right'), 'echo again')).toMatchObject({ code: 0 })
})

it('no log holds an error nobody handled, or a secret', async () => {
  programs.push(system.server, system.gateway as Program)
  const folder = join(system.dataDir, 'logs')
  const files = await readdir(folder)
  const logs = [
    ...programs.map((program) => program.output()),
    ...(await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')))),
  ]
  expect(files.length).toBeGreaterThan(0)
  for (const log of logs) {
    expect(log).not.toMatch(/unhandled rejection|an error nobody caught|UnhandledPromise/i)
    for (const secret of secrets) expect(log).not.toContain(secret)
  }
})
