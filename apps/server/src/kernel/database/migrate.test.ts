import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, inject, onTestFinished, test } from 'vitest'
import { Client } from 'pg'
import { messageOf } from '../failure.ts'
import { ConfigError } from '../config.ts'
import { createLog } from '../log.ts'
import { administer, asRole, inDatabase } from '../testing/administer.ts'
import { createEmptyDatabase, testLog } from '../testing/index.ts'
import { migrate, migrationsDir } from './migrate.ts'

const folder = await mkdtemp(join(tmpdir(), 'sallyport-migrations-'))
afterAll(() => rm(folder, { recursive: true }))

async function program(name: string, migrations: Record<string, string>): Promise<string> {
  const dir = join(folder, name)
  await mkdir(join(dir, 'meta'), { recursive: true })
  const entries = Object.keys(migrations).map((tag) => ({ tag }))
  await writeFile(join(dir, 'meta/_journal.json'), JSON.stringify({ entries }))
  for (const [tag, text] of Object.entries(migrations)) await writeFile(join(dir, `${tag}.sql`), text)
  return dir
}

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new Client(url)
  await client.connect()
  const { rows } = await client.query<Record<string, unknown>>(text)
  await client.end()
  return rows
}

test('two nodes that start at once on an empty database both come up', async () => {
  const url = await createEmptyDatabase()
  await Promise.all([migrate(url, testLog), migrate(url, testLog)])
  expect(await query(url, 'select 1 from server_keys')).toEqual([])
  await migrate(url, testLog)
})

test('a migration from another branch is applied although a later one is there already', async () => {
  const url = await createEmptyDatabase()
  await migrate(url, testLog, await program('late', { '0001_b': 'create table b ()' }))
  await migrate(
    url,
    testLog,
    await program('merged', { '0000_a': 'create table a ()', '0001_b': 'create table b ()' }),
  )
  expect(await query(url, 'select name from migrations order by name')).toEqual([
    { name: '0000_a' },
    { name: '0001_b' },
  ])
})

test('a node that finds another one migrating says so, and waits for it', async () => {
  const lines: string[] = []
  const log = createLog('info', 'test', { write: (line: string) => void lines.push(line) })
  const url = await createEmptyDatabase()
  const other = new Client(url)
  await other.connect()
  await other.query(`select pg_advisory_lock(hashtext('sallyport:migrate'))`)
  const migrating = migrate(url, log, await program('waiting', { '0001_a': 'create table a ()' }))
  await expect
    .poll(() => lines.join(''), { timeout: 10_000 })
    .toContain('another server migrates the database; waiting for it')
  expect(lines).toHaveLength(1)
  await other.end()
  await migrating
  expect(await query(url, 'select name from migrations')).toEqual([{ name: '0001_a' }])
})

test('a migration that is given up leaves nothing of itself, and nothing running', async () => {
  const url = await createEmptyDatabase()
  const leaving = new AbortController()
  const statements = 'create table a (); --> statement-breakpoint\nselect pg_sleep(600)'
  const migrating = migrate(url, testLog, await program('left', { '0001_a': statements }), leaving.signal)
  const sleeping = () =>
    query(
      url,
      `select 1 from pg_stat_activity where query like '%pg_sleep(600)' and datname = current_database()`,
    )
  await expect.poll(async () => (await sleeping()).length, { timeout: 10_000 }).toBe(1)
  leaving.abort()
  await expect(migrating).rejects.toThrow()
  await expect.poll(async () => (await sleeping()).length, { timeout: 10_000 }).toBe(0)
  expect(await query(url, `select to_regclass('a') as a`)).toEqual([{ a: null }])
})

test('a migration is spoken of before it begins, and with its seconds when it is done', async () => {
  const lines: string[] = []
  const log = createLog('info', 'test', { write: (line: string) => void lines.push(line) })
  const url = await createEmptyDatabase()
  await migrate(url, log, await program('slow', { '0001_slow': 'select pg_sleep(0.2)' }))
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { msg: 'the database is being migrated', migration: '0001_slow' },
    { msg: 'the database was migrated', migration: '0001_slow', seconds: expect.any(Number) as number },
  ])
  const [begun, done] = lines.map((line) => (JSON.parse(line) as { time: number }).time)
  expect(Number(new Date(done ?? 0)) - Number(new Date(begun ?? 0))).toBeGreaterThan(100)
})

test('a program older than the database refuses to start in one line', async () => {
  const url = await createEmptyDatabase()
  const newer = await program('newer', { '9999_future': 'create table future ()' })
  await migrate(url, testLog, newer)
  const attempt = migrate(url, testLog, migrationsDir)
  await expect(attempt).rejects.toThrow(ConfigError)
  await expect(attempt).rejects.toThrow(/^The database is newer than this program \(it has 9999_future\).*$/)
})

test('a migration that fails half-way leaves the database as it was', async () => {
  const url = await createEmptyDatabase()
  const broken = await program('broken', {
    '0000_x': 'create table x ();--> statement-breakpoint\nselect wrong',
  })
  await expect(migrate(url, testLog, broken)).rejects.toThrow('0000_x')
  expect(await query(url, `select to_regclass('x') as x`)).toEqual([{ x: null }])
})

test.each([
  ['nobody listens', 'postgres://u:hunter2@127.0.0.1:1/db'],
  ['the host is unknown', 'postgres://u:hunter2@no-such-host.invalid/db'],
])('a wrong DATABASE_URL (%s) gives one line without the password', async (_, url) => {
  const error = await migrate(url, testLog).catch((failure: unknown) => failure)
  expect(error).toBeInstanceOf(ConfigError)
  expect(messageOf(error)).toMatch(/^The database does not let us in \(.*DATABASE_URL.*$/)
  expect(messageOf(error)).not.toContain('hunter2')
})

test('a role that may not install extensions gives one line with the command for the administrator', async () => {
  const superuserUrl = inject('postgresSuperuserUrl')
  const name = `test_${randomBytes(8).toString('hex')}`
  await administer(superuserUrl, `create database ${name}`)
  onTestFinished(() => administer(superuserUrl, `drop database ${name} with (force)`))
  await administer(inDatabase(superuserUrl, name), 'grant create on schema public to sallyport')
  const attempt = migrate(asRole(inDatabase(superuserUrl, name), 'sallyport'), testLog)
  await expect(attempt).rejects.toThrow(ConfigError)
  await expect(attempt).rejects.toThrow(
    /^The database lacks the extension pg_trgm .*CREATE EXTENSION pg_trgm$/,
  )
})
