/** A sign-in from where somebody never signed in from: the network of the address is what is known of a place. */
import { isIPv4, isIPv6 } from 'node:net'
import { formatDatetime } from '@sallyport/contract'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { literal } from '../../kernel/database/index.ts'
import type { Context } from '../../kernel/context.ts'
import type { DomainEvent } from '../../kernel/events.ts'
import { loginLogs } from '../audits/index.ts'
import { users } from '../users/index.ts'
import type { Notifications } from './service.ts'

/** After the commit, beside the answer: the sign-in is in the books already. */
export const tellOfUnusualPlace =
  ({ send }: Notifications) =>
  async (ctx: Context, event: DomainEvent): Promise<void> => {
    if (event.type !== 'happened' || event.name !== 'login' || !event.data.status) return
    if (!ctx.settings.SECURITY_CHECK_DIFFERENT_CITY_LOGIN) return
    const { username, ip } = event.data
    const { rows } = await ctx.db.execute<{ ever: number; here: number }>(signInsKnown(username, ip))
    const [known] = rows
    // The one that is told of is among them.
    if (known === undefined || known.ever <= 1 || known.here > 1) return
    const [person] = await ctx.db
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.username, username), eq(users.is_service_account, false)))
    const time = formatDatetime(new Date(), ctx.zone)
    if (person) await send(ctx, 'DifferentCityLoginMessage', [person.id], { time, ip })
  }

/** SQL: how often somebody signed in, ever and from this network; counted to two, so that a long history costs no more than a short one. */
export function signInsKnown(username: string, ip: string): SQL {
  const one = sql`select 1 from ${loginLogs} where ${loginLogs.username} = ${username} and ${loginLogs.status}`
  const from = neighbours(ip).map((pattern) => sql`${loginLogs.ip} like ${pattern}`)
  return sql`select (select count(*)::int from (${one} limit 2) as ever) as ever,
    (select count(*)::int from (${one} and (${sql.join(from, sql` or `)}) limit 2) as here) as here`
}

/** How addresses of the same network are written, as patterns for `like`: 24 bits of a version 4 one are shared, 48 of a version 6 one. */
function neighbours(address: string): string[] {
  const ip = address.replace(/^::ffff:/i, '')
  if (isIPv4(ip)) {
    const network = ip.split('.').slice(0, 3).join('.')
    return [`${network}.%`, `::ffff:${network}.%`]
  }
  const groups = ip.split(':')
  if (isIPv6(ip) && groups.length > 3) return [`${groups.slice(0, 3).join(':')}:%`]
  return [literal(ip)]
}
