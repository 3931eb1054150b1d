/** What components are told to do: end sessions. Any node takes the order, the one that holds the component's link delivers it. */
import { formatDatetime, isUuid, type OpenTask, TerminalTask } from '@sallyport/contract'
import { and, eq, gt, inArray, type SQL, sql } from 'drizzle-orm'
import { z } from 'zod'
import { callerOf, type Context, displayOf } from '../../kernel/context.ts'
import { clockMs, type Executor } from '../../kernel/database/index.ts'
import { ApiError } from '../../kernel/errors.ts'
import type { Live } from '../../kernel/live.ts'
import { serve, type Served } from '../../kernel/resource/binding.ts'
import { system } from '../../kernel/resource/rows.ts'
import { wasAsked } from '../tickets/index.ts'
import { callingTerminal, inTheBooks, type SessionRow } from './components.ts'
import type { TerminalServices } from './services.ts'
import { type hostKeys, sessions, terminals, terminalTasks } from './tables.ts'

export const taskChannel = 'terminal_task'
export const taskEventSchema = z.object({ terminal: z.string(), task: z.string() })
const tasksMax = 1000

export type Task = typeof terminalTasks.$inferSelect

/** A task as components get it; over the link nobody says in which zone. */
export const taskMessage = (task: Task, zone = 'UTC'): OpenTask => ({
  ...task,
  date_finished: task.date_finished && formatDatetime(task.date_finished, zone),
  date_created: formatDatetime(task.date_created, zone),
  date_updated: formatDatetime(task.date_updated, zone),
})

/** What a component has still to do, of the last ten minutes. */
export const openTasks = (db: Executor, terminalId: string): Promise<Task[]> =>
  db
    .select()
    .from(terminalTasks)
    .where(
      and(
        eq(terminalTasks.terminal, terminalId),
        eq(terminalTasks.is_finished, false),
        gt(terminalTasks.date_created, sql`now() - interval '10 minutes'`),
      ),
    )
    .orderBy(terminalTasks.date_created)
    .limit(tasksMax)

export interface KillOrder {
  terminatedBy: string
  /** An end reason, for those that are not a person's order. */
  reason: '' | 'user_disabled' | 'user_deleted' | 'user_removed'
  /** In the person's words; who is disconnected is told them. */
  comment?: string
  createdBy: string
}

/** Orders running sessions to be ended; the components hear of it once the transaction is committed. */
export async function orderEnds(
  db: Executor,
  live: Live,
  running: readonly Pick<SessionRow, 'id' | 'terminal_id'>[],
  { terminatedBy, reason, comment = '', createdBy }: KillOrder,
): Promise<void> {
  const carried = running.flatMap(({ id, terminal_id }) =>
    terminal_id === null ? [] : [{ id, terminal_id }],
  )
  if (carried.length === 0) return
  const made = await db
    .insert(terminalTasks)
    .values(
      carried.map(({ id, terminal_id }) => ({
        name: 'kill_session',
        args: id,
        kwargs: { terminated_by: terminatedBy, reason, comment },
        terminal: terminal_id,
        created_by: createdBy.slice(0, 128),
        updated_by: createdBy.slice(0, 128),
      })),
    )
    .returning({ id: terminalTasks.id, terminal: terminalTasks.terminal })
  for (const { id, terminal } of made) await live.publish(taskChannel, { terminal, task: id }, db)
}

/**
 * Orders the connections of a person at all gateways to be ended that were signed in before now. The caller's transaction has changed the
 * person's row, and a sign-in is stored under its lock, so the clock puts the two in order.
 */
export async function orderDisconnect(
  db: Executor,
  live: Live,
  userId: string,
  createdBy: string,
): Promise<void> {
  const by = createdBy.slice(0, 128)
  const made = await db.execute<{ id: string; terminal: string }>(
    sql`insert into ${terminalTasks} (name, args, kwargs, terminal, created_by, updated_by)
      select 'disconnect_user', ${userId}, jsonb_build_object('before_ms', ${clockMs}), ${terminals.id}, ${by}, ${by}
      from ${terminals}
      where ${terminals.type} = 'koko' and not ${terminals.is_deleted} and ${terminals.boot_id} is not null
      returning id, terminal`,
  )
  for (const { id, terminal } of made.rows) await live.publish(taskChannel, { terminal, task: id }, db)
}

/** Tells all gateways of a host key that was accepted and is refused now: what has shown it is not used any more. */
export async function orderHostKeyRefused(
  db: Executor,
  live: Live,
  { asset_id, fingerprint }: Pick<typeof hostKeys.$inferSelect, 'asset_id' | 'fingerprint'>,
  createdBy: string,
): Promise<void> {
  const by = createdBy.slice(0, 128)
  const made = await db.execute<{ id: string; terminal: string }>(
    sql`insert into ${terminalTasks} (name, args, kwargs, terminal, created_by, updated_by)
      select 'host_key_refused', ${fingerprint}, jsonb_build_object('asset', ${asset_id}::text), ${terminals.id}, ${by}, ${by}
      from ${terminals}
      where ${terminals.type} = 'koko' and not ${terminals.is_deleted} and ${terminals.boot_id} is not null
      returning id, terminal`,
  )
  for (const { id, terminal } of made.rows) await live.publish(taskChannel, { terminal, task: id }, db)
}

/** Tells a gateway that there is a batch of targets for it to try. */
export async function orderProbe(db: Executor, live: Live, terminal: string, batch: string): Promise<void> {
  const by = { created_by: 'System', updated_by: 'System' }
  const [made] = await db
    .insert(terminalTasks)
    .values({
      name: 'probe',
      args: batch,
      kwargs: { terminated_by: '', reason: '', comment: '' },
      terminal,
      ...by,
    })
    .returning({ id: terminalTasks.id })
  if (made) await live.publish(taskChannel, { terminal, task: made.id }, db)
}

/** Tells the gateway with that account that a review it waits for was decided, or is over. */
export async function orderReview(
  db: Executor,
  live: Live,
  componentId: string,
  ticketId: string,
): Promise<void> {
  const made = await db.execute<{ id: string; terminal: string }>(
    sql`insert into ${terminalTasks} (name, args, kwargs, terminal, created_by, updated_by)
      select 'review_decided', ${ticketId}, '{}'::jsonb, ${terminals.id}, 'System', 'System'
      from ${terminals}
      where ${terminals.user_id} = ${componentId} and not ${terminals.is_deleted} and ${terminals.boot_id} is not null
      returning id, terminal`,
  )
  for (const { id, terminal } of made.rows) await live.publish(taskChannel, { terminal, task: id }, db)
}

/** Running sessions of one's organization. */
const killable = (ctx: Context, ids: readonly string[]): SQL | undefined =>
  and(
    inArray(sessions.id, [...ids]),
    eq(sessions.is_finished, false),
    ctx.org.is_root ? undefined : eq(sessions.org_id, ctx.org.id),
  )

const idsIn = (ids: readonly string[]) => ids.filter((id) => isUuid(id)).map((id) => id.toLowerCase())

async function killSessions(ctx: Context, live: Live, ids: readonly string[], reason: string) {
  const running = await ctx.db
    .select({
      id: sessions.id,
      terminal_id: sessions.terminal_id,
      user: sessions.user,
      asset: sessions.asset,
      org_id: sessions.org_id,
    })
    .from(sessions)
    .where(killable(ctx, ids))
  const by = callerOf(ctx)
  await orderEnds(ctx.db, live, running, {
    terminatedBy: displayOf(by),
    reason: '',
    comment: reason,
    createdBy: by.name,
  })
  for (const session of running)
    await ctx.emit({
      type: 'happened',
      name: 'operated',
      data: { action: 'terminate', ...inTheBooks(session), reason },
    })
  const accepted = new Set(running.map(({ id }) => id))
  return { ok: [...new Set(ids)].filter((id) => accepted.has(id)) }
}

export const taskServed = ({ live }: Pick<TerminalServices, 'live'>): Served =>
  serve(TerminalTask, {
    table: terminalTasks,
    rows: system,
    // A component answers for its own tasks only.
    visible: (ctx) =>
      ctx.identity?.isComponent === true
        ? sql`${terminalTasks.terminal} in (select ${terminals.id} from ${terminals} where ${terminals.user_id} = ${ctx.identity.id})`
        : undefined,
    // Only the component says that it has done a task: nobody calls off what was ordered and recorded.
    guard: async (ctx, action) => {
      if (action === 'update') await callingTerminal(ctx)
    },
    prepare: (_ctx, { input }) => (input.is_finished ? { ...input, date_finished: new Date() } : input),
    calls: {
      killSessions: (ctx, { body: { sessions: ids = [], reason = '' } }) =>
        killSessions(ctx, live, idsIn(ids), reason),
      killForTicket: async (ctx, { body: { sessions: ids = [], reason = '' } }) => {
        const wanted = idsIn(ids)
        const { id } = callerOf(ctx)
        const asked = await ctx.db.$count(
          sessions,
          and(inArray(sessions.id, wanted), wasAsked(sessions.id, id)),
        )
        if (asked < new Set(ids).size) throw new ApiError(403, 'permission_denied', { body: () => ({}) })
        return await killSessions(ctx.inOrg({ ...ctx.org, is_root: true }), live, wanted, reason)
      },
    },
  })
