import { defaultOrgId } from '@sallyport/contract'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../../kernel/testing/index.ts'
import { contextOf } from '../../kernel/testing/work-context.ts'
import { domain } from './index.ts'
import { clean } from './jobs.ts'

const database = await createTestDatabase()

test('books are kept as long as the settings say, each its own time, and then go, however many they are', async () => {
  const { pool } = database
  const add = (count: number, days: number) =>
    Promise.all([
      pool.query(
        `insert into login_logs (username, type, ip, status, datetime)
         select 'ann', 'W', '192.0.2.1', true, now() - $2 * interval '1 day' from generate_series(1, $1)`,
        [count, days],
      ),
      pool.query(
        `insert into operate_logs ("user", action, resource_type, resource, org_id, datetime)
         select 'ann', 'update', 'users.user', 'ann', '${defaultOrgId}', now() - $2 * interval '1 day' from generate_series(1, $1)`,
        [count, days],
      ),
      pool.query(
        `insert into activities (resource_id, r_type, detail, org_id, datetime)
         select gen_random_uuid(), 'L', '{}', '${defaultOrgId}', now() - $2 * interval '1 day' from generate_series(1, $1)`,
        [count, days],
      ),
      pool.query(
        `insert into password_change_logs ("user", user_id, change_by, datetime)
         select 'ann', gen_random_uuid(), 'ann', now() - $2 * interval '1 day' from generate_series(1, $1)`,
        [count, days],
      ),
    ])
  await add(2100, 201)
  await add(3, 199)
  const ctx = contextOf(database)
  const settings = { ...ctx.settings, ACTIVITY_LOG_KEEP_DAYS: 300 }
  const log = Object.assign(() => Promise.resolve(), { hide: () => {} })
  const { signal } = new AbortController()
  expect(await clean({ db: ctx.db, settings }, { log, signal, progress: () => {} })).toEqual({
    logins: 2100,
    operations: 2100,
    activities: 0,
  })
  for (const [table, left] of [
    ['login_logs', 3],
    ['operate_logs', 3],
    ['activities', 2103],
    ['password_change_logs', 2103],
  ] as const)
    expect((await pool.query(`select count(*)::int from ${table}`)).rows).toEqual([{ count: left }])
})

test('books are cleaned every night', () => {
  const { executions = [] } = domain({} as Parameters<typeof domain>[0])
  expect(executions).toMatchObject([{ kind: 'audits.clean-books', cron: '0 2 * * *' }])
})
