import { sql } from 'drizzle-orm'
import { expect, test, vi } from 'vitest'
import { createLog } from './log.ts'
import { createTestDatabase } from './testing/index.ts'

const database = await createTestDatabase()

function capture() {
  const lines: string[] = []
  const log = createLog('info', 'test', { write: (line: string) => void lines.push(line) })
  return { log, lines }
}

test('a secret does not reach the log, whichever way it is handed over', async () => {
  const { log, lines } = capture()
  log.info({ password: 'hunter2', body: { secret: 'hunter2', deeper: { token: 'hunter2' } } }, 'a form')
  log.info({ headers: { cookie: 'hunter2', authorization: 'hunter2', 'set-cookie': 'hunter2' } }, 'a request')
  const failed = await database.db
    .execute(sql`select ${'hunter2'}::integer[]`)
    .catch((error: unknown) => error)
  log.error({ err: new Error('The account was not saved', { cause: failed }) }, 'a failure')
  const text = lines.join('')
  expect(text).not.toContain('hunter2')
  expect(text).toContain('[secret]')
})

test('an error is logged with its causes, their codes and where they came from', async () => {
  const { log, lines } = capture()
  const failed = await database.db.execute(sql`select 1 from nowhere`).catch((error: unknown) => error)
  log.error({ err: new Error('The list was not read', { cause: failed }) }, 'a failure')
  const line: unknown = JSON.parse(lines.join(''))
  expect(line).toMatchObject({
    level: 50,
    msg: 'a failure',
    err: {
      message: 'The list was not read',
      stack: expect.stringContaining('log.test.ts'),
      cause: { cause: { message: 'relation "nowhere" does not exist', code: '42P01' } },
    },
  })
})

test('while the database is away or the storage full, each thing that fails is told once, and then how often', () => {
  vi.useFakeTimers()
  try {
    const { log, lines } = capture()
    const away = () => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })
    const full = () => Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
    for (let times = 0; times < 5; times++) {
      log.error({ err: new Error('Failed query', { cause: away() }) }, 'the sweep failed')
      log.child({ part: 'jobs' }).warn({ err: away() }, 'no jobs')
      log.error({ err: new Error('another') }, 'a fault')
      log.error({ err: full() }, 'a request failed')
    }
    vi.advanceTimersByTime(10_000)
    log.error({ err: away() }, 'the sweep failed')
    const told = lines.map((line) => JSON.parse(line) as { msg: string; repeated?: number; err?: unknown })
    const of = (msg: string) => told.filter((line) => line.msg === msg).map(({ repeated }) => repeated)
    expect(of('the sweep failed')).toEqual([undefined, 4, undefined])
    expect(of('no jobs')).toEqual([undefined, 4])
    expect(of('a request failed')).toEqual([undefined, 4])
    expect(of('a fault')).toHaveLength(5)
  } finally {
    vi.useRealTimers()
  }
})
