import {
  type ErrorKey,
  errors,
  type Language,
  modelLabel,
  type Params,
  type Problem,
  type Problems,
  translate,
} from '@sallyport/contract'

/**
 * What a request is answered with when it fails: a status, a stable code from the catalogue and its parameters. The cause goes to the
 * log, never to the caller.
 */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly code: ErrorKey
  readonly params: Params | undefined
  /** The code clients of the compatible system know it by, where that is another one. */
  readonly knownAs: ErrorKey | undefined
  /** Replaces the `detail`/`code` body where the wire wants another shape. */
  readonly body: ((language: Language) => unknown) | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(
    status: number,
    code: ErrorKey,
    options: {
      params?: Params
      knownAs?: ErrorKey
      body?: (language: Language) => unknown
      headers?: Readonly<Record<string, string>>
      cause?: unknown
    } = {},
  ) {
    super(translate(errors, 'en', code, options.params), { cause: options.cause })
    this.status = status
    this.code = code
    this.params = options.params
    this.knownAs = options.knownAs
    this.body = options.body
    this.headers = options.headers ?? {}
  }

  render(language: Language): unknown {
    if (this.body) return this.body(language)
    return { detail: translate(errors, language, this.code, this.params), code: this.knownAs ?? this.code }
  }
}

/** 400 with the problems of each field; of each row for a bulk request. */
export class ValidationError extends ApiError {
  override name = 'ValidationError'
  readonly problems: Problems | Problems[]

  constructor(problems: Problems | Problems[]) {
    super(400, 'error', { body: (language) => texts(problems, language) })
    this.problems = problems
  }
}

/** One problem with one field. */
export const invalid = (field: string, key: ErrorKey, params?: Params) =>
  new ValidationError({ [field]: [params === undefined ? { key } : { key, params }] })
/** 400 `{field: ["User Model object does not exist"]}`, for ids of other resources in the body of a call. */
export const noSuch = (field: string, of: { app: string; model: string }) =>
  new ApiError(400, 'model_object_missing', {
    body: (language) => ({
      [field]: [translate(errors, language, 'model_object_missing', { model: modelLabel(of, language) })],
    }),
  })
/** 400 for several rows of which some name none that is here: what is wrong in the place of each, `{}` for the others. */
export const unnamedRows = (rows: readonly (Problems | Problem | Problem[])[]) =>
  new ApiError(400, 'error', { body: (language) => texts(rows, language) })
/** A business rule, 400 `{detail, code}`. */
export const refused = (code: ErrorKey, params?: Params) => new ApiError(400, code, params ? { params } : {})
/** A business rule whose wire form is `{error: text}`. */
export const refusedAs = (field: 'error' | 'msg' | 'port', status: number, code: ErrorKey, params?: Params) =>
  new ApiError(status, code, { body: (language) => ({ [field]: translate(errors, language, code, params) }) })
/** The first of what is wrong as one text, 400 `{error: text}`, led by the name of its field. */
export const inText = ({ problems }: ValidationError) =>
  new ApiError(400, 'error', { body: (language) => ({ error: firstOf(texts(problems, language)) }) })
export const forbidden = (code: ErrorKey = 'permission_denied', params?: Params) =>
  new ApiError(403, code, params ? { params } : {})
export const notFound = (model: (language: Language) => string) =>
  new ApiError(404, 'object_does_not_exist', {
    body: (language) => ({
      detail: translate(errors, language, 'object_does_not_exist', { model: model(language) }),
      code: 'object_does_not_exist',
    }),
  })

const isProblem = (value: object): value is Problem => 'key' in value && typeof value.key === 'string'

/** Problems as their reader is told them, in the shape they have. */
export function texts(problems: unknown, language: Language): unknown {
  if (Array.isArray(problems))
    return problems.map((item: object) =>
      isProblem(item) ? translate(errors, language, item.key, item.params) : texts(item, language),
    )
  const entries = Object.entries(problems as Problems)
  // Items of a list of objects: an array as long as the last bad one, `{}` for the good ones.
  if (entries.length > 0 && entries.every(([name, value]) => /^\d+$/.test(name) && !Array.isArray(value))) {
    const rows: unknown[] = []
    for (const [index, value] of entries) rows[Number(index)] = texts(value, language)
    return Array.from(rows, (row) => row ?? {})
  }
  return Object.fromEntries(entries.map(([name, value]) => [name, texts(value, language)]))
}

/** Of texts by field: `field: text`. */
function firstOf(told: unknown): string {
  if (typeof told !== 'object' || told === null) return String(told)
  const [name = '', inside] = Object.entries(told).find(([, value]) => firstOf(value) !== '') ?? []
  if (inside === undefined) return ''
  return Array.isArray(told) ? firstOf(inside) : `${name}: ${firstOf(inside)}`
}
