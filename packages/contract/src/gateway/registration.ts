/** What a gateway takes of its registration, and of the settings it works by (calls of resources/components.ts). */
import { z } from 'zod'

/** As far as a gateway needs it: the key with which it signs from now on. Never log it. */
export const registrationSchema = z.object({
  service_account: z.object({ access_key: z.object({ id: z.string(), secret: z.string() }) }),
})

const settingNumber = z.coerce.number().nullish().catch(undefined)
/** Settings of the compatible system by their names; absent ones take its defaults. */
export const terminalConfigSchema = z.object({
  /** The gateway's own, and PEM of the key of the server's statements (statement.ts). */
  terminal_id: z.string().catch(''),
  statement_key: z.string().catch(''),
  TERMINAL_PASSWORD_AUTH: z.boolean().catch(true),
  TERMINAL_PUBLIC_KEY_AUTH: z.boolean().catch(true),
  TERMINAL_HEADER_TITLE: z.string().catch(''),
  TERMINAL_ASSET_LIST_SORT_BY: z.string().catch('name'),
  TERMINAL_ASSET_LIST_PAGE_SIZE: z.coerce.string().catch('auto'),
  /** at one time */
  TERMINAL_MAX_SESSIONS_PER_USER: settingNumber.transform((count) => count ?? 50),
  TERMINAL_RECORD_EXEC_INPUT: z.boolean().catch(false),
  SECURITY_MAX_IDLE_TIME: settingNumber.transform((minutes) => minutes ?? 30),
  /** hours; 0 or absent: no limit */
  SECURITY_MAX_SESSION_TIME: settingNumber.transform((hours) => hours ?? 0),
})
export type TerminalConfig = z.output<typeof terminalConfigSchema>
/** As the server tells it: more than a gateway reads. */
export type TerminalConfigTold = z.input<typeof terminalConfigSchema> & Readonly<Record<string, unknown>>
