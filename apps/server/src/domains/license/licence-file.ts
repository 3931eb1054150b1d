/**
 * A licence as a file: a JSON web signature in its compact form (RFC 7515) by Ed25519 (RFC 8037), so that any tool of the field can make
 * one. docs/licences.md tells what is in it.
 */
import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import type { Params } from '@sallyport/contract'
import { z } from 'zod'

const short = z.string().trim().max(128)
const claims = z.object({
  subscription_id: short.default(''),
  corporation: short.min(1),
  /** The day it ends with its beginning (UTC). */
  date_expired: z.iso.date(),
  /** Null: without limit. */
  asset_count: z.int().min(1).max(100_000_000).nullable().default(null),
  edition: short.default('Enterprise'),
  serial_no: short.default(''),
  remark: z.string().trim().max(1024).default(''),
})
/** What a licence says. */
export type LicenceClaims = z.infer<typeof claims>
const header = z.object({ alg: z.literal('EdDSA') })

/** What is wrong with a file. */
export interface Refusal {
  refusal: 'license_unreadable' | 'license_forged' | 'license_without_key' | 'license_expired'
  params?: Params
}

/** @param key the 32 bytes of an Ed25519 public key, in base64 */
export const publicKeyOf = (key: string): KeyObject =>
  createPublicKey({
    format: 'jwk',
    key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(key, 'base64').toString('base64url') },
  })

export const hasExpired = ({ date_expired: end }: Pick<LicenceClaims, 'date_expired'>, now: Date) =>
  end !== '' && Date.parse(end) <= now.getTime()

/** What a file says that was signed with this key; whether it has expired is not looked at. */
export function readLicence(text: string, key: KeyObject | undefined): LicenceClaims | Refusal {
  const [, signed, head = '', payload = '', signature = ''] =
    /^(([\w-]+)\.([\w-]+))\.([\w-]+)$/.exec(text.trim()) ?? []
  if (signed === undefined || !header.safeParse(decoded(head)).success)
    return { refusal: 'license_unreadable' }
  if (key === undefined) return { refusal: 'license_without_key' }
  if (!verify(null, Buffer.from(signed), key, Buffer.from(signature, 'base64url')))
    return { refusal: 'license_forged' }
  const read = claims.safeParse(decoded(payload))
  return read.success ? read.data : { refusal: 'license_unreadable' }
}

function decoded(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString())
  } catch {
    return undefined
  }
}
