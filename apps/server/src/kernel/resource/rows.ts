/** Whose rows a resource holds: said by every binding, checked at start-up, and all that scopes lists, writes and relations. */
import type { Scope } from '@sallyport/contract'
import { modelOf } from '@sallyport/contract'
import { and, eq, getTableColumns, getTableName, isNull, or, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Context } from '../context.ts'
import type { RelatedTable, Served } from './binding.ts'

export type Rows =
  /** Each row belongs to the organization its column names. */
  | { of: 'org'; column: PgColumn; outlives: boolean }
  /** As `org`; rows without an organization belong to all of them and are written in the view of all. */
  | { of: 'shared'; column: PgColumn; outlives: boolean }
  /** Each row belongs to the person its column names, by the identity's property. */
  | { of: 'own'; column: PgColumn; by: 'id' | 'username' }
  /** A row is where the row is that its column names. */
  | { of: 'through'; column: PgColumn; target: RelatedTable }
  /** Rows that are in organizations by something else than a column of theirs: people, by their roles. */
  | { of: 'members'; within: (orgId: SQL) => SQL; outlives: boolean }
  /** Rows of the whole system. */
  | { of: 'system' }

interface Outliving {
  /** Books: they stay when their organization goes, and do not stand in its way. */
  outlives?: boolean
}
export const org = (column: PgColumn, { outlives = false }: Outliving = {}): Rows => ({
  of: 'org',
  column,
  outlives,
})
export const shared = (column: PgColumn): Rows => ({ of: 'shared', column, outlives: false })
export type OwnRows = Extract<Rows, { of: 'own' }>
export const own = (column: PgColumn, by: 'id' | 'username' = 'id'): OwnRows => ({ of: 'own', column, by })
export const through = (column: PgColumn, target: RelatedTable): Rows => ({ of: 'through', column, target })
export const members = (within: (orgId: SQL) => SQL, { outlives = false }: Outliving = {}): Rows => ({
  of: 'members',
  within,
  outlives,
})
export const system: Rows = { of: 'system' }

/**
 * The rows there are in an organization; undefined: all. `null` stands for what belongs to all organizations, which may refer only to
 * what does so too.
 */
export function within(rows: Rows, orgId: string | SQL | null): SQL | undefined {
  switch (rows.of) {
    case 'org':
      return orgId === null ? sql`false` : eq(rows.column, orgId)
    case 'shared':
      return orgId === null ? isNull(rows.column) : or(eq(rows.column, orgId), isNull(rows.column))
    case 'through': {
      const { table, rows: owners, visible: _visible } = rows.target
      const there = within(owners, orgId)
      return there && sql`${rows.column} in (select ${table.id} from ${table} where ${there})`
    }
    case 'members':
      return orgId === null ? sql`false` : rows.within(sql`${orgId}::uuid`)
    default:
      return undefined
  }
}

/** The rows there are for this caller: of the organization worked in, of all in the view of all, or the caller's own. */
export function visibleTo(rows: Rows, ctx: Context): SQL | undefined {
  if (rows.of === 'own') return ctx.identity ? eq(rows.column, ctx.identity[rows.by]) : sql`false`
  return ctx.org.is_root ? undefined : within(rows, ctx.org.id)
}

/** Of a relation's rows, those that may be named from a row of that organization; undefined names the view of all. */
export const nameable = (target: RelatedTable, ctx: Context, orgId: string | null | undefined) =>
  and(orgId === undefined ? undefined : within(target.rows, orgId), target.visible?.(ctx))

const agreeing: Record<Rows['of'], readonly Scope[]> = {
  org: ['org'],
  shared: ['org'],
  through: ['org', 'system'],
  members: ['system'],
  // Own rows behind a permission are the system's to the client.
  own: ['own', 'system'],
  system: ['system'],
}

const hasColumn = (table: PgTable, column: PgColumn) =>
  Object.values(getTableColumns(table)).some((known) => known === column)

/** @throws Error when a binding doesn't say whose its rows are, names a column it hasn't, or says otherwise than the declaration. */
export function checkRows({ resource, binding }: Served): void {
  const name = modelOf(resource)
  const rows = binding.rows as Rows | undefined
  if (rows === undefined) throw new Error(`${name}: the binding does not say whose its rows are`)
  const relations = Object.values(binding.relations ?? {}).filter((relation) => relation !== undefined)
  for (const relation of relations) {
    const target = 'link' in relation ? relation.target : relation
    if ((target.rows as Rows | undefined) === undefined)
      throw new Error(
        `${name}: the relation to ${getTableName(target.table)} does not say whose its rows are`,
      )
    checkColumn(name, target.table, target.rows)
  }
  checkColumn(name, binding.table, rows)
  if (!agreeing[rows.of].includes(resource.scope))
    throw new Error(`${name}: declared as ${resource.scope}, bound as ${rows.of}`)
}
function checkColumn(name: string, table: PgTable, rows: Rows): void {
  if ('column' in rows && !hasColumn(table, rows.column))
    throw new Error(
      `${name}: ${getTableName(table)} has no column ${(rows.column as PgColumn | undefined)?.name ?? '(undefined)'} that says whose its rows are`,
    )
}
