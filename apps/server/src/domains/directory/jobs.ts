/** Reading who is in the directory, beside requests: it may be slow, and it may be large. */
import { and, eq, inArray, isNotNull, isNull, lt, notExists, or, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Context } from '../../kernel/context.ts'
import { withTransaction } from '../../kernel/database/index.ts'
import { ApiError } from '../../kernel/errors.ts'
import { execution, type Execution, executionRows, type Executions } from '../../kernel/executions/index.ts'
import type { Settings } from '../settings/index.ts'
import type { FoundPerson } from '../users/index.ts'
import { readAll } from './client.ts'
import { DirectoryFailure, type Said } from './failure.ts'
import { directorySet } from './service.ts'
import { nameOf } from './set.ts'
import { directoryReadings } from './tables.ts'

const timeoutSeconds = 300
/** What was read is forgotten after so many hours, and that it could not be after so many seconds. */
const keptHours = 24
const failedSeconds = 60

const isBeingRead = inArray(executionRows.status, ['pending', 'running'])

const input = z.object({ directory: z.string() })
type Reading = Execution<z.output<typeof input>>

export const createReading = (settings: Settings): Reading =>
  execution({
    kind: 'directory.read-people',
    input,
    timeoutSeconds,
    concurrency: { total: 1 },
    onCrash: 'fail',
    run: async (ctx, { id, input: { directory }, signal, log }) => {
      const isThis = and(eq(directoryReadings.directory, directory), eq(directoryReadings.execution_id, id))
      const at = await directorySet(settings, ctx)
      try {
        // Set otherwise meanwhile: nobody waits for it.
        if (nameOf(at) !== directory) return { people: 0 }
        const { people } = await readAll(at, { timeoutMs: timeoutSeconds * 1000, signal })
        await log(`${people.length} users were read`)
        await ctx.db
          .update(directoryReadings)
          .set({ people, date_read: sql`now()` })
          .where(isThis)
        return { people: people.length }
      } catch (error) {
        if (!(error instanceof DirectoryFailure)) throw error
        await ctx.db
          .update(directoryReadings)
          .set({ failure: error.said, date_read: sql`now()` })
          .where(isThis)
        throw new ApiError(400, 'ldap_read_failed', { params: { reason: error.message }, cause: error })
      }
    },
  })

export type ReadState =
  | { is: 'begun' | 'running' }
  | { is: 'failed'; said: Said }
  | { is: 'read'; people: readonly FoundPerson[] }

/**
 * What was read of the directory as it is set. Begins to read it where that was not done.
 * @param ctx not in a transaction
 */
export async function readState(
  ctx: Context,
  { settings, executions, reading }: { settings: Settings; executions: Executions; reading: Reading },
): Promise<ReadState> {
  const directory = nameOf(await directorySet(settings, ctx))
  const isOld = lt(directoryReadings.date_read, sql`now() - ${keptHours} * interval '1 hour'`)
  await ctx.db.delete(directoryReadings).where(isOld)
  const [row] = await ctx.db
    .select({
      people: directoryReadings.people,
      failure: directoryReadings.failure,
      isBeingRead: sql<boolean>`coalesce(${isBeingRead}, false)`,
      execution_id: directoryReadings.execution_id,
      isOver: sql<boolean>`${directoryReadings.date_read} < now() - ${failedSeconds} * interval '1 second'`,
    })
    .from(directoryReadings)
    .leftJoin(executionRows, eq(executionRows.id, directoryReadings.execution_id))
    .where(eq(directoryReadings.directory, directory))
  if (row !== undefined) {
    if (row.people !== null) return { is: 'read', people: row.people }
    if (row.isBeingRead) return { is: 'running' }
    if (!row.isOver) return { is: 'failed', said: row.failure ?? { key: 'ldap_read_ended' } }
    await ctx.db.delete(directoryReadings).where(eq(directoryReadings.execution_id, row.execution_id))
  }
  return { is: (await begin(ctx, executions, reading, directory)) ? 'begun' : 'running' }
}

/** @returns whether it was this one who began it */
async function begin(
  ctx: Context,
  executions: Executions,
  reading: Reading,
  directory: string,
): Promise<boolean> {
  const others = new Error('somebody else began it')
  try {
    await withTransaction(ctx.db, async (tx) => {
      const execution_id = await executions.start(ctx.within(tx), reading, { directory })
      const made = await tx
        .insert(directoryReadings)
        .values({ directory, execution_id })
        .onConflictDoNothing()
        .returning({ directory: directoryReadings.directory })
      if (made.length === 0) throw others
    })
    return true
  } catch (error) {
    if (error === others) return false
    throw error
  }
}

/** What the settings are now is not known to fail. */
export const forgetFailed = async ({ db }: Context): Promise<void> => {
  const reading = db
    .select()
    .from(executionRows)
    .where(and(eq(executionRows.id, directoryReadings.execution_id), isBeingRead))
  const isDead = and(isNull(directoryReadings.people), notExists(reading))
  await db.delete(directoryReadings).where(or(isNotNull(directoryReadings.failure), isDead))
}
export const forget = async ({ db }: Context): Promise<void> => {
  await db.delete(directoryReadings)
}
