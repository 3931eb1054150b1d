import { z } from 'zod'

/** Choices come as `{value, label}` or, from some calls, as the bare value. */
const choice = z.union([z.string(), z.object({ value: z.string() }).transform((labeled) => labeled.value)])
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '')

export const profileSchema = z.object({ id: z.string(), name: z.string(), username: z.string() })
export type Profile = z.output<typeof profileSchema>

export const registrationSchema = z.object({
  service_account: z.object({ access_key: z.object({ id: z.string(), secret: z.string() }) }),
})

const settingNumber = z.coerce.number().nullish().catch(undefined)
/** `terminals/config/`; absent settings take the compatible system's defaults. */
export const terminalConfigSchema = z.object({
  TERMINAL_PASSWORD_AUTH: z.boolean().catch(true),
  TERMINAL_PUBLIC_KEY_AUTH: z.boolean().catch(true),
  TERMINAL_HEADER_TITLE: text.catch(''),
  TERMINAL_ASSET_LIST_SORT_BY: z.string().catch('name'),
  TERMINAL_ASSET_LIST_PAGE_SIZE: z.coerce.string().catch('auto'),
  /** at one time */
  TERMINAL_MAX_SESSIONS_PER_USER: settingNumber.transform((count) => count ?? 50),
  SECURITY_MAX_IDLE_TIME: settingNumber.transform((minutes) => minutes ?? 30),
  /** hours; 0 or absent: no limit */
  SECURITY_MAX_SESSION_TIME: settingNumber.transform((hours) => hours ?? 0),
})
export type TerminalConfig = z.output<typeof terminalConfigSchema>

const protocols = z.array(z.object({ name: z.string(), port: z.number().int() }))

export const grantedAssetSchema = z.object({
  id: z.string(),
  name: z.string(),
  address: z.string(),
  is_active: z.boolean(),
  comment: text,
  org_name: text,
  platform: z.object({ id: z.coerce.number(), name: z.string() }),
  protocols,
})
export const grantedAssetsSchema = z.object({ count: z.number().int(), results: z.array(grantedAssetSchema) })

export const grantedAccountsSchema = z.array(
  z.object({
    alias: z.string(),
    name: z.string(),
    username: text,
    has_secret: z.boolean(),
    actions: z.array(choice).default([]),
  }),
)

export const grantedNodesSchema = z.array(
  z.object({ id: z.string(), key: z.string(), value: z.string(), assets_amount: z.number().int().catch(0) }),
)

export const createdTokenSchema = z.object({ id: z.string(), value: z.string() })

/** What a connection token stands for; holds the account's secret, so never log it. */
export const tokenSecretSchema = z.object({
  id: z.string(),
  value: z.string(),
  user: z.object({ id: z.string(), name: z.string(), username: z.string() }),
  asset: z.object({
    id: z.string(),
    name: z.string(),
    address: z.string(),
    protocols,
    org_id: text,
  }),
  account: z.object({
    id: text,
    name: z.string(),
    username: text,
    secret_type: choice.nullish().transform((type) => type ?? 'password'),
    secret: text,
    passphrase: text,
  }),
  protocol: z.string(),
  actions: z.array(choice),
  /** seconds since the epoch; 0: never */
  expire_at: z
    .number()
    .nullish()
    .transform((seconds) => seconds ?? 0),
  org_id: text,
})
export type TokenSecret = z.output<typeof tokenSecretSchema>

/** The body of `POST terminal/sessions/`. */
export interface NewSession {
  id: string
  user: string
  user_id: string
  asset: string
  asset_id: string
  account: string
  account_id: string
  protocol: string
  type: 'normal' | 'command'
  login_from: 'ST' | 'WT'
  remote_addr: string
  org_id: string
  date_start: string
}

/** One element of `POST terminal/commands/`; `id` lets the server see a repeated delivery. */
export interface CommandRecord {
  id: string
  session: string
  user: string
  asset: string
  account: string
  input: string
  output: string
  risk_level: 0 | 5
  org_id: string
  /** seconds since the epoch */
  timestamp: number
}

export const joinCheckSchema = z.object({ ok: z.boolean(), msg: text })

const loginErrorSchema = z.object({
  error: z.string(),
  msg: text,
  data: z
    .object({ choices: z.array(z.string()).optional(), url: z.string().optional() })
    .nullish()
    .catch(undefined),
})
export const loginAnswerSchema = z.union([
  z.object({ token: z.string(), user: profileSchema }),
  loginErrorSchema,
])

export const okSchema = z.object({ msg: z.literal('ok') })

export const taskSchema = z.object({
  id: z.string(),
  name: z.string(),
  args: z.string().max(64),
  kwargs: z
    .object({ terminated_by: text, reason: text })
    .nullish()
    .transform((kwargs) => kwargs ?? { terminated_by: '', reason: '' }),
})
export type TerminalTask = z.output<typeof taskSchema>
export const tasksSchema = z.array(z.unknown()).max(10_000)
