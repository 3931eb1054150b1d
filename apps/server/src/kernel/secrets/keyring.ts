import { createCipheriv, createDecipheriv, createHmac, randomBytes, scryptSync } from 'node:crypto'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { readFileIfPresent, readOrCreatePrivateFile } from '../data-folder.ts'

/** Encrypts what must be stored but never read from the database alone. */
export interface Keyring {
  /** Text that can be stored: `v1.<key id>.<base64url of nonce, tag and ciphertext>`. */
  encrypt(text: string): string
  /** @throws SecretKeyError when the key is unknown or the stored text was altered. */
  decrypt(stored: string): string
}

/** A stored secret cannot be read with the keys of this server. The message names the key's id, never a key. */
export class SecretKeyError extends Error {
  override name = 'SecretKeyError'
}

const version = 'v1'
const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/**
 * Several texts make several keys: the first encrypts, all decrypt. To rotate, put a new one in front.
 * Deriving takes some 50 ms a key, so make one keyring and keep it.
 */
export function createKeyring(keyTexts: readonly string[]): Keyring {
  const keys = keyTexts.map(deriveKey)
  const [first] = keys
  if (first === undefined) throw new SecretKeyError('A keyring needs at least one key')
  return {
    encrypt(text) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, first.key, nonce, { authTagLength: tagBytes })
      const head = `${version}.${first.id}`
      cipher.setAAD(Buffer.from(head))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return `${head}.${Buffer.concat([nonce, cipher.getAuthTag(), body]).toString('base64url')}`
    },
    decrypt(stored) {
      const [storedVersion, id, body, ...rest] = stored.split('.')
      const bytes = Buffer.from(body ?? '', 'base64url')
      if (storedVersion !== version || rest.length > 0 || bytes.length < nonceBytes + tagBytes) {
        throw new SecretKeyError('A stored secret has a form this program does not know')
      }
      const key = keys.find((candidate) => candidate.id === id)
      if (key === undefined) {
        throw new SecretKeyError(
          `A stored secret was encrypted with the key ${id}, which this server does not have`,
        )
      }
      const decipher = createDecipheriv(algorithm, key.key, bytes.subarray(0, nonceBytes), {
        authTagLength: tagBytes,
      })
      decipher.setAAD(Buffer.from(`${version}.${key.id}`))
      decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
      try {
        return (
          decipher.update(bytes.subarray(nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
        )
      } catch (cause) {
        throw new SecretKeyError('A stored secret was altered', { cause })
      }
    },
  }
}

/**
 * The keyring of this server: SALLYPORT_SECRET_KEY, and the key generated into the data folder when that is unset. A
 * generated key goes on decrypting after the variable is set.
 */
export async function loadKeyring(config: Config): Promise<Keyring> {
  const path = join(config.dataDir, 'secret.key')
  if (config.secretKeys.length === 0) {
    return createKeyring([await readOrCreatePrivateFile(path, () => randomBytes(32).toString('base64url'))])
  }
  const generated = await readFileIfPresent(path)
  return createKeyring(generated === undefined ? config.secretKeys : [...config.secretKeys, generated])
}

/** An operator may choose a phrase, so the key is derived the slow way. */
function deriveKey(text: string): { id: string; key: Buffer } {
  const key = scryptSync(text, 'sallyport secrets at rest', 32, { N: 2 ** 15, r: 8, p: 1, maxmem: 2 ** 26 })
  return { id: createHmac('sha256', key).update('key id').digest('hex').slice(0, 12), key }
}
