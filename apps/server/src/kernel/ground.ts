import { closeInTime } from './closing.ts'
import type { Config } from './config.ts'
import { type Database, openDatabase } from './database/index.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './database/embedded.ts'
import { migrate } from './database/migrate.ts'
import { prepareFolder } from './data-folder.ts'
import { createExecutions, type Executions } from './executions/index.ts'
import { createJobs, type Jobs } from './jobs.ts'
import { type Live, openLive } from './live.ts'
import type { Logger } from './log.ts'
import { loadSecrets, type Secrets } from './secrets/index.ts'
import { type ObjectStorage, openStorage } from './storage/index.ts'

/** What everything else in the server stands on. */
export interface Ground {
  config: Config
  log: Logger
  database: Database
  secrets: Secrets
  live: Live
  /** Not started: register the jobs first. */
  jobs: Jobs
  executions: Executions
  storage: ObjectStorage
  /** Lets running jobs end (up to 3 s), closes every connection, stops the embedded database. */
  close(): Promise<void>
}

const jobsStopTimeoutMs = 3000
/** What waits for a connection that was lost for ever does not keep the embedded database from being stopped. */
const closeTimeoutMs = 1500

/**
 * Opens the data folder, the database (migrated), the secrets, live events and storage.
 * @throws ConfigError when something the operator set is wrong; when `signal` is aborted meanwhile, and what was opened is closed then.
 */
export async function openGround(config: Config, log: Logger, signal?: AbortSignal): Promise<Ground> {
  await prepareFolder('SALLYPORT_DATA', config.dataDir)
  const opened: (() => Promise<void>)[] = []
  const closing = (what: string, close: () => Promise<void>, timeoutMs = closeTimeoutMs) =>
    opened.push(() => closeInTime(what, close, { timeoutMs, log }))
  const closeAll = async () => {
    for (const close of opened.toReversed()) await close()
  }
  try {
    const embedded: EmbeddedPostgres | undefined =
      config.databaseUrl === undefined
        ? await startEmbeddedPostgres({ dataDir: config.dataDir, log })
        : undefined
    if (embedded) opened.push(() => embedded.stop())
    const url = config.databaseUrl ?? embedded?.url ?? ''
    signal?.throwIfAborted()
    await migrate(url, log, undefined, signal)
    const database = openDatabase(url, { log })
    closing('the connections to the database', () => database.close())
    const secrets = await loadSecrets(config, database)
    const storage = await openStorage(database, config.storageDir, log)
    const live = await openLive(database, log)
    closing('the connection for live events', () => live.close())
    const jobs = createJobs(database, log)
    closing('the jobs', () => jobs.stop(jobsStopTimeoutMs), jobsStopTimeoutMs + closeTimeoutMs)
    signal?.throwIfAborted()
    const executions = createExecutions({ database, live, jobs, log })
    return { config, log, database, secrets, live, jobs, executions, storage, close: closeAll }
  } catch (error) {
    await closeAll()
    throw error
  }
}
