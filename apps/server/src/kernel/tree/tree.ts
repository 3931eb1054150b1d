/**
 * Trees in a table, one for each organization. A row hangs on its parent and has a number among its siblings; nothing else of its place is
 * kept in it. Triggers keep a table of branches: each row that has children with itself and everything above it. So "below" and "above" are
 * joins, and a move changes one row and the branches within what moves. The path of numbers (the key, `1:4:2`) and the path of names
 * (`/Default/A/B`) are put together when they are read.
 */
import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Context } from '../context.ts'
import type { Executor } from '../database/index.ts'
import { type ErrorKey, isUuid } from '@sallyport/contract'
import { invalid, refused } from '../errors.ts'

export interface TreeTable {
  /** For the names of locks. */
  name: string
  table: PgTable & Record<'id' | 'parent_id' | 'number' | 'value' | 'child_mark' | 'org_id', PgColumn>
  /** Kept by the triggers `tree_inserted`, `tree_moved` and `tree_deleted` on the table. */
  branches: PgTable & Record<'ancestor_id' | 'branch_id' | 'distance', PgColumn>
  maxDepth: number
  problems: Record<'name_taken' | 'too_deep' | 'cycle' | 'other_organization', ErrorKey>
}
export interface TreeRow {
  id: string
  /** Null of a root. */
  parent_id: string | null
  value: string
  org_id: string
}

export function createTree({ name, table, branches, maxDepth, problems }: TreeTable) {
  const take = (db: Executor, how: 'pg_advisory_xact_lock' | 'pg_advisory_xact_lock_shared', of: string) =>
    db.execute(sql`select ${sql.raw(how)}(hashtextextended(${of}, 0))`)

  /** Requests that change a tree, one of each organization at a time: those that wait for its lock would hold connections others need. */
  const inTurn = ({ org }: Context): string => `tree ${name} ${org.id}`

  /**
   * Changes of one organization's tree happen one after the other, until the transaction ends. To be taken before any row is read, so that
   * what is read stays true; in the view of all organizations all trees are locked.
   */
  async function lock(db: Executor, org: { id: string; is_root?: boolean }): Promise<void> {
    if (org.is_root) return void (await take(db, 'pg_advisory_xact_lock', `tree ${name}`))
    await take(db, 'pg_advisory_xact_lock_shared', `tree ${name}`)
    await take(db, 'pg_advisory_xact_lock', `tree ${name} ${org.id}`)
  }

  /** Query of the ids of a row and of everything below it. */
  const below = (id: SQL | string): SQL => {
    const top = typeof id === 'string' ? idAsItStands(id) : sql`${id}::uuid`
    return sql`select ${top} as id
      union all
      select child.id from ${branches} as branch join ${table} as child on child.parent_id = branch.branch_id
        where branch.ancestor_id = ${top}`
  }

  /** The same of all rows whose ids a query answers; what is below two of them is there twice. */
  const belowAny = (ids: SQL): SQL =>
    sql`select within.id from (${ids}) as top (id) cross join lateral (${below(sql`top.id`)}) as within`

  /** The same of rows whose ids are known: the database sees from them how much there is, and need not guess. */
  const belowThese = (ids: readonly string[]): SQL =>
    sql`select unnest(${idsAsTheyStand(ids)}) as id
      union all
      select child.id from ${branches} as branch join ${table} as child on child.parent_id = branch.branch_id
        where branch.ancestor_id = any(${idsAsTheyStand(ids)})`

  /** Query of those ids a query answers that lie below no other of them: together they have the same below. */
  const topmost = (ids: SQL): SQL =>
    sql`select distinct top.id from (${ids}) as top (id) where not exists (
        select from ${table} as at join ${branches} as branch on branch.branch_id = at.parent_id
          where at.id = top.id and branch.ancestor_id in (${ids}))`

  /** Query of the ids of the rows a query answers and of everything above them; some are there several times. */
  const aboveAny = (ids: SQL): SQL =>
    sql`select above.id from (${ids}) as low (id) cross join lateral (
        select low.id
        union all
        select branch.ancestor_id from ${table} as at join ${branches} as branch on branch.branch_id = at.parent_id where at.id = low.id
      ) as above (id)`

  /** What the rows above a row make together, from the root down; null of a root. */
  const ofAbove = (row: SQL, what: SQL, separator: string): SQL =>
    sql`(select string_agg(${what}, ${sql.raw(`'${separator}'`)} order by branch.distance desc)
        from ${branches} as branch join ${table} as above on above.id = branch.ancestor_id where branch.branch_id = ${row}.parent_id)`
  const own = sql`${table}`

  /** SQL of a text: the numbers of what is above a row of the table (or of the alias given), empty of a root. */
  const parentKey = (row: SQL = own): SQL => sql`coalesce(${ofAbove(row, sql`above.number::text`, ':')}, '')`

  /** SQL of the key of a row. */
  const key = (row: SQL = own): SQL =>
    sql`concat_ws(':', ${ofAbove(row, sql`above.number::text`, ':')}, ${row}.number)`

  /** Query of the rows another query answers, each with its `key`; that of siblings is put together once. */
  const keyed = (rows: SQL): SQL =>
    sql`with page as materialized (${rows}),
        over (id, key) as materialized (
          select parent.id, ${key(sql`parent`)} from ${table} as parent where parent.id in (select parent_id from page))
      select page.*, concat_ws(':', over.key, page.number) as key from page left join over on over.id = page.parent_id`

  /** SQL of the numbers that make the key of a row, to sort by. */
  const numbers = (row: SQL = own): SQL => sql`string_to_array(${key(row)}, ':')::integer[]`

  /** SQL of the path of names of a row. */
  const path = (row: SQL = own): SQL =>
    sql`concat('/' || ${ofAbove(row, sql`above.value`, '/')}, '/', ${row}.value)`

  /** SQL of the id of the row with a key as people send it; null when there is none. */
  function idOf(text: string): SQL {
    if (!isKey(text) || text.split(':').length > maxDepth) return sql`null::uuid`
    const numbersOfKey = sql`${sql.param(text.split(':').map(Number))}::integer[]`
    return sql`(
      with recursive walk (id, level) as (
        select id, 1 from ${table} where parent_id is null and number = (${numbersOfKey})[1]
        union all
        select child.id, walk.level + 1 from walk join ${table} as child
          on child.parent_id = walk.id and child.number = (${numbersOfKey})[walk.level + 1]
      ) select id from walk where level = cardinality(${numbersOfKey}))`
  }

  /**
   * A condition: rows whose path of names contains the text of this `ilike` pattern, itself or up to a row above. The rows such a text ends
   * in are looked up once, by their names, and what hangs below them by the branches: alternatives with a set that is made once, so that
   * many of these conditions together cost what each costs alone.
   */
  function found(pattern: string): SQL {
    const text = pattern.replaceAll(/^%|%$/g, '')
    const [end, tail] = text.endsWith('/') ? ([text.slice(0, -1), '/%'] as const) : ([text, '%'] as const)
    const hits = sql`select hit.id from ${table} as hit where ${endsIn(sql`hit`, end, tail)}`
    // Without `distinct` the database may take the set for too large to be kept, and make it anew for each row.
    return sql`(${table.parent_id} in (
      select distinct branch.branch_id
      from ${branches} as branch
      where branch.ancestor_id in (${hits}))
      or ${endsIn(own, end, tail)})`
  }

  /**
   * A condition: the path of names of a row, with a slash behind it, contains a text in whose end the row's own name is; `tail` is what
   * may follow. Names are compared from the row upwards: to put together the path of each row costs many times that.
   */
  function endsIn(row: SQL, text: string, tail: '%' | '/%' | '/', level = 1): SQL {
    const at = text.lastIndexOf('/')
    const name = `${at < 0 ? '%' : ''}${text.slice(at + 1)}${tail === '%' ? '%' : ''}`
    const called = sql`${row}.value ilike ${name}`
    if (at < 0 && tail === '%') return called
    // A root is called as its organization, which may have slashes in its name.
    const ofRoot = sql`${row}.parent_id is null and '/' || ${row}.value || '/' ilike ${`%${text}${tail}`}`
    if (at <= 0) return sql`(${called} or ${ofRoot})`
    if (level === maxDepth) return sql`(${ofRoot})`
    const above = sql.raw(`above_${level}`)
    const over = endsIn(above, text.slice(0, at), '/', level + 1)
    return sql`(${called} and (select ${over} from ${table} as ${above} where ${above}.id = ${row}.parent_id) or ${ofRoot})`
  }

  async function isTaken(db: Executor, parentId: string | null, value: string, except?: string) {
    const rows = await db.execute(
      sql`select 1 from ${table} where parent_id = ${parentId} and value = ${value} and id is distinct from ${except ?? null}::uuid`,
    )
    return rows.rows.length > 0
  }

  /** A row as it is now, and its level: 1 of a root. */
  async function fresh(db: Executor, id: string): Promise<(TreeRow & { level: number }) | undefined> {
    const rows = await db.execute<TreeRow & { level: number } & Record<string, unknown>>(
      sql`select id, parent_id, value, org_id,
          1 + (select count(*) from ${branches} where branch_id = ${own}.parent_id)::integer as level
        from ${table} where ${table.id} = ${id}`,
    )
    return rows.rows[0]
  }

  /** A number for a new child of each of these rows, which may be there several times; none is used twice. */
  async function takeNumbers(db: Executor, parentIds: readonly string[]): Promise<number[]> {
    const { rows } = await db.execute<{ id: string; first: number }>(
      sql`update ${table} as parent set child_mark = parent.child_mark + wanted.amount
        from (select id, count(*)::integer as amount from unnest(${sql.param(parentIds)}::uuid[]) as asked (id) group by id) as wanted
        where parent.id = wanted.id returning parent.id, parent.child_mark - wanted.amount as first`,
    )
    const next = new Map(rows.map(({ id, first }) => [id, first]))
    return parentIds.map((id) => {
      const number = next.get(id) ?? 0
      next.set(id, number + 1)
      return number
    })
  }

  /** The columns of a new child of a row that still stands. The tree is locked. */
  async function child(db: Executor, under: TreeRow, value: string) {
    const parent = await fresh(db, under.id)
    if (parent === undefined) throw invalid('parent', 'does_not_exist', { pk: under.id })
    if (parent.level >= maxDepth) throw refused(problems.too_deep, { max: maxDepth })
    if (await isTaken(db, parent.id, value)) throw invalid('value', problems.name_taken)
    const [number = 0] = await takeNumbers(db, [parent.id])
    return { parent_id: parent.id, number, value, org_id: parent.org_id }
  }

  /** @throws ValidationError when a sibling has the name. The tree is locked. */
  async function checkRename(db: Executor, row: TreeRow, value: string): Promise<void> {
    if (await isTaken(db, row.parent_id, value, row.id)) throw invalid('value', problems.name_taken)
  }

  type Moving = TreeRow & { is_above: boolean; is_taken: boolean; levels: number }

  /** Moves rows with everything below them under another one; locks the tree. */
  async function move(ctx: Context, under: TreeRow, ids: readonly string[]): Promise<void> {
    const { db } = ctx
    await lock(db, ctx.org)
    const to = await fresh(db, under.id)
    const wanted = [...new Set(ids)]
    const rows = new Map((await moving(db, under.id, wanted)).map((row) => [row.id, row]))
    const names = new Set<string>()
    const leaving: TreeRow[] = []
    for (const id of wanted) {
      const row = rows.get(id)
      if (to === undefined || row === undefined) throw invalid('nodes', 'does_not_exist', { pk: id })
      if (row.org_id !== to.org_id) throw refused(problems.other_organization)
      if (row.parent_id === null || row.is_above) throw refused(problems.cycle)
      if (row.parent_id === to.id) continue
      if (row.is_taken || names.has(row.value)) throw invalid('nodes', problems.name_taken)
      if (to.level + 1 + row.levels > maxDepth) throw refused(problems.too_deep, { max: maxDepth })
      names.add(row.value)
      leaving.push(row)
    }
    if (to === undefined || leaving.length === 0) return
    const [first = 0] = await takeNumbers(
      db,
      leaving.map(() => to.id),
    )
    await db.execute(
      sql`update ${table} as moved set parent_id = ${to.id}, number = ${first}::integer + place.at::integer - 1
        from unnest(${sql.param(leaving.map(({ id }) => id))}::uuid[]) with ordinality as place (id, at) where moved.id = place.id`,
    )
  }

  /** What a move under a row has to know of each row: whether it is that row or above it, its name is taken there, levels below it. */
  async function moving(db: Executor, to: string, ids: readonly string[]): Promise<Moving[]> {
    const found = await db.execute<Moving & Record<string, unknown>>(
      sql`select one.id, one.parent_id, one.value, one.org_id,
          one.id in (${aboveAny(sql`select ${to}::uuid`)}) as is_above,
          exists (select from ${table} as there
            where there.parent_id = ${to} and there.value = one.value and there.id <> one.id) as is_taken,
          coalesce((select max(branch.distance) + 1 from ${branches} as branch where branch.ancestor_id = one.id
            and exists (select from ${table} as child where child.parent_id = branch.branch_id)), 0) as levels
        from ${table} as one where one.id = any(${sql.param(ids)}::uuid[])`,
    )
    return found.rows
  }

  return {
    inTurn,
    lock,
    below,
    belowAny,
    belowThese,
    topmost,
    aboveAny,
    key,
    keyed,
    parentKey,
    numbers,
    path,
    idOf,
    found,
    takeNumbers,
    child,
    checkRename,
    move,
  }
}

/**
 * SQL of a list of ids in the text of the statement: how much lies below them differs from row to row, and a plan made for any of them would
 * be made for few. @throws Error where one is none
 */
export function idsAsTheyStand(ids: readonly string[]): SQL {
  return sql.raw(`'{${ids.map(asItStands).join(',')}}'::uuid[]`)
}
const idAsItStands = (id: string): SQL => sql.raw(`'${asItStands(id)}'::uuid`)

function asItStands(id: string): string {
  if (!isUuid(id)) throw new Error('what is no id was to stand in a statement')
  return id
}

/** Whether a text can be the key of a row of a tree: `1:4:2`. */
export const isKey = (text: string) => /^\d{1,9}(:\d{1,9})*$/.test(text)

/** Most rows a tree answers at once; whoever cuts there says so (`bounded`). */
export const maxTreeRows = 20_000

/** The rows that fit, and whether there are more. Read with `limit maxTreeRows + 1`. */
export const bounded = <Row>(rows: readonly Row[]): { rows: readonly Row[]; isCut: boolean } => ({
  rows: rows.slice(0, maxTreeRows),
  isCut: rows.length > maxTreeRows,
})
