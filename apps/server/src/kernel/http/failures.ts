/** From whatever was thrown to the answer: known failures as they are, unknown ones as a bare 500 with the cause in the log. */
import { cookies, errors, languageOf, translate } from '@sallyport/contract'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { violationOf } from '../database/violations.ts'
import { ApiError, texts, ValidationError } from '../errors.ts'
import { codeOf } from '../failure.ts'
import { inPieces } from '../pieces.ts'
import type { Services } from '../services.ts'
import { asSent } from './json.ts'

/** When what is refused for being too much, or not there, may be tried again. */
const retryAfterSeconds = 5

export async function answerFailure(
  services: Services,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const language =
    request.context?.language ??
    languageOf(request.cookies?.[cookies.language]) ??
    languageOf(request.headers['accept-language']) ??
    'zh'
  // What was said of the content that does not come.
  for (const name of ['content-type', 'content-encoding', 'content-length', 'content-disposition'])
    reply.removeHeader(name)
  const known = refusalIn(error) ?? translated(error, request)
  if (known === undefined) {
    // Who leaves while they send something.
    const isTheirs = request.socket.destroyed && codeOf(error) === 'ERR_STREAM_PREMATURE_CLOSE'
    services.log[isTheirs ? 'debug' : 'error'](
      { err: error, method: request.method, path: request.url.split('?')[0] },
      'a request failed',
    )
    return reply.code(500).send({ error: translate(errors, language, 'server_error'), code: 'server_error' })
  }
  // Nobody is told why nobody waits.
  if (known.cause !== undefined && !reply.raw.destroyed)
    services.log.info(
      { err: known.cause, code: known.code, path: request.url.split('?')[0] },
      'a request was refused',
    )
  if (known.status === 401) reply.header('WWW-Authenticate', 'Bearer')
  if (known.status === 429 || known.status === 503) reply.header('Retry-After', retryAfterSeconds)
  // The rest of the body is read and dropped (Node does, until requestTimeout): closing at once would often take the answer along.
  if (known.status === 413) reply.removeHeader('connection')
  reply.headers(known.headers)
  reply.header('Content-Language', language)
  const rows = known instanceof ValidationError && Array.isArray(known.problems) ? known.problems : undefined
  const body = rows
    ? await Array.fromAsync(inPieces(rows), (row) => texts(row, language))
    : known.render(language)
  if (body === undefined) return reply.code(known.status).send()
  return reply.code(known.status).send(await asSent(body, reply))
}

/** What was refused, under what others say of it: a statement that got no connection, say. */
function refusalIn(error: unknown): ApiError | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof ApiError) return cause
  return undefined
}

/** Failures of Fastify and of the database that a caller can do something about. */
function translated(error: unknown, request: FastifyRequest): ApiError | undefined {
  const code = rootCode(error)
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return new ApiError(413, 'body_too_large', { params: { max: request.routeOptions.bodyLimit } })
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
    return new ApiError(415, 'unsupported_media_type', {
      params: { type: (request.headers['content-type'] ?? '').slice(0, 100) },
    })
  if (code === 'FST_ERR_CTP_INVALID_JSON_BODY' || error instanceof SyntaxError)
    return new ApiError(400, 'parse_error')
  // Percent signs that decode to nothing: no such address.
  if (code === 'FST_ERR_BAD_URL') return new ApiError(404, 'not_found')
  const status = (error as Partial<FastifyError>).statusCode
  if (status !== undefined && status >= 400 && status < 500)
    return new ApiError(status, 'error', { cause: error })
  const violation = violationOf(error)
  // A clash nobody named the fields of, in what a write brings about.
  if (violation?.key === 'unique') return new ValidationError({ non_field_errors: [{ key: 'unique' }] })
  return violation && new ApiError(violation.status, violation.key, { cause: error })
}
function rootCode(error: unknown): string | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const code = codeOf(cause)
    if (code !== undefined) return code
  }
  return undefined
}
