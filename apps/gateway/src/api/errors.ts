/** The server did not answer, or not with anything that can be used. Trying again later may help. */
export class ServerAwayError extends Error {
  override name = 'ServerAwayError'
}

/** The server refused the call. `detail` is its sentence for a person. */
export class ServerRefusedError extends Error {
  override name = 'ServerRefusedError'
  readonly status: number
  readonly code: string
  readonly detail: string
  readonly body: unknown

  constructor(call: string, status: number, body: unknown) {
    const { code, detail } = describe(body)
    super(`${call}: the server answered ${status} ${code} ${detail}`.trim())
    this.status = status
    this.code = code
    this.detail = detail
    this.body = body
  }
}

/** Whether it is the server's doing, and nobody else's. */
export const isServerTrouble = (error: unknown): error is ServerAwayError | ServerRefusedError =>
  error instanceof ServerAwayError || error instanceof ServerRefusedError

/** Who calls is not known yet, time ran out, it came too early, it is too much at once. */
const passing: ReadonlySet<number> = new Set([401, 403, 408, 425, 429])

/** Whether the server will answer the same whenever it is asked. `busy`: somebody else holds the rows. */
export const isFinal = (error: unknown): error is ServerRefusedError =>
  error instanceof ServerRefusedError &&
  error.status < 500 &&
  !passing.has(error.status) &&
  error.code !== 'busy'

/** Whether the server does not know the gateway's key (any more); a clock that is off has another code. */
export const isKeyRefusal = (error: unknown): boolean =>
  error instanceof ServerRefusedError && error.status === 401 && error.code === 'authentication_failed'

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return textOf(value[0])
  return undefined
}

function describe(body: unknown): { code: string; detail: string } {
  if (typeof body !== 'object' || body === null)
    return { code: '', detail: textOf(body)?.slice(0, 200) ?? '' }
  const fields: Record<string, unknown> = { ...body }
  const sentence =
    textOf(fields.detail) ??
    textOf(fields.msg) ??
    textOf(fields.error) ??
    Object.values(fields)
      .map(textOf)
      .find((text) => text !== undefined)
  return { code: textOf(fields.code) ?? textOf(fields.error) ?? '', detail: (sentence ?? '').slice(0, 500) }
}

/** Undefined where the server knows the call and will not answer it. */
export async function unlessRefused<Answer>(asked: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof ServerRefusedError && error.status < 500) return undefined
    throw error
  }
}
