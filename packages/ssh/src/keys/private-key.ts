import { createPublicKey, sign, verify } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { fromBase64, parseArmour } from './armour.ts'
import { KeyError, readingKey } from './key.ts'
import type { FoundKey, PrivateKeyOptions } from './key.ts'
import { parseOpenSshKey } from './openssh-key.ts'
import { parsePem } from './pem.ts'
import { isPpk, parsePpk } from './ppk.ts'
import { SoftwareKey } from './software-key.ts'

const maxChars = 65_536

/**
 * A private key out of a file: OpenSSH's form, PEM (PKCS #1, SEC 1, PKCS #8) or PuTTY's, encrypted or not. Opening an encrypted one takes up to
 * some seconds, as the file says: read those of strangers in a thread.
 * @throws KeyError
 */
export const parsePrivateKey = (text: string, options: PrivateKeyOptions = {}): SoftwareKey =>
  readingKey(() => {
    if (text.length > maxChars) throw new KeyError('malformed', 'The key is too long')
    const { keyObject, blob } = find(text.trimStart(), options)
    const key = new SoftwareKey(keyObject, options)
    if ((blob && !blob.equals(key.publicKey.blob)) || !isWhole(keyObject))
      throw new KeyError('malformed', 'The halves of the key belong to different keys')
    return key
  })

function find(text: string, options: PrivateKeyOptions): FoundKey {
  if (isPpk(text)) return parsePpk(text, options)
  const armoured = parseArmour(text)
  if (!armoured) throw new KeyError('malformed', 'There is no private key')
  if (armoured.label !== 'OPENSSH PRIVATE KEY') return { keyObject: parsePem(armoured, options.passphrase) }
  const bytes = fromBase64(armoured.body)
  if (!bytes) throw new KeyError('malformed', 'The key is not base64')
  return parseOpenSshKey(bytes, options)
}

/** What a key with other numbers signs would give its secret away. */
function isWhole(key: KeyObject): boolean {
  const hash = key.asymmetricKeyType === 'ed25519' ? null : 'sha256'
  const data = Buffer.from('a key that signs what it verifies')
  return verify(hash, data, createPublicKey(key), sign(hash, data, key))
}
