import { createServer } from 'node:net'
import { once } from 'node:events'
import { sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { Pool, type PoolConfig } from 'pg'
import { expect, test } from 'vitest'
import { createTestDatabase } from '../testing/index.ts'
import { violationOf } from './violations.ts'

const database = await createTestDatabase()
const unavailable = { status: 503, key: 'unavailable' }

/** What asking the database fails with, as the server meets it. */
async function failureOf(config: PoolConfig, ask: (pool: Pool) => Promise<unknown>): Promise<unknown> {
  const pool = new Pool(config)
  // What is thrown counts, not what is heard of besides.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  try {
    await ask(pool)
  } catch (error) {
    return error
  } finally {
    await pool.end()
  }
  return undefined
}
const own = { connectionString: database.url }
const select = (pool: Pool) => drizzle({ client: pool }).execute(sql`select 1`)

test('a database that takes connections and says nothing is not available', async () => {
  const silent = createServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as { port: number }
  const frozen = { connectionString: `postgres://u:p@127.0.0.1:${port}/x`, connectionTimeoutMillis: 50 }
  expect(violationOf(await failureOf(frozen, select))).toEqual(unavailable)
  silent.close()
})

test('so is one whose connections are all taken, one that answers too late, and one that is gone', async () => {
  const busy = await failureOf({ ...own, max: 1, connectionTimeoutMillis: 50 }, async (pool) => {
    const held = await pool.connect()
    await select(pool).finally(() => held.release())
  })
  expect(violationOf(busy)).toEqual(unavailable)
  const late = await failureOf({ ...own, query_timeout: 50 }, (pool) => pool.query('select pg_sleep(1)'))
  expect(violationOf(late)).toEqual(unavailable)
  const ended = await failureOf(own, (pool) => pool.query('select pg_terminate_backend(pg_backend_pid())'))
  expect(violationOf(ended)).toEqual(unavailable)
  const noSocket = { connectionString: `postgres://u:p@localhost/x?host=${encodeURIComponent('/nowhere')}` }
  expect(violationOf(await failureOf(noSocket, select))).toEqual(unavailable)
  const refused = { connectionString: 'postgres://u:p@127.0.0.1:1/x' }
  expect(violationOf(await failureOf(refused, select))).toEqual(unavailable)
})

test.each(['53100', '53200', '53300', '57P02', '57P05', '58030', '08006', '25006'])(
  'so is one that has no room or no strength left: %s',
  async (code) => {
    const text = `do $$ begin raise exception using errcode = '${code}'; end $$`
    const failure = await failureOf(own, (pool) => drizzle({ client: pool }).execute(sql.raw(text)))
    expect(violationOf(failure)).toEqual(unavailable)
  },
)

test('what the caller sent, what took too long, and what is our own fault is none of it', async () => {
  const of = async (text: string, config: PoolConfig = {}) =>
    violationOf(await failureOf({ ...own, ...config }, (pool) => pool.query(text)))
  expect(await of(`select 'x'::integer`)).toEqual({ status: 400, key: 'value_refused' })
  expect(await of('select pg_sleep(1)', { statement_timeout: 20 })).toEqual({ status: 408, key: 'timeout' })
  expect(await of('select nothing_there')).toBeUndefined()
  expect(violationOf(new Error('any'))).toBeUndefined()
  expect(
    violationOf(Object.assign(new Error('no file'), { code: 'ENOENT', syscall: 'open' })),
  ).toBeUndefined()
})

test('what a new row names and was deleted meanwhile is asked for again; what is named by others is not deleted', async () => {
  const failed = (text: string) =>
    failureOf(own, async (pool) => {
      const client = await pool.connect()
      try {
        await client.query(
          'create temp table shelves (id int primary key); create temp table books (shelf int references shelves)',
        )
        await client.query('insert into shelves values (1); insert into books values (1)')
        await client.query(text)
      } finally {
        client.release(true)
      }
    })
  expect(violationOf(await failed('insert into books values (2)'))).toEqual({ status: 409, key: 'busy' })
  expect(violationOf(await failed('delete from shelves'))).toEqual({
    status: 400,
    key: 'referenced_by_others',
  })
})
