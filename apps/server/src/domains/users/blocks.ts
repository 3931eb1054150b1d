/** Counting failed sign-ins, and the blocks they lead to (auth.md section 2). Kept in the database: every node counts the same. */
import type { SettingValues } from '@sallyport/contract'
import { and, eq, gt, like, or, type SQL, sql } from 'drizzle-orm'
import { BlockList, isIP } from 'node:net'
import type { Executor } from '../../kernel/database/index.ts'
import { loginCounters, users } from './tables.ts'

type Limits = Pick<
  SettingValues,
  | 'SECURITY_LOGIN_LIMIT_COUNT'
  | 'SECURITY_LOGIN_LIMIT_TIME'
  | 'SECURITY_LOGIN_IP_LIMIT_COUNT'
  | 'SECURITY_LOGIN_IP_LIMIT_TIME'
  | 'SECURITY_LOGIN_IP_WHITE_LIST'
  | 'SECURITY_LOGIN_IP_BLACK_LIST'
>

const alive = () => gt(loginCounters.date_expired, sql`now()`)
const pairOf = (username: string, ip: string) => `${username} ${ip}`

async function count(executor: Executor, kind: string, subject: string, minutes: number): Promise<number> {
  const [row] = await executor
    .insert(loginCounters)
    .values({ kind, subject, count: 1, date_expired: sql`now() + ${minutes} * interval '1 minute'` })
    .onConflictDoUpdate({
      target: [loginCounters.kind, loginCounters.subject],
      set: {
        count: sql`case when ${loginCounters.date_expired} > now() then ${loginCounters.count} else 0 end + 1`,
        date_expired: sql`excluded.date_expired`,
      },
    })
    .returning({ count: loginCounters.count })
  return row?.count ?? 1
}

/** Counts a failed sign-in; answers how many tries are left before the account is blocked. */
export async function countFailure(
  executor: Executor,
  username: string,
  ip: string,
  limits: Limits,
): Promise<number> {
  const failures = await count(executor, 'user_ip', pairOf(username, ip), limits.SECURITY_LOGIN_LIMIT_TIME)
  if (failures >= limits.SECURITY_LOGIN_LIMIT_COUNT)
    await count(executor, 'user', username, limits.SECURITY_LOGIN_LIMIT_TIME)
  await count(executor, 'ip', ip, limits.SECURITY_LOGIN_IP_LIMIT_TIME)
  return Math.max(0, limits.SECURITY_LOGIN_LIMIT_COUNT - failures)
}

export type Block = 'account' | 'address'

/** What stands in the way of this sign-in before its password is looked at. */
export async function blockOf(
  executor: Executor,
  username: string,
  ip: string,
  limits: Limits,
): Promise<Block | undefined> {
  if (isListed(ip, limits.SECURITY_LOGIN_IP_BLACK_LIST)) return 'address'
  const rows = await executor
    .select({ kind: loginCounters.kind, count: loginCounters.count })
    .from(loginCounters)
    .where(
      and(
        alive(),
        or(
          and(eq(loginCounters.kind, 'ip'), eq(loginCounters.subject, ip)),
          and(eq(loginCounters.kind, 'user'), eq(loginCounters.subject, username)),
        ),
      ),
    )
  const isTrusted = isListed(ip, limits.SECURITY_LOGIN_IP_WHITE_LIST)
  const fromAddress = rows.find(({ kind }) => kind === 'ip')?.count ?? 0
  if (!isTrusted && fromAddress >= limits.SECURITY_LOGIN_IP_LIMIT_COUNT) return 'address'
  return rows.some(({ kind }) => kind === 'user') ? 'account' : undefined
}

/** A successful sign-in, or an administrator, forgives. */
export async function clearBlocks(executor: Executor, username: string): Promise<void> {
  const prefix = `${username.replaceAll(/[\\%_]/g, String.raw`\$&`)} %`
  await executor
    .delete(loginCounters)
    .where(
      or(
        and(eq(loginCounters.kind, 'user'), eq(loginCounters.subject, username)),
        and(eq(loginCounters.kind, 'user_ip'), like(loginCounters.subject, prefix)),
      ),
    )
}

export async function forgetExpired(executor: Executor): Promise<void> {
  await executor.delete(loginCounters).where(sql`${loginCounters.date_expired} < now()`)
}

/** SQL: whether sign-ins of the account in `users` are blocked. */
export const isBlocked: SQL = sql`exists (select 1 from ${loginCounters} where ${loginCounters.kind} = 'user' and ${loginCounters.subject} = ${users.username} and ${alive()})`

/** Items are `*`, an address, a network (`10.0.0.0/8`) or a range (`10.0.0.1-10.0.0.9`). */
function isListed(ip: string, items: readonly string[]): boolean {
  const address = ip.replace(/^::ffff:/, '')
  const family = isIP(address)
  if (family === 0) return false
  return items.slice(0, 1000).some((item) => item === '*' || covers(item.trim(), address))
}
const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

function covers(item: string, address: string): boolean {
  const list = new BlockList()
  const [network = '', bits] = item.split('/')
  const [from = '', to] = item.split('-')
  try {
    if (bits !== undefined) list.addSubnet(network, Number(bits), familyOf(network))
    else if (to !== undefined) list.addRange(from, to, familyOf(from))
    else list.addAddress(item, familyOf(item))
  } catch {
    // A malformed item covers nothing; the form that takes the list refuses it.
    return false
  }
  return list.check(address, familyOf(address))
}
