/** What components say of themselves, and what follows for the books: they are to be true within seconds (docs/decisions/0002). */
import { isUuid } from '@sallyport/contract'
import type { StatusReport } from '@sallyport/contract/gateway/reports'
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Executor } from '../../kernel/database/index.ts'
import type { Logger } from '../../kernel/log.ts'
import { silenceSeconds, type TerminalRow } from './components.ts'
import { hasChunks } from './sessions.ts'
import { recordings, sessions, terminals, terminalStatuses } from './tables.ts'

const sampleEverySeconds = 60

const isLoopback = (address: string) => address === '::1' || address.startsWith('127.')
/** Servers connect to a component where it calls from and nowhere else: it could have them call any address otherwise. */
export function onItsOwn(http: string | undefined, remoteAddr: string): string | null {
  const url = http === undefined ? null : URL.parse(http)
  if (url === null || !/^https?:$/.test(url.protocol)) return null
  const { origin, hostname } = url
  const [told, seen] = [hostname.replace(/^\[|\]$/g, ''), remoteAddr.replace(/^::ffff:/, '')]
  return told === seen || (isLoopback(told) && isLoopback(seen)) ? origin : null
}

const array = (ids: readonly string[]) => sql`${sql.param(ids)}::uuid[]`

/** Ends running sessions on the books because their gateway is gone, and says so. What arrived of their recordings can be watched. */
export async function endAsLost(
  db: Executor,
  log: Logger,
  { where, dateEnd, why }: { where: SQL | undefined; dateEnd: SQL; why: string },
): Promise<void> {
  const ended = await db
    .update(sessions)
    .set({
      is_finished: true,
      date_end: sql`greatest(${sessions.date_start}, ${dateEnd})`,
      end_reason: 'gateway_lost',
      end_detail: '',
      has_replay: sql`${sessions.has_replay} or ${hasChunks}`,
    })
    .from(terminals)
    .where(and(eq(terminals.id, sessions.terminal_id), eq(sessions.is_finished, false), where))
    .returning({ gateway: terminals.name })
  for (const [gateway, { length }] of Map.groupBy(ended, (session) => session.gateway))
    log.warn({ gateway, sessions: length, why }, 'sessions of a gateway are lost')
}

const figuresOf = ({ session_online = 0, cpu_load = 0, memory_used = 0, disk_used = 0 }: StatusReport) => ({
  session_online,
  cpu_load,
  memory_used,
  disk_used,
})

/**
 * Takes a report: a new process ends the sessions of the one before it, sessions that were believed lost and are reported go on. Answers
 * the sessions on the books that the component says nothing of; undefined when the component was deleted.
 */
async function take(
  db: Executor,
  log: Logger,
  terminalId: string,
  report: StatusReport,
  remoteAddr: string,
): Promise<string[] | undefined> {
  const [before] = await db
    .select({ boot_id: terminals.boot_id, date_reported: terminals.date_reported })
    .from(terminals)
    .where(and(eq(terminals.id, terminalId), eq(terminals.is_deleted, false)))
    .for('update')
  if (before === undefined) return undefined
  const bootId = report.boot_id || null
  await db
    .update(terminals)
    .set({
      boot_id: bootId,
      http: onItsOwn(report.http, remoteAddr),
      ...figuresOf(report),
      disk_free_bytes: report.disk?.free_bytes ?? null,
      disk_total_bytes: report.disk?.total_bytes ?? null,
      disk_is_low: report.disk?.is_low ?? null,
      date_reported: sql`now()`,
    })
    .where(eq(terminals.id, terminalId))
  const reported = [
    ...new Set((report.sessions ?? []).filter((id) => isUuid(id)).map((id) => id.toLowerCase())),
  ]
  // Those of other components stay as they are, whoever reports them.
  if (reported.length > 0)
    await db
      .update(sessions)
      .set({
        boot_id: bootId,
        is_finished: false,
        date_end: null,
        end_reason: null,
        end_detail: null,
        // What runs is watched, not played.
        has_replay: sql`${sessions.has_replay} and exists (select 1 from ${recordings}
          where ${recordings.session_id} = ${sessions.id} and ${recordings.chunks} is not null)`,
      })
      .where(
        sql`${sessions.id} = any(${array(reported)}) and ${sessions.terminal_id} = ${terminalId} and (
          (${sessions.is_finished} and ${sessions.end_reason} = 'gateway_lost')
          or (not ${sessions.is_finished} and ${sessions.boot_id} is distinct from ${bootId}::text))`,
      )
  const isUnreported = and(
    eq(sessions.terminal_id, terminalId),
    eq(sessions.is_finished, false),
    sql`${sessions.id} <> all(${array(reported)})`,
  )
  if (bootId !== null && before.boot_id !== null && before.boot_id !== bootId)
    await endAsLost(db, log, {
      where: and(isUnreported, sql`${sessions.boot_id} is distinct from ${bootId}`),
      dateEnd: sql`${before.date_reported}::timestamptz`,
      why: 'it is another process now',
    })
  const [sampled] = await db
    .select({ id: terminalStatuses.id })
    .from(terminalStatuses)
    .where(
      and(
        eq(terminalStatuses.terminal, terminalId),
        sql`${terminalStatuses.date_created} > now() - ${sampleEverySeconds} * interval '1 second'`,
      ),
    )
    .limit(1)
  if (sampled === undefined)
    await db.insert(terminalStatuses).values({
      terminal: terminalId,
      sessions: reported,
      ...figuresOf(report),
    })
  return (await db.select({ id: sessions.id }).from(sessions).where(isUnreported)).map(({ id }) => id)
}

/** Follows what one component reports, as long as this process hears it. */
export class Reporter {
  readonly terminalId: string
  readonly #log: Logger
  /** Since when sessions on the books have not been reported. */
  #unreported = new Map<string, number>()

  constructor(terminal: Pick<TerminalRow, 'id'>, { log }: { log: Logger }) {
    this.terminalId = terminal.id
    this.#log = log
  }

  /**
   * Takes a report, in a transaction. Sessions that a living component has said nothing of for a while are not there. Answers false when the component was
   * deleted.
   */
  async take(tx: Executor, report: StatusReport, remoteAddr: string): Promise<boolean> {
    const unreported = await take(tx, this.#log, this.terminalId, report, remoteAddr)
    if (unreported === undefined) return false
    const now = performance.now()
    this.#unreported = new Map(unreported.map((id) => [id, this.#unreported.get(id) ?? now]))
    const patienceMs = (report.boot_id ? 1 : 10) * silenceSeconds * 1000
    const gone = unreported.filter((id) => now - (this.#unreported.get(id) ?? now) >= patienceMs)
    if (gone.length > 0)
      await endAsLost(tx, this.#log, {
        where: inArray(sessions.id, gone),
        dateEnd: sql`now()`,
        why: 'it does not report them',
      })
    return true
  }
}
