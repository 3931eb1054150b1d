import { errors, type ErrorKey, type Language, type Params, translate } from '@sallyport/contract'
import { ResultCodeError } from 'ldapts'
import { codeOf } from '../../kernel/failure.ts'
import { inOneLine } from '../../kernel/one-line.ts'

/** At which part of it the directory could not be asked. */
export type Part = 'server' | 'bind' | 'search'

/** A sentence of the catalogue, or what the other side said. */
export type Said = { key: ErrorKey; params?: Params } | { text: string }

/** In that language as far as it is our own sentence. */
export const inLanguage = (said: Said, language: Language): string =>
  'text' in said ? said.text : translate(errors, language, said.key, said.params)

/** The directory did not do what it was asked for: no answer about anybody's password. The reason is for administrators. */
export class DirectoryFailure extends Error {
  override name = 'DirectoryFailure'
  readonly part: Part
  readonly said: Said

  constructor(part: Part, said: Said, cause?: unknown) {
    super(inLanguage(said, 'en'), { cause })
    this.part = part
    this.said = said
  }

  reason(language: Language): string {
    return inLanguage(this.said, language)
  }
}

const mostChars = 300
/** What a server says that has nothing to say but its code: as the library calls it. */
const namedCode = ({ name, code }: ResultCodeError) =>
  `${name
    .replace(/Error$/, '')
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()} (${code})`
const codeOnly = /^\s*Code: 0x-?[\da-f]+$/
/** Of these Node itself gives advice that is no use here. */
const ofNoKnownAuthority = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])

/** What OpenSSL says, without the places in it where it says so. */
const reasonOf = (error: Error): string | undefined =>
  codeOf(error)?.startsWith('ERR_SSL_') && 'reason' in error && typeof error.reason === 'string'
    ? error.reason
    : undefined

/** What the other side said. */
export function told(error: unknown): Said {
  if (ofNoKnownAuthority.has(codeOf(error) ?? '')) return { key: 'ldap_authority_unknown' }
  const text =
    error instanceof ResultCodeError && codeOnly.test(error.message)
      ? namedCode(error)
      : error instanceof Error
        ? (reasonOf(error) ?? error.message)
        : ''
  return { text: inOneLine(text, mostChars) || 'unknown' }
}
