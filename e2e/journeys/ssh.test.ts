/** The main job with the person's own OpenSSH client. */
import { createHash, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startSshd, type TestSshd } from '@sallyport/ssh/testing/sshd'
import { Api } from '../src/api.ts'
import { eventually } from '../src/processes.ts'
import { shell, ssh } from '../src/ssh.ts'
import { startSystem, type System } from '../src/system.ts'
import { addAccount, addHost, addPerson, grant, type Person } from '../src/world.ts'

let system: System
let sshd: TestSshd
let person: Person
let host: { id: string; name: string }
let login: { port: number; login: string; password: string }

interface SessionRow {
  id: string
  user: string
  is_finished: boolean
  has_replay: boolean
  type: { value: string }
  end_reason: { value: string } | string | null
}
const sessions = async (query: string) =>
  (await system.admin.get<{ results: SessionRow[] }>(`/api/v1/terminal/sessions/?limit=15&${query}`)).results

beforeAll(async () => {
  sshd = await startSshd()
  system = await startSystem()
  host = await addHost(system.admin, { port: sshd.port })
  await addAccount(system.admin, host.id, { username: sshd.username, privateKey: sshd.privateKey })
  person = await addPerson(system.admin)
  await grant(system.admin, { users: [person.id], assets: [host.id] })
  login = {
    port: system.sshPort,
    login: `${person.username}@${sshd.username}@127.0.0.1`,
    password: person.password,
  }
})
afterAll(async () => {
  await system?.stop()
  await sshd?.stop()
})

describe('ssh person@account@host', () => {
  it('runs a command with its own exit status and its errors apart', async () => {
    const result = await ssh(login, 'echo out; echo err >&2; exit 7')
    expect({ ...result, stdout: result.stdout.toString() }).toEqual({
      code: 7,
      stdout: 'out\n',
      stderr: 'err\n',
    })
  })

  it('carries ten megabytes both ways without changing a byte', async () => {
    const sent = randomBytes(10 << 20)
    const result = await ssh(login, 'cat', sent)
    expect(result.code).toBe(0)
    expect(createHash('sha256').update(result.stdout).digest('hex')).toBe(
      createHash('sha256').update(sent).digest('hex'),
    )
  })

  it('keeps the command with its exit status on the books', async () => {
    await ssh(login, 'echo counted; exit 3')
    const row = await eventually('the session is closed with its recording', async () =>
      (
        await sessions(`user=${encodeURIComponent(await nameOf(person))}&is_finished=true&order=-date_start`)
      ).find((one) => one.has_replay),
    )
    expect(row.type.value).toBe('command')
  })

  it('opens a shell in which what was typed is found as a command', async () => {
    const opened = await shell(login)
    await eventually('a prompt', () => /[$#>] ?$/.test(opened.screen()) || /\$/.test(opened.screen()))
    opened.type('echo needle-$((20+3))\r')
    await eventually('the answer', () => opened.screen().includes('needle-23'))
    opened.type('exit\r')
    expect(await opened.ended).toBe(0)
    const found = await eventually('the command record', async () => {
      const session = (await sessions('order=-date_start'))[0]
      if (!session) return undefined
      const commands = await system.admin.get<{ input: string; output: string }[]>(
        `/api/v1/terminal/commands/?session_id=${session.id}`,
      )
      return commands.find((command) => command.input.includes('needle'))
    })
    expect(found).toMatchObject({ input: 'echo needle-$((20+3))' })
  })

  it('refuses a wrong password, an unknown host, and file transfer, each with a sentence', async () => {
    expect((await ssh({ ...login, password: 'wrong' }, 'true')).code).toBe(255)
    const unknown = await ssh({ ...login, login: `${person.username}@${sshd.username}@192.0.2.1` }, 'true')
    expect(unknown.code).not.toBe(0)
    expect(unknown.stderr).not.toBe('')
    const sftp = await ssh(login, 'sftp', undefined, ['-s'])
    expect(sftp.code).not.toBe(0)
    const scp = await ssh(login, 'scp -t /tmp')
    expect(scp.code).toBe(1)
    expect(scp.stderr).not.toBe('')
  })

  it('takes a public key stored in the profile', async () => {
    const publicKey = await readFile(`${sshd.privateKeyFile}.pub`, 'utf8')
    await system.admin.patch(`/api/v1/users/users/${person.id}/`, { public_key: publicKey })
    const result = await ssh(
      { port: login.port, login: login.login, keyFile: sshd.privateKeyFile },
      'echo by-key',
    )
    expect(result.stdout.toString()).toBe('by-key\n')
    expect(
      (await ssh({ port: login.port, login: login.login, keyFile: sshd.strangerKeyFile }, 'true')).code,
    ).toBe(255)
  })

  it('offers a menu at a bare login', async () => {
    const opened = await shell({ ...login, login: person.username })
    await eventually('the menu', () => opened.screen().includes('Opt>'))
    opened.type(`${host.name}\r`)
    await eventually('the shell', () => /\$ ?/.test(opened.screen().split('Opt>').at(-1) ?? ''))
    opened.type('echo from-menu-$((1+1))\r')
    await eventually('the answer', () => opened.screen().includes('from-menu-2'))
    opened.kill()
  })
})

describe('ending and revoking', () => {
  it('an auditor ends a session within a second and the person is told by whom', async () => {
    const opened = await shell(login)
    await eventually('a prompt', () => /\$/.test(opened.screen()))
    const session = await eventually(
      'the session online',
      async () => (await sessions('is_finished=false'))[0],
    )
    const started = Date.now()
    await system.admin.post('/api/v1/terminal/tasks/kill-session/', [session.id])
    await opened.ended
    expect(Date.now() - started).toBeLessThan(1500)
    expect(opened.screen()).toContain('Administrator')
    await eventually(
      'closed on the books',
      async () => (await sessions(`id=${session.id}&is_finished=true`)).length === 1,
    )
  })

  it('disabling the person ends what runs; enabling lets them in again', async () => {
    const opened = await shell(login)
    await eventually('a prompt', () => /\$/.test(opened.screen()))
    await system.admin.patch(`/api/v1/users/users/${person.id}/`, { is_active: false })
    await opened.ended
    expect((await ssh(login, 'true')).code).not.toBe(0)
    await system.admin.patch(`/api/v1/users/users/${person.id}/`, { is_active: true })
    expect((await ssh(login, 'true')).code).toBe(0)
  })

  it('a grant that is withdrawn or over stops new connections at once', async () => {
    const other = await addPerson(system.admin)
    const given = await grant(system.admin, { users: [other.id], assets: [host.id] })
    const mine = { ...login, login: `${other.username}@${sshd.username}@127.0.0.1`, password: other.password }
    expect((await ssh(mine, 'true')).code).toBe(0)
    await system.admin.patch(`/api/v1/perms/asset-permissions/${given.id}/`, {
      date_expired: '2020/01/01 00:00:00',
    })
    expect((await ssh(mine, 'true')).code).not.toBe(0)
    await system.admin.patch(`/api/v1/perms/asset-permissions/${given.id}/`, {
      date_expired: '2099/01/01 00:00:00',
    })
    expect((await ssh(mine, 'true')).code).toBe(0)
    await system.admin.delete(`/api/v1/perms/asset-permissions/${given.id}/`)
    expect((await ssh(mine, 'true')).code).not.toBe(0)
  })
})

describe('the faults that must not lose anything', () => {
  it('kill -9 of the gateway: sessions are closed with a reason within ten seconds', async () => {
    const opened = await shell(login)
    await eventually('a prompt', () => /\$/.test(opened.screen()))
    opened.type('for i in $(seq 1 200); do echo line-$i; sleep 0.05; done\r')
    await eventually('output', () => opened.screen().includes('line-40'))
    const session = await eventually(
      'the session online',
      async () => (await sessions('is_finished=false'))[0],
    )
    await system.gateway?.kill('SIGKILL')
    await eventually(
      'closed on the books',
      async () => (await sessions(`id=${session.id}&is_finished=true`))[0],
      10_000,
    )
    await system.startGateway()
    await eventually(
      'the recording is there',
      async () => (await sessions(`id=${session.id}`))[0]?.has_replay,
    )
    expect((await ssh(login, 'true')).code).toBe(0)
  })

  it('kill -9 of the server: the session goes on, and its recording is complete when the server is back', async () => {
    const opened = await shell(login)
    await eventually('a prompt', () => /\$/.test(opened.screen()))
    const session = await eventually(
      'the session online',
      async () => (await sessions('is_finished=false'))[0],
    )
    await system.server.kill('SIGKILL')
    opened.type('echo while-$((40+2))-away\r')
    await eventually('the answer', () => opened.screen().includes('while-42-away'))
    await system.startServer()
    system.admin = await Api.signIn(system.origin, 'admin', 'Sallyport-e2e-1')
    opened.type('exit\r')
    expect(await opened.ended).toBe(0)
    await eventually(
      'the recording',
      async () => (await sessions(`id=${session.id}&is_finished=true`))[0]?.has_replay,
      20_000,
    )
    const commands = await eventually('the commands', async () => {
      const rows = await system.admin.get<{ input: string }[]>(
        `/api/v1/terminal/commands/?session_id=${session.id}`,
      )
      return rows.length > 0 ? rows : undefined
    })
    expect(commands.map((command) => command.input)).toContain('echo while-$((40+2))-away')
  })
})

async function nameOf(one: Person): Promise<string> {
  const row = await system.admin.get<{ name: string; username: string }>(`/api/v1/users/users/${one.id}/`)
  return `${row.name}(${row.username})`
}
