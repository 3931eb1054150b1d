/**
 * The server's word for a visitor of a browser terminal, said to one gateway for one connection: who, what for, until when. On the wire
 * `<JSON in base64url>.<Ed25519 signature in base64url>` in a header of the upgrade. A gateway learns the server's key with its settings,
 * over its own signed calls, and never sees a person's cookies.
 */
import { z } from 'zod'
import { profileSchema } from './grants.ts'

export const statementHeader = 'x-sallyport-statement'
export const statementMaxLength = 4096
/** Long enough for one connection to be opened, and for clocks that are not quite together. */
export const statementSeconds = 60

export const statementSchema = z.strictObject({
  /** Good once. */
  id: z.guid(),
  /** The terminal it is said to. */
  gateway: z.string().min(1),
  /** Seconds since the epoch. */
  expires: z.number().int(),
  user: profileSchema,
  /** A new session by connection token, watching one, coming back to one. */
  kind: z.enum(['token', 'monitor', 'reattach']),
  /** The token's or the session's id. */
  target: z.guid(),
  remote_addr: z.string(),
  language: z.enum(['en', 'zh', 'ja']),
})
export type Statement = z.output<typeof statementSchema>
