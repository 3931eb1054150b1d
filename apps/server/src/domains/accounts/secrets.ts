/** What may be kept as the secret of an account or a template, and in which form. */
import { type ErrorKey, errors, type Params, type SecretType, translate } from '@sallyport/contract'
import type { KeyProblem } from '@sallyport/ssh/keys/key'
import { ApiError, invalid } from '../../kernel/errors.ts'
import { offload, OffloadFailure } from '../../kernel/offload/index.ts'
import type * as PrivateKey from './private-key.ts'

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

const sentences: Partial<Record<KeyProblem, ErrorKey>> = {
  passphraseMissing: 'ssh_key_locked',
  passphraseWrong: 'ssh_key_passphrase',
  tooCostly: 'ssh_key_too_slow',
}

async function privateKey(text: string, passphrase: string | null | undefined): Promise<CheckedSecret> {
  const key = await keys('parse', { text, passphrase: passphrase ?? '' }).catch((cause: unknown) => {
    if (!(cause instanceof OffloadFailure)) throw cause
    throw refused(cause.isLate ? 'ssh_key_too_slow' : 'ssh_key_invalid', undefined, cause)
  })
  if (typeof key === 'string') throw refused(sentences[key] ?? 'ssh_key_invalid')
  return { secret: key.openssh, spec_info: { ssh_key_fingerprint: key.md5 } }
}

/** What is sent of a secret; of a key that was opened already, with its particulars beside it. */
interface SentSecret {
  secret_type?: SecretType | undefined
  secret?: string | null | undefined
  passphrase?: string | null | undefined
  spec_info?: Record<string, string> | undefined
}

/**
 * A private key is opened before the transaction, for that may take seconds: what comes of it replaces what was sent. `storedType` answers
 * the type where the change does not say it.
 */
export async function withKeyOpened<Sent extends SentSecret>(
  sent: Sent,
  storedType: () => Promise<SecretType | undefined>,
): Promise<Sent> {
  const { secret, passphrase } = sent
  if (typeof secret !== 'string' || secret === '') return sent
  const type = sent.secret_type ?? (await storedType())
  return type === 'ssh_key' ? { ...sent, ...(await checkSecret(type, secret, passphrase)) } : sent
}

/**
 * The columns a secret that was sent changes: none where it is empty, for then what is stored stays.
 * @throws ValidationError where it would stay as one of another type: a key would be sent as a password, say
 */
export async function secretColumns(
  type: SecretType,
  { secret, passphrase, spec_info }: SentSecret,
  before: { secret_type: SecretType; secret: string | null } | undefined,
): Promise<Partial<CheckedSecret>> {
  if (typeof secret === 'string' && secret !== '')
    return type === 'ssh_key' && spec_info !== undefined
      ? { secret, spec_info }
      : await checkSecret(type, secret, passphrase)
  if (before && before.secret !== null && before.secret_type !== type)
    throw invalid('secret_type', 'secret_type_held')
  return {}
}
