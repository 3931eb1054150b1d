/** Field name → what is wrong with it, in the person's language. */
export type FieldErrors = Record<string, string>

/** Codes with which the server asks for a fresh confirmation of who is sitting there. */
export const confirmTypes = ['relogin', 'password', 'mfa'] as const
export type ConfirmType = (typeof confirmTypes)[number]

/**
 * A call that did not succeed. `status` is 0 when no answer came (code `network_error` or `timeout`).
 * `serverText` is the server's own sentence for a person, if it gave one.
 */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly body: unknown
  readonly serverText: string | undefined
  readonly fieldErrors: FieldErrors

  constructor(status: number, code: string, body: unknown, cause?: unknown) {
    const serverText = errorText(body)
    super(serverText ?? `${status} ${code}`, { cause })
    this.name = 'ApiError'
    this.status = status
    this.code = code
    this.body = body
    this.serverText = serverText
    this.fieldErrors = status === 400 ? fieldErrorsOf(body) : {}
  }

  /** The confirmation the server wants before it does this, if that is why it refused. */
  get confirmType(): ConfirmType | undefined {
    return this.status === 400 ? confirmTypes.find((type) => type === this.code) : undefined
  }
}

/** Makes an ApiError from an answer's status and parsed body. */
export function apiErrorFrom(status: number, body: unknown): ApiError {
  const code = isRecord(body) && typeof body['code'] === 'string' ? body['code'] : `http_${status}`
  return new ApiError(status, code, body)
}

export const longestText = 1000

/** The sentence for a person in an error body: error, msg, detail, non_field_errors, array items, plain text. */
export function errorText(body: unknown): string | undefined {
  const text = findText(body)?.trim()
  return text ? text.slice(0, longestText) : undefined
}

function findText(body: unknown): string | undefined {
  if (typeof body === 'string') {
    return looksLikeHtml(body) ? undefined : body
  }
  if (Array.isArray(body)) {
    return body.flatMap((item) => findText(item) ?? []).join('; ')
  }
  if (!isRecord(body)) {
    return undefined
  }
  for (const key of ['error', 'msg', 'detail', 'non_field_errors', 'errors']) {
    const value = body[key]
    if (typeof value === 'string' && value) {
      return value
    }
    if (Array.isArray(value) && value.length > 0) {
      return value.map(sentence).filter(Boolean).join('; ')
    }
  }
  return undefined
}

/**
 * The errors of single fields in a 400 body. Nested objects are told as "key: value", entries of a list by their number, which people begin
 * at 1; the wordless keys of the general error shapes are left out.
 */
export function fieldErrorsOf(body: unknown): FieldErrors {
  const errors: FieldErrors = {}
  if (!isRecord(body)) {
    return errors
  }
  for (const [key, value] of Object.entries(body)) {
    if (generalKeys.has(key) && typeof value === 'string') {
      continue
    }
    if (key === 'non_field_errors' || key === 'errors') {
      continue
    }
    const text = sentence(value)
    if (text) {
      errors[key] = text
    }
  }
  return errors
}

const generalKeys = new Set(['detail', 'code', 'error', 'msg'])

function sentence(value: unknown): string {
  if (typeof value === 'string') {
    return value
  }
  if (typeof value === 'number' || typeof value === 'boolean') {
    return String(value)
  }
  if (Array.isArray(value)) {
    return value.map(sentence).filter(Boolean).join(', ')
  }
  if (isRecord(value)) {
    return Object.entries(value)
      .map(([key, inner]) => [key, sentence(inner)] as const)
      .filter(([, text]) => text)
      .map(([key, text]) => `${/^\d+$/u.test(key) ? `#${Number(key) + 1}` : key}: ${text}`)
      .join(', ')
  }
  return ''
}

function looksLikeHtml(text: string): boolean {
  return /^\s*<(?:!doctype|html|head|body)/iu.test(text)
}

/** True for a plain object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
