/** Two nodes on one database: `here` starts, watches and cancels; `there` works. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { afterAll, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { withTransaction } from '../database/index.ts'
import { ApiError, refused } from '../errors.ts'
import { createJobs } from '../jobs.ts'
import { openLive } from '../live.ts'
import { createTestDatabase, testLog } from '../testing/index.ts'
import { dying } from '../testing/executing-worker.ts'
import { contextOf, workContext } from '../testing/work-context.ts'
import {
  createExecutions,
  type Execution,
  execution,
  type Executions,
  executionRows,
  type Work,
} from './index.ts'
import { executionLogs } from './tables.ts'

const database = await createTestDatabase()
const ann = contextOf(database, { id: '11111111-1111-4111-8111-111111111111', name: 'ann' })

type Doing = (work: Work<{ name: string }>) => Promise<void>
const doings = new Map<string, Doing>()
/** Work that each test says itself, by the name in its input. */
const declare = (more: Partial<Execution<{ name: string }>> & { kind: string }) =>
  execution({
    input: z.object({ name: z.string() }),
    timeoutSeconds: 60,
    onCrash: 'fail',
    run: async (_ctx, work) => {
      await doings.get(work.input.name)?.(work)
      return { name: work.input.name }
    },
    ...more,
  })
const simple = declare({ kind: 'test.simple' })
const short = declare({ kind: 'test.short', timeoutSeconds: 1 })
const resumable = declare({ kind: 'test.resumable', onCrash: 'resume' })
const narrow = declare({ kind: 'test.narrow', concurrency: { total: 2, perKey: 1 } })

async function node(): Promise<Executions> {
  const live = await openLive(database, testLog)
  const made = createExecutions({ database, live, jobs: createJobs(database, testLog), log: testLog })
  for (const kind of [simple, short, resumable, narrow, ...dying]) made.register(kind)
  afterAll(async () => {
    await made.stop(1000)
    await live.close()
  })
  return made
}
const here = await node()
const there = await node()

let count = 0
function start(kind: Execution<{ name: string }>, doing: Doing, key?: string): Promise<string> {
  const name = `work ${++count}`
  doings.set(name, doing)
  return here.start(ann, kind, { name }, key === undefined ? {} : { key })
}
async function rowOf(id: string) {
  const [row] = await database.db.select().from(executionRows).where(eq(executionRows.id, id))
  if (row === undefined) throw new Error('there is no such execution')
  return row
}
const becomes = (id: string, expected: object) =>
  vi.waitFor(async () => expect(await rowOf(id)).toMatchObject(expected), { timeout: 20_000, interval: 50 })
async function logOf(id: string): Promise<string[]> {
  const lines: string[] = []
  for await (const part of here.follow(id, 0, AbortSignal.timeout(20_000))) lines.push(...part.lines)
  return lines
}
/** Ends when it is told to. */
const untilAborted: Doing = ({ signal }) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')))
  })

test.each(['*/15 * * * ', '61 2 * * *', '@daily'])(
  'a server with an execution of the cron %s does not start',
  (cron) => {
    expect(() => here.register(declare({ kind: `test.cron-${cron}`, cron }))).toThrow(`“${cron}”`)
  },
)

test(
  'when a worker is killed, what can be resumed is done by another and what cannot is ended, within seconds',
  { timeout: 60_000 },
  async () => {
    const child = spawn(process.execPath, [
      join(import.meta.dirname, '../testing/executing-worker.ts'),
      database.url,
    ])
    const [resumed = '', failed = ''] = await Promise.all(dying.map((kind) => here.start(ann, kind, {})))
    await becomes(resumed, { status: 'running', attempt: 1 })
    await becomes(failed, { status: 'running', attempt: 1 })
    child.kill('SIGKILL')
    await once(child, 'exit')
    there.work(workContext(database))
    const killedAt = performance.now()
    await becomes(failed, { status: 'error', error: 'worker_lost', worker: null })
    await becomes(resumed, { status: 'success', attempt: 2 })
    expect(performance.now() - killedAt).toBeLessThan(15_000)
    expect((await logOf(resumed)).slice(-2)).toEqual([
      'The server that worked on it died. It begins again.',
      'attempt 2',
    ])
    expect((await logOf(failed)).at(-1)).toBe('The server that worked on it died.')
  },
)

test('what is started here is done there once the transaction is committed, with its summary and who started it', async () => {
  const rolledBack = vi.fn<Doing>()
  doings.set('never', rolledBack)
  await withTransaction(database.db, async (tx) => {
    await here.start(ann.within(tx), simple, { name: 'never' })
    throw new Error('rolled back')
  }).catch(() => undefined)
  const id = await start(simple, ({ progress }) => Promise.resolve(progress(3, 7)))
  await becomes(id, {
    status: 'success',
    user: 'ann(ann)',
    trigger: 'manual',
    summary: { name: `work ${count}` },
    progress_done: 3,
    progress_total: 7,
  })
  const { date_published, date_start, date_finished } = await rowOf(id)
  expect([date_published, date_start, date_finished].map(Number)).toEqual(
    [date_published, date_start, date_finished].map(Number).toSorted((a, b) => a - b),
  )
  expect(rolledBack).not.toHaveBeenCalled()
})

test('its log is followed from the other node while it is written, in order, and nothing secret is in it', async () => {
  const heard: string[] = []
  let goOn = () => {}
  const id = await start(simple, async ({ log }) => {
    log.hide('s3cret')
    await log('one\ntwo')
    await log('with s3cret in it')
    await new Promise<void>((resolve) => {
      goOn = resolve
    })
    await log('last')
  })
  const following = (async () => {
    for await (const { lines } of here.follow(id, 0, AbortSignal.timeout(20_000))) heard.push(...lines)
  })()
  await vi.waitFor(() => expect(heard).toEqual(['one', 'two', 'with *** in it']), { timeout: 10_000 })
  goOn()
  await following
  expect(heard.at(-1)).toBe('last')
  expect(await logOf(id)).toEqual(heard)
})

test('it is cancelled from the other node within a second', async () => {
  let stoppedAt = 0
  const id = await start(simple, async (work) => {
    await untilAborted(work).finally(() => {
      stoppedAt = performance.now()
    })
  })
  await becomes(id, { status: 'running' })
  const askedAt = performance.now()
  expect(await here.cancel(ann, id)).toBe(true)
  await becomes(id, { status: 'canceled', error: null })
  expect(stoppedAt - askedAt).toBeLessThan(1000)
  expect(await logOf(id)).toEqual(['It was cancelled.'])
  expect(await here.cancel(ann, id)).toBe(false)
})

test('one that is cancelled as it is taken is not begun', async () => {
  const doing = vi.fn<Doing>(() => new Promise(() => {}))
  const [locked, heard] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  // Beginning reads the log, and so waits.
  const beginning = withTransaction(database.db, async (tx) => {
    await tx.execute(sql`lock table ${executionLogs} in access exclusive mode`)
    locked.resolve()
    await heard.promise
  })
  await locked.promise
  const id = await start(simple, doing)
  await becomes(id, { status: 'running' })
  await here.cancel(ann, id)
  // With its next beat the worker has heard of it.
  await vi.waitFor(
    async () => {
      const { date_heartbeat, date_cancel } = await rowOf(id)
      expect(Number(date_heartbeat)).toBeGreaterThan(Number(date_cancel))
    },
    { timeout: 20_000, interval: 50 },
  )
  heard.resolve()
  await beginning
  await becomes(id, { status: 'canceled', error: null })
  expect(doing).not.toHaveBeenCalled()
})

test('what does not end although it is cancelled is ended on the books', async () => {
  const id = await start(simple, () => new Promise(() => {}))
  await becomes(id, { status: 'running' })
  await here.cancel(ann, id)
  await becomes(id, { status: 'canceled' })
})

test('what takes longer than it may ends as that', async () => {
  const id = await start(short, untilAborted)
  await becomes(id, { status: 'timeout', error: 'execution_timeout' })
})

test('a refusal ends it as failed with its code, anything else as an error that tells nothing of the inside', async () => {
  const refusal = await start(simple, () => Promise.reject(refused('busy')))
  const broken = await start(simple, () => Promise.reject(new Error('password hunter2')))
  await becomes(refusal, { status: 'failed', error: 'busy' })
  await becomes(broken, { status: 'error', error: 'server_error' })
  expect(await logOf(refusal)).toEqual(['Being updated, please retry later'])
  expect(await logOf(broken)).toEqual(['Server internal error'])
})

test('one that loses the database is begun again as that of a dead worker, and is no error', async () => {
  const attempts: number[] = []
  const id = await start(resumable, ({ attempt }) => {
    attempts.push(attempt)
    // As the driver says it of a connection the server has closed.
    if (attempt === 1)
      throw Object.assign(new Error('terminating connection due to administrator command'), { code: '57P01' })
    return Promise.resolve()
  })
  await becomes(id, { status: 'success', attempt: 2 })
  expect(attempts).toEqual([1, 2])
})

test('one that says who did not answer it has failed for that, and has not lost the database', async () => {
  const cause = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:389'), {
    code: 'ECONNREFUSED',
    syscall: 'connect',
  })
  const id = await start(simple, () => Promise.reject(new ApiError(400, 'busy', { cause })))
  await becomes(id, { status: 'failed', error: 'busy' })
})

test('what the schedule begins does not wait for what people have going on', async () => {
  const goOn = Promise.withResolvers<void>()
  const all = await Promise.all(Array.from({ length: 40 }, () => start(simple, () => goOn.promise)))
  const running = () => database.db.$count(executionRows, eq(executionRows.status, 'running'))
  await vi.waitFor(async () => expect(await running()).toBeGreaterThanOrEqual(16), { timeout: 20_000 })
  const [scheduled] = await database.db
    .insert(executionRows)
    .values({
      org_id: ann.org.id,
      kind: simple.kind,
      input: { name: 'of the schedule' },
      trigger: 'timing',
      user: 'System',
      language: 'en',
      on_crash: 'fail',
      timeout_seconds: 60,
    })
    .returning({ id: executionRows.id })
  await becomes(scheduled?.id ?? '', { status: 'success' })
  goOn.resolve()
  for (const id of all) await becomes(id, { status: 'success' })
})

test('nobody is kept waiting by those that one person has going on of a kind', async () => {
  const goOn = Promise.withResolvers<void>()
  const ben = contextOf(database, { id: '22222222-2222-4222-8222-222222222222', name: 'ben' })
  const first = await start(narrow, () => goOn.promise)
  const second = await start(narrow, () => goOn.promise)
  doings.set('of ben', () => Promise.resolve())
  await becomes(await here.start(ben, narrow, { name: 'of ben' }), { status: 'success' })
  expect(await rowOf(second)).toMatchObject({ status: 'pending' })
  goOn.resolve()
  for (const id of [first, second]) await becomes(id, { status: 'success' })
})

test('no more run at once than the kind and the key allow, and one that waits is cancelled without having run', async () => {
  const ends: (() => void)[] = []
  const running = vi.fn<(name: string) => void>()
  const doing: Doing = ({ input }) =>
    new Promise((resolve) => {
      running(input.name)
      ends.push(resolve)
    })
  const first = await start(narrow, doing, 'a')
  const sameKey = await start(narrow, doing, 'a')
  const second = await start(narrow, doing, 'b')
  const third = await start(narrow, doing, 'c')
  await becomes(first, { status: 'running' })
  await becomes(second, { status: 'running' })
  // What came later, of another kind, is done: those before it were passed over.
  await becomes(await start(simple, () => Promise.resolve()), { status: 'success' })
  expect(await rowOf(sameKey)).toMatchObject({ status: 'pending' })
  expect(await rowOf(third)).toMatchObject({ status: 'pending' })
  await here.cancel(ann, third)
  await becomes(third, { status: 'canceled', attempt: 0 })
  // A row says that it runs before its work has begun.
  await expect.poll(() => running.mock.calls.length).toBe(2)
  for (const end of ends) end()
  await expect.poll(() => running.mock.calls.length).toBe(3)
  expect(await rowOf(sameKey)).toMatchObject({ status: 'running' })
  for (const end of ends) end()
  await becomes(sameKey, { status: 'success' })
})

test(
  'a log is bounded in lines and in their length, and says how much was left out',
  { timeout: 60_000 },
  async () => {
    const id = await start(simple, async ({ log }) => {
      await log('x'.repeat(10_000))
      for (let line = 0; line < 20_010; line++) await log(`line ${line}`)
    })
    await becomes(id, { status: 'success' })
    const lines = await logOf(id)
    expect(lines[0]).toHaveLength(4096)
    expect(lines).toHaveLength(20_001)
    expect(lines.at(-1)).toBe('The log is full: 11 further lines were left out.')
  },
)

test('a worker that is stopped gives what it can to another', async () => {
  const stopping = await node()
  const kind = dying[0]
  if (kind === undefined) throw new Error('no kind')
  await there.stop(1000)
  stopping.work(workContext(database))
  const id = await here.start(ann, kind, {})
  await becomes(id, { status: 'running', attempt: 1 })
  await stopping.stop(5000)
  expect(await rowOf(id)).toMatchObject({ status: 'pending', worker: null })
  there.work(workContext(database))
  await becomes(id, { status: 'success', attempt: 2 })
})
