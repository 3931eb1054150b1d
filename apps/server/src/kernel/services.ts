import type { Config } from './config.ts'
import type { Database } from './database/index.ts'
import type { Events } from './events.ts'
import type { Gatekeeper } from './http/access.ts'
import type { Logger } from './log.ts'

/** Secrets at rest and in transit. */
export interface Secrets {
  /** Encrypts for the database; the text names its key. */
  seal(plain: string): string
  /** @throws when the text was not sealed by a known key or was changed. */
  unseal(sealed: string): string
  /** Opens what a client sent in the envelope (kernel.md section 14); plain text stays as it is. */
  openEnvelope(text: string): string
}

/** What the kernel and the domains of one process share. */
export interface Services {
  config: Config
  log: Logger
  database: Database
  secrets: Secrets
  events: Events
  gatekeeper: Gatekeeper
}
