import { createPrivateKey, generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { eq } from 'drizzle-orm'
import { envelopeRsaBits } from '@sallyport/contract/envelope'
import { ConfigError } from '../config.ts'
import type { Database } from '../database/index.ts'
import { offload } from '../offload/index.ts'
import { type Keyring, SecretKeyError } from './keyring.ts'
import type * as Opening from './opening.ts'
import { isEnvelope, openOne } from './opening.ts'
import { serverKeys } from './tables.ts'

/** The server's half of the secret envelope. */
export interface EnvelopeOpener {
  /** PEM (SPKI); goes to the browser as base64 in a cookie. */
  publicKey: string
  /**
   * The texts inside, in their order; of what is no envelope for this server the text itself.
   * @throws ApiError 503 when too many wait already
   */
  openEnvelopes(texts: readonly string[]): Promise<string[]>
}

const keyName = 'envelope'
/** The secrets of a form are opened at once, in some 2 ms; more, in a thread, so many at a time that others come between. */
const fewAtOnce = 5
const perCall = 100
const opening = offload<typeof Opening>(new URL('opening.ts', import.meta.url), {
  threads: 1,
  maxWaiting: 100,
  budgetMs: 10_000,
  memoryMiB: 64,
})

/**
 * Loads the key pair all nodes share, and creates it at the first start.
 * @throws ConfigError when it was encrypted with a key this server does not have.
 */
export async function loadEnvelopeOpener(database: Database, keyring: Keyring): Promise<EnvelopeOpener> {
  const { publicKey, stored } = (await readPair(database)) ?? (await createPair(database, keyring))
  const privateKey = decryptPair(stored, keyring)
  const key = createPrivateKey(privateKey)
  return {
    publicKey,
    openEnvelopes: async (texts) => {
      if (texts.filter((text) => isEnvelope(text)).length <= fewAtOnce)
        return texts.map((text) => openOne({ key, text }))
      const opened: string[] = []
      for (let at = 0; at < texts.length; at += perCall)
        opened.push(...(await opening('openAll', { privateKey, texts: texts.slice(at, at + perCall) })))
      return opened
    },
  }
}

interface StoredPair {
  publicKey: string
  stored: string
}

async function readPair({ db }: Database): Promise<StoredPair | undefined> {
  const [row] = await db.select().from(serverKeys).where(eq(serverKeys.name, keyName))
  return row && { publicKey: row.public_key, stored: row.private_key }
}

async function createPair(database: Database, keyring: Keyring): Promise<StoredPair> {
  const pair = await promisify(generateKeyPair)('rsa', {
    modulusLength: envelopeRsaBits,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  await database.db
    .insert(serverKeys)
    .values({ name: keyName, public_key: pair.publicKey, private_key: keyring.encrypt(pair.privateKey) })
    .onConflictDoNothing()
  // Another node may have been first; its pair counts.
  const kept = await readPair(database)
  if (kept === undefined) throw new Error('The key pair of the secret envelope was not stored')
  return kept
}

function decryptPair(stored: string, keyring: Keyring): string {
  try {
    return keyring.decrypt(stored)
  } catch (cause) {
    if (!(cause instanceof SecretKeyError)) throw cause
    throw new ConfigError(
      'The secrets in this database were encrypted with another key; set SALLYPORT_SECRET_KEY to it, or put its secret.key back into the data folder.',
      { cause },
    )
  }
}
