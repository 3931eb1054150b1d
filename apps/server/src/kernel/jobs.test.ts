import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { withTransaction } from './database/index.ts'
import { createJobs, job, type JobContext } from './jobs.ts'
import { createEmptyDatabase, createTestDatabase, testLog } from './testing/index.ts'
import { crashing } from './testing/crashing-worker.ts'

const database = await createTestDatabase()
const greet = job({
  name: 'test/greet',
  schema: z.object({ name: z.string() }),
  timeoutSeconds: 30,
  retry: { limit: 0, delaySeconds: 1 },
})
const flaky = job({
  name: 'test/flaky',
  schema: z.object({}),
  timeoutSeconds: 30,
  retry: { limit: 2, delaySeconds: 1 },
  cron: '0 3 * * *',
})
const greeted: string[] = []
const attempts: number[] = []
const survived = vi.fn<(mark: string, context: JobContext) => void>()

const worker = createJobs(database, testLog)
worker.register(greet, async ({ name }) => void greeted.push(name))
worker.register(flaky, async (_, { attempt }) => {
  attempts.push(attempt)
  if (attempt === 1) throw new Error('the first attempt fails')
})
worker.register(crashing, async ({ mark }, context) => survived(mark, context))

const api = createJobs(database, testLog)
for (const declared of [greet, flaky, crashing])
  api.register<unknown>(declared, () => Promise.reject(new Error()))
await api.start({ work: false })
afterAll(async () => {
  await Promise.all([worker.stop(2000), api.stop(2000)])
})

test(
  'a job enqueued by a process that does not work survives the crash of its first worker',
  { timeout: 60_000 },
  async () => {
    const child = spawn(process.execPath, [
      join(import.meta.dirname, 'testing/crashing-worker.ts'),
      database.url,
    ])
    await api.enqueue(crashing, { mark: 'x' })
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'exit')
    await worker.start({ work: true })
    await vi.waitFor(() => expect(survived).toHaveBeenCalledTimes(1), { timeout: 45_000, interval: 100 })
    expect(survived.mock.calls[0]?.[0]).toBe('x')
    expect(survived.mock.calls[0]?.[1].attempt).toBe(2)
  },
)

test('jobs are done soon, those of a transaction only when it commits', async () => {
  await api.enqueue(greet, { name: 'Ada' })
  await withTransaction(database.db, async (tx) => {
    await api.enqueue(greet, { name: 'never' }, { transaction: tx })
    throw new Error('rolled back')
  }).catch(() => {})
  await withTransaction(database.db, async (tx) => {
    await api.enqueue(greet, { name: 'Grace' }, { transaction: tx })
  })
  await vi.waitFor(() => expect(greeted.toSorted()).toEqual(['Ada', 'Grace']), { timeout: 10_000 })
})

test('a failed attempt is made again', async () => {
  await api.enqueue(flaky, {})
  await vi.waitFor(() => expect(attempts).toEqual([1, 2]), { timeout: 15_000, interval: 100 })
})

test('a job with the key of one that waits is not added', async () => {
  const options = { singletonKey: 'one', startAfterSeconds: 60 }
  expect(await api.enqueue(greet, { name: 'later' }, options)).toBeTypeOf('string')
  expect(await api.enqueue(greet, { name: 'later' }, options)).toBeNull()
})

test('a queue says whether it is reached: before its start, while it runs, in an outage', async () => {
  const url = await createEmptyDatabase()
  const queue = createJobs({ ...database, url }, testLog)
  expect(await queue.isUp()).toBe(false)
  await queue.start({ work: false })
  expect(await queue.isUp()).toBe(true)
  await database.pool.query(`drop database ${new URL(url).pathname.slice(1)} with (force)`)
  expect(await queue.isUp()).toBe(false)
  await queue.stop(1000)
})

test('a queue whose database has gone without a word is reached again over new connections', async () => {
  const { hostname, port, pathname, username, password } = new URL(database.url)
  const path = new URL(database.url).searchParams.get('host')
  const near: Socket[] = []
  const proxy = createServer((visitor) => {
    const far = path ? connect(`${path}/.s.PGSQL.${port || 5432}`) : connect(Number(port || 5432), hostname)
    visitor.pipe(far).pipe(visitor)
    for (const socket of [visitor, far]) socket.on('error', () => visitor.destroy())
    near.push(visitor)
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const url = new URL(`postgres://127.0.0.1:${(proxy.address() as AddressInfo).port}${pathname}`)
  Object.assign(url, { username, password })
  const queue = createJobs({ ...database, url: url.href }, testLog, 1000)
  await queue.start({ work: false })
  expect(await queue.isUp()).toBe(true)
  // What is sent is taken, and nothing comes of it.
  for (const socket of near.splice(0)) socket.unpipe().resume()
  await expect.poll(() => queue.isUp(), { timeout: 10_000 }).toBe(true)
  await queue.stop(1000)
  for (const socket of near) socket.destroy()
  proxy.close()
})

test('data that does not fit the declaration is refused when it is enqueued', async () => {
  await expect(api.enqueue(greet, JSON.parse('{"name": 5}'))).rejects.toThrow('name')
})

test('the schedule is the declared one', async () => {
  const { rows } = await database.pool.query('select name, cron, timezone from pgboss.schedule')
  expect(rows).toEqual([{ name: 'test/flaky', cron: '0 3 * * *', timezone: 'UTC' }])
})

test('a clock of this machine that is set back holds up no pass of the queue', async () => {
  const passes = async () => {
    const { rows } = await database.pool.query<{ at: Date | null }>(
      'select max(monitor_on) as at from pgboss.queue',
    )
    return rows[0]?.at?.getTime() ?? 0
  }
  const before = await passes()
  const clock = vi.spyOn(Date, 'now')
  clock.mockImplementation(() => performance.timeOrigin + performance.now() + 3_600_000)
  await vi.waitFor(async () => expect(await passes()).toBeGreaterThan(before), { timeout: 30_000 })
  clock.mockRestore()
  const then = await passes()
  await vi.waitFor(async () => expect(await passes()).toBeGreaterThan(then), { timeout: 30_000 })
})
