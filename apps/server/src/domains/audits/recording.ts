/** Writes the books: what changed, who signed in, whose password changed. Runs in the transaction of what it records. */
import type { Field, OperateAction } from '@sallyport/contract'
import { type Context, displayOf } from '../../kernel/context.ts'
import type { CalledOn, Changed, DomainEvent, Happened, StoredRow } from '../../kernel/events.ts'
import { loginLogs, operateLogs, passwordChangeLogs } from './tables.ts'
import { z } from 'zod'

/** Longest text kept of one side of a change, and most fields of one change. */
const maxSide = 1024
const maxFields = 64
const masked = '******'

export type Diff = Record<string, [string, string]>

/** A value as the books keep it: names of related objects, Yes and No, dates as ISO-8601. */
function asText(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean') return value ? 'Yes' : 'No'
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map((item) => asText(item)).join(',')
  if (typeof value === 'object') {
    const named = value as { name?: unknown; display_name?: unknown }
    const name = named.name ?? named.display_name
    return typeof name === 'string' ? name : JSON.stringify(value)
  }
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

const isCounted = (name: string, field: Field) =>
  !field.options.writeOnly &&
  field.kind.kind !== 'value' &&
  !['id', 'date_created', 'date_updated', 'created_by', 'updated_by', 'org_id', 'org_name'].includes(name)

/** What differs between the two rows, secrets as stars. */
export function diffOf(
  event: Pick<Changed, 'resource' | 'before' | 'after'> & { secrets?: readonly string[] },
): Diff {
  const diff: Diff = {}
  const side = (row: StoredRow | undefined, name: string) => asText(row?.[name]).slice(0, maxSide)
  for (const [name, field] of Object.entries(event.resource.fields)) {
    if (!isCounted(name, field) || Object.keys(diff).length >= maxFields) continue
    const before = side(event.before, name)
    const after = side(event.after, name)
    if (before !== after) diff[name] = [before, after]
  }
  for (const name of event.secrets ?? []) diff[name] = [event.before === undefined ? '' : masked, masked]
  return diff
}

const actions = { created: 'create', updated: 'update', deleted: 'delete' } as const
const uuid = /^[0-9a-f-]{36}$/

/** One operate log for a change by a signed-in caller; none when nothing differs. */
async function recordChange(ctx: Context, event: Changed): Promise<void> {
  const diff = diffOf(event)
  if (event.type === 'updated' && Object.keys(diff).length === 0) return
  await write(ctx, event, actions[event.type], diff)
}

/** The key of a record's diff that names the declared call; field names have no such character. */
export const callKey = '()'

/** One operate log for a declared call, whether or not a field shows its effect. */
const recordCall = (ctx: Context, event: CalledOn): Promise<void> =>
  write(ctx, event, event.action, { [callKey]: ['', event.call], ...diffOf(event) })

async function write(
  ctx: Context,
  event: Changed | CalledOn,
  action: OperateAction,
  diff: Diff,
): Promise<void> {
  const { identity } = ctx
  if (identity === undefined || !event.resource.audited) return
  const row = event.after ?? event.before
  const named = row?.['name'] ?? row?.['username'] ?? event.id
  const org = row?.['org_id']
  await ctx.db.insert(operateLogs).values({
    user: displayOf(identity).slice(0, 128),
    user_id: identity.id,
    action,
    resource_type: `${event.resource.app}.${event.resource.model}`,
    resource: asText(named).slice(0, 128),
    resource_id: event.id,
    remote_addr: ctx.remoteAddr,
    org_id: typeof org === 'string' && uuid.test(org) ? org : ctx.org.id,
    diff,
  })
}

const short = (max: number) => z.string().transform((text) => text.slice(0, max))
const loginData = z.object({
  username: short(128),
  type: z.enum(['W', 'T', 'U']),
  ip: short(64),
  user_agent: short(254).nullish(),
  status: z.boolean(),
  reason: short(128).default(''),
  backend: short(32).default(''),
  mfa: z.number().int().min(0).max(2).default(2),
})
const passwordData = z.object({
  user: short(128),
  user_id: z.guid(),
  change_by: short(128),
  remote_addr: short(64).nullish(),
})
/** Something seen or done that changes no row: a secret read, a list exported, a session opened. */
const operateData = z.object({
  action: z.enum(['view', 'connect', 'login', 'change_password']),
  resource_type: short(64),
  resource: short(128),
  resource_id: short(64).default(''),
  /** Of the thing seen, where the caller may be in the view of all organizations. */
  org_id: z.guid().optional(),
})

const recorders: Readonly<Record<string, (ctx: Context, data: Happened['data']) => Promise<unknown>>> = {
  login: (ctx, data) => {
    const login = loginData.parse(data)
    return ctx.db.insert(loginLogs).values({ ...login, city: placeOf(login.ip) })
  },
  password_changed: (ctx, data) => ctx.db.insert(passwordChangeLogs).values(passwordData.parse(data)),
  operated: (ctx, data) => {
    const { identity } = ctx
    const { org_id, ...operated } = operateData.parse(data)
    return ctx.db.insert(operateLogs).values({
      ...operated,
      user: identity ? displayOf(identity).slice(0, 128) : 'System',
      user_id: identity?.id ?? null,
      remote_addr: ctx.remoteAddr,
      org_id: org_id ?? ctx.org.id,
    })
  },
}

/** `lan` or `unknown_city`, translated when read; there is no table of the world's addresses here. */
const placeOf = (ip: string) =>
  /^(10\.|127\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|::1$|f[cd]|fe80:|::ffff:(10|127)\.)/i.test(ip)
    ? 'lan'
    : 'unknown_city'

export async function record(ctx: Context, event: DomainEvent): Promise<void> {
  if (event.type === 'called') return await recordCall(ctx, event)
  if (event.type !== 'happened') return await recordChange(ctx, event)
  await recorders[event.name]?.(ctx, event.data)
}
