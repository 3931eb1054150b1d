import type { KeyObject } from 'node:crypto'
import { fromBase64, findPrivateKey } from './armour.ts'
import { curveOf, ecdsaPrivateKey } from './ecdsa.ts'
import { KeyError, readingKey } from './key.ts'
import type { FoundKey, PrivateKeyOptions } from './key.ts'
import { parseOpenSshKey } from './openssh-key.ts'
import { parsePem } from './pem.ts'
import { isPpk, parsePpk } from './ppk.ts'
import { isWholeRsa } from './rsa.ts'
import { blobOf, SoftwareKey } from './software-key.ts'

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
  const armoured = findPrivateKey(text)
  if (!armoured) throw new KeyError('malformed', 'There is no private key')
  if (armoured.label !== 'OPENSSH PRIVATE KEY') return { keyObject: parsePem(armoured, options.passphrase) }
  const bytes = fromBase64(armoured.body)
  if (!bytes) throw new KeyError('malformed', 'The key is not base64')
  return parseOpenSshKey(bytes, options)
}

/** Whether the secret is that of the public half it came with. */
function isWhole(key: KeyObject): boolean {
  if (key.asymmetricKeyType === 'rsa') return isWholeRsa(key)
  if (key.asymmetricKeyType !== 'ec') return true
  const { d = '' } = key.export({ format: 'jwk' })
  const derived = ecdsaPrivateKey(Buffer.from(d, 'base64url'), curveOf(key.asymmetricKeyDetails?.namedCurve))
  return blobOf(derived).equals(blobOf(key))
}
