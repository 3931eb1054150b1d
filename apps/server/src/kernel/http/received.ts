/** Bodies that are handed over as streams. */
import type { FastifyRequest } from 'fastify'
import type { ApiError } from '../errors.ts'

/** Without its parameters; empty where none is named. */
export const mediaTypeOf = (request: FastifyRequest) =>
  (request.headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? ''

/** The whole body. @throws `tooMuch()` where it is, or says it is, longer than `maxBytes` */
export async function received(
  request: FastifyRequest,
  maxBytes: number,
  tooMuch: () => ApiError,
): Promise<Buffer<ArrayBuffer>> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooMuch()
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of (request.body ?? []) as AsyncIterable<Buffer>) {
    length += piece.length
    if (length > maxBytes) throw tooMuch()
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
