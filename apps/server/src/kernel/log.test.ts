import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
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
