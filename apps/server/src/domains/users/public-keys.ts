import { Certificate } from '@sallyport/ssh/keys/certificate'
import { md5FingerprintOf } from '@sallyport/ssh/keys/fingerprint'
import { formatPublicKeyLine, parsePublicKeyLine } from '@sallyport/ssh/keys/public-key-text'

export interface PublicKey {
  /** `type body`, what a login is compared with. */
  key: string
  comment: string
  /** The fingerprint as hex pairs, as older clients show it. */
  md5: string
}

/** Reads one OpenSSH public key line; undefined when it is none, or too weak to be trusted. */
export function parsePublicKey(text: string): PublicKey | undefined {
  try {
    const { key, comment, options } = parsePublicKeyLine(text)
    if (options.length > 0 || key instanceof Certificate) return undefined
    return { key: formatPublicKeyLine(key), comment, md5: md5FingerprintOf(key.blob) }
  } catch {
    return undefined
  }
}

/** The key itself in base64, out of a line or already alone. */
const bodyOf = (key: string) => {
  const [first = '', second] = key.trim().split(/\s+/)
  return second ?? first
}

/** Whether a login's key is the stored one: `given` is a line, or the key alone as a gateway sends it. */
export function isSameKey(stored: string | null, given: string): boolean {
  const key = stored === null ? undefined : parsePublicKey(stored)
  return key !== undefined && bodyOf(key.key) === bodyOf(given)
}
