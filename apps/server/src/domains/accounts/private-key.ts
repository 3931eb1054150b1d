/** Parsing of private keys, as it is run in a thread of its own: what somebody sends says itself how long opening it takes. */
import { md5FingerprintOf } from '@sallyport/ssh/keys/fingerprint'
import { KeyError, type KeyProblem } from '@sallyport/ssh/keys/key'
import { formatOpenSshKey } from '@sallyport/ssh/keys/openssh-key'
import { parsePrivateKey } from '@sallyport/ssh/keys/private-key'

export interface ParsedKey {
  /** Without its passphrase, in the form of OpenSSH. */
  openssh: string
  md5: string
}

/**
 * @returns why it cannot be used, where it says so itself
 * @throws an error when it is no key
 */
export function parse({ text, passphrase }: { text: string; passphrase: string }): ParsedKey | KeyProblem {
  try {
    // An old target may know no better key; whether it is used is decided where it is.
    const key = parsePrivateKey(text, { legacy: true, ...(passphrase !== '' && { passphrase }) })
    return { openssh: formatOpenSshKey(key), md5: md5FingerprintOf(key.publicKey.blob) }
  } catch (error) {
    if (error instanceof KeyError) return error.problem
    throw error
  }
}
