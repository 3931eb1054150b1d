/**
 * Host keys of targets and of gateways, which the server keeps (docs/decisions/0002).
 *
 * | Call of a component | Meaning |
 * |---|---|
 * | `GET terminal/host-keys/accepted/?asset=&address=` | the keys a target may show; none before its first visit |
 * | `POST terminal/host-keys/seen/` | what a target showed: the first one is accepted, another one waits for an administrator |
 * | `POST terminal/host-keys/own/` | the gateways' own: the first ones offered count, and everybody is answered those |
 */
import { z } from 'zod'

export const hostKeyStateValues = ['accepted', 'pending', 'refused'] as const

/** Key types of SSH: `ssh-ed25519`, `ecdsa-sha2-nistp256`, … */
const algorithm = z.string().regex(/^[a-z0-9][a-z0-9@.-]{0,63}$/)
/** A public key in wire form, base64. */
const key = z
  .string()
  .max(4096)
  .regex(/^[A-Za-z0-9+/]+={0,2}$/)

export const hostKeySchema = z.object({
  algorithm,
  key,
  /** As OpenSSH shows it: `SHA256:…`. */
  fingerprint: z.string(),
})
export type HostKey = z.output<typeof hostKeySchema>

/** Which machine: an asset, at the address (`host:port`, IPv6 in brackets) under which it was reached. */
export const hostKeyTargetSchema = z.object({ asset: z.guid(), address: z.string().min(1).max(300) })
export type HostKeyTarget = z.output<typeof hostKeyTargetSchema>

export const seenHostKeySchema = hostKeyTargetSchema.extend({ algorithm, key })
export type SeenHostKey = z.output<typeof seenHostKeySchema>

export const acceptedHostKeysSchema = z.object({ keys: z.array(hostKeySchema).max(16) })
export type AcceptedHostKeys = z.output<typeof acceptedHostKeysSchema>

/** `state` is that of the key shown, `keys` are those the target may show. */
export const hostKeyVerdictSchema = acceptedHostKeysSchema.extend({ state: z.enum(hostKeyStateValues) })
export type HostKeyVerdict = z.output<typeof hostKeyVerdictSchema>

/** Private keys as text (OpenSSH or PEM). Never log them. */
export const ownHostKeysSchema = z.object({
  keys: z.array(z.string().max(16_384).startsWith('-----BEGIN ')).min(1).max(4),
})
