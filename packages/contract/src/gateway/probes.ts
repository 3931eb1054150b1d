/**
 * Checks of targets (docs/decisions/0020): the server hands them to a gateway in batches, which takes a batch once and tells what came of each
 * target as it goes (calls of resources/probes.ts).
 */
import { z } from 'zod'
import { suMethods } from '../assets/types.ts'
import { targetMessages } from '../messages/gateway-targets.ts'
import { type Language, translate } from '../messages/language.ts'
import { hostInfoFields } from '../resources/host-info.ts'
import { wayFields } from './grants.ts'
import { acceptedHostKeysSchema } from './host-keys.ts'

/** Targets of a batch. */
export const batchMax = 50
/** A gateway that carries out a batch tells of it at least so often, with or without news. */
export const reportEveryMs = 2000

/**
 * How a target is tried: by signing in (`ssh`, a database's protocol), by asking a web server for its page (`http`), by connecting to its
 * port alone (`port`), or, of a gateway of a network zone, by having it lead to a port of its own (`gateway`).
 */
export const probeMethods = ['ssh', 'postgresql', 'mysql', 'redis', 'http', 'port', 'gateway'] as const
export type ProbeMethod = (typeof probeMethods)[number]

const credentials = z.object({
  /** Empty where the target knows no names, as an old Redis. */
  username: z.string(),
  secret_type: z.enum(['password', 'ssh_key']),
  secret: z.string(),
})
const targetSchema = z.object({
  /** Its place in the batch. */
  at: z.number().int(),
  asset: z.object({
    id: z.string(),
    name: z.string(),
    /** A host, or of `http` a URL. */
    address: z.string(),
    /** Of databases: which one is asked for, and how its encryption is checked. */
    db_name: z.string(),
    tls: z
      .object({ ca: z.string(), cert: z.string(), key: z.string(), allow_invalid: z.boolean() })
      .nullable(),
  }),
  method: z.enum(probeMethods),
  port: z.number().int(),
  /** Where a gateway is to lead: a port of its own. */
  leads_to: z.number().int().nullable(),
  /** The zone it is in, one of those of the batch; null: it is reached straight. */
  domain: z.string().nullable(),
  /** Its platform allows what only old SSH servers need. */
  old_ssh_version: z.boolean(),
  /** Null where nobody signs in. `su_from`: whom to sign in as instead, to become this one by `su_method`. */
  account: credentials
    .extend({ su_from: credentials.nullable(), su_method: z.enum(suMethods.values) })
    .nullable(),
  /** What the target may show, as gateways write its address: `host:port`. */
  host_keys: acceptedHostKeysSchema.extend({ address: z.string() }),
})
/** Holds secrets, so never log it. */
export type ProbeTarget = z.output<typeof targetSchema>

/** Answer of `claim`. */
export const claimedBatchSchema = z.object({
  /** Whether targets are asked about themselves once signed in. */
  facts: z.boolean(),
  targets: z.array(targetSchema).max(batchMax),
  zones: z.array(z.object(wayFields)).max(batchMax),
})
export type ClaimedBatch = z.output<typeof claimedBatchSchema>
/** As the server tells it. */
export type ClaimedBatchTold = z.input<typeof claimedBatchSchema>

/** What comes from a target is shown to people: on one line, and bounded. */
const told = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[^\p{Cc}\p{Cf}\p{Co}\p{Cs}]*$/u)

/** Why a target could not be used: a sentence of `targetMessages`, and what it is filled with. */
const plainReason = z.object({
  code: z.enum(Object.keys(targetMessages.en) as [keyof typeof targetMessages.en]),
  params: z.record(z.string().max(32), told(300)).refine((params) => Object.keys(params).length <= 4),
})
/** `cause`: why a gateway on the way could not be used, for the `reason` in the sentence. */
export const reasonSchema = plainReason.extend({ cause: plainReason.optional() })
export type ProbeReason = z.output<typeof reasonSchema>

/** The sentence for people. */
export function reasonSentence({ code, params, cause }: ProbeReason, language: Language): string {
  const reason = cause && { reason: reasonSentence(cause, language) }
  return translate(targetMessages, language, code, { ...params, ...reason })
}

/** What a target says of itself, as `info` of an asset holds it. */
export const factsSchema = z.strictObject(
  Object.fromEntries(
    Object.entries(hostInfoFields).map(([name, { kind }]) => [
      name,
      told((kind.kind === 'text' && kind.max) || 0).optional(),
    ]),
  ) as Record<keyof typeof hostInfoFields, z.ZodOptional<z.ZodString>>,
)
export type Facts = z.output<typeof factsSchema>

export const probeResultSchema = z.object({
  at: z.number().int().min(0).max(batchMax),
  /** It could be reached, and signed in to where there was an account; null: nobody came to know, as the server could not be asked. */
  is_ok: z.boolean().nullable(),
  /** Where it is not, or not known. */
  reason: reasonSchema.nullable(),
  took_ms: z.number().int().min(0).max(3_600_000),
  facts: factsSchema.nullable(),
})
export type ProbeResult = z.output<typeof probeResultSchema>
export const probeResultsSchema = z.array(probeResultSchema).max(batchMax)
