/** Bodies on their way in: how much of one person's is here at once, how fast it has to come, and how many values JSON may hold. */
import { Transform } from 'node:stream'
import type { FastifyReply, FastifyRequest, RequestPayload } from 'fastify'
import { ApiError } from '../errors.ts'
import { passedThrough } from './passed-through.ts'
import { mediaTypeOf } from './received.ts'

export interface BodyBounds {
  /** Bytes that are here at once, from the first until the answer, of everybody and of one person (or address, of strangers). */
  bytes: number
  bytesOfOne: number
  /** So many bytes have to come in each such time, as long as they are taken. */
  windowMs: number
  windowBytes: number
  /** Who has not sent everything by then is refused: a little less than the server waits for a request, after which it says nothing. */
  longestMs: number
  /** In JSON: reading a million of them takes a second, in which nobody else is answered. */
  values: number
}

export const bodyBounds: BodyBounds = {
  bytes: 256 << 20,
  bytesOfOne: 64 << 20,
  windowMs: 10_000,
  windowBytes: 160 << 10,
  longestMs: 110_000,
  values: 250_000,
}

/** Watches what comes in. What is refused is read no further. */
export type Watch = (request: FastifyRequest, reply: FastifyReply, payload: RequestPayload) => RequestPayload

/** @throws ApiError (also as an error of the stream) 429 and 503 where too much is here already, 408 where it comes too slowly, 413 of too many values */
export function watchBodies(bounds: BodyBounds): Watch {
  let all = 0
  const ofEach = new Map<string, number>()

  /** What one request holds. */
  function holding(who: string) {
    let held = 0
    const change = (bytes: number) => {
      held += bytes
      all += bytes
      const left = (ofEach.get(who) ?? 0) + bytes
      if (left > 0) ofEach.set(who, left)
      else ofEach.delete(who)
    }
    return {
      upTo(bytes: number): void {
        if (bytes <= held) return
        const more = bytes - held
        if ((ofEach.get(who) ?? 0) + more > bounds.bytesOfOne) throw new ApiError(429, 'overloaded')
        if (all + more > bounds.bytes) throw new ApiError(503, 'overloaded')
        change(more)
      },
      release: () => change(-held),
    }
  }

  return (request, reply, payload) => {
    const told = Number(request.headers['content-length'] ?? 0)
    if (told === 0 && request.headers['transfer-encoding'] === undefined) return payload
    const { identity } = request.context ?? {}
    // Gateways speak for many people, and send recordings.
    if (identity?.isComponent) return payload
    const here = holding(identity?.id ?? request.ip)
    here.upTo(Math.min(told, request.routeOptions.bodyLimit ?? told))
    const count = mediaTypeOf(request) === 'application/json' ? countValues() : undefined
    let length = 0
    const watched = new Transform({
      transform(part: Buffer, _encoding, done) {
        length += part.length
        try {
          here.upTo(length)
          if (count && count(part) > bounds.values)
            throw new ApiError(413, 'too_many_values', { params: { max: bounds.values } })
        } catch (error) {
          return done(error as Error)
        }
        done(null, part)
      },
    })
    const slow = () =>
      watched.destroy(new ApiError(408, 'body_too_slow', { headers: { connection: 'close' } }))
    let before = 0
    const checking = setInterval(() => {
      const isTaken = watched.readableLength < watched.readableHighWaterMark
      if (isTaken && length - before < bounds.windowBytes) slow()
      before = length
    }, bounds.windowMs)
    const late = setTimeout(slow, bounds.longestMs)
    const arrived = () => {
      clearInterval(checking)
      clearTimeout(late)
    }
    payload.once('end', arrived)
    watched.once('close', arrived)
    const over = () => {
      reply.raw.off('finish', over).off('close', over)
      arrived()
      here.release()
      // What nobody reads any more would hold up the next request on the connection.
      payload.unpipe(watched)
      payload.resume()
    }
    reply.raw.on('finish', over).on('close', over)
    return passedThrough(payload, watched)
  }
}

const [quote, backslash, comma, bracket, brace] = Buffer.from('"\\,[{')

/** How many values JSON holds at most, as far as it has come: what is between commas, and what holds others. */
function countValues(): (part: Buffer) => number {
  let values = 1
  let isText = false
  let isEscaped = false
  return (part) => {
    for (let at = 0; at < part.length; at += 1) {
      const byte = part[at]
      if (isText) {
        if (isEscaped) isEscaped = false
        else if (byte === backslash) isEscaped = true
        else if (byte === quote) isText = false
      } else if (byte === quote) isText = true
      else if (byte === comma || byte === bracket || byte === brace) values += 1
    }
    return values
  }
}
