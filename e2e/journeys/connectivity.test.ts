/** Tests of assets and accounts, carried out by a real gateway on real machines. */
import { once } from 'node:events'
import { createServer, type Server, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort, startSshd, type TestSshd } from '@sallyport/ssh/testing/sshd'
import { eventually } from '../src/processes.ts'
import { startSystem, type System } from '../src/system.ts'
import { addAccount, addHost } from '../src/world.ts'

interface Tested {
  connectivity: { value: string }
  connectivity_reason: string
  date_verified: string | null
  info: Record<string, string>
}
interface Task {
  status: { value: string }
  summary: Record<string, number>
}

let system: System
let sshd: TestSshd
let silent: Server
const held = new Set<Socket>()

beforeAll(async () => {
  system = await startSystem()
  sshd = await startSshd()
  silent = createServer((socket) => held.add(socket.on('error', () => {}).resume())).listen(0, '127.0.0.1')
  await once(silent, 'listening')
})
afterAll(async () => {
  await system.stop()
  await sshd.stop()
  for (const socket of held) socket.destroy()
  silent.close()
})

const login = () => ({ username: sshd.username, privateKey: sshd.privateKey })
const silentPort = () => {
  const address = silent.address()
  return typeof address === 'object' && address ? address.port : 0
}
const start = async (path: string, body: object) =>
  (await system.admin.post<{ task: string }>(`/api/v1/${path}`, body)).task
const taskOf = (id: string) => system.admin.get<Task>(`/api/v1/ops/task-executions/${id}/`)
const ended = (id: string, timeoutMs = 60_000) =>
  eventually(
    'the end of the task',
    async () => {
      const task = await taskOf(id)
      return /^(pending|running)$/.test(task.status.value) ? undefined : task
    },
    timeoutMs,
  )
const assetOf = (id: string) => system.admin.get<Tested>(`/api/v1/assets/hosts/${id}/`)
const logOf = async (id: string) =>
  (await system.admin.get<{ data: string }>(`/api/v1/ops/celery/task/${id}/task-execution/${id}/log/`)).data

test('an administrator tests assets and accounts, and gathers what machines they are', async () => {
  const good = await addHost(system.admin, { port: sshd.port })
  const account = await addAccount(system.admin, good.id, login())
  const wrong = await addHost(system.admin, { port: sshd.port })
  const wrongAccount = await addAccount(system.admin, wrong.id, {
    username: sshd.username,
    password: 'Wrong-1',
  })
  const closed = await addHost(system.admin, { port: await freePort() })
  await addAccount(system.admin, closed.id, login())
  const task = await start('assets/assets/tasks/', { action: 'test', assets: [good.id, wrong.id, closed.id] })
  expect(await ended(task)).toMatchObject({
    status: { value: 'success' },
    summary: { total: 3, ok: 1, failed: 2 },
  })
  expect(await assetOf(good.id)).toMatchObject({
    connectivity: { value: 'ok' },
    date_verified: expect.any(String),
  })
  expect(await assetOf(wrong.id)).toMatchObject({
    connectivity: { value: 'err' },
    connectivity_reason: expect.stringContaining('its password or key is wrong'),
  })
  expect(await assetOf(closed.id)).toMatchObject({
    connectivity: { value: 'err' },
    connectivity_reason: expect.stringContaining('nothing listens there'),
  })
  const log = await logOf(task)
  expect(log).toContain(`${good.name}(127.0.0.1): reachable, signed in as ${sshd.username}`)
  for (const secret of ['Wrong-1', 'PRIVATE KEY']) {
    expect(log).not.toContain(secret)
    expect(system.server.output() + (system.gateway?.output() ?? '')).not.toContain(secret)
  }

  const verified = await start('accounts/accounts/tasks/', {
    action: 'verify',
    accounts: [account.id, wrongAccount.id],
  })
  expect(await ended(verified)).toMatchObject({ summary: { total: 2, ok: 1, failed: 1 } })

  const gathered = await start(`assets/assets/${good.id}/tasks/`, { action: 'refresh' })
  expect(await ended(gathered)).toMatchObject({ summary: { total: 1, ok: 1 } })
  expect((await assetOf(good.id)).info).toMatchObject({
    arch: expect.any(String),
    memory: expect.any(String),
    cpu_vcpus: expect.any(String),
  })
})

test('a gateway killed in the middle is followed by the next, and a task nobody wants any more ends at once', async () => {
  const host = await addHost(system.admin, { port: silentPort() })
  await addAccount(system.admin, host.id, login())
  const task = await start(`assets/assets/${host.id}/tasks/`, { action: 'test' })
  await eventually('the gateway at work', () => held.size > 0)
  held.clear()
  await system.gateway?.kill('SIGKILL')
  await system.startGateway()
  await eventually('the next gateway at work', () => held.size > 0, 30_000)
  expect(await ended(task)).toMatchObject({ status: { value: 'success' }, summary: { failed: 1 } })
  expect((await assetOf(host.id)).connectivity_reason).toContain('does not answer')

  held.clear()
  const unwanted = await start(`assets/assets/${host.id}/tasks/`, { action: 'test' })
  await eventually('the gateway at work again', () => held.size > 0)
  const sockets = [...held]
  await system.admin.post(`/api/v1/ops/task-executions/${unwanted}/cancel/`)
  expect(await ended(unwanted)).toMatchObject({ status: { value: 'canceled' } })
  await eventually('the connection to be given up', () => sockets.every((socket) => socket.closed))
})
