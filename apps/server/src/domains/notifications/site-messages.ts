/** Messages of the site: kept for each person they are for, read in that person's language, and told at once to whoever is there. */
import { SiteMessage } from '@sallyport/contract'
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { callerOf, type Context, displayOf } from '../../kernel/context.ts'
import type { Executor } from '../../kernel/database/index.ts'
import { forbidden, invalid, refused } from '../../kernel/errors.ts'
import type { Live } from '../../kernel/live.ts'
import { type CallsOf, serve, type Served } from '../../kernel/resource/binding.ts'
import { own } from '../../kernel/resource/rows.ts'
import { formatDatetime } from '@sallyport/contract'
import { userGroupMembers, users, visiblePeople } from '../users/index.ts'
import { renderStored } from './messages.ts'
import { siteContents, siteMessages } from './tables.ts'

/** `{ users }` some have a new message, or (with too many to name) anybody may. */
export const newMessageChannel = 'site-messages'
const mostNamed = 100

export interface NewSiteMessage {
  type: string
  params: Readonly<Record<string, string | number>>
  sender?: string
}

/** Keeps a message for everybody `among` (a condition on `users`) who may sign in, in the transaction of `db`. Answers for how many. */
export async function keepSiteMessage(
  db: Executor,
  live: Live,
  message: NewSiteMessage,
  among: SQL | undefined,
): Promise<number> {
  const [content] = await db.insert(siteContents).values(message).returning({ id: siteContents.id })
  if (content === undefined) return 0
  const kept = await db
    .insert(siteMessages)
    .select(
      db
        .select({
          id: sql<string>`gen_random_uuid()`.as('id'),
          user_id: users.id,
          content_id: sql<string>`${content.id}::uuid`.as('content_id'),
          has_read: sql<boolean>`false`.as('has_read'),
          read_at: sql<null>`null::timestamptz`.as('read_at'),
          date_created: sql<Date>`now()`.as('date_created'),
        })
        .from(users)
        .where(and(among, eq(users.is_active, true), eq(users.is_service_account, false))),
    )
    .returning({ user: siteMessages.user_id })
  const named = kept.length <= mostNamed ? { users: kept.map(({ user }) => user) } : {}
  if (kept.length > 0) await live.publish(newMessageChannel, named, db)
  return kept.length
}

/** Unread messages of each of these people; who has none is not in it. */
export async function unreadOf(db: Executor, userIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .select({ user: siteMessages.user_id, count: sql<number>`count(*)::int` })
    .from(siteMessages)
    .where(and(inArray(siteMessages.user_id, [...userIds]), eq(siteMessages.has_read, false)))
    .groupBy(siteMessages.user_id)
  return new Map(rows.map(({ user, count }) => [user, count]))
}

interface Stored {
  id: string
  type: string
  params: Readonly<Record<string, string | number>>
  sender: string
  date_created: string
  date_updated: string
}

export const siteMessageServed = (live: Live): Served =>
  serve(SiteMessage, {
    table: siteMessages,
    rows: own(siteMessages.user_id),
    computed: {
      content: sql`(select to_json(${siteContents}) from ${siteContents} where ${siteContents.id} = ${siteMessages.content_id})`,
    },
    present: (ctx, row) => {
      const stored = row.content as unknown as Stored | undefined
      if (stored === undefined) return row
      const { subject, html } = renderStored(stored.type, stored.params, ctx.language, callerOf(ctx))
      const { id, sender, date_created: made, date_updated: changed } = stored
      const [date_created, date_updated] = [made, changed].map((date) =>
        formatDatetime(new Date(date), ctx.zone),
      )
      return { ...row, content: { id, subject, message: html, date_created, date_updated, sender } }
    },
    calls: calls(live),
  })

const calls = (live: Live): CallsOf<typeof SiteMessage, typeof siteMessages> => ({
  unreadTotal: async (ctx) => {
    const { id } = callerOf(ctx)
    return { total: (await unreadOf(ctx.db, [id])).get(id) ?? 0 }
  },

  markAsRead: async (ctx, { body, about }) => {
    about([])
    if (body.ids === undefined) throw invalid('ids', 'required')
    await read(ctx, body.ids.length === 0 ? undefined : inArray(siteMessages.id, body.ids))
    return { detail: 'ok' }
  },

  markAllAsRead: async (ctx, { about }) => {
    about([])
    await read(ctx, undefined)
    return { detail: 'ok' }
  },

  send: async (ctx, { body, about }) => {
    about([])
    const { subject, message, user_ids: userIds = [], group_ids: groupIds = [], is_broadcast: toAll } = body
    const caller = callerOf(ctx)
    if (!toAll && userIds.length === 0 && groupIds.length === 0) throw refused('message_for_nobody')
    if (toAll && !caller.isSuperAdmin) throw forbidden()
    const inGroups = ctx.db
      .select({ id: userGroupMembers.user_id })
      .from(userGroupMembers)
      .where(inArray(userGroupMembers.usergroup_id, groupIds))
    const named = sql`(${inArray(users.id, userIds)} or ${inArray(users.id, inGroups)})`
    const count = await keepSiteMessage(
      ctx.db,
      live,
      { type: 'SiteMessage', params: { subject, message }, sender: displayOf(caller) },
      toAll ? undefined : and(named, visiblePeople(ctx)),
    )
    if (count === 0) throw refused('message_for_nobody')
    return { detail: 'ok' }
  },
})

async function read(ctx: Context, which: SQL | undefined): Promise<void> {
  await ctx.db
    .update(siteMessages)
    .set({ has_read: true, read_at: new Date() })
    .where(and(which, eq(siteMessages.user_id, callerOf(ctx).id), eq(siteMessages.has_read, false)))
}
