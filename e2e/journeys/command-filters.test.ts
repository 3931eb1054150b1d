/** Command filters and asset login rules, kept by the server and enforced by the gateway on people's own OpenSSH. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startSshd, type TestSshd } from '@sallyport/ssh/testing/sshd'
import { Api } from '../src/api.ts'
import { shell, ssh, type SshLogin } from '../src/ssh.ts'
import { startSystem, type System } from '../src/system.ts'
import { addAccount, addHost, addPerson, grant, type Person } from '../src/world.ts'

const testTimeoutMs = 120_000

interface Row {
  id: string
}

let system: System
let sshd: TestSshd
let person: Person
let chief: Person
let chiefApi: Api
let direct: SshLogin
beforeAll(async () => {
  ;[sshd, system] = await Promise.all([startSshd(), startSystem()])
  const host = await addHost(system.admin, { port: sshd.port })
  await addAccount(system.admin, host.id, { username: sshd.username, privateKey: sshd.privateKey })
  ;[person, chief] = [await addPerson(system.admin), await addPerson(system.admin)]
  await grant(system.admin, { users: [person.id], assets: [host.id] })
  chiefApi = await Api.signIn(system.origin, chief.username, chief.password)
  direct = {
    port: system.sshPort,
    login: `${person.username}@${sshd.username}@127.0.0.1`,
    password: person.password,
  }
  await addFilter('reject', 60, 'shutdown\nrm -rf')
  await addFilter('review', 50, 'restart-all')
  await addFilter('notice', 40, 'look-here')
})
afterAll(async () => {
  await system?.stop()
  await sshd?.stop()
})

const everybody = {
  users: { username_group: ['*'] },
  assets: { name_group: ['*'], address_group: ['*'] },
  accounts: { username_group: ['*'] },
}

async function addFilter(action: string, priority: number, content: string): Promise<void> {
  const group = await system.admin.post<Row>('/api/v1/acls/command-groups/', {
    name: `what ${action}s`,
    type: 'command',
    content,
  })
  await system.admin.post('/api/v1/acls/command-filter-acls/', {
    name: `it ${action}s`,
    action,
    priority,
    ...everybody,
    command_groups: [group.id],
    reviewers: [chief.id],
  })
}

/** The ticket that waits for the chief now. */
async function waited(): Promise<string> {
  const path = `/api/v1/tickets/tickets/?assignees__id=${chief.id}&state=pending`
  let id: string | undefined
  await expect
    .poll(async () => (id = (await chiefApi.get<Row[]>(path))[0]?.id), { timeout: 30_000 })
    .toBeTruthy()
  return id ?? ''
}
const decide = async (id: string, what: 'approve' | 'reject') =>
  expect((await chiefApi.send('PUT', `/api/v1/tickets/tickets/${id}/${what}/`)).status).toBe(200)

it(
  'a forbidden command is refused, in a terminal too, and is dangerous on the books',
  async () => {
    const refused = await ssh(direct, 'rm  -rf /nothing')
    expect(refused).toMatchObject({ code: 255 })
    expect(refused.stderr).toContain('Command `rm -rf` is forbidden')
    const terminal = await shell(direct)
    const shown = async (what: RegExp) =>
      await expect.poll(() => terminal.screen(), { timeout: 30_000 }).toMatch(what)
    await shown(/\$ $/)
    terminal.type('SHUTDOWN now\r')
    await shown(/Command `SHUTDOWN` is forbidden/)
    terminal.type('exit\r')
    await terminal.ended
    const dangerous = async () =>
      (
        await system.admin.get<{ input: string; risk_level: { value: number } }[]>(
          '/api/v1/terminal/commands/?risk_level=5',
        )
      ).map(({ input }) => input)
    await expect
      .poll(dangerous, { timeout: 30_000 })
      .toEqual(expect.arrayContaining(['rm  -rf /nothing', 'SHUTDOWN now']))
  },
  testTimeoutMs,
)

it(
  'a command waits for its reviewer, and of another one the reviewer hears',
  async () => {
    const running = ssh(direct, 'echo restart-all')
    await decide(await waited(), 'approve')
    const ran = await running
    expect(ran.code).toBe(0)
    expect(ran.stdout.toString()).toBe('restart-all\n')
    expect(ran.stderr).toContain('approved')
    const rejected = ssh(direct, 'echo restart-all')
    await decide(await waited(), 'reject')
    expect(await rejected).toMatchObject({ code: 255 })
    expect((await ssh(direct, 'echo look-here')).code).toBe(0)
    const messages = async () => JSON.stringify(await chiefApi.get('/api/v1/notifications/site-messages/'))
    await expect.poll(messages, { timeout: 30_000 }).toContain('look-here')
  },
  testTimeoutMs,
)

it(
  'a login rule has the connection approved first, and one that rejects says so',
  async () => {
    const rule = await system.admin.post<Row>('/api/v1/acls/login-asset-acls/', {
      name: 'ask first',
      action: 'review',
      ...everybody,
      reviewers: [chief.id],
    })
    const running = ssh(direct, 'echo in')
    await decide(await waited(), 'approve')
    const ran = await running
    expect(ran.stdout.toString()).toBe('in\n')
    await system.admin.patch(`/api/v1/acls/login-asset-acls/${rule.id}/`, { action: 'reject' })
    const refused = await ssh(direct, 'echo never')
    expect(refused).toMatchObject({ code: 255 })
    expect(refused.stderr).toContain('Access was refused')
    await system.admin.delete(`/api/v1/acls/login-asset-acls/${rule.id}/`)
  },
  testTimeoutMs,
)
