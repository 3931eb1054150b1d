/**
 * Trees in a table, one for each organization. A row's `key` is the path of numbers from the root (`1:4:2`), so that everything below a row
 * is a range of keys; a table of ancestors, kept by a trigger and by moves, answers "below" and "above" by joins. Names are kept once, in the row that
 * has them: the path of names is put together when it is read, so a rename changes one row however much lies below.
 */
import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Context } from '../context.ts'
import type { Executor } from '../database/index.ts'
import type { ErrorKey } from '@sallyport/contract'
import { invalid, refused } from '../errors.ts'

export interface TreeTable {
  /** For the names of locks. */
  name: string
  table: PgTable & Record<'id' | 'key' | 'parent_key' | 'value' | 'child_mark' | 'org_id', PgColumn>
  /** Each row with itself and everything above it. */
  ancestors: PgTable & Record<'ancestor_id' | 'node_id', PgColumn>
  maxDepth: number
  problems: Record<'name_taken' | 'too_deep' | 'cycle' | 'other_organization', ErrorKey>
}
export interface TreeRow {
  id: string
  key: string
  parent_key: string
  value: string
  org_id: string
}

const depthOf = (key: string) => key.split(':').length

export function createTree({ name, table, ancestors, maxDepth, problems }: TreeTable) {
  const take = (db: Executor, how: 'pg_advisory_xact_lock' | 'pg_advisory_xact_lock_shared', of: string) =>
    db.execute(sql`select ${sql.raw(how)}(hashtextextended(${of}, 0))`)

  /**
   * Changes of one organization's tree happen one after the other, until the transaction ends. To be taken before any row is read, so that
   * what is read stays true; in the view of all organizations all trees are locked.
   */
  async function lock(db: Executor, org: { id: string; is_root?: boolean }): Promise<void> {
    if (org.is_root) return void (await take(db, 'pg_advisory_xact_lock', `tree ${name}`))
    await take(db, 'pg_advisory_xact_lock_shared', `tree ${name}`)
    await take(db, 'pg_advisory_xact_lock', `tree ${name} ${org.id}`)
  }

  /** A row and everything below it, as a range of keys. */
  const subtree = (key: string): SQL => sql`(${table.key} = ${key} or ${below(key)})`
  const below = (key: string): SQL => sql`(${table.key} >= ${`${key}:`} and ${table.key} < ${`${key};`})`

  /** SQL of the path of names (`/Default/A/B`) of the row with that id. */
  const path = (id: SQL | PgColumn = table.id): SQL =>
    sql`(select '/' || string_agg(above.value, '/' order by length(above.key)) from ${ancestors} join ${table} as above on above.id = ${ancestors.ancestor_id} where ${ancestors.node_id} = ${id})`

  /** A condition: rows whose path of names contains the text of this `ilike` pattern. */
  function found(pattern: string): SQL {
    const text = pattern.replaceAll(/^%|%$/g, '')
    const last = text.split('/').findLast((part) => part !== '') ?? ''
    const spans = text.includes('/') ? sql` and ${path(sql`hit.id`)} || '/' ilike ${pattern}` : sql``
    return sql`${table.id} in (select below.node_id from ${table} as hit join ${ancestors} as below on below.ancestor_id = hit.id where hit.value ilike ${`%${last}%`}${spans})`
  }

  async function fresh(db: Executor, id: string): Promise<TreeRow | undefined> {
    const rows = await db.execute<TreeRow & Record<string, unknown>>(
      sql`select id, key, parent_key, value, org_id from ${table} where ${table.id} = ${id}`,
    )
    return rows.rows[0]
  }

  async function isTaken(db: Executor, parentKey: string, value: string, except?: string): Promise<boolean> {
    const rows = await db.execute(
      sql`select 1 from ${table} where parent_key = ${parentKey} and value = ${value} and id is distinct from ${except ?? null}::uuid`,
    )
    return rows.rows.length > 0
  }

  async function nextKey(db: Executor, parent: TreeRow): Promise<string> {
    const taken = await db.execute<{ mark: number }>(
      sql`update ${table} set child_mark = child_mark + 1 where id = ${parent.id} returning child_mark - 1 as mark`,
    )
    return `${parent.key}:${taken.rows[0]?.mark ?? 0}`
  }

  /** The columns of a new child of a row that still stands; its number is never used twice. The tree is locked. */
  async function child(db: Executor, under: TreeRow, value: string) {
    const parent = await fresh(db, under.id)
    if (parent === undefined) throw invalid('parent', 'does_not_exist', { pk: under.id })
    if (depthOf(parent.key) >= maxDepth) throw refused(problems.too_deep, { max: maxDepth })
    if (await isTaken(db, parent.key, value)) throw invalid('value', problems.name_taken)
    return { key: await nextKey(db, parent), parent_key: parent.key, value, org_id: parent.org_id }
  }

  /** @throws ValidationError when a sibling has the name. The tree is locked. */
  async function checkRename(db: Executor, row: TreeRow, value: string): Promise<void> {
    if (await isTaken(db, row.parent_key, value, row.id)) throw invalid('value', problems.name_taken)
  }

  /** Moves rows with everything below them under another one, one after the other; locks the tree. */
  async function move(ctx: Context, under: TreeRow, ids: readonly string[]): Promise<void> {
    const { db } = ctx
    await lock(db, ctx.org)
    for (const id of ids) {
      const [to, row] = [await fresh(db, under.id), await fresh(db, id)]
      if (to === undefined || row === undefined) throw invalid('nodes', 'does_not_exist', { pk: id })
      if (row.org_id !== to.org_id) throw refused(problems.other_organization)
      if (row.parent_key === '' || `${to.key}:`.startsWith(`${row.key}:`)) throw refused(problems.cycle)
      if (row.parent_key === to.key) continue
      if (await isTaken(db, to.key, row.value, row.id)) throw invalid('nodes', problems.name_taken)
      await moveOne(db, row, to)
    }
  }

  async function moveOne(db: Executor, row: TreeRow, to: TreeRow): Promise<void> {
    const deepest = await db.execute<{ depth: number }>(
      sql`select max(cardinality(string_to_array(key, ':'))) as depth from ${table} where ${subtree(row.key)}`,
    )
    const levels = (deepest.rows[0]?.depth ?? 0) - depthOf(row.key)
    if (depthOf(to.key) + 1 + levels > maxDepth) throw refused(problems.too_deep, { max: maxDepth })
    const key = await nextKey(db, to)
    // Only what is above changes; within what is moved, everything stays above what it was above.
    const moved = sql`select node_id from ${ancestors} where ancestor_id = ${row.id}`
    await db.execute(
      sql`delete from ${ancestors} where node_id in (${moved})
        and ancestor_id in (select ancestor_id from ${ancestors} where node_id = ${row.id} and ancestor_id <> ${row.id})`,
    )
    await db.execute(
      sql`insert into ${ancestors} (ancestor_id, node_id)
        select above.ancestor_id, below.node_id from ${ancestors} as above cross join ${ancestors} as below
        where above.node_id = ${to.id} and below.ancestor_id = ${row.id}`,
    )
    const after = sql`${row.key.length + 1}::integer`
    await db.execute(
      sql`update ${table} set key = ${key}::text || substr(key, ${after}),
        parent_key = case when id = ${row.id} then ${to.key} else ${key}::text || substr(parent_key, ${after}) end
        where ${subtree(row.key)}`,
    )
  }

  return { lock, subtree, below, path, found, fresh, child, checkRename, move, isTaken }
}

/** Most rows a tree answers at once; whoever cuts there says so (`bounded`). */
export const maxTreeRows = 20_000

/** The rows that fit, and whether there are more. Read with `limit maxTreeRows + 1`. */
export const bounded = <Row>(rows: readonly Row[]): { rows: readonly Row[]; isCut: boolean } => ({
  rows: rows.slice(0, maxTreeRows),
  isCut: rows.length > maxTreeRows,
})
