/** Who gets which messages, by what. */
import {
  type Channel,
  channels,
  MessageBackends,
  type Receiver,
  serverTexts,
  SystemMsgSubscription,
  translate,
  UserMsgSubscription,
} from '@sallyport/contract'
import { eq, type SQL, sql } from 'drizzle-orm'
import { callerOf, type Context } from '../../kernel/context.ts'
import { type Executor, subselect } from '../../kernel/database/index.ts'
import { invalid, notFound, ValidationError } from '../../kernel/errors.ts'
import { modelLabel, roleIds } from '@sallyport/contract'
import { type RelatedTable, serve, type Served } from '../../kernel/resource/binding.ts'
import { provide, type Provided } from '../../kernel/resource/calls.ts'
import { listRows } from '../../kernel/resource/read.ts'
import { system } from '../../kernel/resource/rows.ts'
import { roleBindings } from '../rbac/index.ts'
import { canMail } from '../settings/index.ts'
import { userGroupMembers, userGroups, users } from '../users/index.ts'
import { systemMessages, type SystemType, systemTypes } from './messages.ts'
import {
  systemSubscriptionGroups,
  systemSubscriptions,
  systemSubscriptionUsers,
  userSubscriptions,
} from './tables.ts'

const isSetUp: Record<Channel, (ctx: Context) => boolean> = {
  email: canMail,
  wecom: () => false,
  dingtalk: () => false,
  feishu: () => false,
  site_msg: () => true,
}

export const backends: Provided = provide(MessageBackends, {
  enabled: (ctx) =>
    Promise.resolve(
      channels
        .filter((name) => isSetUp[name](ctx))
        .map((name) => ({ name, name_display: translate(serverTexts, ctx.language, `channel_${name}`) })),
    ),
})

/** @throws ApiError 400 when one is not known. Site messages always reach everybody. */
function checkChannels(given: readonly string[]): Channel[] {
  const unknown = given.find((name) => !channels.some((known) => known === name))
  if (unknown !== undefined) throw invalid('receive_backends', 'not_choice', { value: unknown })
  return channels.filter((name) => name === 'site_msg' || given.includes(name))
}

/** SQL of the ways somebody in `users` chose, as JSON. */
export const chosenChannels: SQL<Channel[]> = sql`coalesce(${subselect(
  sql`select ${userSubscriptions.receive_backends} from ${userSubscriptions} where ${userSubscriptions.user_id} = ${users.id}`,
)}, '["email", "site_msg"]'::jsonb)`

export async function channelsOf(db: Executor, userId: string): Promise<Channel[]> {
  const [row] = await db.select({ chosen: chosenChannels }).from(users).where(eq(users.id, userId))
  return row?.chosen ?? []
}

async function ownOf(ctx: Context, userId: string) {
  const { id } = callerOf(ctx)
  if (id !== userId.toLowerCase()) throw notFound((language) => modelLabel(UserMsgSubscription, language))
  return { user_id: id, receive_backends: await channelsOf(ctx.db, id) }
}

export const ownSubscription: Provided = provide(UserMsgSubscription, {
  list: async (ctx) => [await ownOf(ctx, callerOf(ctx).id)],
  read: (ctx, { parameters }) => ownOf(ctx, parameters.user_id),
  change: async (ctx, { parameters, body, about }) => {
    about([])
    const { user_id } = await ownOf(ctx, parameters.user_id)
    const receive_backends = checkChannels(body.receive_backends)
    await ctx.db
      .insert(userSubscriptions)
      .values({ user_id, receive_backends })
      .onConflictDoUpdate({ target: userSubscriptions.user_id, set: { receive_backends } })
    return { user_id, receive_backends }
  },
})

/** SQL: who in `users` hears of what the subscription tells. */
export const isSubscriber = (subscriptionId: SQL): SQL => sql`(exists (
    select 1 from ${systemSubscriptionUsers}
    where ${systemSubscriptionUsers.subscription_id} = ${subscriptionId}
      and ${systemSubscriptionUsers.user_id} = ${users.id})
  or exists (
    select 1 from ${systemSubscriptionGroups}
    join ${userGroupMembers} on ${userGroupMembers.usergroup_id} = ${systemSubscriptionGroups.usergroup_id}
    where ${systemSubscriptionGroups.subscription_id} = ${subscriptionId} and ${userGroupMembers.user_id} = ${users.id}))`

const people: RelatedTable = {
  table: users,
  rows: system,
  visible: () => eq(users.is_service_account, false),
}
const groups: RelatedTable = { table: userGroups, rows: system }

interface StoredReceiver {
  id: string
  name: string
  has: Record<string, boolean>
}
const receivers = sql`coalesce((
  select json_agg(json_build_object(
    'id', ${users.id}, 'name', ${users.name} || '(' || ${users.username} || ')',
    'has', json_build_object('email', ${users.email} <> '', 'site_msg', true, 'wecom', ${users.wecom_id} is not null,
      'dingtalk', ${users.dingtalk_id} is not null, 'feishu', ${users.feishu_id} is not null)) order by ${users.name}, ${users.id})
  from ${users} where ${isSubscriber(sql`${systemSubscriptions.id}`)}), '[]'::json)`

const written = ['users', 'groups', 'receive_backends'] as const

export const systemSubscriptionServed: Served = serve(SystemMsgSubscription, {
  table: systemSubscriptions,
  rows: system,
  relations: {
    users: {
      link: systemSubscriptionUsers,
      from: systemSubscriptionUsers.subscription_id,
      to: systemSubscriptionUsers.user_id,
      target: people,
    },
    groups: {
      link: systemSubscriptionGroups,
      from: systemSubscriptionGroups.subscription_id,
      to: systemSubscriptionGroups.usergroup_id,
      target: groups,
    },
  },
  computed: { message_type_label: sql`${systemSubscriptions.message_type}`, receivers },
  prepare: (_ctx, { mode, input }) => {
    // Each may be empty.
    const missing = written.filter((name) => mode === 'replace' && input[name] === undefined)
    if (missing.length > 0)
      throw new ValidationError(Object.fromEntries(missing.map((name) => [name, [{ key: 'required' }]])))
    return input.receive_backends === undefined
      ? input
      : { ...input, receive_backends: checkChannels(input.receive_backends) }
  },
  present: (ctx, row) => {
    const chosen = row.receive_backends ?? []
    return {
      ...row,
      message_type_label: labelOf(ctx, row.message_type as SystemType),
      users: idsOf(row.users),
      groups: idsOf(row.groups),
      receivers: ((row.receivers ?? []) as unknown as StoredReceiver[]).map(
        ({ id, name, has }): Receiver => ({
          name,
          id,
          ...Object.fromEntries(chosen.map((channel) => [channel, has[channel] ?? false])),
        }),
      ),
    }
  },
  calls: {
    grouped: async (ctx, { served }) => {
      const rows = (await listRows(
        served,
        ctx,
        {},
        {
          selected: undefined,
          maxLimit: systemTypes.length,
          path: '',
        },
      )) as unknown as SystemMsgSubscription[]
      const categories = [...new Set(systemTypes.map((type) => systemMessages[type].category))]
      return categories.map((category) => ({
        category,
        category_label: translate(serverTexts, ctx.language, `message_category_${category}`),
        children: rows.filter(
          ({ message_type: type }) => systemMessages[type as SystemType]?.category === category,
        ),
      }))
    },
  },
})
const labelOf = (ctx: Context, type: SystemType) => translate(serverTexts, ctx.language, `message_${type}`)
const idsOf = (rows: unknown) => (rows as { id: string }[] | undefined)?.map(({ id }) => id)

/** A row for each type there is; at first, administrators of the system hear of those that are for them. */
export async function seedSubscriptions(db: Executor): Promise<void> {
  for (const type of systemTypes) {
    const [made] = await db
      .insert(systemSubscriptions)
      .values({ message_type: type, receive_backends: ['email', 'site_msg'] })
      .onConflictDoNothing()
      .returning({ id: systemSubscriptions.id })
    if (made === undefined || systemMessages[type].first === 'nobody') continue
    await db.execute(
      sql`insert into ${systemSubscriptionUsers} (subscription_id, user_id)
        select distinct ${made.id}::uuid, ${roleBindings.user_id}
        from ${roleBindings} where ${roleBindings.role_id} = ${roleIds.systemAdmin}`,
    )
  }
}
