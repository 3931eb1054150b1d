/** Components and what they carry: who calls, and which sessions are theirs. */
import { isUuid, modelLabel, modelOf, Session } from '@sallyport/contract'
import { and, eq, getTableColumns, isNotNull, type SQL, sql } from 'drizzle-orm'
import { callerOf, type Context } from '../../kernel/context.ts'
import type { Executor } from '../../kernel/database/index.ts'
import { ApiError, forbidden, notFound } from '../../kernel/errors.ts'
import { sessions, terminals } from './tables.ts'

export type TerminalRow = typeof terminals.$inferSelect
export type SessionRow = typeof sessions.$inferSelect

/** Sallyport's gateways report every 3 s; one silent for longer than this is lost. */
export const silenceSeconds = 6
/** Components of the compatible system report every 30 s, and say nothing of their process. */
const compatibleSilenceSeconds = 150

/** SQL: the longest time a terminal may say nothing. */
const mayBeSilent: SQL = sql`(
  case when ${terminals.boot_id} is null then ${compatibleSilenceSeconds}::int else ${silenceSeconds}::int end
  * interval '1 second')`
/** SQL: when a terminal was last heard of. */
export const lastHeard: SQL = sql`coalesce(${terminals.date_reported}, ${terminals.date_created})`
/** SQL: whether a terminal reports as it should. */
export const isAlive: SQL<boolean> = sql`(not ${terminals.is_deleted}
  and ${terminals.date_reported} is not null
  and ${terminals.date_reported} > now() - ${mayBeSilent})`
/** SQL: whether it had been silent too long at a moment of the database's clock. */
export const isLostAt = (moment: string): SQL<boolean> =>
  sql`(${lastHeard} <= ${moment}::timestamptz - ${mayBeSilent})`

/** Gateways of ours that report as they should, the one with the fewest sessions first. */
export const livingGateways = (db: Executor) =>
  db
    .select({ id: terminals.id, boot_id: terminals.boot_id })
    .from(terminals)
    .where(and(eq(terminals.type, 'koko'), isNotNull(terminals.boot_id), isAlive))
    .orderBy(terminals.session_online, terminals.id)
    .limit(100)

const isCalling = (ctx: Context) =>
  and(eq(terminals.user_id, callerOf(ctx).id), eq(terminals.is_deleted, false))

/** The terminal of the component that calls. @throws ApiError 403 when it has none. */
export async function callingTerminal(ctx: Context): Promise<TerminalRow> {
  const [terminal] = await ctx.db.select().from(terminals).where(isCalling(ctx)).limit(1)
  if (terminal === undefined) throw forbidden('terminal_needed')
  return terminal
}

export const noSession = () => notFound((language) => modelLabel(Session, language))

/**
 * A session the calling component made: nobody else ends it or tells of it. `lock` keeps others from changing it until the transaction
 * ends.
 * @throws ApiError 404 when there is none, 409 when it is another component's.
 */
export async function ownSession(
  ctx: Context,
  id: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<SessionRow> {
  const calling = ctx.db.select({ id: terminals.id }).from(terminals).where(isCalling(ctx)).limit(1)
  const mine = sql<string | null>`${calling}`
  const query = ctx.db
    .select({ session: getTableColumns(sessions), mine })
    .from(sessions)
    .where(isUuid(id) ? eq(sessions.id, id) : sql`false`)
    .limit(1)
  const [found] = await (lock ? query.for('update') : query)
  if (found === undefined || found.mine === null) await callingTerminal(ctx)
  if (found === undefined) throw noSession()
  if (found.session.terminal_id !== found.mine) throw ofAnother()
  return found.session
}

/** Final, unlike a 403: asking again changes nothing. */
export const ofAnother = () => new ApiError(409, 'session_other_terminal')

/** A session of the caller's organization (any in the root one). @throws ApiError 404. */
export async function visibleSession(ctx: Context, id: string): Promise<SessionRow> {
  if (!isUuid(id)) throw noSession()
  const [session] = await ctx.db
    .select()
    .from(sessions)
    .where(and(eq(sessions.id, id), ctx.org.is_root ? undefined : eq(sessions.org_id, ctx.org.id)))
    .limit(1)
  if (session === undefined) throw noSession()
  return session
}

/** A session as operate logs name it. */
export const inTheBooks = ({
  id,
  user,
  asset,
  org_id,
}: Pick<SessionRow, 'id' | 'user' | 'asset' | 'org_id'>) => ({
  resource_type: modelOf(Session),
  resource: `${user} → ${asset}`,
  resource_id: id,
  org_id,
})
