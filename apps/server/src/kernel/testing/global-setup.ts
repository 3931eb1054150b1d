import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { migrate } from '../database/migrate.ts'
import { startEmbeddedPostgres } from '../database/embedded.ts'
import { createLog } from '../log.ts'
import { administer, inDatabase } from './administer.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Superuser of the PostgreSQL that this run started. */
    postgresSuperuserUrl: string
  }
}

/** The migrated database that every test database is a copy of. */
export const templateName = 'sallyport_template'

/** One real PostgreSQL for the whole run, in a temporary folder. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const log = createLog('error', 'test')
  const dataDir = await mkdtemp(join(tmpdir(), 'sallyport-test-'))
  await chmod(dataDir, 0o711)
  // What a crash would lose is thrown away after the run anyhow.
  const postgres = await startEmbeddedPostgres({
    dataDir,
    log,
    settings: { fsync: 'off', full_page_writes: 'off' },
  })
  await administer(postgres.superuserUrl, `create database ${templateName} owner sallyport`)
  await migrate(inDatabase(postgres.url, templateName), log)
  project.provide('postgresSuperuserUrl', postgres.superuserUrl)
  return async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}
