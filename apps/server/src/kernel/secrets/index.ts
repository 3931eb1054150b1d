import type { Config } from '../config.ts'
import type { Database } from '../database/index.ts'
import { loadEnvelopeOpener } from './envelope.ts'
import { loadKeyring } from './keyring.ts'
import { isEnvelope } from './opening.ts'

export { type EnvelopeOpener, loadEnvelopeOpener } from './envelope.ts'
export { createKeyring, type Keyring, loadKeyring, SecretKeyError } from './keyring.ts'

/** Secrets at rest, and on their way here. */
export interface Secrets {
  /** Encrypts for the database; the text names its key. */
  seal(plain: string): string
  /** @throws SecretKeyError when the key is unknown or the text was altered. */
  unseal(sealed: string): string
  /** Whether a text may be a secret envelope; others are as plain as they look. */
  isEnvelope(text: string): boolean
  /** Opens what a client sent in secret envelopes; any other text stays as it is. @throws ApiError 503 when too many wait already */
  openEnvelopes(texts: readonly string[]): Promise<string[]>
  /** PEM of the envelope's public key. */
  publicKey: string
}

/** @throws ConfigError when the database was used with another secret key. */
export async function loadSecrets(config: Config, database: Database): Promise<Secrets> {
  const keyring = await loadKeyring(config)
  const opener = await loadEnvelopeOpener(database, keyring)
  return {
    seal: (plain) => keyring.encrypt(plain),
    unseal: (sealed) => keyring.decrypt(sealed),
    isEnvelope,
    openEnvelopes: (texts) => opener.openEnvelopes(texts),
    publicKey: opener.publicKey,
  }
}
