import { randomBytes } from 'node:crypto'
import { afterAll, inject } from 'vitest'
import { type Database, openDatabase } from '../database/index.ts'
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
