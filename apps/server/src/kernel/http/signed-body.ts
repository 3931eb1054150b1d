/** The body of a signed request is the one that was signed, also when it is read as a stream. */
import { createHash } from 'node:crypto'
import { Transform } from 'node:stream'
import type { FastifyRequest, RequestPayload } from 'fastify'
import { ApiError } from '../errors.ts'
import { passedThrough } from './passed-through.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** SHA-256 of the body in base64, where the signature covers it. */
    signedDigest: string | undefined
  }
}

const refusal = () => new ApiError(401, 'signed_body_differs')

/**
 * What is read instead of `payload`: its end fails with 401 when the bytes are not those that were signed.
 * @throws ApiError 401 when there is no body and there should be one.
 */
export function checkedBody(request: FastifyRequest, payload: RequestPayload): RequestPayload {
  const hash = createHash('sha256')
  const isSigned = () => hash.digest('base64') === request.signedDigest
  const length = request.headers['content-length']
  // Nothing is read of it then, and nothing would notice that it was taken away.
  if (request.headers['transfer-encoding'] === undefined && (length === undefined || length === '0')) {
    if (!isSigned()) throw refusal()
    return payload
  }
  const checked = new Transform({
    transform(part: Buffer, _encoding, done) {
      hash.update(part)
      done(null, part)
    },
    flush: (done) => done(isSigned() ? null : refusal()),
  })
  return passedThrough(payload, checked)
}
