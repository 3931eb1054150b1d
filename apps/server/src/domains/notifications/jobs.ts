/** What people are told before something of theirs ends, once a day while it is near. */
import { and, between, eq, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import { withTransaction } from '../../kernel/database/index.ts'
import { daily, execution, type Execution } from '../../kernel/executions/index.ts'
import { grantsEndingSoon, organizationsOfEnding } from '../perms/index.ts'
import { administratorsOf, isValid, pageOf, users } from '../users/index.ts'
import type { Notifications } from './service.ts'

const accountDays = 5
const passwordDays = 4
const grantDays = 3

const isLocalPerson = and(eq(users.source, 'local'), eq(users.is_service_account, false), isValid)

/** Each of them once: what is told is told in one transaction, so that a worker that dies in the middle told nobody. */
const inOne = (ctx: Context, tell: (here: Context) => Promise<number>) =>
  withTransaction(ctx.db, async (tx) => ({ told: await tell(ctx.within(tx)) }))

async function ofAccounts(ctx: Context, { send }: Notifications): Promise<number> {
  const ending = await ctx.db
    .select({
      id: users.id,
      date: sql<string>`to_char(${users.date_expired} at time zone 'UTC', 'YYYY-MM-DD')`,
    })
    .from(users)
    .where(
      and(
        isLocalPerson,
        between(users.date_expired, sql`now()`, sql`now() + ${accountDays} * interval '1 day'`),
      ),
    )
  for (const [date, people] of Map.groupBy(ending, (one) => one.date))
    await send(
      ctx,
      'UserExpirationReminderMsg',
      people.map(({ id }) => id),
      { date },
    )
  return ending.length
}

async function ofPasswords(ctx: Context, { send }: Notifications): Promise<number> {
  const days = ctx.settings.SECURITY_PASSWORD_EXPIRATION_TIME
  const left = sql<number>`floor(extract(epoch from ${users.date_password_last_updated} + ${days} * interval '1 day' - now()) / 86400)::int`
  const ending = await ctx.db
    .select({ id: users.id, days: left })
    .from(users)
    .where(and(isLocalPerson, sql`${left} between 0 and ${passwordDays}`))
  const link = pageOf(ctx, '/ui/#/profile/setting/?activeTab=PasswordUpdate')
  for (const [daysLeft, people] of Map.groupBy(ending, (one) => one.days))
    await send(
      ctx,
      'PasswordExpirationReminderMsg',
      people.map(({ id }) => id),
      { days: daysLeft, link },
    )
  return ending.length
}

async function ofGrants(ctx: Context, { send }: Notifications): Promise<number> {
  const ending = await grantsEndingSoon(ctx.db, grantDays)
  const link = pageOf(ctx, '/ui/#/workbench/assets')
  for (const { users: people, names } of ending)
    await send(ctx, 'PermedAssetsWillExpireUserMsg', people, { permissions: names, link })
  for (const { org, count, names } of await organizationsOfEnding(ctx.db, grantDays))
    await send(ctx, 'AssetPermsWillExpireForOrgAdminMsg', await administratorsOf(ctx.db, org), {
      count,
      permissions: names,
      link: pageOf(ctx, `/ui/#/console/perms/asset-permissions?oid=${org}`),
    })
  return ending.reduce((sum, { users: people }) => sum + people.length, 0)
}

export const reminders = (notifications: Notifications): readonly Execution<unknown>[] => [
  execution({
    ...daily,
    kind: 'notifications.remind-of-accounts',
    cron: '0 2 * * *',
    run: (ctx) => inOne(ctx, (here) => ofAccounts(here, notifications)),
  }),
  execution({
    ...daily,
    kind: 'notifications.remind-of-passwords',
    cron: '0 10 * * *',
    run: (ctx) => inOne(ctx, (here) => ofPasswords(here, notifications)),
  }),
  execution({
    ...daily,
    kind: 'notifications.remind-of-grants',
    cron: '0 10 * * *',
    run: (ctx) => inOne(ctx, (here) => ofGrants(here, notifications)),
  }),
]
