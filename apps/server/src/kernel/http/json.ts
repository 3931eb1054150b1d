/** Answers as JSON, of which long lists are written in pieces, so that others are answered in between. */
import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import { inPieces } from '../pieces.ts'
import { WrittenJson } from './route.ts'

/** So many characters are handed on at once. */
const pieceLength = 65_536
/** What is longer goes out as fast as it is taken. */
const longLength = 4 << 20

const type = 'application/json; charset=utf-8'

/**
 * A body as it is sent. A bare text is JSON, unless the handler says what it is; rows, pages and problems of rows are written in pieces, and
 * what is long goes out as fast as it is taken.
 */
export async function asSent(body: unknown, reply: FastifyReply): Promise<unknown> {
  if (typeof body === 'string') {
    if (reply.hasHeader('content-type')) return body
    reply.type(type)
    return JSON.stringify(body)
  }
  const written = hasList(body) ? await inWriting(body) : body
  if ((written !== body || body instanceof WrittenJson) && !reply.hasHeader('content-type')) reply.type(type)
  return written instanceof WrittenJson ? Readable.from(written.pieces) : written
}

/** A list, or a plain object with one in it. */
function hasList(body: unknown): body is object {
  if (typeof body !== 'object' || body === null) return false
  if (Array.isArray(body)) return true
  return (
    Object.getPrototypeOf(body) === Object.prototype &&
    Object.values(body).some((value) => Array.isArray(value))
  )
}

async function inWriting(body: object): Promise<string | WrittenJson> {
  const pieces: string[] = []
  let piece = ''
  let length = 0
  for await (const part of Array.isArray(body) ? itemsOf(body) : partsOf(body)) {
    piece += part
    length += part.length
    if (piece.length < pieceLength) continue
    pieces.push(piece)
    piece = ''
  }
  pieces.push(piece)
  return length > longLength ? new WrittenJson(pieces) : pieces.join('')
}

async function* partsOf(body: object): AsyncGenerator<string> {
  let before = '{'
  for (const [name, value] of Object.entries(body)) {
    const isList = Array.isArray(value)
    const text = isList ? '' : JSON.stringify(value)
    if (text === undefined) continue
    yield `${before}${JSON.stringify(name)}:${text}`
    if (isList) yield* itemsOf(value)
    before = ','
  }
  yield '}'
}

async function* itemsOf(items: readonly unknown[]): AsyncGenerator<string> {
  yield '['
  for await (const [at, item] of inPieces(items.entries()))
    yield `${at === 0 ? '' : ','}${JSON.stringify(item) ?? 'null'}`
  yield ']'
}
