import { errors, type ErrorKey, type Language, type Params, translate } from '@sallyport/contract'
import { ResultCodeError } from 'ldapts'

/** At which part of it the directory could not be asked. */
export type Part = 'server' | 'bind' | 'search'

/** The directory did not do what it was asked for: no answer about anybody's password. The reason is for administrators. */
export class DirectoryFailure extends Error {
  override name = 'DirectoryFailure'
  readonly part: Part
  readonly #said: { key: ErrorKey; params?: Params } | undefined

  /** @param reason a sentence of the catalogue, or what the other side said */
  constructor(part: Part, reason: ErrorKey | { text: string }, params?: Params, cause?: unknown) {
    const isText = typeof reason === 'object'
    super(isText ? reason.text : translate(errors, 'en', reason, params), { cause })
    this.part = part
    this.#said = isText ? undefined : { key: reason, ...(params && { params }) }
  }

  /** Why, in that language as far as it is our own sentence. */
  reason(language: Language): string {
    return this.#said ? translate(errors, language, this.#said.key, this.#said.params) : this.message
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
/** In one line, as long as a line is: it comes from elsewhere. */
export const told = (error: unknown) => ({
  text:
    (error instanceof ResultCodeError && codeOnly.test(error.message)
      ? namedCode(error)
      : error instanceof Error
        ? error.message
        : ''
    )
      .replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ')
      .trim()
      .slice(0, mostChars) || 'unknown',
})
