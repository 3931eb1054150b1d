/** Beside requests: counts are added together every minute, and compared with their tables at the start and every hour. */
import { setTimeout as sleep } from 'node:timers/promises'
import { getTableName } from 'drizzle-orm'
import type { Ground } from '../ground.ts'
import { compactCounts, type Counted, healCounts } from './counts.ts'

const everyMs = 60_000
const roundsOfCheck = 60

/** @returns how to end it */
export function keepCounts(
  { database: { db }, log }: Pick<Ground, 'database' | 'log'>,
  tables: readonly Counted[],
): () => Promise<void> {
  const stop = new AbortController()
  const keep = async (counted: Counted, isChecked: boolean) => {
    const table = getTableName(counted.table)
    try {
      const wrong = isChecked ? await healCounts(db, counted) : 0
      if (wrong > 0) log.warn({ table, wrong }, 'counts of a table were wrong, and are right again')
      await compactCounts(db, counted)
    } catch (error) {
      log.error({ err: error, table }, 'the counts of a table were not kept')
    }
  }
  const run = async () => {
    for (let round = 0; !stop.signal.aborted; round++) {
      for (const counted of tables) {
        if (stop.signal.aborted) return
        await keep(counted, round % roundsOfCheck === 0)
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
