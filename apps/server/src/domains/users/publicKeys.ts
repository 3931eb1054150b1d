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

/** Whether two lines hold the same key, whatever their comments say. */
export function isSameKey(stored: string | null, given: string): boolean {
  const one = stored === null ? undefined : parsePublicKey(stored)
  const other = parsePublicKey(given)
  return one !== undefined && one.key === other?.key
}
