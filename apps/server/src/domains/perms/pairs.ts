/** The pairs of a grant with what it names: writing one is a change of the grant, and the books tell it as that. */
import { AssetPermission } from '@sallyport/contract'
import { inArray, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Context } from '../../kernel/context.ts'
import type { StoredRow } from '../../kernel/events.ts'
import type { RelatedTable } from '../../kernel/resource/binding.ts'
import { arrayOf } from '../../kernel/resource/references.ts'
import type { ResourceTable } from '../../kernel/resource/row-types.ts'
import { assetPermissions } from './tables.ts'

export interface Pair {
  table: ResourceTable & { assetpermission: PgColumn }
  /** The other column. */
  field: string
  column: PgColumn
  target: RelatedTable
  /** The field of the grant that holds them, and how each is called in its own table. */
  of: 'users' | 'user_groups' | 'assets' | 'nodes'
  name: SQL
  /** What a search finds it by, besides. */
  searches?: readonly SQL[]
}
interface Written {
  before: StoredRow | undefined
  after: StoredRow | undefined
}

/** One record for each grant that names more, or less, than before. */
export async function recordPairs(ctx: Context, pair: Pair, rows: readonly Written[]): Promise<void> {
  const sides = (side: 'before' | 'after') =>
    rows.flatMap(({ [side]: row }) =>
      row ? [{ grant: String(row['assetpermission']), id: String(row[pair.column.name]) }] : [],
    )
  const [left, joined] = [sides('before'), sides('after')]
  const all = [...left, ...joined]
  const { table } = pair.target
  const ids = arrayOf([...new Set(all.map(({ id }) => id))], table.id)
  const found = await ctx.db.execute<{ id: string; name: string }>(
    sql`select ${table.id} as id, ${pair.name} as name from ${table} where ${table.id} = any(${ids})`,
  )
  const named = new Map(found.rows.map((row) => [row.id, row]))
  const grants = await ctx.db
    .select()
    .from(assetPermissions)
    .where(inArray(assetPermissions.id, [...new Set(all.map(({ grant }) => grant))]))
  const told = grants.map((grant) => {
    const of = (links: typeof all) =>
      links.flatMap((link) => (link.grant === grant.id ? [named.get(link.id) ?? { id: link.id }] : []))
    const [before, after] = [of(left), of(joined)].map((items) => ({ ...grant, [pair.of]: items }))
    return {
      type: 'updated' as const,
      resource: AssetPermission,
      id: grant.id,
      before,
      after,
      secrets: [],
    }
  })
  await ctx.emit(...told)
}
