import type { Config } from './config.ts'
import type { Database } from './database/index.ts'
import type { Events } from './events.ts'
import type { Gatekeeper } from './http/access.ts'
import type { Jobs } from './jobs.ts'
import type { Live } from './live.ts'
import type { Logger } from './log.ts'
import type { EnvelopeOpener, Keyring } from './secrets/index.ts'
import type { ObjectStorage } from './storage.ts'

/** Secrets at rest (keyring) and in transit (envelope). */
export type Secrets = Keyring & EnvelopeOpener

/** The ground every domain stands on in one process. */
export interface Ground {
  config: Config
  log: Logger
  database: Database
  secrets: Secrets
  live: Live
  jobs: Jobs
  storage: ObjectStorage
}

/** What serving requests takes. */
export interface Services extends Pick<Ground, 'log' | 'database' | 'secrets'> {
  events: Events
  gatekeeper: Gatekeeper
}
