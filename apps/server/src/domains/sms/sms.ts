/** One text to one phone, whichever way it goes. */
import { errors, type ErrorKey, type Language, type Params, translate } from '@sallyport/contract'
import { inOneLine } from '../../kernel/one-line.ts'

export interface Sms {
  /** With the code of its country: `+8613912345678`. */
  phone: string
  /** What the template, which lies with the provider, is filled with. */
  code: string
}
/** @throws SmsFailure */
export type SendSms = (sms: Sms, ends: AbortSignal) => Promise<void>

/** Of all of it: a request that waits for it has 30 s. */
export const sendTimeoutMs = 15_000

/** The number inside China, where providers want it without the country. */
export const insideChina = (phone: string): string | undefined => /^\+86(1\d{10})$/.exec(phone)?.[1]
export const digitsOf = (phone: string) => phone.replace(/^\+/, '')

const mostChars = 200
/** Signs that show nothing turn others round. */
const told = (text: string) => inOneLine(text.replaceAll(/\p{Cf}+/gu, ' '), mostChars)
/** A code of the provider's; what is none is not told, for it might be anything. */
const codeShape = /^[\w.-]{1,64}$/
const phoneLong = /\d{7,}/

/** A text was not taken. What the provider said is for administrators; `message`, which reaches logs, says its code alone. */
export class SmsFailure extends Error {
  override name = 'SmsFailure'
  /** Trying again is of no use. */
  readonly isFinal: boolean
  readonly #key: ErrorKey
  readonly #params: Params

  constructor(key: ErrorKey, { isFinal = false, params = {}, cause }: FailureFacts = {}) {
    const code = params['code']
    super(code === undefined ? key : `${key} ${code}`, { cause })
    this.isFinal = isFinal
    this.#key = key
    this.#params = params
  }

  reason(language: Language): string {
    return translate(errors, language, this.#key, this.#params)
  }
}
interface FailureFacts {
  isFinal?: boolean
  params?: Params
  cause?: unknown
}

/** The provider's own no. `isFinal` unless it may say yes later. */
export function refusedBy(said: { code: unknown; text?: unknown }, isFinal = true): SmsFailure {
  const code = typeof said.code === 'number' ? String(said.code) : said.code
  const isTold = typeof code === 'string' && codeShape.test(code) && !phoneLong.test(code)
  return new SmsFailure('sms_refused', {
    isFinal,
    params: {
      code: isTold ? code : '-',
      text: typeof said.text === 'string' ? told(said.text) : '-',
    },
  })
}
