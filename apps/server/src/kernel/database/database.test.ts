import { once } from 'node:events'
import { sql } from 'drizzle-orm'
import { Client, type PoolClient } from 'pg'
import { describe, expect, test } from 'vitest'
import { serverKeys } from '../secrets/tables.ts'
import { createTestDatabase, testLog } from '../testing/index.ts'
import { afterCommit, openDatabase, withTransaction, workFor } from './index.ts'

const database = await createTestDatabase()
const row = (name: string) => ({ name, public_key: 'p', private_key: 'q' })

test('a transaction that fails leaves nothing behind and runs none of its after-commit work', async () => {
  const done: string[] = []
  const attempt = withTransaction(database.db, async (tx) => {
    await tx.insert(serverKeys).values(row('half'))
    await afterCommit(tx, () => void done.push('half'))
    throw new Error('no')
  })
  await expect(attempt).rejects.toThrow('no')
  expect(await database.db.$count(serverKeys, sql`name = 'half'`)).toBe(0)
  expect(done).toEqual([])
})

test('after-commit work sees the committed rows, also when it was asked for inside a savepoint', async () => {
  const seen: number[] = []
  await withTransaction(database.db, async (tx) => {
    await tx.insert(serverKeys).values(row('outer'))
    await withTransaction(tx, async (inner) => {
      await afterCommit(inner, async () => void seen.push(await database.db.$count(serverKeys)))
    })
    const failed = withTransaction(tx, async (inner) => {
      await inner.insert(serverKeys).values(row('rolled back'))
      await afterCommit(inner, () => void seen.push(-1))
      throw new Error('only the savepoint')
    })
    await expect(failed).rejects.toThrow('only the savepoint')
    expect(seen).toEqual([])
  })
  expect(seen).toEqual([1])
})

test('a second connection is refused inside a transaction, and given again after it', async () => {
  let later: Promise<number> | undefined
  const ended = Promise.withResolvers<void>()
  await withTransaction(database.db, async () => {
    await expect(database.db.$count(serverKeys)).rejects.toThrow()
    await expect(withTransaction(database.db, () => Promise.resolve())).rejects.toThrow('second connection')
    await expect(database.pool.query('select 1')).rejects.toThrow('second connection')
    later = ended.promise.then(() => database.db.$count(serverKeys))
  })
  ended.resolve()
  expect(await later).toBeGreaterThanOrEqual(0)
})

test('statements have the limit of whose work they are, over whatever connection', async () => {
  const limit = async () => {
    const { rows } = await database.db.execute<{ ms: number }>(
      sql`select setting::int as ms from pg_settings where name = 'statement_timeout'`,
    )
    return rows[0]?.ms
  }
  const reader = { share: 'people', id: 'ann', statementMs: 200 } as const
  expect(await limit()).toBe(30_000)
  for (let round = 0; round < 2; round++) {
    expect(await workFor(reader, limit)).toBe(200)
    expect(await workFor({ share: 'people', id: 'ann' }, limit)).toBe(30_000)
    expect(await limit()).toBe(30_000)
  }
  const slow = workFor(reader, async () => await database.db.execute(sql`select pg_sleep(5)`))
  await expect(slow).rejects.toMatchObject({ cause: { code: '57014' } })
  expect(await workFor(reader, limit)).toBe(200)
})

test('who reads behind a lock hears that somebody holds it, before their time is over', async () => {
  const holder = new Client({ connectionString: database.url })
  await holder.connect()
  await holder.query('begin; lock table server_keys in access exclusive mode')
  const reader = { share: 'people', id: 'ann', statementMs: 1000 } as const
  const reading = workFor(reader, async () => await database.db.$count(serverKeys))
  await expect(reading).rejects.toMatchObject({ cause: { code: '55P03' } })
  await holder.end()
})

test('a connection lost inside a transaction fails that transaction and nothing else', async () => {
  const other = new Client({ connectionString: database.url })
  await other.connect()
  const acquired = once(database.pool, 'acquire') as Promise<[PoolClient]>
  const lost = withTransaction(database.db, async (tx) => {
    const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
    const [client] = await acquired
    // Its error comes by itself, between two statements.
    const ended = new Promise((resolve) => client.once('end', resolve))
    await other.query('select pg_terminate_backend($1)', [rows[0]?.pid])
    await ended
    await tx.insert(serverKeys).values(row('lost'))
  })
  await expect(lost).rejects.toThrow()
  await other.end()
  expect(await database.db.$count(serverKeys, sql`name = 'lost'`)).toBe(0)
})

test('closing waits for what is about to end, and leaves nothing behind of what is not', async () => {
  const leaving = openDatabase(database.url, { log: testLog })
  const left = async () =>
    await database.db.$count(
      sql`pg_stat_activity`,
      sql`query like '%in a closing%' and pid <> pg_backend_pid()`,
    )
  const working = Promise.allSettled([
    leaving.db.execute(sql`select pg_sleep(0.1), 'in a closing' as said`),
    leaving.db.execute(sql`select pg_sleep(60), 'in a closing' as said`),
  ])
  // A file nobody reads on holds its connection between two statements.
  const stalled = await leaving.pool.connect()
  await stalled.query(`begin; select 'in a closing'`)
  await expect.poll(left).toBe(3)
  await leaving.close()
  expect((await working).map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  await expect.poll(left, { timeout: 5000 }).toBe(0)
})

test('a search without regard to case works in every script', async () => {
  const { rows } = await database.pool.query(
    `select 'ÉCOLE' ilike '%école%' as latin, 'ПАРОЛЬ' ilike '%пароль%' as cyrillic, similarity('host', 'hosts') > 0 as trigram`,
  )
  expect(rows).toEqual([{ latin: true, cyrillic: true, trigram: true }])
})

test('the application is an ordinary role, not a superuser', async () => {
  const { rows } = await database.pool.query('select rolsuper from pg_roles where rolname = current_user')
  expect(rows).toEqual([{ rolsuper: false }])
})

test('a commit waits for the disk', async () => {
  const { rows } = await database.pool.query('show synchronous_commit')
  expect(rows).toEqual([{ synchronous_commit: 'on' }])
})

describe('a statement that is asked often', () => {
  test('is planned once for a connection, and what differs each time is not kept', async () => {
    await database.db.transaction(async (tx) => {
      for (let time = 0; time < 10; time++) {
        await tx.execute(sql`select ${time}::int as often`)
        await tx.execute(sql`select ${sql.raw(String(time))} as differs`)
      }
      const { rows } = await tx.execute(
        sql`select statement from pg_prepared_statements where statement like '%often' or statement like '%differs'`,
      )
      expect(rows).toEqual([{ statement: 'select $1::int as often' }])
    })
  })

  test('is asked on when the tables have changed under it', async () => {
    await database.pool.query('create table changing (one int)')
    const read = async () =>
      (await database.db.execute(sql`select changing.* from changing where 1 = ${1}`)).rows
    await database.pool.query('insert into changing values (1)')
    for (let time = 0; time < 10; time++) await read()
    await database.pool.query('alter table changing add column two int')
    await expect(read()).rejects.toThrow()
    expect(await read()).toEqual([{ one: 1, two: null }])
  })
})
