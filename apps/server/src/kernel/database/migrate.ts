import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import { z } from 'zod'
import { messageOf } from '../failure.ts'
import { ConfigError } from '../config.ts'
import type { Logger } from '../log.ts'

/** The SQL files that drizzle-kit writes. */
export const migrationsDir = join(import.meta.dirname, '../../../drizzle')
/** Extensions that PostgreSQL lets the owner of a database install. */
export const extensions = ['pg_trgm', 'ltree', 'intarray'] as const

/** How long a migration waits for those who use a table. */
const lockTimeoutMs = 120_000
const askAgainMs = 500

/** A statement is stopped when nobody waits for it any more: the connection was closed. */
export const endsWithConnection = '-c client_connection_check_interval=500'

interface Migration {
  name: string
  statements: string[]
  sha256: string
}

const journal = z.object({ entries: z.array(z.object({ tag: z.string() })) })

/**
 * Brings the database to this program's version. Nodes that start at once wait for each other, however long it takes; each migration is
 * one transaction and is recorded by its name, so the order in which branches were merged does not matter.
 * When `signal` is aborted, the one that runs is given up.
 * @throws ConfigError when the database cannot be reached, is newer than this program, or lacks a right.
 */
export async function migrate(
  url: string,
  log: Logger,
  directory = migrationsDir,
  signal?: AbortSignal,
): Promise<void> {
  const migrations = await readMigrations(directory)
  const client = new Client({
    connectionString: url,
    application_name: 'sallyport migration',
    connectionTimeoutMillis: 10_000,
    lock_timeout: lockTimeoutMs,
    options: endsWithConnection,
  })
  client.on('error', (error) => log.warn({ err: error }, 'the connection for the migration was lost'))
  await connect(client)
  const giveUp = () => void client.end().catch(() => {})
  signal?.addEventListener('abort', giveUp)
  try {
    await becomeTheOne(client, log)
    await client.query(
      `create table if not exists migrations (
         name text primary key, sha256 text not null, date_applied timestamptz not null default now())`,
    )
    const { rows } = await client.query<{ name: string; sha256: string }>(
      'select name, sha256 from migrations',
    )
    refuseStrange(rows, migrations)
    await createExtensions(client)
    const applied = new Set(rows.map((row) => row.name))
    for (const migration of migrations) {
      if (applied.has(migration.name)) continue
      const began = performance.now()
      // Said first: a long one must not look like a server that hangs.
      log.info({ migration: migration.name }, 'the database is being migrated')
      await apply(client, migration)
      const seconds = Math.round((performance.now() - began) / 100) / 10
      log.info({ migration: migration.name, seconds }, 'the database was migrated')
    }
  } finally {
    signal?.removeEventListener('abort', giveUp)
    await client.end()
  }
}

/** Waits until no other server migrates the database. */
async function becomeTheOne(client: Client, log: Logger): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const { rows } = await client.query<{ taken: boolean }>(
      `select pg_try_advisory_lock(hashtext('sallyport:migrate')) as taken`,
    )
    if (rows[0]?.taken === true) return
    if (attempt === 1) log.info('another server migrates the database; waiting for it')
    await sleep(askAgainMs)
  }
}

async function readMigrations(directory: string): Promise<Migration[]> {
  const { entries } = journal.parse(JSON.parse(await readFile(join(directory, 'meta/_journal.json'), 'utf8')))
  return await Promise.all(
    entries.map(async ({ tag }) => {
      const text = await readFile(join(directory, `${tag}.sql`), 'utf8')
      const statements = text.split('--> statement-breakpoint').filter((statement) => statement.trim() !== '')
      return { name: tag, statements, sha256: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

async function connect(client: Client): Promise<void> {
  try {
    await client.connect()
  } catch (cause) {
    throw new ConfigError(
      `The database does not let us in (${messageOf(cause)}); check DATABASE_URL and that PostgreSQL runs.`,
      { cause },
    )
  }
}

function refuseStrange(applied: { name: string; sha256: string }[], known: Migration[]): void {
  for (const row of applied) {
    const migration = known.find((candidate) => candidate.name === row.name)
    if (migration === undefined) {
      throw new ConfigError(
        `The database is newer than this program (it has ${row.name}); start the newer version of Sallyport, or restore a backup made before the upgrade.`,
      )
    }
    if (migration.sha256 !== row.sha256) {
      throw new ConfigError(
        `The migration ${row.name} is not the one the database was made with; start the version of Sallyport that made it.`,
      )
    }
  }
}

async function createExtensions(client: Client): Promise<void> {
  for (const name of extensions) {
    try {
      await client.query(`create extension if not exists ${name}`)
    } catch (cause) {
      throw new ConfigError(
        `The database lacks the extension ${name} (${messageOf(cause)}); ask its administrator to run: CREATE EXTENSION ${name}`,
        { cause },
      )
    }
  }
}

async function apply(client: Client, migration: Migration): Promise<void> {
  await client.query('begin')
  try {
    for (const statement of migration.statements) await client.query(statement)
    await client.query('insert into migrations (name, sha256) values ($1, $2)', [
      migration.name,
      migration.sha256,
    ])
    await client.query('commit')
  } catch (cause) {
    await client.query('rollback')
    throw new Error(`The migration ${migration.name} failed`, { cause })
  }
}
