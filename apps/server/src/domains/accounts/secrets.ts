/** What may be kept as the secret of an account, and in which form (accounts.md 4). */
import type { SecretType } from '@sallyport/contract'
import { createPrivateKey } from 'node:crypto'
import ssh2 from 'ssh2'
import sshpk from 'sshpk'
import { ApiError } from '../../kernel/errors.ts'
import { type ErrorKey, errors, type Params, translate } from '@sallyport/contract'

/** A refused secret is answered as a bare array with one text. */
const refused = (key: ErrorKey, params?: Params, cause?: unknown) =>
  new ApiError(400, key, {
    ...(params && { params }),
    body: (language) => [translate(errors, language, key, params)],
    cause,
  })

export interface CheckedSecret {
  /** As it is stored, before encryption. */
  secret: string
  spec_info: Record<string, string>
}

/** @throws ApiError when the secret cannot be of this type. */
export function checkSecret(
  type: SecretType,
  secret: string,
  passphrase: string | null | undefined,
): CheckedSecret {
  if (type === 'ssh_key') return privateKey(secret, passphrase)
  if (type === 'password') {
    const found = ['{{', "'", '"'].filter((part) => secret.includes(part))
    if (found.length > 0) throw refused('secret_special_characters', { characters: found.join(' ') })
  }
  return { secret, spec_info: {} }
}

function privateKey(text: string, passphrase: string | null | undefined): CheckedSecret {
  try {
    const key = sshpk.parsePrivateKey(decrypted(text, passphrase ?? ''), 'auto')
    return {
      secret: key.toString('openssh'),
      spec_info: { ssh_key_fingerprint: key.toPublic().fingerprint('md5').toString('hex') },
    }
  } catch (cause) {
    // The parser's message may quote the key; only its kind is kept.
    throw refused('ssh_key_invalid', undefined, new Error(cause instanceof Error ? cause.name : 'unknown'))
  }
}

/**
 * The key without its passphrase. sshpk must not do this: a wrong passphrase makes it throw outside of the call, which ends the process.
 */
function decrypted(text: string, passphrase: string): string {
  if (text.includes('BEGIN OPENSSH PRIVATE KEY')) {
    const key = ssh2.utils.parseKey(text, passphrase)
    if (key instanceof Error) throw key
    return exported(key.getPrivatePEM(), '')
  }
  return exported(text, passphrase)
}
function exported(pem: string, passphrase: string): string {
  return createPrivateKey({ key: pem, passphrase }).export({ type: 'pkcs8', format: 'pem' })
}
