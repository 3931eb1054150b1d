/** HTTP signatures with an access key (auth.md section 5; draft-cavage-http-signatures). */
import { createHmac } from 'node:crypto'
import { isUuid } from '@sallyport/contract'
import type { FastifyRequest } from 'fastify'
import type { Identity } from '../../kernel/context.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { Identities } from './identities.ts'
import { failed } from './refusals.ts'
import { isSame } from './tokens.ts'

const maxAgeMinutes = 15
const hashes: Readonly<Record<string, string>> = { 'hmac-sha256': 'sha256', 'hmac-sha512': 'sha512' }

interface Signature {
  keyId: string
  algorithm: string
  names: string[]
  signature: string
}

function parse(header: string): Signature | undefined {
  const parts = new Map<string, string>()
  for (const [, name = '', value = ''] of header.matchAll(/(\w+)="([^"]*)"/g)) parts.set(name, value)
  const [keyId, algorithm, names, signature] = ['keyId', 'algorithm', 'headers', 'signature'].map((name) =>
    parts.get(name),
  )
  if (keyId === undefined || algorithm === undefined || names === undefined || signature === undefined)
    return undefined
  return { keyId, algorithm, names: names.toLowerCase().split(' ').filter(Boolean).slice(0, 32), signature }
}

function textOf(request: FastifyRequest, names: readonly string[]): string | undefined {
  const lines: string[] = []
  for (const name of names) {
    if (name === '(request-target)') {
      lines.push(`${name}: ${request.method.toLowerCase()} ${request.raw.url ?? ''}`)
      continue
    }
    const value = request.headers[name]
    if (typeof value !== 'string') return undefined
    lines.push(`${name}: ${value}`)
  }
  return lines.join('\n')
}

/** @throws ApiError 401 unless the request is signed by an active key, over its target and a date of now. */
export async function verifySignature(
  identities: Identities,
  request: FastifyRequest,
  header: string,
): Promise<Identity> {
  const invalid = failed('invalid_signature')
  const given = header.length <= 4096 ? parse(header) : undefined
  const hash = given && hashes[given.algorithm.toLowerCase()]
  if (given === undefined || hash === undefined || !isUuid(given.keyId)) throw invalid
  if (!given.names.includes('(request-target)') || !given.names.includes('date')) throw invalid
  const text = textOf(request, given.names)
  const owner = await identities.byAccessKey(given.keyId.toLowerCase())
  if (text === undefined || owner === undefined) throw invalid
  const expected = createHmac(hash, owner.secret).update(text).digest('base64')
  if (!isSame(given.signature, expected)) throw invalid
  const sent = Date.parse(request.headers.date ?? '')
  if (!(Math.abs(Date.now() - sent) <= maxAgeMinutes * 60_000))
    throw new ApiError(401, 'stale_signature', { params: { minutes: maxAgeMinutes } })
  return owner.identity
}
