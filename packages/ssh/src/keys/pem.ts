/** Private keys as OpenSSL writes them: PKCS #1 and SEC 1, encrypted the old way or not, and PKCS #8 (RFC 5958). */
import { createPrivateKey } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { fromBase64 } from './armour.ts'
import type { Armoured } from './armour.ts'
import { encryptionScheme } from './der.ts'
import { KeyError } from './key.ts'

/** Of PBKDF2; openssl's default is 2,048, cautious guides say 600,000. */
const maxIterations = 2_000_000
/** RFC 7914, 7.1. */
const scrypt = '2b06010401da47040b'
/** The product of scrypt's numbers; openssl's default is 16,384 times 8, in a twentieth of a second. */
const maxScryptCost = 64 * 16_384 * 8

const labels = ['PRIVATE KEY', 'ENCRYPTED PRIVATE KEY', 'RSA PRIVATE KEY', 'EC PRIVATE KEY']

/** @throws KeyError */
export function parsePem({ label, body, text }: Armoured, passphrase: string | undefined): KeyObject {
  if (!labels.includes(label)) throw new KeyError('unsupported', 'The file is of a form that is not known')
  const isPkcs8 = label === 'ENCRYPTED PRIVATE KEY'
  const isEncrypted = isPkcs8 || /^Proc-Type: 4,ENCRYPTED/m.test(body)
  if (isEncrypted && (passphrase === undefined || passphrase === ''))
    throw new KeyError('passphraseMissing', 'The key needs a passphrase')
  if (isPkcs8 && isTooCostly(fromBase64(body) ?? Buffer.alloc(0)))
    throw new KeyError('tooCostly', 'The passphrase is stretched by too many iterations')
  try {
    return createPrivateKey({ key: text, format: 'pem', ...(isEncrypted && { passphrase }) })
  } catch {
    throw isEncrypted
      ? new KeyError('passphraseWrong', 'The passphrase is another, or the key is damaged')
      : new KeyError('malformed', 'The key has not the form it should have')
  }
}

function isTooCostly(key: Buffer): boolean {
  const scheme = encryptionScheme(key)
  if (!scheme) return false
  const { identifiers, integers } = scheme
  if (!identifiers.includes(scrypt)) return Math.max(...integers) > maxIterations
  const [n = 0, r = 0, p = 0] = integers
  return n * r * p > maxScryptCost
}
