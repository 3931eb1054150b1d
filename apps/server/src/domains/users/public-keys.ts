import sshpk from 'sshpk'

export interface PublicKey {
  /** `type body`, what a login is compared with. */
  key: string
  comment: string
  /** The fingerprint as hex pairs, as older clients show it. */
  md5: string
}

const maxLength = 16_384
const minRsaBits = 2048

/** Reads one OpenSSH public key line; undefined when it is none, or too weak to be trusted. */
export function parsePublicKey(text: string): PublicKey | undefined {
  const line = text.trim()
  if (line.length > maxLength || /[\r\n]/.test(line)) return undefined
  const [type = '', body = '', ...comment] = line.split(/\s+/)
  try {
    const parsed = sshpk.parseKey(`${type} ${body}`, 'ssh')
    if (parsed.type === 'dsa' || (parsed.type === 'rsa' && parsed.size < minRsaBits)) return undefined
    return {
      key: `${type} ${body}`,
      comment: comment.join(' '),
      md5: parsed.fingerprint('md5').toString('hex'),
    }
  } catch {
    return undefined
  }
}

/** The key itself in base64, out of a line or already alone. */
const bodyOf = (key: string) => {
  const [first = '', second] = key.trim().split(/\s+/)
  return second ?? first
}

/** Whether a login's key is the stored one: `given` is a line, or the key alone as a gateway sends it (auth.md section 8). */
export function isSameKey(stored: string | null, given: string): boolean {
  const key = stored === null ? undefined : parsePublicKey(stored)
  return key !== undefined && bodyOf(key.key) === bodyOf(given)
}
