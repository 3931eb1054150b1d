/** What a declaration and its binding mean in SQL: how each field is read, and which of them a caller gets. */
import type { Field, Resource } from '@sallyport/contract'
import { and, eq, getTableColumns, getTableName, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Context } from '../context.ts'
import type { Served, RelatedTable, Through } from './binding.ts'
import { within } from './rows.ts'

type Relations = Readonly<Record<string, Through | RelatedTable | undefined>>
export const isThrough = (relation: Through | RelatedTable): relation is Through => 'link' in relation

export function columnOf(table: PgTable, name: string): PgColumn | undefined {
  return getTableColumns(table)[name]
}

export const typeOf = (column: PgColumn) => sql.raw(column.getSQLType().replace(/ collate .*/, ''))

/** The column a field is stored in: `<field>_id` for a single relation, else its own name. */
export const storedIn = (served: Served, name: string, field: Field) =>
  columnOf(served.binding.table, field.kind.kind === 'one' ? `${name}_id` : name)

function shownObject(target: RelatedTable, shows: readonly string[]): SQL {
  const parts = shows.flatMap((attribute) => {
    const read = target.attributes?.[attribute] ?? columnOf(target.table, attribute)
    if (read === undefined)
      throw new Error(`${getTableName(target.table)} has no attribute ${attribute} to show`)
    return [sql`${sql.raw(`'${attribute}'`)}, ${read}`]
  })
  return sql`json_build_object(${sql.join(parts, sql`, `)})`
}

/** The SQL that reads a field; undefined when the server adds it outside SQL (org_name) or never (secrets). */
export function readingOf(
  served: Served,
  name: string,
  field: Field,
  ctx: Context,
): SQL | PgColumn | undefined {
  const { binding } = served
  const computed = binding.computed?.[name]
  if (computed !== undefined) return typeof computed === 'function' ? computed(ctx) : computed
  const { kind } = field
  if (kind.kind === 'secret' || field.options.writeOnly) return undefined
  const relation = binding.relations?.[name]
  if (kind.kind === 'one' && kind.plain) return storedIn(served, name, field)
  if (kind.kind === 'one') {
    const column = storedIn(served, name, field)
    if (relation === undefined || isThrough(relation) || column === undefined)
      throw new Error(`${served.resource.model}.${name} needs a related table and the column ${name}_id`)
    const shown = shownObject(relation, kind.shows)
    // Inside, a table of the same name would hide the row that is read.
    return relation.table === binding.table
      ? sql`(select ${shown} from (select ${column} as named) as own join ${relation.table} on ${relation.table.id} = own.named)`
      : sql`(select ${shown} from ${relation.table} where ${relation.table.id} = ${column})`
  }
  if (kind.kind === 'many') {
    if (relation === undefined || !isThrough(relation))
      throw new Error(`${served.resource.model}.${name} needs a link table`)
    const by = columnOf(relation.target.table, kind.shows[1] ?? 'id') ?? relation.target.table.id
    return sql`(
      select coalesce(json_agg(${shownObject(relation.target, kind.shows)} order by ${by}), '[]'::json)
      from ${relation.link}
      join ${relation.target.table} on ${relation.target.table.id} = ${relation.to}
      where ${and(eq(relation.from, binding.table.id), relation.among?.(ctx).where)})`
  }
  // The name belongs to the organization; it is looked up by id when the row is presented.
  if (name === 'org_name') return columnOf(binding.table, 'org_id')
  const column = columnOf(binding.table, name)
  return column && readingInside(binding, [name], field, sql`${column}`)
}

/** An object or a list of them, read with what the ids inside stand for; a row that is gone is null, or not in the list. */
function readingInside(
  binding: Served['binding'],
  path: readonly string[],
  { kind }: Field,
  stored: SQL,
): SQL {
  const relations: Relations = binding.relations ?? {}
  const inner = kind.kind === 'object' || kind.kind === 'objects' ? kind.fields : {}
  const isRelated = (name: string) => name.startsWith(`${path.join('.')}.`)
  if (!Object.keys(relations).some((name) => isRelated(name))) return stored
  const read = (row: SQL): SQL => {
    const parts = Object.entries(inner).flatMap(([name, field]) => {
      const at = [...path, name]
      const relation = relations[at.join('.')]
      const held = sql`${row} -> ${sql.raw(`'${name}'`)}`
      const shown =
        relation && !isThrough(relation)
          ? relatedInside(binding, relation, field, held)
          : readingInside(binding, at, field, held)
      return shown === held ? [] : [sql`${sql.raw(`'${name}'`)}, ${shown}`]
    })
    return sql`${row} || jsonb_build_object(${sql.join(parts, sql`, `)})`
  }
  if (kind.kind === 'object')
    return sql`(case jsonb_typeof(${stored}) when 'object' then ${read(sql`(${stored})`)} else ${stored} end)`
  const item = sql.raw(`item${path.length}`)
  return sql`(case jsonb_typeof(${stored}) when 'array' then
    (select coalesce(jsonb_agg(${read(sql`${item}.value`)} order by ${item}.at), '[]'::jsonb)
      from jsonb_array_elements(${stored}) with ordinality as ${item} (value, at)) else ${stored} end)`
}

function relatedInside({ rows }: Served['binding'], target: RelatedTable, { kind }: Field, held: SQL): SQL {
  if ((kind.kind !== 'one' && kind.kind !== 'many') || (kind.kind === 'one' && kind.plain)) return held
  const { table } = target
  const shown = shownObject(target, kind.shows)
  const type = typeOf(table.id)
  // Who has left the organization is not named in its rows any more.
  const isMember =
    rows.of === 'org' && target.rows.of === 'members' ? within(target.rows, sql`${rows.column}`) : undefined
  if (kind.kind === 'one') {
    const it = and(sql`${table.id} = (${held} #>> '{}')::${type}`, isMember)
    return sql`(select ${shown} from ${table} where ${it})`
  }
  const by = columnOf(table, kind.shows[1] ?? 'id') ?? table.id
  const named = sql`${table.id} in (select named::${type} from jsonb_array_elements_text(
    case jsonb_typeof(${held}) when 'array' then ${held} else '[]'::jsonb end) as named)`
  return sql`(select coalesce(jsonb_agg(${shown} order by ${by}), '[]'::jsonb) from ${table} where ${and(named, isMember)})`
}

/** The smallest form of what says nothing else. */
const idAndName = ['id', 'name']

export interface FieldSelection {
  fields?: string | undefined
  'fields!'?: string | undefined
  fields_size?: string | undefined
}

/** The names of the fields `?fields_size=` asks for; undefined: all. */
export const sizeOf = (resource: Resource, size: string | undefined): readonly string[] | undefined =>
  size === 'mini'
    ? (resource.mini ?? ('name' in resource.fields ? idAndName : undefined))
    : size === 'small'
      ? resource.small
      : undefined

/** The fields of an answer: by permission, by `fields`, `fields!`, `fields_size`. */
export function selectedFields(
  resource: Resource,
  ctx: Context,
  on: 'list' | 'detail',
  selection: FieldSelection,
): [string, Field][] {
  const keep = selection.fields ? new Set(selection.fields.split(',')) : undefined
  const drop = new Set(selection['fields!']?.split(','))
  const sized = sizeOf(resource, selection.fields_size)
  return Object.entries(resource.fields).filter(([name, { options }]) => {
    if (options.writeOnly) return false
    if (options.show === 'detail' && on === 'list') return false
    if (!mayRead({ options }, ctx)) return false
    if (sized !== undefined && !sized.includes(name)) return false
    return (keep === undefined || keep.has(name)) && !drop.has(name)
  })
}

/** Select list for those fields, each under its own name. */
export function selectList(served: Served, fields: readonly [string, Field][], ctx: Context): SQL {
  const parts = fields.flatMap(([name, field]) => {
    const read = readingOf(served, name, field, ctx)
    return read === undefined ? [] : [sql`${read} as ${sql.identifier(name)}`]
  })
  return sql.join(parts, sql`, `)
}

/** Whether this caller may know what is in a field. */
export const mayRead = ({ options: { readPermission } }: Pick<Field, 'options'>, ctx: Context): boolean =>
  readPermission === undefined || ctx.can(readPermission)
