import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'drizzle-orm'
import { Client } from 'pg'
import { expect, test } from 'vitest'
import { serverKeys } from '../secrets/tables.ts'
import { createTestDatabase } from '../testing/index.ts'
import { afterCommit, withTransaction } from './index.ts'

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

test('a connection lost inside a transaction fails that transaction and nothing else', async () => {
  const other = new Client({ connectionString: database.url })
  await other.connect()
  const lost = withTransaction(database.db, async (tx) => {
    const { rows } = await tx.execute<{ pid: number }>(sql`select pg_backend_pid() as pid`)
    const pid = rows[0]?.pid
    await other.query('select pg_terminate_backend($1)', [pid])
    const isGone = async () =>
      (await other.query('select from pg_stat_activity where pid = $1', [pid])).rowCount === 0
    while (!(await isGone())) await sleep(10)
    // Its error comes by itself, between two statements.
    await sleep(100)
    await tx.insert(serverKeys).values(row('lost'))
  })
  await expect(lost).rejects.toThrow()
  await other.end()
  expect(await database.db.$count(serverKeys, sql`name = 'lost'`)).toBe(0)
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
