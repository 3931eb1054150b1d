/** Private keys as OpenSSL writes them: PKCS #1 and SEC 1, encrypted the old way or not, and PKCS #8 (RFC 5958). */
import { createPrivateKey } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { fromBase64 } from './armour.ts'
import type { Armoured } from './armour.ts'
import { largestInteger } from './der.ts'
import { KeyError } from './key.ts'

/** Iterations of the key derivations of PKCS #8; openssl's default is 2,048, cautious guides say 600,000. */
const maxIterations = 2_000_000

const labels = ['PRIVATE KEY', 'ENCRYPTED PRIVATE KEY', 'RSA PRIVATE KEY', 'EC PRIVATE KEY']

/** @throws KeyError */
export function parsePem({ label, body, text }: Armoured, passphrase: string | undefined): KeyObject {
  if (!labels.includes(label)) throw new KeyError('unsupported', 'The file is of a form that is not known')
  const isPkcs8 = label === 'ENCRYPTED PRIVATE KEY'
  const isEncrypted = isPkcs8 || /^Proc-Type: 4,ENCRYPTED/m.test(body)
  if (isEncrypted && (passphrase === undefined || passphrase === ''))
    throw new KeyError('passphraseMissing', 'The key needs a passphrase')
  if (isPkcs8 && largestInteger(fromBase64(body) ?? Buffer.alloc(0)) > maxIterations)
    throw new KeyError('tooCostly', 'The passphrase is stretched by too many iterations')
  try {
    return createPrivateKey({ key: text, format: 'pem', ...(isEncrypted && { passphrase }) })
  } catch {
    throw isEncrypted
      ? new KeyError('passphraseWrong', 'The passphrase is another, or the key is damaged')
      : new KeyError('malformed', 'The key has not the form it should have')
  }
}
