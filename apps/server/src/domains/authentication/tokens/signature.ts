/** HTTP signatures with an access key (docs/decisions/0004). */
import { createHmac } from 'node:crypto'
import { isUuid } from '@sallyport/contract'
import {
  digestHeader,
  nonceHeader,
  noncePattern,
  requestTarget,
  signatureMaxAgeMinutes,
  signingText,
} from '@sallyport/contract/gateway/signature'
import { sql } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import type { Identity } from '../../../kernel/context.ts'
import type { Executor } from '../../../kernel/database/index.ts'
import { ApiError } from '../../../kernel/errors.ts'
import type { Identities } from '../identities.ts'
import { failed } from '../refusals.ts'
import { signatureNonces } from '../tables.ts'
import { isSame } from './tokens.ts'

const hashes: Readonly<Record<string, string>> = { 'hmac-sha256': 'sha256', 'hmac-sha512': 'sha512' }
const digestPattern = /^SHA-256=([A-Za-z0-9+/]{43}=)$/

interface Signature {
  keyId: string
  algorithm: string
  names: string[]
  signature: string
}

function parse(header: string): Signature | undefined {
  const parts = new Map<string, string>()
  for (const [, name = '', value = ''] of header.matchAll(/\b(\w+)="([^"]*)"/g)) parts.set(name, value)
  const [keyId, algorithm, names, signature] = ['keyId', 'algorithm', 'headers', 'signature'].map((name) =>
    parts.get(name),
  )
  if (keyId === undefined || algorithm === undefined || names === undefined || signature === undefined)
    return undefined
  return { keyId, algorithm, names: names.toLowerCase().split(' ').filter(Boolean).slice(0, 32), signature }
}

/**
 * Whose signature a request carries. Where it covers the body's digest, `request.signedDigest` says what the body must be; where it covers
 * a nonce, it is good once, on whatever node.
 * @throws ApiError 401 unless the request is signed by an active key, over its target and a date of now.
 */
export async function verifySignature(
  { identities, db }: { identities: Identities; db: Executor },
  request: FastifyRequest,
  header: string,
): Promise<Identity> {
  const invalid = failed('invalid_signature')
  const given = header.length <= 4096 ? parse(header) : undefined
  const hash = given && hashes[given.algorithm.toLowerCase()]
  if (given === undefined || hash === undefined || !isUuid(given.keyId)) throw invalid
  if (!given.names.includes(requestTarget) || !given.names.includes('date')) throw invalid
  const keyId = given.keyId.toLowerCase()
  const text = signingText(given.names, {
    method: request.method,
    target: request.originalUrl,
    headers: request.headers,
  })
  const owner = await identities.byAccessKey(keyId)
  if (text === undefined || owner === undefined) throw invalid
  const expected = createHmac(hash, owner.secret).update(text).digest('base64')
  if (!isSame(given.signature, expected)) throw invalid
  const sent = Date.parse(request.headers.date ?? '')
  if (!(Math.abs(Date.now() - sent) <= signatureMaxAgeMinutes * 60_000))
    throw new ApiError(401, 'stale_signature', { params: { minutes: signatureMaxAgeMinutes } })
  if (given.names.includes(digestHeader)) {
    const [, digest] = digestPattern.exec(String(request.headers[digestHeader])) ?? []
    if (digest === undefined) throw invalid
    request.signedDigest = digest
  }
  if (given.names.includes(nonceHeader)) await useNonce(db, keyId, String(request.headers[nonceHeader]), sent)
  return owner.identity
}

/** Kept until the date it was signed with is too old to be taken anyway. */
async function useNonce(db: Executor, keyId: string, nonce: string, sentMs: number): Promise<void> {
  if (!noncePattern.test(nonce)) throw failed('invalid_signature')
  const [used] = await db
    .insert(signatureNonces)
    .values({
      key_id: keyId,
      nonce,
      date_expired: sql`to_timestamp(${sentMs / 1000}) + ${signatureMaxAgeMinutes} * interval '1 minute'`,
    })
    .onConflictDoNothing()
    .returning({ nonce: signatureNonces.nonce })
  if (used === undefined) throw failed('signature_used')
}
