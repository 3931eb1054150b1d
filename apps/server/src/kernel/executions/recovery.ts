/** Executions whose worker died: no execution stays `running` for ever. */
import { errors, type Language, serverTexts, translate } from '@sallyport/contract'
import { sql } from 'drizzle-orm'
import { withTransaction } from '../database/index.ts'
import { tell } from './channel.ts'
import { executionLogs, executionRows } from './tables.ts'
import type { WorkerParts } from './worker.ts'

/** One that takes its worker down with it is not begun for ever. */
export const maxAttempts = 3

/** Gives those that can be resumed to another worker, ends the others. */
export async function closeAbandoned(
  { database: { db }, live, kinds }: Pick<WorkerParts, 'database' | 'live' | 'kinds'>,
  silenceSeconds: number,
): Promise<void> {
  const { rows } = await db.execute<{ id: string; kind: string; language: Language }>(
    sql`select ${executionRows.id} as id, ${executionRows.kind} as kind, ${executionRows.language} as language
      from ${executionRows}
      where ${executionRows.status} = 'running' and ${executionRows.date_finished} is null
        and ${executionRows.date_heartbeat} < now() - ${silenceSeconds} * interval '1 second'
      limit 100`,
  )
  for (const { id, kind, language } of rows)
    await withTransaction(db, async (tx) => {
      const closed = await tx.execute<{ is_resumed: boolean }>(
        sql`update ${executionRows} set worker = null, ${released('worker_lost')}
          where ${executionRows.id} = ${id} and ${executionRows.status} = 'running'
            and ${executionRows.date_heartbeat} < now() - ${silenceSeconds} * interval '1 second'
          returning ${executionRows.date_finished} is null as is_resumed`,
      )
      const [row] = closed.rows
      if (row === undefined) return
      const sentence = [
        translate(errors, language, 'worker_lost'),
        ...(row.is_resumed ? [translate(serverTexts, language, 'execution_begins_again')] : []),
      ].join(' ')
      await tx.execute(
        sql`insert into ${executionLogs} (execution_id, line, text)
          select ${id}::uuid, coalesce(max(${executionLogs.line}) + 1, 0), ${sentence}::text
          from ${executionLogs} where ${executionLogs.execution_id} = ${id}`,
      )
      await kinds.get(kind)?.abandoned?.(tx, id)
      await tell(live, tx, id, row.is_resumed ? 'queued' : 'ended')
    })
}

/** What becomes of a running one that nobody works on any more. */
export const released = (error: 'worker_lost' | 'worker_stopped') => {
  const isAgain = sql`${executionRows.date_cancel} is null
    and ${executionRows.on_crash} = 'resume'
    and ${executionRows.attempt} < ${maxAttempts}`
  const isCanceled = sql`${executionRows.date_cancel} is not null`
  return sql`status = case when ${isCanceled} then 'canceled' when ${isAgain} then 'pending' else 'error' end,
    error = case when ${isCanceled} or (${isAgain}) then null else ${error}::text end,
    date_finished = case when ${isAgain} then null else now() end`
}
