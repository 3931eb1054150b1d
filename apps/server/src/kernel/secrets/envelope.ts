import { constants, createDecipheriv, createPrivateKey, generateKeyPair, privateDecrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { eq } from 'drizzle-orm'
import { envelopeKey, envelopeRsaBits, parseEnvelope, unpadZeros } from '@sallyport/contract/envelope'
import { ConfigError } from '../config.ts'
import type { Database } from '../database/index.ts'
import { type Keyring, SecretKeyError } from './keyring.ts'
import { serverKeys } from './tables.ts'

/** The server's half of the secret envelope. */
export interface EnvelopeOpener {
  /** PEM (SPKI); goes to the browser as base64 in a cookie. */
  publicKey: string
  /** The text inside; the text itself when it is no envelope for this server. Never throws. */
  openEnvelope(text: string): string
}

const keyName = 'envelope'
const base64 = /^[A-Za-z0-9+/]+={0,2}$/

/**
 * Loads the key pair all nodes share, and creates it at the first start.
 * @throws ConfigError when it was encrypted with a key this server does not have.
 */
export async function loadEnvelopeOpener(database: Database, keyring: Keyring): Promise<EnvelopeOpener> {
  const { publicKey, stored } = (await readPair(database)) ?? (await createPair(database, keyring))
  const privateKey = createPrivateKey(decryptPair(stored, keyring))
  return {
    publicKey,
    openEnvelope(text) {
      const envelope = parseEnvelope(text)
      if (envelope === undefined || !base64.test(envelope.keyCipher) || !base64.test(envelope.cipher))
        return text
      const keyCipher = Buffer.from(envelope.keyCipher, 'base64')
      const cipher = Buffer.from(envelope.cipher, 'base64')
      if (keyCipher.length * 8 !== envelopeRsaBits) return text
      try {
        const key = envelopeKey(
          privateDecrypt({ key: privateKey, padding: constants.RSA_PKCS1_PADDING }, keyCipher),
        )
        const aes = createDecipheriv(`aes-${key.length * 8}-ecb`, key, null).setAutoPadding(false)
        return unpadZeros(Buffer.concat([aes.update(cipher), aes.final()]))
      } catch {
        // What only looks like an envelope is a plain value; so the protocol has it.
        return text
      }
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
