/** Parsing of private keys, as it is run in a thread of its own: what somebody sends says itself how long opening it takes. */
import { md5FingerprintOf } from '@sallyport/ssh/keys/fingerprint'
import { KeyError } from '@sallyport/ssh/keys/key'
import { formatOpenSshKey } from '@sallyport/ssh/keys/openssh-key'
import { parsePrivateKey } from '@sallyport/ssh/keys/private-key'

export interface ParsedKey {
  /** Without its passphrase, in the form of OpenSSH. */
  openssh: string
  md5: string
}

/**
 * @returns undefined when opening the key would take too long
 * @throws an error when it is no key, or the passphrase is wrong
 */
export function parse({ text, passphrase }: { text: string; passphrase: string }): ParsedKey | undefined {
  try {
    // An old target may know no better key; whether it is used is decided where it is.
    const key = parsePrivateKey(text, { passphrase, legacy: true })
    return { openssh: formatOpenSshKey(key), md5: md5FingerprintOf(key.publicKey.blob) }
  } catch (error) {
    if (error instanceof KeyError && error.problem === 'tooCostly') return undefined
    throw error
  }
}
