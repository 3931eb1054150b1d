/** Ends what no report ends: sessions of components that fell silent, and of people who may no longer be here. */
import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import { type Executor, withTransaction } from '../../kernel/database/index.ts'
import type { Live } from '../../kernel/live.ts'
import { isValid, users } from '../users/index.ts'
import { isLostAt, lastHeard, silenceSeconds } from './components.ts'
import { endAsLost } from './reports.ts'
import type { TerminalServices } from './services.ts'
import { sessions, terminalTasks } from './tables.ts'
import { orderEnds } from './tasks.ts'

const everyMs = 1000
/** An order that was not carried out is given again. */
const repeatSeconds = 10

type Services = Pick<TerminalServices, 'database' | 'live' | 'log'>

/** Sessions whose component had last been heard too long ago at that moment (of the database's clock) end when it was. */
const endLost = ({ database, log }: Services, moment: string): Promise<void> =>
  endAsLost(database.db, log, {
    // A session that has just begun is evidence of life.
    where: sql`${isLostAt(moment)} and ${sessions.date_start} < ${moment}::timestamptz - ${silenceSeconds} * interval '1 second'`,
    dateEnd: lastHeard,
    why: 'it is silent',
  })

const ordered = sql`exists (select 1 from ${terminalTasks} where ${terminalTasks.args} = ${sessions.id}::text
  and ${terminalTasks.date_created} > now() - ${repeatSeconds} * interval '1 second')`

/** The account of the person a session is of; a component's own word for somebody is no account of ours. */
const ofItsUser = sql`${users.id} = case
  when ${sessions.user_id} ~* '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then ${sessions.user_id}::uuid end`

/**
 * Orders the end of running sessions of people who were disabled or deleted, or whose account expired: of those of `userIds`, or of all.
 * `by` is who did it, as the books and the people concerned are told.
 */
export async function endOfTheDisabled(
  db: Executor,
  live: Live,
  { userIds, by }: { userIds?: readonly string[]; by: string },
): Promise<void> {
  const running = await db
    .select({
      id: sessions.id,
      terminal_id: sessions.terminal_id,
      is_known: sql<boolean>`exists (select 1 from ${users} where ${ofItsUser})`,
    })
    .from(sessions)
    .where(
      and(
        eq(sessions.is_finished, false),
        userIds === undefined ? undefined : inArray(sessions.user_id, [...userIds]),
        // Where a component does not say whose a session is, there is nobody to be gone.
        ne(sessions.user_id, ''),
        sql`not exists (select 1 from ${users} where ${isValid} and ${ofItsUser})`,
        sql`not ${ordered}`,
      ),
    )
    .limit(1000)
    // What the sweep does not get now it gets the next time.
    .for('update', userIds === undefined ? { of: sessions, skipLocked: true } : { of: sessions })
  const order = { terminatedBy: by, createdBy: by }
  const disabled = running.filter((session) => session.is_known)
  const deleted = running.filter((session) => !session.is_known)
  await orderEnds(db, live, disabled, { ...order, reason: 'user_disabled' })
  await orderEnds(db, live, deleted, { ...order, reason: 'user_deleted' })
}

/** Orders the end of running sessions of people in an organization they have left. */
export async function endOfLeavers(
  db: Executor,
  live: Live,
  { userIds, orgId, by }: { userIds: readonly string[]; orgId: string; by: string },
): Promise<void> {
  const running = await db
    .select({ id: sessions.id, terminal_id: sessions.terminal_id })
    .from(sessions)
    .where(
      and(
        eq(sessions.is_finished, false),
        inArray(sessions.user_id, [...userIds]),
        eq(sessions.org_id, orgId),
      ),
    )
  await orderEnds(db, live, running, { terminatedBy: by, reason: 'user_removed', createdBy: by })
}

/**
 * Orders the end of what runs on sign-ins that were ended, while the person may still be here. Terminals of a browser end with their
 * connection through the server, so where one browser was kept only the others' programs are left.
 */
export async function endOfSignIns(
  db: Executor,
  live: Live,
  userId: string,
  { isBrowserKept, by }: { isBrowserKept: boolean; by: string },
): Promise<void> {
  const running = await db
    .select({ id: sessions.id, terminal_id: sessions.terminal_id })
    .from(sessions)
    .where(
      and(
        eq(sessions.is_finished, false),
        eq(sessions.user_id, userId),
        isBrowserKept ? ne(sessions.login_from, 'WT') : undefined,
        sql`exists (select 1 from ${users} where ${isValid} and ${users.id}::text = ${userId})`,
      ),
    )
    .limit(1000)
  await orderEnds(db, live, running, { terminatedBy: by, reason: '', createdBy: by })
}

/** Of several servers one orders at a time: two at once would not see each other's orders, and give them twice. */
async function isMyTurn(tx: Executor): Promise<boolean> {
  const { rows } = await tx.execute<{ taken: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtext('sallyport:sweep')) as taken`,
  )
  return rows[0]?.taken === true
}

/** Longer between two rounds, and a report that comes every 3 s may have waited too long. */
const pauseMs = 3000

/**
 * Sweeps every second until it is told to stop. Nobody is lost because servers or the database were away or frozen: after every pause of
 * its own the sweep gives components time to report, and it judges by a moment before which there was none.
 */
export function startSweeping(services: Services): () => Promise<void> {
  const stop = new AbortController()
  const { db } = services.database
  let lastRound = performance.now()
  let steadySince = lastRound
  const run = async () => {
    while (!stop.signal.aborted) {
      try {
        const { rows } = await db.execute<{ moment: string }>(sql`select now()::text as moment`)
        const now = performance.now()
        if (now - lastRound > pauseMs) steadySince = now
        lastRound = now
        if (now - steadySince > silenceSeconds * 1000) await endLost(services, rows[0]?.moment ?? '')
        await withTransaction(db, async (tx) => {
          if (await isMyTurn(tx)) await endOfTheDisabled(tx, services.live, { by: 'System' })
        })
      } catch (error) {
        services.log.error({ err: error }, 'the sweep of sessions failed')
      }
      await sleep(everyMs, undefined, { signal: stop.signal, ref: false }).catch(() => undefined)
    }
  }
  const running = run()
  return async () => {
    stop.abort()
    await running
  }
}
