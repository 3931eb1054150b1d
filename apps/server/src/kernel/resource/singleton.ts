/** Resources of exactly one row (the caller's own account, a page of settings): how they are kept, and their calls as routes. */
import {
  type Calls,
  type Fields,
  listUrl,
  modelOf,
  type ReadsOf,
  type Singleton,
  type StoredFieldsOf,
} from '@sallyport/contract'
import { getTableColumns, sql, type SQL } from 'drizzle-orm'
import { getTableConfig, type PgColumn } from 'drizzle-orm/pg-core'
import type { Context } from '../context.ts'
import { ApiError } from '../errors.ts'
import type { StoredRow } from '../events.ts'
import { accessOf, type Call, type Method, type Route } from '../http/route.ts'
import type { Secrets } from '../secrets/index.ts'
import type { Input, Kept, Mode, Served } from './binding.ts'
import type { Implementations, Provided } from './calls.ts'
import { checkServed } from './check.ts'
import { checkLicensed } from './licensed.ts'
import { innerOf } from './nested.ts'
import { openSecrets } from './opening.ts'
import { checkMay } from './policy.ts'
import { presentFor, storedRow } from './read.ts'
import type { ChangedInputOf, PreparedOf, ResourceTable, StoredOf } from './row-types.ts'
import { type OwnRows, system } from './rows.ts'
import { changedMeanwhile, isOutdated, tellVersion } from './version.ts'
import { wholeInput } from './whole.ts'
import { makeOwnRow, parsePayload, storeRow } from './write.ts'

/** One row of a write. */
interface Changing {
  mode: Mode
  /** Parsed: only what was sent, unless the whole row was. */
  input: Input
  /** The row as it is, locked. */
  before: StoredRow
}

/** What is shown besides what is stored, by field. */
type Shown<F extends Fields, Row> = {
  readonly [K in keyof F & string]?: (ctx: Context, row: Row) => ReadsIn<F, K> | Promise<ReadsIn<F, K>>
}
type ReadsIn<F, K> = K extends keyof ReadsOf<F> ? ReadsOf<F>[K] : never

interface KeptOne extends Pick<Served['binding'], 'guard' | 'may' | 'present' | 'describe'> {
  /** The row as it is now. `lock` keeps others from changing it until the transaction ends. */
  read: (ctx: Context, options: { lock: boolean }) => Promise<StoredRow>
  /** Stores what was sent; the kernel records what differs afterwards. */
  store?: (ctx: Context, changing: Changing) => Promise<void>
}
type Carried<C extends Calls, Row> = [keyof C] extends [never]
  ? { calls?: undefined }
  : { calls: Implementations<C, unknown, Row> }

export interface ServedOne {
  resource: Singleton
  binding: KeptOne & {
    shown?: Shown<Fields, StoredRow> | undefined
    calls?: Provided['implementations'] | undefined
  }
}

/** Binds the declaration of a singleton to where its row is, if that is no table: `read` answers every field that is ever shown. */
export const serveOne = <F extends Fields, C extends Calls>(
  resource: Singleton<F, C>,
  binding: Omit<KeptOne, 'read'> &
    Carried<NoInfer<C>, StoredRow> & {
      read: (ctx: Context, options: { lock: boolean }) => Promise<StoredFieldsOf<NoInfer<F>>>
    },
): ServedOne => {
  checkRelations(resource)
  return { resource, binding }
}

type InTable<F extends Fields, C extends Calls, T extends ResourceTable> = Pick<
  Kept<F, never, C, T>,
  'table' | 'relations' | 'computed' | 'guard' | 'may' | 'present' | 'describe'
> &
  Carried<C, StoredOf<F, T>> & {
    /** Which row it is; or whose: `own(column)` is the caller's, made of the defaults when it is first asked for. */
    row: ((ctx: Context) => SQL) | OwnRows
    shown?: Shown<F, StoredOf<F, T>>
    /** Rules before a change; answers the input to store. */
    prepare?: (
      ctx: Context,
      changing: { mode: Mode; input: ChangedInputOf<F>; before: StoredOf<F, T> },
    ) => Promise<PreparedOf<F, T>> | PreparedOf<F, T>
  }

/**
 * Binds the declaration of a singleton to a row of a table.
 * @throws Error at start-up, as `serve`: on a field that is no column and nothing works out; on a row of one's own that could not be made
 */
export function serveOneOf<F extends Fields, C extends Calls, T extends ResourceTable>(
  resource: Singleton<F, C>,
  secrets: Secrets,
  { row, table, relations, computed, prepare, ...binding }: InTable<NoInfer<F>, NoInfer<C>, T>,
): ServedOne {
  const rows = typeof row === 'function' ? system : row
  const served = { resource, binding: { table, rows, relations, computed, prepare } } as unknown as Served
  checkServed(served, Object.keys(binding.shown ?? {}))
  checkRelations(resource)
  if (typeof row !== 'function') checkOwnRow(served, row.column)
  const where = typeof row === 'function' ? row : () => sql`true`
  return {
    resource,
    binding: {
      ...(binding as unknown as ServedOne['binding']),
      read: async (ctx, options) => {
        const found = await storedRow(served, ctx, where(ctx), options)
        if (found !== undefined) return found
        if (typeof row !== 'function') await makeOwnRow({ served, ctx, secrets })
        const made = await storedRow(served, ctx, where(ctx), options)
        if (made === undefined) throw new ApiError(404, 'not_found')
        return made
      },
      ...(resource.access.update && {
        store: async (ctx: Context, { mode, input, before }: Changing) => {
          const changing = { mode, input, before } as unknown as Parameters<NonNullable<typeof prepare>>[1]
          await storeRow({ served, ctx, secrets }, before, prepare ? await prepare(ctx, changing) : input)
        },
      }),
    },
  }
}

/** What a row that is alone names belongs to no organization it could be checked in. */
function checkRelations(resource: Singleton): void {
  if (resource.access.update === undefined) return
  const sent = (fields: Fields): string[] =>
    Object.entries(fields).flatMap(([name, field]) => {
      const { kind, options } = field
      if (options.readOnly) return []
      return kind.kind === 'one' || kind.kind === 'many' ? [name] : sent(innerOf(field) ?? {})
    })
  const [name] = sent(resource.fields)
  if (name !== undefined)
    throw new Error(`${modelOf(resource)}: nothing checks or keeps what is sent for the relation ${name}`)
}

/** A row everybody has is made without anything being sent: one for each person, and every column with a value to begin with. */
function checkOwnRow({ resource, binding: { table } }: Served, owner: PgColumn): void {
  const name = modelOf(resource)
  const { uniqueConstraints } = getTableConfig(table)
  const isUnique =
    owner.isUnique ||
    owner.primary ||
    uniqueConstraints.some(({ columns }) => columns.length === 1 && columns[0]?.name === owner.name)
  if (!isUnique) throw new Error(`${name}: ${owner.name} is not unique, so that somebody could have two`)
  for (const [key, column] of Object.entries(getTableColumns(table)))
    if (
      column !== owner &&
      column.notNull &&
      !column.hasDefault &&
      resource.fields[key]?.options.default === undefined
    )
      throw new Error(`${name}: the row everybody has cannot be made, as ${key} has no default`)
}

export async function presentOne({ resource, binding }: ServedOne, ctx: Context, row: StoredRow) {
  const shown: Record<string, unknown> = { ...row }
  for (const [name, show] of Object.entries(binding.shown ?? {})) shown[name] = await show?.(ctx, row)
  return presentFor({ resource, binding }, ctx, shown, 'detail')
}

/** Changes the row and records what differs, in the transaction of the context. `check` has its say about the row before it, locked. */
export async function changeOne(
  { resource, binding }: ServedOne,
  ctx: Context,
  mode: Mode,
  input: Input,
  check?: (before: StoredRow) => Promise<void>,
): Promise<StoredRow> {
  if (binding.store === undefined) throw new Error(`${resource.model} is never changed`)
  const before = await binding.read(ctx, { lock: true })
  checkMay({ binding }, ctx, before, 'update')
  await check?.(before)
  await binding.store(ctx, { mode, input: wholeInput(resource.fields, input, before), before })
  const after = await binding.read(ctx, { lock: false })
  const secrets = Object.entries(resource.fields)
    .filter(([name, { options }]) => options.writeOnly && input[name] && before[name] !== after[name])
    .map(([name]) => name)
  await ctx.emit({ type: 'updated', resource, id: idOf(after), before, after, secrets })
  return after
}
/** A page of settings has none. */
export const idOf = (row: StoredRow) => (typeof row['id'] === 'string' ? row['id'] : '')

const changes: readonly [Method, Mode][] = [
  ['PUT', 'replace'],
  ['PATCH', 'patch'],
]

export function routesOfOne(one: ServedOne, secrets: Secrets): Route[] {
  const { resource, binding } = one
  const path = listUrl(resource)
  const { read, update } = resource.access
  if ((update === undefined) !== (binding.store === undefined))
    throw new Error(`${path}: what is declared to be changed, and nothing else, has to be stored`)
  return [
    {
      method: 'GET',
      path,
      access: accessOf(read),
      handler: async (ctx, { reply }) => {
        await binding.guard?.(ctx, 'retrieve')
        const row = await binding.read(ctx, { lock: false })
        if (update !== undefined) tellVersion(reply, ctx, resource, row)
        return await presentOne(one, ctx, row)
      },
    },
    ...(update === undefined ? [] : changes).map(([method, mode]) => ({
      method,
      path,
      access: accessOf(update ?? read),
      transaction: true,
      records: 'changes' as const,
      fields: resource.fields,
      ahead: async (ctx: Context, { body }: Pick<Call, 'body'>) => {
        checkLicensed(resource, ctx)
        await binding.guard?.(ctx, 'update')
        return parsePayload(resource, ctx, mode, await openSecrets(resource.fields, body, secrets))
      },
      handler: async (ctx: Context, { ahead, request, reply }: Call) => {
        const after = await changeOne(one, ctx, mode, ahead as Input, async (before) => {
          if (isOutdated(request, ctx, resource, before))
            throw changedMeanwhile(await presentOne(one, ctx, before))
        })
        tellVersion(reply, ctx, resource, after)
        return await presentOne(one, ctx, after)
      },
    })),
  ]
}
