/** Bodies on their way in: how much of one person's is here at once, how fast it has to come, and how many values JSON may hold. */
import { Transform } from 'node:stream'
import type { FastifyReply, FastifyRequest, RequestPayload } from 'fastify'
import { type JsonSize, measureJson } from '@sallyport/contract/json-values'
import { networkOf } from '@sallyport/ssh/arrival/address'
import { ApiError } from '../errors.ts'
import { passedThrough } from './passed-through.ts'
import { mediaTypeOf } from './received.ts'
import { sendsTexts } from './forms.ts'

export interface BodyBounds {
  /** Bytes that are here at once, from the first until the answer, of everybody and of one person (or address, of strangers). */
  bytes: number
  bytesOfOne: number
  /** So many bytes have to come in each such time, as long as they are taken. */
  windowMs: number
  windowBytes: number
  /** Who has not sent everything by then is refused: a little less than the server waits for a request, after which it says nothing. */
  longestMs: number
  /** In JSON, and in the forms of pages: reading a million takes a second, in which nobody else is answered. */
  values: number
  /** … and so many names that no other object has behind the same ones: each costs as much as ten values, and more. */
  names: number
  /** … where nobody knows who sends it, and in a form. */
  valuesOfStrangers: number
  pairs: number
}

export const bodyBounds: BodyBounds = {
  bytes: 256 << 20,
  bytesOfOne: 64 << 20,
  windowMs: 10_000,
  windowBytes: 160 << 10,
  longestMs: 110_000,
  values: 250_000,
  names: 20_000,
  valuesOfStrangers: 1000,
  pairs: 10_000,
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
    const ofForm = sendsTexts(request)
    const most = Math.min(
      identity ? bounds.values : bounds.valuesOfStrangers,
      ofForm ? bounds.pairs : Infinity,
    )
    const isJson = mediaTypeOf(request) === 'application/json'
    const measure = ofForm ? countPairs() : isJson ? measureJson() : undefined
    const checkValues = (part: Buffer) => {
      const { values = 0, names = 0 } = measure?.(part) ?? {}
      if (values > most) throw new ApiError(413, 'too_many_values', { params: { max: most } })
      if (names > bounds.names)
        throw new ApiError(413, 'too_many_field_names', { params: { max: bounds.names } })
    }
    // Gateways speak for many people, and send recordings.
    if (identity?.isComponent) return measure ? readThrough(payload, checked(checkValues), reply) : payload
    const here = holding(identity?.id ?? networkOf(request.ip))
    here.upTo(Math.min(told, request.routeOptions.bodyLimit ?? told))
    let length = 0
    const watched = checked((part) => {
      length += part.length
      here.upTo(length)
      checkValues(part)
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
    }
    reply.raw.on('finish', over).on('close', over)
    return readThrough(payload, watched, reply)
  }
}

function readThrough(payload: RequestPayload, watched: Transform, { raw }: FastifyReply): Transform {
  const over = () => {
    raw.off('finish', over).off('close', over)
    // What nobody reads any more would hold up the next request on the connection.
    payload.unpipe(watched)
    payload.resume()
  }
  raw.on('finish', over).on('close', over)
  return passedThrough(payload, watched)
}

/** What comes, until `check` throws. */
const checked = (check: (part: Buffer) => void): Transform =>
  new Transform({
    transform(part: Buffer, _encoding, done) {
      try {
        check(part)
      } catch (error) {
        return done(error as Error)
      }
      done(null, part)
    },
  })

const ampersand = '&'.charCodeAt(0)

function countPairs(): (part: Buffer) => JsonSize {
  let pairs = 1
  return (part) => {
    for (const byte of part) if (byte === ampersand) pairs += 1
    return { values: pairs, names: 0 }
  }
}
