/** What cannot be read as HTTP, or asks by a method that nothing here is asked by: no route answers it. */
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { languageOf } from '@sallyport/contract'
import { ApiError } from '../errors.ts'
import { codeOf } from '../failure.ts'

export const methods: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']
export const noSuchMethod = (method: string) =>
  new ApiError(405, 'method_not_allowed', {
    params: { method: method.slice(0, 32) },
    headers: { allow: methods.join(', ') },
  })

export const securityHeaders = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'SAMEORIGIN',
  'Referrer-Policy': 'same-origin',
}

/** Answers what Node's parser gave up on, in the form of all errors, and ends the connection: nobody knows where its next request begins. */
export function answerUnreadable(failure: Error & { rawPacket?: unknown }, socket: Socket): void {
  if (socket.destroyed || !socket.writable || codeOf(failure) === 'ECONNRESET') return
  const { rawPacket } = failure
  const sent = Buffer.isBuffer(rawPacket) ? rawPacket.toString('latin1', 0, 8192) : ''
  const error = errorOf(codeOf(failure), sent)
  socket.write(answerInWords(error, /^accept-language:[ \t]*(.{1,100})$/im.exec(sent)?.[1]))
  socket.destroySoon()
}

/** An answer as it goes over a connection that ends with it. */
export function answerInWords(error: ApiError, acceptLanguage: string | undefined): string {
  const language = languageOf(acceptLanguage) ?? 'zh'
  const body = JSON.stringify(error.render(language))
  const headers = {
    ...securityHeaders,
    ...error.headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Language': language,
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    Connection: 'close',
  }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}\r\n${head.join('')}\r\n${body}`
}

function errorOf(code: string | undefined, sent: string): ApiError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new ApiError(408, 'body_too_slow')
  if (code === 'HPE_HEADER_OVERFLOW') return new ApiError(431, 'error')
  const method =
    code === 'HPE_INVALID_METHOD' ? /^([!-~]{1,32}) \S+ HTTP\/1\.\d\r?$/m.exec(sent)?.[1] : undefined
  return method === undefined ? new ApiError(400, 'error') : noSuchMethod(method)
}
