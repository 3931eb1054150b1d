/** Create, replace, patch and delete: one way for every resource. All of it runs in the request's transaction. */
import {
  type Field,
  parseDatetime,
  payloadSchema,
  type Problem,
  type Problems,
  problemsOf,
} from '@sallyport/contract'
import { and, eq, inArray, type SQL, sql } from 'drizzle-orm'
import { getTableConfig } from 'drizzle-orm/pg-core'
import { callerOf, type Context } from '../context.ts'
import { ApiError, forbidden, ValidationError } from '../errors.ts'
import type { StoredRow } from '../events.ts'
import type { Secrets } from '../secrets/index.ts'
import type { Input, Mode, RelatedTable, Served } from './binding.ts'
import { columnOf, isThrough, storedIn } from './fields.ts'
import { identifiedBy, missing, storedRow } from './read.ts'
import { nameable, visibleTo } from './rows.ts'

export interface Writing {
  served: Served
  ctx: Context
  secrets: Secrets
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Opens the envelopes, then parses; what may not be written by this caller is dropped. */
function parse({ served, ctx, secrets }: Writing, mode: Mode, body: unknown): Input {
  const { resource } = served
  const opened = isRecord(body) ? { ...body } : body
  if (isRecord(opened))
    for (const [name, field] of Object.entries(resource.fields)) {
      const value = opened[name]
      if (field.kind.kind === 'secret' && typeof value === 'string' && value !== '')
        opened[name] = secrets.openEnvelope(value.slice(0, 200_000))
    }
  const parsed = payloadSchema(resource, mode).safeParse(opened)
  if (!parsed.success) throw new ValidationError(problemsOf(parsed.error.issues))
  const input: Input = {}
  for (const [name, value] of Object.entries(parsed.data)) {
    const permission = resource.fields[name]?.options.writePermission
    if (permission === undefined || ctx.can(permission)) input[name] = value
  }
  return input
}

/**
 * The organization a row is written in: its own, whatever view the caller works in. Null for a row of all organizations; undefined where
 * rows are in none, or in several, and the caller works in the view of all.
 */
async function organizationOf(
  { served, ctx }: Writing,
  input: Input,
  before: StoredRow | undefined,
): Promise<string | null | undefined> {
  const { rows } = served.binding
  const current = ctx.org.is_root ? undefined : ctx.org.id
  if (rows.of === 'org' || rows.of === 'shared')
    return before ? (before[rows.column.name] as string | null) : (current ?? null)
  if (rows.of !== 'through') return current
  const field = fieldOf(served, rows.column)
  const id = (field && input[field]) ?? before?.[rows.column.name]
  const { table, rows: owners } = rows.target
  if (id === undefined || id === null || !('column' in owners)) return current
  const found = await ctx.db.execute<{ org: string | null }>(
    sql`select ${owners.column} as org from ${table} where ${eq(table.id, id)}`,
  )
  return found.rows[0]?.org
}
const fieldOf = (served: Served, column: { name: string }) =>
  Object.entries(served.resource.fields).find(
    ([name, field]) => storedIn(served, name, field) === column,
  )?.[0]

/** References must exist in the organization of the row that names them. */
async function checkReferences(
  writing: Writing,
  input: Input,
  orgId: string | null | undefined,
): Promise<void> {
  const { served, ctx } = writing
  const problems: Problems = {}
  for (const [name, value] of Object.entries(input)) {
    const field = served.resource.fields[name]
    const relation = served.binding.relations?.[name]
    if (!field || !relation || value === null || value === undefined) continue
    const wanted = Array.isArray(value) ? [...new Set(value as unknown[])] : [value]
    if (wanted.length === 0) continue
    const known = await existing(ctx, isThrough(relation) ? relation.target : relation, wanted, orgId)
    const unknown = wanted.filter((id) => !known.has(String(id)))
    if (unknown.length > 0)
      problems[name] = unknown
        .slice(0, 20)
        .map((id): Problem => ({ key: 'does_not_exist', params: { pk: String(id) } }))
  }
  if (Object.keys(problems).length > 0) throw new ValidationError(problems)
}

async function existing(
  ctx: Context,
  target: RelatedTable,
  ids: readonly unknown[],
  orgId: string | null | undefined,
): Promise<Set<string>> {
  const where = and(
    inArray(target.table.id, ids as string[]),
    // What the row is in, it may only name if the caller sees it too.
    visibleTo(target.rows, ctx),
    nameable(target, ctx, orgId),
  )
  const found = await ctx.db.execute<{ id: string | number }>(
    sql`select ${target.table.id} as id from ${target.table} where ${where}`,
  )
  return new Set(found.rows.map((row) => String(row.id)))
}

/** Column values of an input; what is no column of the table (many-to-many, keys for hooks only) is left out. */
function columnsOf({ served, ctx, secrets }: Writing, input: Input): Map<string, unknown> {
  const values = new Map<string, unknown>()
  for (const [name, value] of Object.entries(input)) {
    // Ids are the database's.
    if (value === undefined || name === 'id') continue
    const field = served.resource.fields[name]
    const column = field ? storedIn(served, name, field) : columnOf(served.binding.table, name)
    if (column) values.set(column.name, field ? stored(field, value, ctx, secrets) : value)
  }
  return values
}
function stored(field: Field, value: unknown, ctx: Context, secrets: Secrets): unknown {
  if (value === null) return null
  switch (field.kind.kind) {
    case 'datetime':
      return typeof value === 'string' ? parseDatetime(value, ctx.zone) : value
    case 'secret':
      return value === '' ? null : secrets.seal(value as string)
    case 'json':
    case 'object':
    case 'objects':
    case 'list':
      return JSON.stringify(value)
    default:
      return value
  }
}

const links = (served: Served, input: Input) =>
  Object.entries(input).flatMap(([name, value]) => {
    const relation = served.binding.relations?.[name]
    return relation && isThrough(relation) && Array.isArray(value)
      ? [{ relation, ids: [...new Set(value as string[])] }]
      : []
  })

/** Replaces the set of a many-to-many field; rows of the other side this caller cannot see stay linked. */
async function setLinks(
  { served, ctx }: Writing,
  id: unknown,
  input: Input,
  orgId: string | null | undefined,
): Promise<void> {
  for (const { relation, ids } of links(served, input)) {
    const { link, from, to, target } = relation
    const { where, columns = {} } = relation.among?.(ctx) ?? { where: undefined }
    const mine = nameable(target, ctx, orgId)
    const gone = and(
      eq(from, id),
      where,
      mine && sql`${to} in (select ${target.table.id} from ${target.table} where ${mine})`,
      ids.length > 0 ? sql`${to} <> all(${sql.param(ids)})` : undefined,
    )
    await ctx.db.execute(sql`delete from ${link} where ${gone}`)
    if (ids.length === 0) continue
    const names = [from.name, to.name, ...Object.keys(columns)].map((name) => sql.identifier(name))
    const values = [
      sql`${sql.param(id)}`,
      sql`item`,
      ...Object.values(columns).map((value) => sql`${sql.param(value)}`),
    ]
    await ctx.db.execute(
      sql`insert into ${link} (${sql.join(names, sql`, `)}) select ${sql.join(values, sql`, `)} from unnest(${sql.param(ids)}::${sql.raw(to.getSQLType())}[]) as item on conflict do nothing`,
    )
  }
}

/** Values the kernel keeps itself wherever the table has the column. */
function stamps({ served, ctx }: Writing, mode: Mode): Input {
  const { table } = served.binding
  const by = ctx.identity ? ctx.identity.name.slice(0, 30) : 'System'
  const now = new Date()
  const all: Input =
    mode === 'create'
      ? { created_by: by, updated_by: by, date_created: now, date_updated: now }
      : { updated_by: by, date_updated: now }
  return Object.fromEntries(Object.entries(all).filter(([name]) => columnOf(table, name)))
}

const defaultsOf = ({ served, ctx }: Writing): Input => ({
  ...Object.fromEntries(
    Object.entries(served.resource.fields).flatMap(([name, { options }]) =>
      options.default === undefined || options.readOnly ? [] : [[name, structuredClone(options.default)]],
    ),
  ),
  ...served.binding.defaults?.(ctx),
})

export async function createRow(writing: Writing, body: unknown): Promise<StoredRow> {
  const { served, ctx } = writing
  const { resource, binding } = served
  if (resource.scope === 'org' && binding.rows.of !== 'shared' && ctx.org.is_root)
    throw new ApiError(400, 'root_organization_write')
  const parsed = parse(writing, 'create', body)
  const orgId = await organizationOf(writing, parsed, undefined)
  await checkReferences(writing, parsed, orgId)
  const given: Input = { ...defaultsOf(writing), ...parsed }
  const input = (await binding.prepare?.(ctx, { mode: 'create', input: given, before: undefined })) ?? given
  const values = columnsOf(writing, { ...stamps(writing, 'create'), ...input })
  const { rows } = binding
  if (rows.of === 'org' || rows.of === 'shared') values.set(rows.column.name, orgId)
  if (rows.of === 'own') values.set(rows.column.name, callerOf(ctx)[rows.by])
  const names = [...values.keys()].map((name) => sql.identifier(name))
  const inserted = await unlessTaken(served, () =>
    ctx.db.execute<{ id: string | number }>(
      names.length === 0
        ? sql`insert into ${binding.table} default values returning id`
        : sql`insert into ${binding.table} (${sql.join(names, sql`, `)}) values (${sql.join(
            [...values.values()].map((value) => sql`${sql.param(value)}`),
            sql`, `,
          )}) returning id`,
    ),
  )
  const id = inserted.rows[0]?.id
  if (id === undefined) throw new Error(`${resource.model}: the insert answered no id`)
  return await finish(writing, 'create', id, input, undefined, orgId)
}

export async function updateRow(
  writing: Writing,
  key: string,
  mode: Mode,
  body: unknown,
): Promise<StoredRow> {
  return await updateWhere(writing, identifiedBy(writing.served, key), mode, body)
}

export async function updateWhere(
  writing: Writing,
  where: SQL,
  mode: Mode,
  body: unknown,
): Promise<StoredRow> {
  const { served, ctx } = writing
  const { binding } = served
  const before = await storedRow(served, ctx, where, { lock: true })
  if (before === undefined) throw missing(served)
  refuseShared(writing, before)
  const parsed = parse(writing, mode, body)
  const orgId = await organizationOf(writing, parsed, before)
  await checkReferences(writing, parsed, orgId)
  const input = (await binding.prepare?.(ctx, { mode, input: parsed, before })) ?? parsed
  const values = columnsOf(writing, { ...input, ...stamps(writing, mode) })
  const id = before['id'] as string | number
  if (values.size > 0) {
    const sets = [...values].map(([name, value]) => sql`${sql.identifier(name)} = ${sql.param(value)}`)
    await unlessTaken(served, () =>
      ctx.db.execute(
        sql`update ${binding.table} set ${sql.join(sets, sql`, `)} where ${eq(binding.table.id, id)}`,
      ),
    )
  }
  return await finish(writing, mode, id, input, before, orgId)
}

async function finish(
  writing: Writing,
  mode: Mode,
  id: string | number,
  input: Input,
  before: StoredRow | undefined,
  orgId: string | null | undefined,
): Promise<StoredRow> {
  const { served, ctx } = writing
  await setLinks(writing, id, input, orgId)
  const byId = eq(served.binding.table.id, id)
  let after = await storedRow(served, ctx, byId)
  if (after === undefined) throw missing(served)
  if (served.binding.saved) {
    await served.binding.saved(ctx, { mode, input, before, id: String(id), after })
    after = (await storedRow(served, ctx, byId)) ?? after
  }
  const secrets = Object.entries(served.resource.fields).flatMap(([name, { kind }]) =>
    kind.kind === 'secret' && input[name] ? [name] : [],
  )
  await ctx.emit({
    type: mode === 'create' ? 'created' : 'updated',
    resource: served.resource,
    id: String(id),
    before,
    after,
    secrets,
  })
  return after
}

/** Rows of all organizations are changed in the view of all of them only. */
function refuseShared({ served, ctx }: Writing, row: StoredRow): void {
  const { rows } = served.binding
  if (rows.of === 'shared' && row[rows.column.name] === null && !ctx.org.is_root)
    throw forbidden('shared_row')
}

/** Removes rows that were read before; all or none. */
export async function deleteRows(writing: Writing, rows: readonly StoredRow[]): Promise<void> {
  const { served, ctx } = writing
  for (const row of rows) refuseShared(writing, row)
  const { binding, resource } = served
  if (rows.length === 0) return
  await binding.removing?.(ctx, rows)
  const ids = rows.map((row) => row['id'] as string)
  try {
    await ctx.db.execute(sql`delete from ${binding.table} where ${inArray(binding.table.id, ids)}`)
  } catch (error) {
    if (violationOf(error)?.code === '23503')
      throw new ApiError(400, 'referenced_by_others', { cause: error })
    throw error
  }
  for (const row of rows)
    await ctx.emit({
      type: 'deleted',
      resource,
      id: String(row['id']),
      before: row,
      after: undefined,
      secrets: [],
    })
}

interface Violation {
  code: string
  constraint: string | undefined
}
function violationOf(error: unknown): Violation | undefined {
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if ('code' in cause && typeof cause.code === 'string' && /^23\d{3}$/.test(cause.code))
      return {
        code: cause.code,
        constraint:
          'constraint' in cause && typeof cause.constraint === 'string' ? cause.constraint : undefined,
      }
  return undefined
}

/** A violated unique index becomes a problem of its fields (kernel.md section 8). */
async function unlessTaken<T>(served: Served, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const violation = violationOf(error)
    if (violation?.code !== '23505') throw error
    const fields = fieldsOf(served, violation.constraint)
    throw new ValidationError(
      fields.length === 0
        ? { non_field_errors: [{ key: 'unique' }] }
        : Object.fromEntries(fields.map((name) => [name, [{ key: 'unique' }]])),
    )
  }
}
/** The fields of a unique index or constraint, without the organization it is unique in. */
function fieldsOf(served: Served, constraint: string | undefined): string[] {
  if (constraint === undefined) return []
  const named = served.binding.unique?.[constraint]
  if (named) return [...named]
  const { rows } = served.binding
  const { uniqueConstraints, indexes, primaryKeys } = getTableConfig(served.binding.table)
  const columns =
    uniqueConstraints.find((one) => one.getName() === constraint)?.columns.map((column) => column.name) ??
    indexes
      .find((one) => one.config.name === constraint)
      ?.config.columns.flatMap((column) =>
        'name' in column && typeof column.name === 'string' ? [column.name] : [],
      ) ??
    primaryKeys.find((one) => one.getName() === constraint)?.columns.map((column) => column.name) ??
    Object.values(served.binding.table)
      .filter(
        (column): column is { name: string; uniqueName: string } =>
          column?.isUnique && column.uniqueName === constraint,
      )
      .map((column) => column.name)
  return columns
    .filter((name) => !('column' in rows && rows.column.name === name))
    .map((name) => (name in served.resource.fields ? name : name.replace(/_id$/, '')))
}
