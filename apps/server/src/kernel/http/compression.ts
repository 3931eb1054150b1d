/** Long answers go compressed to whoever takes them so: a level of a tree with a thousand nodes is a quarter of a megabyte. */
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** What is shorter travels in a few packets; and single objects, which may hold secrets, are shorter (RFC 7457, section 2.6). */
const leastLength = 16_384
const level = 1
const compress = promisify(gzip)

/** A hook before an answer is sent: lists and trees read by GET, which hold no secrets. */
export async function compressed(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  if (request.method !== 'GET' || typeof payload !== 'string' || payload.length < leastLength) return payload
  reply.header('Vary', 'Accept-Encoding')
  if (!/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(String(request.headers['accept-encoding'])))
    return payload
  reply.header('Content-Encoding', 'gzip')
  return await compress(payload, { level })
}
