/** How a session comes on the books. */
import { isUuid, parseDatetime } from '@sallyport/contract'
import { type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { openedAlong } from '../accounts/index.ts'
import { activities } from '../audits/index.ts'
import { ownSession, type SessionRow, type TerminalRow } from './components.ts'
import { sessions } from './tables.ts'

type NewRow = Omit<typeof sessions.$inferInsert, 'terminal_id' | 'boot_id' | 'date_start' | 'date_end'> & {
  date_start: SQL
  date_end?: SQL | null
}

type Stored = Pick<SessionRow, 'id' | 'account_id' | 'is_finished'>

/**
 * Stores a session, and that whom and what it concerns had it: its person, asset and account, and the accounts whose secrets went to the
 * gateway along with it. One that is there already is left as it is, where it is the component's own
 * and of the same person and asset: the component did not hear that it had been stored.
 */
export async function putOnBooks(ctx: Context, terminal: TerminalRow, session: NewRow): Promise<Stored> {
  const row = { ...session, terminal_id: terminal.id, boot_id: terminal.boot_id }
  const { user, asset, account, org_id } = session
  const concerned = ['user_id', 'asset_id', 'account_id'] as const
  const ids = concerned.map((name) => session[name] ?? '').filter((id) => isUuid(id))
  const idOr = (id: string | null | undefined) => sql`${id && isUuid(id) ? id : null}::uuid`
  const made = ctx.db
    .insert(sessions)
    .values(row)
    .onConflictDoNothing()
    .returning({ id: sessions.id, account_id: sessions.account_id, is_finished: sessions.is_finished })
  const { rows } = await ctx.db.execute<Stored>(
    sql`with made as ${made},
      concerned as (select unnest(${sql.param(ids)}::uuid[]) as id, null::text as name
        union all ${openedAlong(idOr(session.asset_id), idOr(session.account_id))}),
      noted as (insert into ${activities} (resource_id, r_type, detail, detail_id, org_id)
        select concerned.id, 'S', jsonb_strip_nulls(
            ${JSON.stringify({ user, asset, account })}::jsonb || jsonb_build_object('along', concerned.name)),
          made.id::text, ${org_id}::uuid from made, concerned)
      select * from made`,
  )
  if (rows[0] !== undefined) return rows[0]
  const known = await ownSession(ctx, session.id ?? '')
  if (known.user_id !== (session.user_id ?? '') || known.asset_id !== (session.asset_id ?? ''))
    throw invalid('id', 'unique')
  return known
}

/** A session that is being begun: it was asked for minutes ago at most, whatever the component says. */
export const momentOfBeginning = (ctx: Context, text: string): SQL =>
  sql`greatest(${momentOf(ctx, 'date_start', text)}, now() - interval '10 minutes')`

/** What a component tells to have been; where its clock is ahead, and where it says nothing, it is now by the clock of the database. */
export function momentOf(ctx: Context, field: string, text: string | null | undefined): SQL {
  if (text === null || text === undefined) return sql`now()`
  const date = parseDatetime(text, ctx.zone)
  if (date === undefined) throw invalid(field, 'not_datetime')
  return sql`least(${date.toISOString()}::timestamptz, now())`
}
