import { randomBytes } from 'node:crypto'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, inject, onTestFinished } from 'vitest'
import { type Database, openDatabase } from '../database/index.ts'
import { migrationsDir } from '../database/migrate.ts'
import { createLog } from '../log.ts'
import { administer, asRole, inDatabase } from './administer.ts'

/** A log for tests: silent, because tests provoke errors on purpose. */
export const testLog = createLog('silent', 'test')

/**
 * A migrated, otherwise empty database of its own for a test file, removed after its last test. Call it at the top of the
 * file or in `beforeAll`.
 */
export async function createTestDatabase(): Promise<Database> {
  const superuserUrl = inject('postgresSuperuserUrl')
  const name = `test_${randomBytes(8).toString('hex')}`
  await administer(superuserUrl, `create database ${name} template sallyport_template owner sallyport`)
  const database = openDatabase(asRole(inDatabase(superuserUrl, name), 'sallyport'), { log: testLog })
  afterAll(async () => {
    await database.close()
    await administer(superuserUrl, `drop database ${name} with (force)`)
  })
  return database
}

/** An empty database without tables; the caller need not remove it. Returns its address. */
export async function createEmptyDatabase(): Promise<string> {
  const superuserUrl = inject('postgresSuperuserUrl')
  const name = `test_${randomBytes(8).toString('hex')}`
  await administer(superuserUrl, `create database ${name} owner sallyport`)
  return asRole(inDatabase(superuserUrl, name), 'sallyport')
}

/** A folder with the migrations of an earlier program, up to the one of that name; gone after the test. */
export async function migrationsUpTo(name: string): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'sallyport-migrations-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  await cp(migrationsDir, dir, { recursive: true })
  const journal = join(dir, 'meta/_journal.json')
  const { entries } = JSON.parse(await readFile(journal, 'utf8')) as { entries: { tag: string }[] }
  const last = entries.findIndex(({ tag }) => tag.endsWith(name))
  await writeFile(journal, JSON.stringify({ entries: entries.slice(0, last + 1) }))
  return dir
}
