/** Selection tokens (`spm`): bound to their person, organization and list, for five minutes. */
import { selectionPath } from '@sallyport/contract/addresses'
import { isUuid, selectionTtlSeconds } from '@sallyport/contract'
import { sql } from 'drizzle-orm'
import { z } from 'zod'
import { callerOf, type Context } from '../context.ts'
import { route } from '../http/route.ts'
import { selections } from './tables.ts'

const maxSelected = 100_000
/** Of one person; the oldest go first. A tab or two choose at a time. */
const maxKept = 10
const body = z.object({
  resources: z
    .union([z.array(z.union([z.string().max(64), z.number()])).max(maxSelected), z.string().max(64)])
    .optional(),
})

export const selectionRoute = route({
  method: 'POST',
  path: selectionPath,
  access: 'valid_user',
  body,
  // As many ids as may be selected.
  bodyLimit: 5 << 20,
  transaction: true,
  records: { unrecorded: 'what somebody ticked changes nothing' },
  byHand: 'answers a token, and belongs to all lists',
  handler: async (ctx, call) => {
    const given = call.body.resources ?? []
    const ids = (Array.isArray(given) ? given : [given]).map((id) => String(id))
    const { id } = callerOf(ctx)
    // One after the other for each person, so that they count each other.
    await ctx.db.execute(sql`select pg_advisory_xact_lock(hashtext(${`selections ${id}`}))`)
    await ctx.db
      .execute(sql`delete from ${selections} where ${selections.date_expired} < now() or ${selections.id} in (
      select id from ${selections} where user_id = ${id} order by date_expired desc offset ${maxKept - 1})`)
    const made = await ctx.db
      .insert(selections)
      .values({
        user_id: id,
        org_id: ctx.org.id,
        ids,
        date_expired: new Date(Date.now() + selectionTtlSeconds * 1000),
      })
      .returning({ id: selections.id })
    return { spm: made[0]?.id }
  },
})

/** The ids behind a token; nothing for one that is unknown, expired, someone else's or another list's. */
export async function selectedIds(
  ctx: Context,
  token: string | undefined,
  list: string,
): Promise<string[] | undefined> {
  if (token === undefined) return undefined
  if (!isUuid(token)) return []
  ctx.told.kept = true
  const isOwn = sql`${selections.id} = ${token} and ${selections.user_id} = ${callerOf(ctx).id} and ${selections.org_id} = ${ctx.org.id}
    and ${selections.date_expired} > now()`
  // Only the first use writes: many lists at once would wait for each other.
  const known = await ctx.db.execute<Ids>(
    sql`select ids from ${selections} where ${isOwn} and ${selections.list} = ${list}`,
  )
  if (known.rows[0]) return known.rows[0].ids
  const bound = await ctx.db.execute<Ids>(
    sql`update ${selections}
      set list = ${list}
      where ${isOwn} and (${selections.list} is null or ${selections.list} = ${list})
      returning ids`,
  )
  return bound.rows[0]?.ids ?? []
}
type Ids = Record<'ids', string[]>
