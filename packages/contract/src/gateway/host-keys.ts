/** Host keys of targets and of gateways, which the server keeps (docs/decisions/0002): what it answers to gateways. */
import { z } from 'zod'
import type { BodySent } from '../resource/calls.ts'
import { type HostKey as Declared, hostKeyStates } from '../resources/host-keys.ts'

export const hostKeySchema = z.object({
  /** Key types of SSH: `ssh-ed25519`, `ecdsa-sha2-nistp256`, … */
  algorithm: z.string().regex(/^[a-z0-9][a-z0-9@.-]{0,63}$/),
  /** A public key in wire form, base64. */
  key: z
    .string()
    .max(4096)
    .regex(/^[A-Za-z0-9+/]+={0,2}$/),
  /** As OpenSSH shows it: `SHA256:…`. */
  fingerprint: z.string(),
})
export type HostKey = z.output<typeof hostKeySchema>

export type SeenHostKey = BodySent<(typeof Declared)['calls']['seen']['body']>
export type HostKeyTarget = Pick<SeenHostKey, 'asset' | 'address'>

export const acceptedHostKeysSchema = z.object({ keys: z.array(hostKeySchema).max(16) })
export type AcceptedHostKeys = z.output<typeof acceptedHostKeysSchema>

/** `state` is that of the key shown, `keys` are those the target may show. */
export const hostKeyVerdictSchema = acceptedHostKeysSchema.extend({ state: z.enum(hostKeyStates.values) })
export type HostKeyVerdict = z.output<typeof hostKeyVerdictSchema>

/** Private keys as text (OpenSSH or PEM). Never log them. */
export const ownHostKeysSchema = z.object({
  keys: z.array(z.string().max(16_384).startsWith('-----BEGIN ')).min(1).max(4),
})
export type OwnHostKeys = z.output<typeof ownHostKeysSchema>
