/** How bodies of each type are read. */
import { parse as parseQuery } from 'node:querystring'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import { formUnreadable } from './forms.ts'
import { readInTurn } from './reading.ts'

/** @throws ApiError 415 for a body that is compressed: what it would grow to is bounded nowhere */
export function refuseEncoded({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding.trim().toLowerCase() !== 'identity')
    throw new ApiError(415, 'unsupported_media_type', {
      params: { type: `content-encoding: ${encoding.slice(0, 100)}` },
      headers: { 'accept-encoding': 'identity' },
    })
}

export function readTypes(app: FastifyInstance): void {
  // Bodies of other types are handed over as streams, to routes that ask for them.
  app.removeContentTypeParser(['text/plain', 'application/json'])
  const parser = app.getDefaultJsonParser('error', 'error')
  const parsed = (request: FastifyRequest, text: string) =>
    new Promise<unknown>((resolve, reject) => {
      void parser(request, text, (error, value) => (error ? reject(error) : resolve(value)))
    })
  // Clients that always name a type send none with nothing in it, too.
  const readJson = async (request: FastifyRequest, body: Buffer): Promise<unknown> => {
    if (body.length === 0) return {}
    const text = textOf(body)
    if (text === undefined) throw new ApiError(400, 'parse_error')
    return await readInTurn(request, body.length, () => parsed(request, text))
  }
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, readJson)
  const readTexts = async (request: FastifyRequest, body: Buffer) =>
    await readInTurn(request, body.length, () => {
      if (textOf(unescaped(body)) === undefined) throw formUnreadable()
      return parseQuery(body.toString(), '&', '=', { maxKeys: 0 })
    })
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'buffer' }, readTexts)
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
}

/** The bytes a form means. */
function unescaped(body: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(body.length)
  let length = 0
  for (let at = 0; at < body.length; at++) {
    const high = body[at] === percent ? digitOf(body[at + 1]) : -1
    const low = high < 0 ? -1 : digitOf(body[at + 2])
    if (low >= 0) at += 2
    bytes[length++] = low >= 0 ? high * 16 + low : (body[at] ?? 0)
  }
  return bytes.subarray(0, length)
}

const percent = 0x25
/** What a hexadecimal digit means, in ASCII; -1 for anything else. */
function digitOf(byte: number | undefined): number {
  if (byte === undefined) return -1
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
/** Undefined for what is no UTF-8: with other characters in the place of its own it would be stored as something else. */
function textOf(body: Buffer): string | undefined {
  try {
    return utf8.decode(body)
  } catch {
    return undefined
  }
}
