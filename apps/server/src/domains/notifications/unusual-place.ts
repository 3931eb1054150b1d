/** A sign-in from where somebody never signed in from: the network of the address is what is known of a place. */
import { isIPv4, isIPv6 } from 'node:net'
import { formatDatetime } from '@sallyport/contract'
import { and, desc, eq, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import type { DomainEvent } from '../../kernel/events.ts'
import { loginLogs } from '../audits/index.ts'
import { users } from '../users/index.ts'
import type { Notifications } from './service.ts'

const earlierLooked = 500

/** After the commit, beside the answer: the sign-in is in the books already. */
export const tellOfUnusualPlace =
  ({ send }: Notifications) =>
  async (ctx: Context, event: DomainEvent): Promise<void> => {
    if (event.type !== 'happened' || event.name !== 'login' || !event.data.status) return
    if (!ctx.settings.SECURITY_CHECK_DIFFERENT_CITY_LOGIN) return
    const { username, ip } = event.data
    const known = await ctx.db
      .select({ ip: loginLogs.ip, times: sql<number>`count(*)::int` })
      .from(loginLogs)
      .where(and(eq(loginLogs.username, username), eq(loginLogs.status, true)))
      .groupBy(loginLogs.ip)
      .orderBy(desc(sql`max(${loginLogs.datetime})`))
      .limit(earlierLooked)
    const here = networkOf(ip)
    const fromHere = known
      .filter((one) => networkOf(one.ip) === here)
      .reduce((sum, { times }) => sum + times, 0)
    const isFirst = known.reduce((sum, { times }) => sum + times, 0) <= 1
    if (isFirst || fromHere > 1) return
    const [person] = await ctx.db
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.username, username), eq(users.is_service_account, false)))
    const time = formatDatetime(new Date(), ctx.zone)
    if (person) await send(ctx, 'DifferentCityLoginMessage', [person.id], { time, ip })
  }

/** What neighbours of an address share: 24 bits of a version 4 one, 48 of a version 6 one. */
function networkOf(address: string): string {
  const ip = address.replace(/^::ffff:/i, '')
  if (isIPv4(ip)) return ip.split('.').slice(0, 3).join('.')
  return isIPv6(ip) ? new URL(`http://[${ip}]/`).hostname.slice(1, -1).split(':').slice(0, 3).join(':') : ip
}
