/** What rows name: checked in the organization of each row, and the links of many-to-many fields, for all rows of a write at once. */
import { addProblem, type Problem, type Problems } from '@sallyport/contract'
import { and, type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Context } from '../context.ts'
import type { Executor } from '../database/index.ts'
import type { StoredRow } from '../events.ts'
import type { InTurn, Input, RelatedTable, Served, Through } from './binding.ts'
import { inPieces } from '../pieces.ts'
import { isThrough, storedIn, typeOf } from './fields.ts'
import { isRecord, keyOf } from './nested.ts'
import { nameable, visibleTo, within } from './rows.ts'

/** Null: of all organizations. Undefined: of none, or several, written in the view of all. */
export type OrgId = string | null | undefined
interface Naming {
  input: Input
  before: StoredRow | undefined
}

export const arrayOf = (values: readonly unknown[], column: PgColumn): SQL =>
  sql`${sql.param(values)}::${typeOf(column)}[]`

/** The organization each row is written in: its own, whatever view the caller works in. */
export async function organizationsOf(
  served: Served,
  ctx: Context,
  rows: readonly Naming[],
): Promise<OrgId[]> {
  const { rows: owned } = served.binding
  const current = ctx.org.is_root ? undefined : ctx.org.id
  if (owned.of === 'org' || owned.of === 'shared')
    return rows.map(({ before }) =>
      before ? (before[owned.column.name] as string | null) : (current ?? null),
    )
  if (owned.of !== 'through' || !('column' in owned.target.rows)) return rows.map(() => current)
  const field = ownerField(served)
  const ids = rows.map(
    ({ input, before }) => (field === undefined ? undefined : input[field]) ?? before?.[owned.column.name],
  )
  const { table, rows: owners } = owned.target
  const wanted = [...new Set(ids.filter((id) => id !== undefined && id !== null))]
  const found = await ctx.db.execute<{ id: unknown; org: string | null }>(
    sql`select ${table.id} as id, ${owners.column} as org from ${table} where ${table.id} = any(${arrayOf(wanted, table.id)})`,
  )
  const known = new Map(found.rows.map(({ id, org }) => [String(id), org]))
  return ids.map((id) => (known.has(String(id)) ? known.get(String(id)) : current))
}

function grouped<T>(items: readonly T[], key: (item: T, index: number) => OrgId): [OrgId, T[]][] {
  const groups = new Map<OrgId, T[]>()
  for (const [index, item] of items.entries()) {
    const at = key(item, index)
    const group = groups.get(at)
    if (group) group.push(item)
    else groups.set(at, [item])
  }
  return [...groups]
}

const listed = (value: unknown): unknown[] =>
  value === null || value === undefined ? [] : Array.isArray(value) ? value : [value]

interface Named {
  ids: readonly unknown[]
  place: readonly string[]
}
/** The ids a row names at the path of a relation, each list of them with its place: several where the path goes through a list. */
function idsAt(
  value: unknown,
  [name = '', ...rest]: readonly string[],
  above: readonly string[] = [],
): Named[] {
  const here = isRecord(value) ? value[name] : undefined
  const place = [...above, name]
  if (rest.length === 0) {
    const ids = listed(here).map((one) => keyOf(one))
    return ids.length > 0 ? [{ ids, place }] : []
  }
  return Array.isArray(here)
    ? here.flatMap((item, at) => idsAt(item, rest, [...place, String(at)]))
    : idsAt(here, rest, place)
}

/** Different names in one write, of all its rows. */
const maxNames = 1000

/** Puts the ids of what rows name that is to be made in the place of the names; answers the problems of each row. */
export async function makeNamed(
  { binding }: Served,
  ctx: Context,
  rows: readonly Naming[],
  orgs: readonly OrgId[],
): Promise<Problems[]> {
  const problems = rows.map((): Problems => ({}))
  for (const [field, relation] of Object.entries(binding.relations ?? {})) {
    if (!relation || !isThrough(relation) || !relation.make) continue
    const naming = rows.flatMap((row, at) => {
      const names = namesIn(row.input[field])
      return names.length > 0 ? [{ at, names }] : []
    })
    const inOrder = grouped(naming, ({ at }) => orgs[at])
      .map(([orgId, group]) => ({ orgId, group, names: [...new Set(group.flatMap(({ names }) => names))] }))
      // Two who name things of the same organizations lock these in the same order.
      .toSorted((a, b) => (String(a.orgId) < String(b.orgId) ? -1 : 1))
    const isTooMuch = inOrder.reduce((sum, { names }) => sum + names.length, 0) > maxNames
    for (const { orgId, group, names } of inOrder) {
      if (!orgId) continue
      const found: readonly (string | Problem)[] = isTooMuch
        ? names.map(() => ({ key: 'too_many_names', params: { max: maxNames } }))
        : await relation.make(ctx, orgId, names)
      const known = new Map(names.map((name, index) => [name, found[index]]))
      for (const { at } of group) {
        const input = rows[at]?.input ?? {}
        const ids = (input[field] as unknown[]).map((one) =>
          isRecord(one) ? known.get(String(one['name'])) : one,
        )
        const wrong = ids.filter((id) => isRecord(id)) as unknown as Problem[]
        const told = new Map(wrong.map((problem) => [problem.key, problem]))
        for (const problem of told.values()) addProblem(problems[at] ?? {}, [field], problem)
        input[field] = ids.filter((id) => !isRecord(id))
      }
    }
  }
  return problems
}
/** What a write of rows as they were sent locks as a whole: where they name what is found or made under a lock. */
export function inTurnOf({ binding }: Served, body: unknown): InTurn | undefined {
  if (binding.inTurn) return binding.inTurn
  const rows: unknown[] = Array.isArray(body) ? body : [body]
  for (const [field, relation] of Object.entries(binding.relations ?? {}))
    if (relation && isThrough(relation) && relation.inTurn)
      if (rows.some((row) => isRecord(row) && namesIn(row[field]).length > 0)) return relation.inTurn
  return undefined
}
const namesIn = (value: unknown): string[] =>
  Array.isArray(value)
    ? value.flatMap((one) => (isRecord(one) && 'name' in one && !('id' in one) ? [String(one['name'])] : []))
    : []

const maxToldUnknown = 20
/** The problems of each row that names something which does not exist in the row's organization, or not for this caller. */
export async function referenceProblems(
  served: Served,
  ctx: Context,
  rows: readonly Naming[],
  orgs: readonly OrgId[],
): Promise<Problems[]> {
  const problems = rows.map((): Problems => ({}))
  for (const [name, relation] of Object.entries(served.binding.relations ?? {})) {
    if (relation === undefined) continue
    const target = isThrough(relation) ? relation.target : relation
    const path = name.split('.')
    const naming: (Named & { at: number })[] = []
    for await (const [at, row] of inPieces(rows.entries())) {
      const isSent = row.input[path[0] ?? ''] !== undefined
      const held = !isSent && isMoving(served, row) ? heldIn(served, name, row) : row.input
      naming.push(...idsAt(held, path).map((named) => ({ at, ...named })))
    }
    for (const [orgId, group] of grouped(naming, ({ at }) => orgs[at])) {
      const known = await existing(ctx, target, group, orgId)
      const isElsewhere = orgId === undefined ? await elsewhere(served, ctx, target, group, rows) : undefined
      for await (const { at, ids, place } of inPieces(group)) {
        const unknown = ids
          .values()
          .filter((id) => !known.has(String(id)) || isElsewhere?.(at, String(id)))
          .take(maxToldUnknown)
        for (const id of unknown)
          addProblem(problems[at] ?? {}, place, { key: 'does_not_exist', params: { pk: String(id) } })
      }
    }
  }
  return problems
}

/** The field that says where a row is that is in an organization through another. */
function ownerField(served: Served): string | undefined {
  const { rows } = served.binding
  if (rows.of !== 'through') return undefined
  return Object.entries(served.resource.fields).find(
    ([name, declared]) => storedIn(served, name, declared) === rows.column,
  )?.[0]
}

/** Whether the write takes the row to where another row is: then what it names already has to be there too. */
function isMoving(served: Served, { input, before }: Naming): boolean {
  const { rows } = served.binding
  const field = ownerField(served)
  if (rows.of !== 'through' || field === undefined || before === undefined) return false
  return input[field] !== undefined && input[field] !== before[rows.column.name]
}

/** What a stored row names, in the form of a payload. */
function heldIn(served: Served, name: string, { before }: Naming): unknown {
  if (name.includes('.')) return before
  const declared = served.resource.fields[name]
  const column = declared && storedIn(served, name, declared)
  return { [name]: column && before?.[column.name] }
}

interface NamingIds {
  at: number
  ids: readonly unknown[]
}

/**
 * In the view of all, whether rows that are in organizations by something else (people, by their roles) name what is in none of those. What
 * is new is in none yet.
 */
async function elsewhere(
  { binding: { table, rows: owned } }: Served,
  ctx: Context,
  { table: named, rows: owners }: RelatedTable,
  naming: readonly NamingIds[],
  rows: readonly Naming[],
): Promise<((at: number, id: string) => boolean) | undefined> {
  if (owned.of !== 'members' || owners.of !== 'org') return undefined
  const ids = naming.flatMap((one) => one.ids)
  const { rows: there } = await ctx.db.execute<{ id: unknown; org: string }>(
    sql`select ${named.id} as id, ${owners.column} as org from ${named} where ${named.id} = any(${arrayOf(ids, named.id)})`,
  )
  const orgOf = new Map(there.map(({ id, org }) => [String(id), org]))
  const keys = naming.flatMap(({ at }) => rows[at]?.before?.['id'] ?? [])
  const inside = new Set<string>()
  for (const org of new Set(orgOf.values())) {
    const { rows: members } = await ctx.db.execute<{ id: unknown }>(
      sql`select ${table.id} as id from ${table} where ${table.id} = any(${arrayOf(keys, table.id)}) and ${within(owned, org)}`,
    )
    for (const { id } of members) inside.add(`${String(id)} ${org}`)
  }
  return (at, id) => !inside.has(`${String(rows[at]?.before?.['id'])} ${orgOf.get(id) ?? ''}`)
}

/**
 * Who is named stays a member until the transaction ends: whoever ends memberships locks these rows for it first, and then sees what was
 * written of them. By a statement of its own, so that the next one sees what has happened while it waited.
 */
export const holdMembers = (db: Executor, table: RelatedTable['table'], which: SQL) =>
  db.execute(sql`select 1 from ${table} where ${which} order by ${table.id} for key share`)

/** Looked for in one statement: while they are put together, nobody else has a turn. */
const idsAtOnce = 10_000

/** Those of the ids named that are there. */
async function existing(
  ctx: Context,
  target: RelatedTable,
  naming: readonly NamingIds[],
  orgId: OrgId,
): Promise<Set<string>> {
  const { table } = target
  const wanted = new Set<unknown>()
  for await (const { ids } of inPieces(naming)) for (const id of ids) wanted.add(id)
  const all = [...wanted]
  const known = new Set<string>()
  for (let at = 0; at < all.length; at += idsAtOnce) {
    const some = sql`${table.id} = any(${arrayOf(all.slice(at, at + idsAtOnce), table.id)})`
    if (target.rows.of === 'members') await holdMembers(ctx.db, table, some)
    const where = and(
      some,
      // What the row is in, it may only name if the caller sees it too.
      visibleTo(target.rows, ctx),
      nameable(target, ctx, orgId),
    )
    const found = await ctx.db.execute<{ id: unknown }>(
      sql`select ${table.id} as id from ${table} where ${where}`,
    )
    for (const { id } of found.rows) known.add(String(id))
  }
  return known
}

interface Linking {
  id: string | number
  input: Input
  orgId: OrgId
  isNew: boolean
}

/** Replaces the sets of many-to-many fields; rows of the other side that may not be named from here stay linked. */
export async function setLinks(served: Served, ctx: Context, rows: readonly Linking[]): Promise<void> {
  for (const [name, relation] of Object.entries(served.binding.relations ?? {})) {
    if (relation === undefined || !isThrough(relation)) continue
    for (const { given, pairs } of linksIn(rows, name)) {
      const old = given.filter(({ isNew }) => !isNew)
      for (const [orgId, group] of grouped(old, ({ orgId: at }) => at))
        await unlink(
          ctx,
          relation,
          group.map(({ id }) => id),
          pairs,
          orgId,
        )
      if (pairs.length > 0) await link(ctx, relation, pairs)
    }
  }
}

interface Links {
  given: Linking[]
  pairs: (readonly [unknown, unknown])[]
}
/** One statement writes some ten thousand pairs: while they are put together, nobody else has a turn. */
const pairsAtOnce = 10_000

/** The rows that set a many-to-many field, as many at a time as are written at once, with their pairs. */
function* linksIn(rows: readonly Linking[], name: string): Generator<Links> {
  let links: Links = { given: [], pairs: [] }
  for (const row of rows) {
    const others = row.input[name]
    if (!Array.isArray(others)) continue
    links.given.push(row)
    for (const other of new Set(others)) links.pairs.push([row.id, other])
    if (links.pairs.length < pairsAtOnce) continue
    yield links
    links = { given: [], pairs: [] }
  }
  if (links.given.length > 0) yield links
}

type Pairs = readonly (readonly [unknown, unknown])[]
const pairTable = ({ from, to }: Through, pairs: Pairs) =>
  sql`unnest(${arrayOf(
    pairs.map(([id]) => id),
    from,
  )}, ${arrayOf(
    pairs.map(([, other]) => other),
    to,
  )})`

async function unlink(
  ctx: Context,
  relation: Through,
  ids: readonly unknown[],
  pairs: Pairs,
  orgId: OrgId,
): Promise<void> {
  const { link: table, from, to, target } = relation
  const mine = nameable(target, ctx, orgId)
  const gone = and(
    sql`${from} = any(${arrayOf(ids, from)})`,
    relation.among?.(ctx).where,
    mine && sql`${to} in (select ${target.table.id} from ${target.table} where ${mine})`,
    pairs.length > 0
      ? sql`(${from}, ${to}) not in (select kept.f, kept.t from ${pairTable(relation, pairs)} as kept (f, t))`
      : undefined,
  )
  await ctx.db.execute(sql`delete from ${table} where ${gone}`)
}

async function link(ctx: Context, relation: Through, pairs: Pairs): Promise<void> {
  const { from, to } = relation
  const { columns = {} } = relation.among?.(ctx) ?? {}
  const names = [from.name, to.name, ...Object.keys(columns)].map((name) => sql.identifier(name))
  const values = [
    sql`pair.f`,
    sql`pair.t`,
    ...Object.values(columns).map((value) => sql`${sql.param(value)}::uuid`),
  ]
  await ctx.db.execute(
    sql`insert into ${relation.link} (${sql.join(names, sql`, `)})
      select ${sql.join(values, sql`, `)} from ${pairTable(relation, pairs)} as pair (f, t) on conflict do nothing`,
  )
}
