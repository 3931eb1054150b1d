/**
 * Guessing passwords and codes: tries are counted before they are looked at, and lead to blocks (auth.md section 2). Kept in the
 * database: every node counts the same. The addresses of one IPv6 network count as one (`networkOf`).
 */
import type { SettingValues } from '@sallyport/contract'
import { networkOf } from '@sallyport/ssh/arrival/address'
import { and, eq, gt, inArray, like, notLike, or, type SQL, sql } from 'drizzle-orm'
import { isAmong } from '../../kernel/addresses.ts'
import { literal, type Executor } from '../../kernel/database/index.ts'
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

/** What is guessed. */
export type Guessed = 'password' | 'code'

/**
 * How each is counted in `login_counters`. Whoever guesses codes knows the password already: their tries count together wherever they come
 * from, and a right password does not forgive them.
 */
const countings = {
  password: {
    tries: 'user_ip',
    block: 'user',
    subject: ({ username, ip }: Trying) => `${username} ${networkOf(ip)}`,
  },
  code: { tries: 'mfa', block: 'mfa_user', subject: ({ username }: Trying) => username },
} as const

/** Who tries, whether there is such a person or not. */
export interface Trying {
  username: string
  ip: string
}
export type Block = 'account' | 'address'
export type Verdict =
  | { is: 'right' }
  /** `left`: how many more may be wrong before the account is blocked. */
  | { is: 'wrong'; left: number }
  | { is: 'blocked'; by: Block }

const alive = () => gt(loginCounters.date_expired, sql`now()`)
const inMinutes = (minutes: number) => sql`now() + ${minutes} * interval '1 minute'`

const turns = new Map<string, Promise<unknown>>()
/** One after the other for each account: who signs in many times at once is not taken for somebody who guesses. */
async function inTurn<T>(username: string, work: () => Promise<T>): Promise<T> {
  const result = (turns.get(username) ?? Promise.resolve()).then(work)
  const done = result.catch(() => undefined)
  turns.set(username, done)
  try {
    return await result
  } finally {
    if (turns.get(username) === done) turns.delete(username)
  }
}

/**
 * Has a password or a code looked at, unless too many were wrong. The try counts first, so that guesses sent at the same time count each
 * other, and is forgiven when it was right. What could not be looked at (`isRight` throws) was no guess.
 * @param db not a transaction: what is counted must stay when the request fails
 */
export const tryOnce = (
  db: Executor,
  who: Trying,
  limits: Limits,
  isRight: () => Promise<boolean>,
  guessed: Guessed = 'password',
): Promise<Verdict> =>
  inTurn(who.username, async () => {
    if (isAmong(who.ip, limits.SECURITY_LOGIN_IP_BLACK_LIST)) return { is: 'blocked', by: 'address' }
    const counted = await count(db, who, limits, guessed)
    if (counted === undefined) return { is: 'blocked', by: 'address' }
    const { tries, isBlocked: wasBlocked } = counted
    const most = limits.SECURITY_LOGIN_LIMIT_COUNT
    if (wasBlocked || tries > most) {
      if (wasBlocked && tries >= most) await block(db, who, limits, guessed)
      return { is: 'blocked', by: 'account' }
    }
    let right
    try {
      right = await isRight()
    } catch (error) {
      await takeBack(db, who, guessed)
      throw error
    }
    if (right) {
      await forgive(db, who, guessed)
      return { is: 'right' }
    }
    if (tries >= most) await block(db, who, limits, guessed)
    return { is: 'wrong', left: Math.max(0, most - tries) }
  })

/**
 * One statement, whatever others count at the same time. The address comes first: one that is over leaves no row for each name it invents.
 * @returns undefined when the address is over
 */
async function count(db: Executor, who: Trying, limits: Limits, guessed: Guessed) {
  const { tries, block, subject } = countings[guessed]
  const isTrusted = isAmong(who.ip, limits.SECURITY_LOGIN_IP_WHITE_LIST)
  const { rows } = await db.execute<{ count: number; is_blocked: boolean }>(sql`
    with address as (
      insert into ${loginCounters} (kind, subject, count, date_expired)
      values ('ip', ${networkOf(who.ip)}, 1, ${inMinutes(limits.SECURITY_LOGIN_IP_LIMIT_TIME)})
      ${orOneMore}
      returning count),
    counted as (
      insert into ${loginCounters} (kind, subject, count, date_expired)
      select ${tries}, ${subject(who)}, 1, ${inMinutes(limits.SECURITY_LOGIN_LIMIT_TIME)}
      from address where ${isTrusted}::boolean or count <= ${limits.SECURITY_LOGIN_IP_LIMIT_COUNT}::int
      ${orOneMore}
      returning count)
    select count, exists (
      select 1 from ${loginCounters} as own
      where own.kind = ${block} and own.subject = ${who.username} and own.date_expired > now()) as is_blocked
    from counted`)
  const [own] = rows
  return own && { tries: own.count, isBlocked: own.is_blocked }
}

const orOneMore = sql`
  on conflict (kind, subject) do update set
    count = case when ${loginCounters.date_expired} > now() then ${loginCounters.count} else 0 end + 1,
    date_expired = excluded.date_expired`

async function block(db: Executor, { username }: Trying, limits: Limits, guessed: Guessed): Promise<void> {
  const until = { date_expired: inMinutes(limits.SECURITY_LOGIN_LIMIT_TIME) }
  await db
    .insert(loginCounters)
    .values({ kind: countings[guessed].block, subject: username, ...until })
    .onConflictDoUpdate({ target: [loginCounters.kind, loginCounters.subject], set: until })
}

/** This one try did not count. */
async function takeBack(db: Executor, who: Trying, guessed: Guessed): Promise<void> {
  const { tries, subject } = countings[guessed]
  await db
    .update(loginCounters)
    .set({ count: sql`${loginCounters.count} - 1` })
    .where(
      and(
        gt(loginCounters.count, 0),
        or(
          and(eq(loginCounters.kind, 'ip'), eq(loginCounters.subject, networkOf(who.ip))),
          and(eq(loginCounters.kind, tries), eq(loginCounters.subject, subject(who))),
        ),
      ),
    )
}

async function forgive(db: Executor, { username, ip }: Trying, guessed: Guessed): Promise<void> {
  await db.delete(loginCounters).where(countedOf(username, guessed))
  await db
    .update(loginCounters)
    .set({ count: sql`${loginCounters.count} - 1` })
    .where(
      and(eq(loginCounters.kind, 'ip'), eq(loginCounters.subject, networkOf(ip)), gt(loginCounters.count, 0)),
    )
}

/**
 * What somebody asks for: links and codes of an address, codes mailed to a person, passwords a person chose, logins, connections and
 * commands to be confirmed, alerts of a session. And that an address failed at the page.
 */
type Asked =
  | 'link_ip'
  | 'link_user'
  | 'chosen'
  | 'review'
  | 'asset_review'
  | 'command_review'
  | 'command_alert'
  | 'page_failed'

/** How many somebody asked for within the time. */
export async function askedBefore(db: Executor, kind: Asked, subject: string): Promise<number> {
  const [row] = await db
    .select({ count: loginCounters.count })
    .from(loginCounters)
    .where(and(eq(loginCounters.kind, kind), eq(loginCounters.subject, subject), alive()))
  return row?.count ?? 0
}

/** Counts one more of what somebody asks for, and answers how many it were within the time, this one too. */
export async function countAsked(
  db: Executor,
  kind: Asked,
  subject: string,
  minutes: number,
): Promise<number> {
  const isOver = sql`${loginCounters.date_expired} <= now()`
  const [counted] = await db
    .insert(loginCounters)
    .values({ kind, subject, date_expired: inMinutes(minutes) })
    .onConflictDoUpdate({
      target: [loginCounters.kind, loginCounters.subject],
      set: {
        count: sql`case when ${isOver} then 1 else ${loginCounters.count} + 1 end`,
        date_expired: sql`case when ${isOver} then excluded.date_expired else ${loginCounters.date_expired} end`,
      },
    })
    .returning({ count: loginCounters.count })
  return counted?.count ?? 1
}

const failedMinutes = 60
/** Somebody at this address failed to sign in at the page, which is remembered for an hour. */
export async function noteFailure(db: Executor, ip: string): Promise<void> {
  const until = { date_expired: inMinutes(failedMinutes) }
  await db
    .insert(loginCounters)
    .values({ kind: 'page_failed', subject: networkOf(ip), ...until })
    .onConflictDoUpdate({ target: [loginCounters.kind, loginCounters.subject], set: until })
}
export const failedLately = async (db: Executor, ip: string): Promise<boolean> =>
  (await askedBefore(db, 'page_failed', networkOf(ip))) > 0

/** What stands in the way of somebody who needs no password here. */
export async function blockOf(
  db: Executor,
  who: Trying,
  limits: Limits,
  guessed: Guessed = 'password',
): Promise<Block | undefined> {
  const { block: kind } = countings[guessed]
  if (isAmong(who.ip, limits.SECURITY_LOGIN_IP_BLACK_LIST)) return 'address'
  const rows = await db
    .select({ kind: loginCounters.kind, count: loginCounters.count })
    .from(loginCounters)
    .where(
      and(
        alive(),
        or(
          and(eq(loginCounters.kind, 'ip'), eq(loginCounters.subject, networkOf(who.ip))),
          and(eq(loginCounters.kind, kind), eq(loginCounters.subject, who.username)),
        ),
      ),
    )
  const isTrusted = isAmong(who.ip, limits.SECURITY_LOGIN_IP_WHITE_LIST)
  const fromAddress = rows.find((row) => row.kind === 'ip')?.count ?? 0
  if (!isTrusted && fromAddress >= limits.SECURITY_LOGIN_IP_LIMIT_COUNT) return 'address'
  return rows.some((row) => row.kind === kind) ? 'account' : undefined
}

/** An administrator forgives everything. */
export async function clearBlocks(executor: Executor, username: string): Promise<void> {
  await executor.delete(loginCounters).where(or(countedOf(username, 'password'), countedOf(username, 'code')))
}

function countedOf(username: string, guessed: Guessed): SQL | undefined {
  const { tries, block } = countings[guessed]
  const named = and(inArray(loginCounters.kind, [tries, block]), eq(loginCounters.subject, username))
  if (guessed === 'code') return named
  const own = literal(username)
  return or(
    named,
    and(
      eq(loginCounters.kind, tries),
      like(loginCounters.subject, `${own} %`),
      // Not those of somebody whose name goes on after a space.
      notLike(loginCounters.subject, `${own} % %`),
    ),
  )
}

export async function forgetExpired(executor: Executor): Promise<void> {
  await executor.delete(loginCounters).where(sql`${loginCounters.date_expired} < now()`)
}

/** SQL: whether sign-ins of the account in `users` are blocked, by passwords or codes. */
export const isBlocked: SQL = sql`exists (
  select 1
  from ${loginCounters}
  where ${loginCounters.kind} in ('user', 'mfa_user')
    and ${loginCounters.subject} = ${users.username}
    and ${alive()})`
