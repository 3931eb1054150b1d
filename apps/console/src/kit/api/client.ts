import { csrfToken } from './cookies.ts'
import { ApiError, apiErrorFrom, isRecord } from './errors.ts'

const requestTimeoutMs = 60_000

export type QueryValue = string | number | boolean | null | undefined | readonly (string | number)[]
export type Query = Readonly<Record<string, QueryValue>>

export interface CallOptions {
  query?: Query
  signal?: AbortSignal
  headers?: Readonly<Record<string, string>>
  /** It is given up when it is not over by then; a minute unless said, never where it is Infinity. */
  timeoutMs?: number
  /** Nobody did anything: it does not count as use of the session, and the caller looks after a 401. */
  silent?: boolean
  /** It goes on when its page is left. */
  keepalive?: boolean
}

interface Surroundings {
  /** The organization of every call. */
  organizationId: () => string | undefined
  /** Told about every 401, but for those of silent calls. */
  onUnauthorized: (error: ApiError) => void
  /** Told after each answer, but for those of silent calls: the session's keep-alive counts from here. */
  onAnswer: () => void
}

let surroundings: Surroundings = {
  organizationId: () => undefined,
  onUnauthorized: () => undefined,
  onAnswer: () => undefined,
}

/** The shell says here which organization is current and what happens when the session is over. */
export function configureApi(given: Partial<Surroundings>): void {
  surroundings = { ...surroundings, ...given }
}

let isStopped = false

/** Sends nothing more, and answers nothing: somebody else is logged in, who is not whom this page asks for. */
export function stopCalls(): void {
  isStopped = true
}

/**
 * Calls to the server. A path is relative to `/api/v1/` unless it begins with `/`, and may carry a query.
 * Bodies: FormData, Blob and text go as they are, an object that holds files as a form, everything else as JSON. Answers: parsed JSON, null when empty;
 * `raw` is for anything else. Rejects with ApiError; an aborted call rejects with the signal's reason.
 */
export const api = {
  get: <T>(path: string, options?: CallOptions) => call<T>('GET', path, undefined, options),
  options: <T>(path: string, options?: CallOptions) => call<T>('OPTIONS', path, undefined, options),
  post: <T>(path: string, body?: unknown, options?: CallOptions) => call<T>('POST', path, body, options),
  put: <T>(path: string, body?: unknown, options?: CallOptions) => call<T>('PUT', path, body, options),
  patch: <T>(path: string, body?: unknown, options?: CallOptions) => call<T>('PATCH', path, body, options),
  delete: <T = null>(path: string, options?: CallOptions) => call<T>('DELETE', path, undefined, options),
  /** A row with the version it is of (`If-Match` of who changes it). */
  versioned: async (path: string): Promise<{ row: Record<string, unknown>; version: string | undefined }> => {
    const response = await send('GET', path, undefined)
    return { row: await bodyOf(response), version: response.headers.get('etag') ?? undefined }
  },
  /** The whole answer, for downloads. Rejects with ApiError like the others. */
  raw: (path: string, options?: CallOptions) => send('GET', path, undefined, options),
}

async function call<T>(method: string, path: string, body: unknown, options?: CallOptions): Promise<T> {
  return bodyOf<T>(await send(method, path, body, options))
}

async function bodyOf<T>(response: Response): Promise<T> {
  const text = await response.text()
  try {
    const answer: T = JSON.parse(text || 'null')
    return answer
  } catch (error) {
    throw new ApiError(response.status, 'unreadable_answer', undefined, error)
  }
}

async function send(method: string, path: string, body: unknown, options: CallOptions = {}) {
  if (isStopped) return await new Promise<never>(() => undefined)
  const { timeoutMs = requestTimeoutMs } = options
  const timeout = timeoutMs === Infinity ? new AbortController().signal : AbortSignal.timeout(timeoutMs)
  const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout
  const payload = encodeBody(body)
  let response: Response
  try {
    response = await fetch(apiAddress(path, options.query), {
      method,
      signal,
      credentials: 'same-origin',
      ...(options.keepalive && { keepalive: true }),
      headers: { ...commonHeaders(), ...payload.headers, ...options.headers },
      body: payload.body,
    })
  } catch (error) {
    if (options.signal?.aborted) {
      throw error
    }
    throw new ApiError(0, timeout.aborted ? 'timeout' : 'network_error', undefined, error)
  }
  if (!options.silent) {
    surroundings.onAnswer()
  }
  if (!response.ok) {
    const error = apiErrorFrom(response.status, await errorBody(response))
    if (error.status === 401 && !options.silent) {
      surroundings.onUnauthorized(error)
    }
    throw error
  }
  return response
}

/** The address of a call: `/api/v1/` before a relative path; empty query values are dropped, texts trimmed. */
export function apiAddress(path: string, query: Query = {}): string {
  const [bare = '', ownQuery = ''] = path.split('?', 2)
  const params = new URLSearchParams(ownQuery)
  for (const [key, value] of Object.entries(query)) {
    const text = Array.isArray(value) ? value.join(',') : String(value ?? '').trim()
    if (text) {
      params.set(key, text)
    }
  }
  const search = params.toString()
  return `${bare.startsWith('/') ? bare : `/api/v1/${bare}`}${search ? `?${search}` : ''}`
}

function commonHeaders(): Record<string, string> {
  const headers: Record<string, string> = {
    Accept: 'application/json',
    'X-TZ': Intl.DateTimeFormat().resolvedOptions().timeZone,
  }
  const organization = surroundings.organizationId()
  if (organization) {
    headers['X-JMS-ORG'] = organization
  }
  const token = csrfToken()
  if (token) {
    headers['X-CSRFToken'] = token
  }
  return headers
}

function encodeBody(body: unknown): { body?: BodyInit; headers: Record<string, string> } {
  if (body === undefined) {
    return { headers: {} }
  }
  if (body instanceof FormData || body instanceof Blob || typeof body === 'string') {
    return { body, headers: {} }
  }
  if (isRecord(body) && Object.values(body).some((value) => value instanceof Blob)) {
    return { body: formOf(body), headers: {} }
  }
  return { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
}

function formOf(values: Readonly<Record<string, unknown>>): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(values)) {
    form.set(name, value instanceof Blob ? value : String(value))
  }
  return form
}

/** The body of an error: its JSON, or its text when it is none. */
async function errorBody(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text || 'null')
  } catch {
    return text
  }
}
