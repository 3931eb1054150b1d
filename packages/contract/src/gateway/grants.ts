/** What a gateway asks for people: what they were granted, and the grant a connection token stands for. */
import { z } from 'zod'
import { protocolChoices } from '../assets/protocols.ts'
import { suMethods } from '../assets/types.ts'
import { aclActions } from '../resources/asset-rules.ts'
import { commandGroupTypes } from '../resources/command-filters.ts'

/** A choice as the server shows it, taken as its value. */
const labeled = z.object({ value: z.string(), label: z.string() }).transform(({ value }) => value)
const text = z
  .string()
  .nullable()
  .transform((value) => value ?? '')
const port = z
  .number()
  .int()
  .nullable()
  .transform((given) => given ?? 0)
const protocols = z.array(z.object({ name: z.string(), port }))

export const profileSchema = z.object({ id: z.string(), name: z.string(), username: z.string() })
export type Profile = z.output<typeof profileSchema>

// The lists behind the menu show more than these fields; a gateway takes what it shows.
const grantedAsset = z.object({
  id: z.string(),
  name: z.string(),
  address: z.string(),
  is_active: z.boolean(),
  comment: text,
  org_name: text,
  platform: z.object({ id: z.coerce.number(), name: z.string() }),
  protocols,
})
export const grantedAssetsSchema = z.object({
  count: z.number().int(),
  results: z.array(grantedAsset),
})
export type GrantedAssets = z.output<typeof grantedAssetsSchema>
export const grantedAccountsSchema = z.array(
  z.object({
    alias: z.string(),
    name: z.string(),
    username: text,
    has_secret: z.boolean(),
    actions: z.array(labeled),
  }),
)
export type GrantedAccounts = z.output<typeof grantedAccountsSchema>

/** What a direct login names: assets of that address, else of that name; where it is one, the accounts on it. */
export const directTargetsSchema = z.object({
  assets: z.array(grantedAsset).max(100),
  accounts: grantedAccountsSchema,
})
export type DirectTargets = z.output<typeof directTargetsSchema>
export type DirectTargetsTold = z.input<typeof directTargetsSchema>

export const grantedNodesSchema = z.array(
  z.object({ id: z.string(), key: z.string(), value: z.string(), assets_amount: z.number().int() }),
)

export type GrantedNodes = z.output<typeof grantedNodesSchema>

/** Answer of `POST authentication/super-connection-token/`: one person's leave to open one connection. */
export interface CreatedToken {
  id: string
  value: string
}

export const tokenOwnerSchema = z.object({ username: z.string() })

const account = z.object({
  /** Empty for accounts typed by hand. */
  id: z.string(),
  name: z.string(),
  username: z.string(),
  secret_type: labeled,
  secret: z.string(),
})

/** A rule about commands that holds for a connection. Bare values, as components of the compatible system read them. */
const commandFilter = z.object({
  id: z.string(),
  name: z.string(),
  action: z.enum(aclActions.values),
  priority: z.number().int(),
  is_active: z.boolean(),
  reviewers: z.array(z.object({ id: z.string(), name: z.string() })),
  command_groups: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      type: z.enum(commandGroupTypes.values),
      content: z.string(),
      ignore_case: z.boolean(),
      /** RE2, searched for anywhere in the input (command-patterns.ts); an empty one matches nothing. */
      pattern: z.string(),
    }),
  ),
})
export type CommandFilter = z.output<typeof commandFilter>

/** So many gateways of a zone come with a grant. */
export const zoneGatewaysMax = 8
/** A machine that leads into a zone, and whom to sign in there as; null where it has no account that can. */
const zoneGateway = z.object({
  id: z.string(),
  name: z.string(),
  address: z.string(),
  protocols,
  account: account.nullable(),
})
export type ZoneGateway = z.output<typeof zoneGateway>

/** The way to an asset, as what connects to it is told. */
export const wayFields = {
  /** The zone the asset lies in, which is reached through one of its gateways and in no other way; null: straight. */
  domain: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** Those of the zone that are in use, in the order they are to be tried in. */
  gateways: z.array(zoneGateway).max(zoneGatewaysMax),
}

/** Everything it takes to connect. Holds secrets, so never log it. */
export const grantSchema = z.object({
  user: profileSchema.extend({ email: z.string() }),
  asset: z.object({
    id: z.string(),
    name: z.string(),
    address: z.string(),
    protocols,
    category: labeled,
    type: labeled,
    org_id: z.string(),
    spec_info: z.record(z.string(), z.unknown()),
    secret_info: z.record(z.string(), z.unknown()),
  }),
  /** `su_from`: whom to sign in as instead, to become this one by `su_method` of the platform (default `su`). */
  account: account.extend({ su_from: account.nullable(), privileged: z.boolean() }),
  platform: z.looseObject({
    id: z.number(),
    name: z.string(),
    charset: labeled,
    su_method: labeled.pipe(z.enum(suMethods.values)).nullable(),
    protocols: z.array(
      z.looseObject({
        name: z.string(),
        setting: z.looseObject({ old_ssh_version: z.boolean().optional() }).nullish(),
      }),
    ),
  }),
  /** In the order in which they are asked: the first with a group that matches decides. */
  command_filter_acls: z.array(commandFilter),
  protocol: z.enum(protocolChoices.values),
  ...wayFields,
  /** The first of `gateways` with an account: components of the compatible system take one. */
  gateway: zoneGateway.nullable(),
  actions: z.array(labeled),
  /** Seconds since the epoch; 0: never. */
  expire_at: z.number().int(),
  from_ticket: z.string().nullable(),
  connect_method: z.object({
    label: z.string(),
    value: z.string(),
    type: z.enum(['web', 'native']),
    component: z.string(),
  }),
  org_id: z.string(),
  org_name: z.string(),
})
export type Grant = z.output<typeof grantSchema>
/** As the server tells it. */
export type GrantTold = z.input<typeof grantSchema>

/** `POST authentication/super-connection-token/secret/ {id}`: the grant a connection token stands for, told once. */
export const tokenSecretSchema = grantSchema.extend({ id: z.string(), value: z.string() })
export type TokenSecret = z.output<typeof tokenSecretSchema>
/** As the server tells it. */
export type TokenSecretTold = z.input<typeof tokenSecretSchema>
