/** Long lists asked for without `limit`: read and written down in pieces, in turns, so that others are answered in between. */
import { sql, type SQL } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { shares } from '../database/index.ts'
import { ApiError } from '../errors.ts'
import { WrittenJson } from '../http/route.ts'
import { createTurns } from '../turns.ts'
import type { Served } from './binding.ts'
import type { Query } from './query.ts'
import { type Walk, walkRows } from './walk.ts'

/** Lists without `limit` are answered whole up to here; beyond, the caller is asked to page. */
const maxWholeList = 50_000

/** One is read at some ten thousand rows a second, and its text held until it is sent. */
const inTurn = createTurns({
  atOnce: shares.wholeLists.atOnce,
  atOnceOfOne: 1,
  waiting: 40,
  waitingOfOne: 10,
  waitMs: 30_000,
})

/**
 * All rows of a list, as JSON. They are counted before any of them is read.
 * @throws ApiError 400 when they are more than 50,000; 429 or 503 when too many such lists are asked for at once
 */
export async function wholeList(
  served: Served,
  ctx: Context,
  query: Query,
  where: SQL | undefined,
  walk: Walk,
): Promise<WrittenJson> {
  const { table } = served.binding
  const limit = Math.min(maxWholeList + 1, walk.most)
  const rows = sql`select ${table.id} from ${table}${where ? sql` where ${where}` : sql``} limit ${limit} offset ${walk.offset}`
  return await inTurn(ctx.identity?.id ?? '', async () => {
    const counted = await ctx.db.execute<{ count: string }>(
      sql`select count(*) as count from (${rows}) as counted`,
    )
    if (Number(counted.rows[0]?.count) > maxWholeList)
      throw new ApiError(400, 'list_too_long', { params: { max: maxWholeList } })
    const pieces: Buffer[] = []
    await walkRows(served, ctx, query, walk, (batch) => {
      const text = batch.map((row) => JSON.stringify(row)).join(',')
      pieces.push(Buffer.from(`${pieces.length === 0 ? '[' : ','}${text}`))
      return Promise.resolve()
    })
    pieces.push(Buffer.from(pieces.length === 0 ? '[]' : ']'))
    return new WrittenJson(pieces)
  })
}
