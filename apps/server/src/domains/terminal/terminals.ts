/** Components: how they register, what they are told of the settings, how they are seen and taken away. */
import {
  formatDatetime,
  type BodyOf,
  type ComponentMetrics,
  Components,
  modelOf,
  type OpenTask,
  type Registered,
  type SettingName,
  type SettingValues,
  Terminal,
  TerminalRegistration,
  TerminalStatus,
  terminalTypes,
} from '@sallyport/contract'
import type { TerminalConfigTold } from '@sallyport/contract/gateway/registration'
import type { StatusReport } from '@sallyport/contract/gateway/reports'
import { and, eq, ilike, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import { containing, type Executor } from '../../kernel/database/index.ts'
import { forbidden, invalid, refused } from '../../kernel/errors.ts'
import { narrowed, serve, type Served } from '../../kernel/resource/binding.ts'
import { provide, type Provided } from '../../kernel/resource/calls.ts'
import { system } from '../../kernel/resource/rows.ts'
import { users } from '../users/index.ts'
import { callingTerminal, isAlive, type TerminalRow } from './components.ts'
import { connectMethods } from './endpoints.ts'
import { rsaHostKey } from './host-keys.ts'
import type { Links } from './links.ts'
import type { TerminalServices } from './services.ts'
import type { Statements } from './statements.ts'
import { sessions, terminals, terminalStatuses } from './tables.ts'
import { openTasks, taskMessage } from './tasks.ts'

/** Thresholds of the compatible system, in per cent but for the load. */
const load: SQL = sql`(case when not ${isAlive} then 'offline'
  when ${terminals.disk_is_low} or ${terminals.cpu_load} > 20 or ${terminals.memory_used} > 95
    or ${terminals.disk_used} > 99 then 'critical'
  when ${terminals.cpu_load} > 5 or ${terminals.memory_used} > 85 or ${terminals.disk_used} > 80 then 'high'
  else 'normal' end)`
const online: SQL = sql`(
  select count(*)::int
  from ${sessions}
  where ${sessions.terminal_id} = ${terminals.id} and not ${sessions.is_finished})`

const found = (column: typeof terminals.name | typeof terminals.remote_addr) => (value: string) =>
  ilike(column, containing(value))

export const terminalServed = (
  services: TerminalServices,
  { links, statements, session }: { links: Links; statements: Statements; session: Served },
): Served =>
  serve(Terminal, {
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
      disk: sql`(case when ${terminals.disk_total_bytes} is null then null else json_build_object(
      'free_bytes', ${terminals.disk_free_bytes}, 'total_bytes', ${terminals.disk_total_bytes}, 'is_low', ${terminals.disk_is_low}) end)`,
    },
    filters: {
      name: found(terminals.name),
      remote_addr: found(terminals.remote_addr),
      load: (value) => sql`${load} = ${value}`,
    },
    prepare: (_ctx, { input }) => {
      // There is one storage of each kind: the server's own.
      for (const field of ['command_storage', 'replay_storage'] as const)
        if (field in input && input[field] !== 'default') throw invalid(field, 'storage_unknown')
      return input
    },
    calls: {
      config: (ctx) => configOf(ctx, statements, services),
      report: (ctx, { body }) => takeReport(ctx, links, body),
      reportOf: (ctx, { parameters, body }) => takeReport(ctx, links, body, parameters.id),
      sessions: (_ctx, { row }) =>
        Promise.resolve({ served: narrowed(session, eq(sessions.terminal_id, row.id)) }),
      remove: (ctx, { row }) => remove(ctx, services, row),
    },
  })

export const statusServed = (links: Links): Served =>
  serve(TerminalStatus, {
    table: terminalStatuses,
    rows: system,
    calls: { report: (ctx, { body }) => takeReport(ctx, links, body) },
  })

export const registration = (services: TerminalServices): Provided =>
  provide(TerminalRegistration, {
    register: (ctx, { body }) => register(ctx, services, body),
    registerToo: (ctx, { body }) => register(ctx, services, body),
  })

export const components: Provided = provide(Components, {
  metrics: (ctx) => metrics(ctx),
  connectMethods: (ctx, { request }) =>
    Promise.resolve(connectMethods(ctx, request.headers['user-agent'] ?? '')),
})

const nameMax = 128

async function register(
  ctx: Context,
  { registrar }: TerminalServices,
  {
    name: full,
    type = 'koko',
    comment: said = '',
  }: BodyOf<(typeof TerminalRegistration)['calls']['register']>,
): Promise<Registered> {
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
  const { access_key: key } = account
  return {
    name,
    type,
    comment,
    service_account: {
      ...account,
      access_key: { ...key, date_created: formatDatetime(key.date_created, ctx.zone) },
    },
    remote_addr: ctx.remoteAddr,
  }
}

/** The row stays for the sessions it carried. */
async function remove(
  ctx: Context,
  { rbac }: TerminalServices,
  { id, user_id }: Pick<TerminalRow, 'id' | 'user_id'>,
): Promise<void> {
  const [running] = await ctx.db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.terminal_id, id), eq(sessions.is_finished, false)))
    .limit(1)
  if (running !== undefined) throw refused('have_online_session')
  await ctx.db.update(terminals).set({ is_deleted: true }).where(eq(terminals.id, id))
  if (user_id === null) return
  await ctx.db.delete(users).where(and(eq(users.id, user_id), eq(users.is_service_account, true)))
  await rbac.changed(ctx.db)
}

const told = ['SECURITY_MAX_IDLE_TIME', 'SECURITY_MAX_SESSION_TIME', 'SECURITY_SESSION_SHARE'] as const
type Told = (typeof told)[number] | Extract<SettingName, `TERMINAL_${string}`>
const isTold = (name: SettingName): name is Told =>
  name.startsWith('TERMINAL_') || told.some((one) => one === name)

/** What a component works by: every setting of terminals, and a few of security. */
async function configOf(
  ctx: Context,
  statements: Statements,
  { database, secrets }: TerminalServices,
): Promise<TerminalConfigTold> {
  const terminal = await callingTerminal(ctx)
  const { settings } = ctx
  const names = (Object.keys(settings) as SettingName[]).filter(isTold)
  const chosen = Object.fromEntries(names.map((name) => [name, settings[name]])) as Pick<SettingValues, Told>
  return {
    ...chosen,
    TERMINAL_COMMAND_STORAGE: { TYPE: 'server' },
    TERMINAL_REPLAY_STORAGE: { TYPE: 'server' },
    TERMINAL_HEADER_TITLE: settings.INTERFACE.login_title,
    TERMINAL_HOST_KEY: await rsaHostKey(database.db, secrets),
    TERMINAL_RDP_ADDR: '',
    terminal_id: terminal.id,
    statement_key: await statements.publicKey(),
  }
}

async function takeReport(
  ctx: Context,
  links: Links,
  report: StatusReport,
  id?: string,
): Promise<OpenTask[]> {
  const terminal = await callingTerminal(ctx)
  if (id !== undefined && id !== terminal.id) throw forbidden('terminal_needed')
  if (report.sessions === undefined) throw invalid('sessions', 'required')
  await links.reporterOf(terminal.id).take(ctx.db, report, ctx.remoteAddr)
  return (await openTasks(ctx.db, terminal.id)).map((task) => taskMessage(task, ctx.zone))
}

async function metrics(ctx: Context): Promise<ComponentMetrics[]> {
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

/**
 * Whether people get to a gateway, whether none has fallen silent since yesterday without having been deleted, and whether all that are
 * there have room for recordings.
 */
export async function gatewayHealth(db: Executor) {
  const isMissing = sql`(not ${terminals.is_deleted} and not ${isAlive} and ${terminals.date_reported} > now() - interval '1 day')`
  const { rows } = await db.execute<
    Record<'gateway_status' | 'gateways_status' | 'gateway_disk_status', boolean>
  >(
    sql`select coalesce(bool_or(${isAlive}), false) as gateway_status,
      not coalesce(bool_or(${isMissing}), false) as gateways_status,
      not coalesce(bool_or(${isAlive} and ${terminals.disk_is_low}), false) as gateway_disk_status
      from ${terminals} where ${terminals.type} = 'koko'`,
  )
  return rows[0] ?? {}
}
