/** Components: how they register, what they are told of the settings, how they are seen and taken away. */
import {
  isUuid,
  modelLabel,
  modelOf,
  type SettingName,
  Terminal,
  TerminalStatus,
  terminalTypes,
} from '@sallyport/contract'
import { registrationRequestSchema } from '@sallyport/contract/gateway/registration'
import { statusReportSchema } from '@sallyport/contract/gateway/reports'
import { and, eq, ilike, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Context } from '../../kernel/context.ts'
import type { Executor } from '../../kernel/database/index.ts'
import { forbidden, invalid, notFound, refused } from '../../kernel/errors.ts'
import { Reply, route, type Route } from '../../kernel/http/route.ts'
import { serve, type Served } from '../../kernel/resource/binding.ts'
import { system } from '../../kernel/resource/rows.ts'
import { users } from '../users/index.ts'
import { callingTerminal, isAlive } from './components.ts'
import type { Links } from './links.ts'
import type { TerminalServices } from './services.ts'
import type { Statements } from './statements.ts'
import { sessions, terminals, terminalStatuses } from './tables.ts'
import { openTasks, taskMessage } from './tasks.ts'

/** Thresholds of the compatible system, in per cent but for the load. */
const load: SQL = sql`(case when not ${isAlive} then 'offline'
  when ${terminals.disk_is_low} or ${terminals.cpu_load} > 20 or ${terminals.memory_used} > 95 or ${terminals.disk_used} > 99 then 'critical'
  when ${terminals.cpu_load} > 5 or ${terminals.memory_used} > 85 or ${terminals.disk_used} > 80 then 'high'
  else 'normal' end)`
const online: SQL = sql`(select count(*)::int from ${sessions} where ${sessions.terminal_id} = ${terminals.id} and not ${sessions.is_finished})`

const escaped = (term: string) => term.replaceAll(/[\\%_]/g, String.raw`\$&`)
const containing = (column: typeof terminals.name | typeof terminals.remote_addr) => (value: string) =>
  ilike(column, `%${escaped(value)}%`)

export const terminalServed: Served = serve(Terminal, {
  table: terminals,
  rows: system,
  visible: () => eq(terminals.is_deleted, false),
  computed: {
    session_online: online,
    load,
    is_alive: isAlive,
    is_active: sql`coalesce((select ${users.is_active} from ${users} where ${users.id} = ${terminals.user_id}), false)`,
    stat: sql`(case when ${terminals.date_reported} is null then null else json_build_object(
      'id', ${terminals.id}, 'cpu_load', ${terminals.cpu_load}, 'memory_used', ${terminals.memory_used},
      'disk_used', ${terminals.disk_used}, 'session_online', ${terminals.session_online},
      'date_created', ${terminals.date_reported}, 'terminal', ${terminals.id}) end)`,
    disk: sql`(case when ${terminals.disk_total_bytes} is null then null else json_build_object('free_bytes', ${terminals.disk_free_bytes},
      'total_bytes', ${terminals.disk_total_bytes}, 'is_low', ${terminals.disk_is_low}) end)`,
  },
  filters: {
    name: containing(terminals.name),
    remote_addr: containing(terminals.remote_addr),
    load: (value) => sql`${load} = ${value}`,
  },
  prepare: (_ctx, { input }) => {
    // There is one storage of each kind: the server's own.
    for (const field of ['command_storage', 'replay_storage'] as const)
      if (field in input && input[field] !== 'default') throw invalid(field, 'storage_unknown')
    return input
  },
})

export const statusServed: Served = serve(TerminalStatus, { table: terminalStatuses, rows: system })

const registration = registrationRequestSchema.extend({
  type: z.enum(terminalTypes.values).default('koko'),
})
const nameMax = 128

async function register(
  ctx: Context,
  { registrar }: TerminalServices,
  { name: full, type, comment: said }: z.output<typeof registration>,
): Promise<Reply> {
  const name = full.length > nameMax ? `${full.slice(0, nameMax / 2)}${full.slice(-nameMax / 2)}` : full
  const comment = full.length > nameMax ? full : said
  const account = await registrar.register(ctx, { name, comment })
  const [made] = await ctx.db
    .insert(terminals)
    .values({
      name,
      type,
      comment,
      remote_addr: ctx.remoteAddr,
      user_id: account.id,
      created_by: 'System',
      updated_by: 'System',
    })
    .returning({ id: terminals.id })
  await ctx.emit({
    type: 'happened',
    name: 'operated',
    data: {
      action: 'create',
      resource_type: modelOf(Terminal),
      resource: name,
      ...(made ? { resource_id: made.id } : {}),
    },
  })
  return new Reply(201, {
    name,
    type,
    comment,
    service_account: account,
    remote_addr: ctx.remoteAddr,
  })
}

/** Taken out of use at once, account and key with it; the row stays for the sessions it carried. */
async function remove(ctx: Context, { rbac }: TerminalServices, id: string): Promise<void> {
  const missing = () => notFound((language) => modelLabel(Terminal, language))
  if (!isUuid(id)) throw missing()
  const [before] = await ctx.db
    .select()
    .from(terminals)
    .where(and(eq(terminals.id, id), eq(terminals.is_deleted, false)))
    .for('update')
  if (before === undefined) throw missing()
  const [running] = await ctx.db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.terminal_id, id), eq(sessions.is_finished, false)))
    .limit(1)
  if (running !== undefined) throw refused('have_online_session')
  await ctx.db.update(terminals).set({ is_deleted: true }).where(eq(terminals.id, id))
  if (before.user_id !== null) {
    await ctx.db.delete(users).where(and(eq(users.id, before.user_id), eq(users.is_service_account, true)))
    await rbac.changed(ctx.db)
  }
  await ctx.emit({ type: 'deleted', resource: Terminal, id, before, after: undefined, secrets: [] })
}

const told: readonly SettingName[] = [
  'SECURITY_MAX_IDLE_TIME',
  'SECURITY_MAX_SESSION_TIME',
  'SECURITY_SESSION_SHARE',
]

/** What a component works by: every setting of terminals, and a few of security. */
async function configOf(ctx: Context, statements: Statements) {
  const terminal = await callingTerminal(ctx)
  const values = ctx.settings
  const names = Object.keys(values) as SettingName[]
  const chosen = names.filter((name) => name.startsWith('TERMINAL_') || told.includes(name))
  return {
    ...Object.fromEntries(chosen.map((name) => [name, values[name]])),
    TERMINAL_COMMAND_STORAGE: { TYPE: 'server' },
    TERMINAL_REPLAY_STORAGE: { TYPE: 'server' },
    TERMINAL_HEADER_TITLE: '',
    terminal_id: terminal.id,
    statement_key: await statements.publicKey(),
  }
}

async function takeStatus(ctx: Context, links: Links, id: string | undefined, body: unknown): Promise<Reply> {
  const terminal = await callingTerminal(ctx)
  if (id !== undefined && id !== terminal.id) throw forbidden('terminal_needed')
  const report = statusReportSchema.safeParse(body)
  if (!report.success) throw invalid(String(report.error.issues[0]?.path[0] ?? 'sessions'), 'required')
  await links.reporterOf(terminal.id).take(report.data, ctx.remoteAddr)
  return new Reply(201, (await openTasks(ctx.db, terminal.id)).map(taskMessage))
}

interface Metric {
  type: string
  total: number
  normal: number
  high: number
  critical: number
  offline: number
  session_active: number
}

async function metrics(ctx: Context): Promise<Metric[]> {
  const { rows } = await ctx.db.execute<{ type: string; load: string; total: number; active: number }>(
    sql`select ${terminals.type} as type, ${load} as load, count(*)::int as total, coalesce(sum(${online}), 0)::int as active
      from ${terminals} where not ${terminals.is_deleted} group by 1, 2`,
  )
  return terminalTypes.values.map((type) => {
    const mine = rows.filter((row) => row.type === type)
    const count = (wanted: string) => mine.find((row) => row.load === wanted)?.total ?? 0
    return {
      type,
      total: mine.reduce((sum, { total }) => sum + total, 0),
      normal: count('normal'),
      high: count('high'),
      critical: count('critical'),
      offline: count('offline'),
      session_active: mine.reduce((sum, { active }) => sum + active, 0),
    }
  })
}

/** Whether people get to a gateway, and whether all that are there have room for recordings. */
export async function gatewayHealth(db: Executor) {
  const { rows } = await db.execute<{ gateway_status: boolean; gateway_disk_status: boolean }>(
    sql`select coalesce(bool_or(${isAlive}), false) as gateway_status,
      not coalesce(bool_or(${isAlive} and ${terminals.disk_is_low}), false) as gateway_disk_status
      from ${terminals} where ${terminals.type} = 'koko'`,
  )
  return rows[0] ?? { gateway_status: false, gateway_disk_status: true }
}

const base = '/api/v1/terminal/'

export const terminalRoutes = (services: TerminalServices, links: Links, statements: Statements): Route[] => [
  ...['terminal-registrations', 'registration'].map((name) =>
    route({
      method: 'POST',
      path: `${base}${name}/`,
      access: 'bootstrap',
      transaction: true,
      body: registration,
      handler: (ctx, { body }) => register(ctx, services, body),
    }),
  ),
  route({
    method: 'GET',
    path: `${base}terminals/config/`,
    access: 'component',
    handler: (ctx) => configOf(ctx, statements),
  }),
  route({
    method: 'DELETE',
    path: `${base}terminals/:id/`,
    access: { permission: 'terminal.delete_terminal' },
    transaction: true,
    handler: (ctx, { params }) => remove(ctx, services, params['id'] ?? ''),
  }),
  ...['status', 'terminals/status', 'terminals/:id/status'].map((path) =>
    route({
      method: 'POST',
      path: `${base}${path}/`,
      access: 'component',
      handler: (ctx, { params, body }) => takeStatus(ctx, links, params['id'], body),
    }),
  ),
  route({
    method: 'GET',
    path: `${base}components/metrics/`,
    access: { permission: 'terminal.view_terminal' },
    handler: (ctx) => metrics(ctx),
  }),
]
