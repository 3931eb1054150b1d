import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { roleIds, rootOrgId } from '@sallyport/contract'
import type { FastifyInstance } from 'fastify'
import { describe, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { execution } from '../../kernel/executions/index.ts'
import { contextOf } from '../../kernel/testing/work-context.ts'
import { startTestSystem, type TestClient } from '../../testing.ts'
import { addPerson } from '../../testing-people.ts'
import { cleanExecutions } from './jobs.ts'

const system = await startTestSystem({ work: true })
const admin = await system.admin()
const elsewhere = await system.anotherNode()
const ann = await addPerson(system, admin)
const annsBrowser = await ann.signedIn()
const bob = await (await addPerson(system, admin)).signedIn()

let release: (() => void) | undefined
const waiting = execution({
  kind: 'ops.waiting',
  input: z.object({ host: z.string() }),
  timeoutSeconds: 60,
  onCrash: 'fail',
  run: async (_ctx, { log, signal }) => {
    await log('begun: 世界')
    await new Promise<void>((resolve, reject) => {
      release = resolve
      signal.addEventListener('abort', () => reject(new Error('aborted')))
    })
    await log('done')
    return { hosts: 1 }
  },
})
system.ground.executions.register(waiting)
const start = () =>
  system.ground.executions.start(contextOf(system.database, { id: ann.id, name: 'ann' }), waiting, {
    host: 'web-1',
  })
/** Lets the waiting execution go on, as soon as it waits. */
const letGo = async () => {
  const go = await vi.waitFor(() => release ?? Promise.reject(new Error('nothing waits')), {
    timeout: 20_000,
  })
  release = undefined
  go()
}
const becomes = (client: TestClient, id: string, expected: object) =>
  vi.waitFor(
    async () => {
      const { body } = await client.get(`ops/task-executions/${id}/`)
      expect(body).toMatchObject(expected)
    },
    { timeout: 20_000, interval: 50 },
  )

/** Everything the socket of that node says about a task until its end. */
async function tail(
  http: FastifyInstance,
  client: TestClient,
  task: string,
  from: 'page' | 'program' = 'page',
  { type = 'celery', language = 'en' } = {},
) {
  if (!http.server.listening) await http.listen({ host: '127.0.0.1', port: 0 })
  const { port } = http.server.address() as { port: number }
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const origin = `http://127.0.0.1:${port}`
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/ops/tasks/log/`, {
    headers: { cookie, 'accept-language': language, ...(from === 'page' ? { origin } : {}) },
  })
  const said: { message?: string; event?: string }[] = []
  socket.on('open', () => socket.send(JSON.stringify({ task, type })))
  socket.on('message', (data: Buffer) => said.push(JSON.parse(data.toString()) as { message?: string }))
  return { said, text: () => said.map(({ message }) => message ?? '').join(''), socket }
}

describe('a task', () => {
  test('is followed on another node while it runs, cancelled by who started it, and that is in the books', async () => {
    const id = await start()
    await becomes(annsBrowser, id, {
      status: { value: 'running', label: 'Running' },
      name: 'ops.waiting',
      kwargs: { host: 'web-1' },
      is_finished: false,
      user: 'ann(ann)',
    })
    const tailed = await tail(elsewhere, annsBrowser, id)
    await vi.waitFor(() => expect(tailed.text()).toContain('begun: 世界\r\n'), { timeout: 10_000 })
    const byProgram = await tail(elsewhere, annsBrowser, id, 'program')
    await vi.waitFor(() => expect(byProgram.text()).toContain('begun: 世界\r\n'), { timeout: 10_000 })
    byProgram.socket.close()
    const canceled = await annsBrowser.post(`ops/task-executions/${id}/cancel/`, {})
    expect(canceled.status).toBe(200)
    await vi.waitFor(() => expect(tailed.said.at(-1)).toMatchObject({ event: 'end', task: id }), {
      timeout: 10_000,
    })
    expect(tailed.text()).toBe('\r\nbegun: 世界\r\nIt was cancelled.\r\n')
    tailed.socket.close()
    await becomes(annsBrowser, id, { status: { value: 'canceled' }, is_finished: true, is_success: false })
    const { body } = await admin.get(`audits/operate-logs/?user=${ann.username}(${ann.username})&limit=5`)
    expect(body['results']).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          action: { value: 'terminate', label: 'Terminate' },
          resource: 'ops.waiting',
          resource_type: 'Task execution',
        }),
      ]),
    )
    expect((await annsBrowser.post(`ops/task-executions/${id}/cancel/`, {})).body).toMatchObject({
      code: 'execution_is_over',
    })
  })

  test('costs the server no more however often it is asked for: one at a time, and the last counts', async () => {
    const id = await start()
    await becomes(annsBrowser, id, { status: { value: 'running' } })
    const tailed = await tail(elsewhere, annsBrowser, id)
    await vi.waitFor(() => expect(tailed.text()).toContain('begun'), { timeout: 10_000 })
    // Fewer than a socket is closed for.
    const asked = 3000
    for (let at = 0; at < asked; at++) tailed.socket.send(JSON.stringify({ task: `none-${at}` }))
    const meanwhile = await annsBrowser.get('ops/task-executions/')
    expect(meanwhile.status).toBe(200)
    await vi.waitFor(
      () => expect(tailed.said.at(-1)).toEqual({ event: 'end', task: `none-${asked - 1}`, message: '' }),
      {
        timeout: 20_000,
      },
    )
    expect(tailed.said.filter(({ event }) => event === 'end').length).toBeLessThan(asked / 2)
    expect(tailed.socket.readyState).toBe(WebSocket.OPEN)
    tailed.socket.close()
    await letGo()
  })

  test('is asked for in few words: who sends more is sent away, even where the words are right', async () => {
    const { socket } = await tail(elsewhere, annsBrowser, 'none')
    socket.on('open', () => socket.send(JSON.stringify({ task: 'none', more: 'x'.repeat(2000) })))
    const [code] = (await once(socket, 'close')) as [number]
    expect(code).toBe(1003)
  })

  test('is followed no longer than the sign-in lasts', async () => {
    const person = await addPerson(system, admin, { org_roles: [roleIds.orgAdmin] })
    const browser = await person.signedIn()
    const id = await start()
    await becomes(annsBrowser, id, { status: { value: 'running' } })
    const tailed = await tail(elsewhere, browser, id)
    const closed = new Promise((resolve) => tailed.socket.once('close', resolve))
    await vi.waitFor(() => expect(tailed.text()).toContain('begun'), { timeout: 10_000 })
    expect((await admin.patch(`users/users/${person.id}/`, { is_active: false })).status).toBe(200)
    expect(await closed).toBe(1008)
    await letGo()
  })

  test('is seen by who started it and by administrators, and cancelled by nobody else', async () => {
    const id = await start()
    await becomes(annsBrowser, id, { status: { value: 'running' } })
    expect((await bob.get(`ops/task-executions/${id}/`)).status).toBe(404)
    expect((await bob.get(`ops/celery/task/${id}/task-execution/${id}/log/`)).status).toBe(404)
    const refused = await tail(system.http, bob, id, 'page', { language: 'zh-hans' })
    expect((await bob.get('ops/task-executions/')).body).toEqual([])
    expect((await bob.post(`ops/task-executions/${id}/cancel/`, {})).status).toBe(404)
    expect((await admin.get(`ops/task-executions/?kind=ops.waiting&is_finished=0`)).body).toMatchObject([
      { id },
    ])
    await letGo()
    await becomes(admin, id, { status: { value: 'success' }, is_success: true, summary: { hosts: 1 } })
    // What is not there for somebody may yet be begun: they wait a while, and are told then.
    await vi.waitFor(() => expect(refused.said.at(-1)).toMatchObject({ event: 'end' }), { timeout: 25_000 })
    expect(refused.text()).toMatch(/^\.{10,}未找到任务/)
    refused.socket.close()
  }, 40_000)

  test('has a log of the kinds there are: who asks for another is not kept waiting', async () => {
    const asked = await tail(system.http, bob, randomUUID(), 'page', { type: 'pigeon' })
    const closed = new Promise((resolve) => asked.socket.once('close', resolve))
    expect(await closed).toBe(1003)
    expect(asked.said).toEqual([])
  })

  test('is read by polling from where one was, at the compatible address, too', async () => {
    const id = await start()
    const address = `ops/celery/task/${id}/task-execution/${id}/log/`
    const part = await vi.waitFor(
      async () => {
        const { body } = await annsBrowser.get(address)
        expect(body).toMatchObject({ data: 'begun: 世界\r\n', end: false })
        return body
      },
      { timeout: 10_000 },
    )
    await letGo()
    await becomes(annsBrowser, id, { is_finished: true })
    const rest = `ops/task-executions/${id}/log/?mark=${String(part['mark'])}`
    expect((await annsBrowser.get(rest)).body).toEqual({ data: 'done\r\n', end: true, mark: '2' })
  })

  test('of long ago goes with its log', async () => {
    const id = await start()
    await becomes(annsBrowser, id, { status: { value: 'running' } })
    await letGo()
    await becomes(annsBrowser, id, { is_finished: true })
    await system.database.pool.query(
      `update executions set date_published = now() - interval '91 days' where id = $1`,
      [id],
    )
    const root = { org: rootOrgId }
    const cleaning = await system.ground.executions.start(
      contextOf(system.database, { id: ann.id, name: 'ann' }),
      cleanExecutions,
      {},
    )
    await becomes(annsBrowser, cleaning, { status: { value: 'success' }, summary: { removed: 1 } })
    expect((await admin.get(`ops/task-executions/${id}/`, root)).status).toBe(404)
  })
})
