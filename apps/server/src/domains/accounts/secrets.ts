/** What may be kept as the secret of an account, and in which form (accounts.md 4). */
import type { SecretType } from '@sallyport/contract'
import { ApiError } from '../../kernel/errors.ts'
import { offload, OffloadFailure } from '../../kernel/offload/index.ts'
import type * as PrivateKey from './private-key.ts'
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
export async function checkSecret(
  type: SecretType,
  secret: string,
  passphrase: string | null | undefined,
): Promise<CheckedSecret> {
  if (type === 'ssh_key') return await privateKey(secret, passphrase)
  if (type === 'password') {
    const found = ['{{', "'", '"'].filter((part) => secret.includes(part))
    if (found.length > 0) throw refused('secret_special_characters', { characters: found.join(' ') })
  }
  return { secret, spec_info: {} }
}

/** Two wait at most: opening a key takes up to some seconds. */
const keys = offload<typeof PrivateKey>(new URL('private-key.ts', import.meta.url), {
  threads: 1,
  maxWaiting: 2,
  budgetMs: 8000,
  memoryMiB: 64,
})

async function privateKey(text: string, passphrase: string | null | undefined): Promise<CheckedSecret> {
  const key = await keys('parse', { text, passphrase: passphrase ?? '' }).catch((cause: unknown) => {
    throw cause instanceof OffloadFailure && !cause.isLate
      ? refused('ssh_key_invalid', undefined, cause)
      : cause instanceof OffloadFailure
        ? refused('ssh_key_too_slow', undefined, cause)
        : cause
  })
  if (key === undefined) throw refused('ssh_key_too_slow')
  return { secret: key.openssh, spec_info: { ssh_key_fingerprint: key.md5 } }
}
