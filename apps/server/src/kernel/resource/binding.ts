/** How a declared resource is kept: its table, and what is particular about it. Everything else is derived. */
import type {
  Calls,
  ErrorKey,
  Fields,
  NoCalls,
  Problem,
  ReadsOf,
  Resource,
  ResourceMetadata,
  RowsAnswer,
} from '@sallyport/contract'
import { and, type SQL } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Context } from '../context.ts'
import type { CountsTable } from '../counts/counts.ts'
import type { StoredRow } from '../events.ts'
import { checkServed } from './check.ts'
import type { Rows } from './rows.ts'
import type { Implementations, Provided } from './calls.ts'
import type {
  AfterAhead,
  ChangedInputOf,
  ColumnsOf,
  CreatedInputOf,
  PreparedOf,
  ResourceTable,
  SentOf,
  StoredOf,
} from './row-types.ts'

/** Names what a write locks as a whole: it waits for its turn before it takes a connection. */
export type InTurn = (ctx: Context) => string

/** A many-to-many field: the link table, its two columns, and where the other side lives. */
export interface Through {
  link: PgTable
  from: PgColumn
  to: PgColumn
  /** The related table, for what is shown and for the check that ids exist. */
  target: RelatedTable
  /**
   * Finds or makes in an organization what a write names (`named` of the field), as far as the caller may; answers in the order of the
   * names the id of each, or what is wrong with it.
   */
  make?: (ctx: Context, orgId: string, names: readonly string[]) => Promise<readonly (string | Problem)[]>
  /** For writes that name something. */
  inTurn?: InTurn
  /**
   * Where one link table keeps several kinds of links (roles of the system and of each organization, say): which of them belong to this
   * field, and the columns that make a new link one of them.
   */
  among?: (ctx: Context) => { where: SQL | undefined; columns?: Readonly<Record<string, unknown>> }
}
export interface RelatedTable {
  table: PgTable & { id: PgColumn }
  /** Whose they are: a row may name those of its own organization only. */
  rows: Rows
  /** SQL of an attribute shown that is not a column of that name. */
  attributes?: Readonly<Record<string, SQL>>
  /** Only these of them may be named. */
  visible?: (ctx: Context) => SQL | undefined
}

export type Mode = 'create' | 'replace' | 'patch'
/** A parsed payload of any resource: column values, ids of `one` fields under the field's name, id lists of `many` fields. */
export type Input = Record<string, unknown>

/** The rows of one write. What a rule looks up for all of them, it looks up once. */
export interface Batch {
  size: number
  /** All of them as they were sent, whatever is wrong with any. */
  given: readonly { input: Input; before: StoredRow | undefined }[]
  once<T>(key: string, load: () => Promise<T>): Promise<T>
}
interface Creating<F extends Fields, T> {
  mode: 'create'
  /** What was sent, and the defaults for what was not, objects whole; then what `ahead` made of it. */
  input: AfterAhead<CreatedInputOf<F>, F, T>
  before: undefined
  batch: Batch
}
interface Changing<F extends Fields, T> {
  mode: 'replace' | 'patch'
  /** What was sent; objects whole, with what stays of them. */
  input: AfterAhead<ChangedInputOf<F>, F, T>
  /** The stored row before. */
  before: StoredOf<F, T>
  batch: Batch
}
/** A row that is about to be written. */
export type Saving<F extends Fields = Fields, T = ResourceTable> = Creating<F, T> | Changing<F, T>
/** A row that was written. */
export interface Saved<F extends Fields = Fields, T = ResourceTable> {
  mode: Mode
  /** As `prepare` answered it. */
  input: PreparedOf<F, T>
  /** The stored row before; undefined on create. */
  before: StoredOf<F, T> | undefined
  id: string
  /** The columns as they are now. */
  after: ColumnsOf<F, T>
}
/** The same of a resource bound to a table, for hooks that stand by themselves: `SavingOf<typeof Rack, typeof racks>`. */
export type SavingOf<R extends Declared, T> = Saving<R['fields'], T>
export type AskedOf<R extends Declared> = Asked<R['fields']>
export type SavedOf<R extends Declared, T> = Saved<R['fields'], T>
export type RowOf<R extends Declared, T> = StoredOf<R['fields'], T>
export type InputOf<R extends Declared, T> = PreparedOf<R['fields'], T>
export type CallsOf<R extends Declared & { calls: Calls }, T> = Implementations<
  R['calls'],
  unknown,
  RowOf<R, T>
>
interface Declared {
  fields: Fields
}

/** One row of a write, before the transaction. */
export interface Asked<F extends Fields = Fields> {
  mode: Mode
  input: SentOf<ChangedInputOf<F>>
  /** Of the row to change, as it was sent; undefined on create. */
  id: string | undefined
}

export interface Held {
  /** The key in an organization's `resource_statistics`, where it is told there. */
  statistic?: string
  /** Rows that go with the organization instead of standing in the way of deleting it. */
  goes?: SQL
}

type FieldName<F> = keyof F & string

export interface Kept<F extends Fields, Q extends string, C extends Calls, T extends ResourceTable> {
  table: T
  /** Whose rows the table holds. Start-up compares it with the declaration's `scope`. */
  rows: Rows
  /** What organizations hold of it, where there is more to say than that they cannot be deleted while there is any. */
  held?: Held
  /** Only these rows of the table exist for this resource (and caller), besides those that are not theirs. */
  visible?: (ctx: Context) => SQL | undefined
  /** Rows that who lacks the permission may retrieve by their id all the same, in whatever organization they work. Undefined: none. */
  readable?: (ctx: Context) => SQL | undefined
  /** Of a table that grows: its counts, by every column that `rows` and `visible` look at. */
  counts?: CountsTable
  /** Where related rows live; of a relation inside an object by its path: `'rules.assignees'`. */
  relations?: { readonly [K in FieldName<F>]?: Through | RelatedTable } & {
    readonly [path: `${string}.${string}`]: RelatedTable
  }
  /** SQL of read-only fields that are no column; correlated to the table bound. */
  computed?: { readonly [K in FieldName<F>]?: SQL | ((ctx: Context) => SQL) }
  filters?: {
    readonly [K in Q | FieldName<F>]?: (
      value: string,
      ctx: Context,
      query: Readonly<Record<string, string>>,
    ) => SQL | undefined
  }
  /** Of fields that hold codes and are read in words: the codes whose words, as the reader has them, contain a text. They are found by these. */
  codes?: { readonly [K in FieldName<F>]?: (text: string, ctx: Context) => readonly string[] }
  /** SQL to sort by, of fields that are no column or sort otherwise than their column. */
  orders?: { readonly [K in FieldName<F>]?: SQL | PgColumn }
  /** Fields whose values belong to one row together, told as a set where a second would have them; of others each is told. */
  together?: readonly (readonly FieldName<F>[])[]
  /** Searched besides the fields marked `search`: SQL of a text, or a condition made of the pattern for `ilike`. */
  searches?: readonly (SQL | ((pattern: string, ctx: Context) => SQL))[]
  /** Asked before every call of the resource, standard and declared: a feature that is off. @throws ApiError */
  guard?: (ctx: Context, action: string) => Promise<void> | void
  /**
   * Whether this may be done to that row by whoever holds the permission for it: `update`, `delete`, or a declared call. Else the key of the
   * sentence that says why not. Enforced by the kernel, and told with the rows to clients that ask (`?may=1`).
   */
  may?: (
    ctx: Context,
    row: ColumnsOf<F, T>,
    action: 'update' | 'delete' | (keyof C & string),
  ) => true | ErrorKey
  /** Of rows sent as a list to be made, the ids of those that are there already: they are answered as they are. */
  standing?: (ctx: Context, sent: readonly unknown[]) => Promise<readonly (string | undefined)[]>
  /** Bounds what all rows of a call hold together, as they were sent, before anything is done with them. @throws ApiError 413 */
  checkSent?: (rows: readonly unknown[], mode: Mode) => void
  /** Taken before the rows of a write are read and locked, where rows depend on each other. */
  locking?: (ctx: Context) => Promise<void>
  /** For all writes, where `locking` makes them wait for each other. */
  inTurn?: InTurn
  /** Defaults only the server knows, applied on create before `prepare`. */
  defaults?: (ctx: Context) => PreparedOf<F, T>
  /**
   * Slow work (hashing, opening keys) for each row of a write, before the transaction begins; answers the input for `prepare`. The row is
   * not looked at yet, and may turn out to be nobody's. Rows written by the server itself come here inside their transaction.
   */
  ahead?: (ctx: Context, asked: Asked<F>) => Promise<SentOf<PreparedOf<F, T>>>
  /** Rules before a write, for each of its rows; answers the input to store (with columns that are no fields, too) or throws. */
  prepare?: (ctx: Context, saving: Saving<F, T>) => Promise<PreparedOf<F, T>> | PreparedOf<F, T>
  /** Effects in the same transaction, after the rows and their relations are stored. */
  saved?: (ctx: Context, rows: readonly Saved<F, T>[]) => Promise<void>
  /** Rules and effects before rows are removed, in the same transaction. */
  removing?: (ctx: Context, rows: readonly ColumnsOf<F, T>[]) => Promise<void>
  /** A last touch on a presented row. */
  present?: (ctx: Context, row: Presented<F>) => Record<string, unknown>
  /** Narrows metadata by the query, for example by a platform. */
  describe?: (
    ctx: Context,
    metadata: ResourceMetadata,
    query: Readonly<Record<string, string>>,
  ) => Promise<void>
}

/** A row as it is shown: of the fields, those that were asked for. */
type Presented<F extends Fields> = string extends keyof F ? Record<string, unknown> : Partial<ReadsOf<F>>

export type Binding<
  F extends Fields = Fields,
  Q extends string = string,
  C extends Calls = NoCalls,
  T extends ResourceTable = ResourceTable,
> = Kept<F, Q, C, T> &
  // What the declared calls do: all of them, and no others.
  (string extends keyof C
    ? { calls?: Provided['implementations'] }
    : [keyof C] extends [never]
      ? { calls?: undefined }
      : { calls: Implementations<C, unknown, StoredOf<F, T>> })

/** A resource with its binding. `Row` is what its stored rows are. */
export interface Served<Row = StoredRow> {
  resource: Resource
  binding: Kept<Fields, string, Calls, ResourceTable> & { calls?: Provided['implementations'] | undefined }
  /** Names of what this list does not show: whoever filters or orders by one is refused. */
  withheld?: ReadonlySet<string>
  readonly [row]?: Row
}
declare const row: unique symbol

/**
 * Binds a declaration to its table. A computed field, relation, filter or call the declaration doesn't have does not compile, nor does a
 * hook that reads or answers what is neither field nor column.
 * @throws Error at start-up, as `checkServed`: on what the declaration has and nothing carries out
 */
export const serve = <F extends Fields, Q extends string, C extends Calls, T extends ResourceTable>(
  resource: Resource<F, Q, C>,
  binding: Binding<NoInfer<F>, NoInfer<Q>, NoInfer<C>, T>,
): Served<StoredOf<F, T>> => {
  const served = { resource, binding: binding as unknown as Served['binding'] }
  checkServed(served)
  return served
}

/** The same list of fewer rows, which are counted. */
export function narrowed<S extends Served>(served: S, condition: SQL): S {
  const { counts: _ofAll, ...binding } = served.binding
  return {
    ...served,
    binding: { ...binding, visible: (ctx: Context) => and(binding.visible?.(ctx), condition) },
  }
}

/**
 * The same list with these of its fields alone. Of the others nothing is told: in no format and no template, and neither by what finds rows
 * nor by what orders them: who asks for that is refused.
 */
export function showing<S extends Served>(served: S, names: readonly string[]): S {
  const { searches: _ofOthers, filters, ...binding } = served.binding
  const told = <Value>(all: Readonly<Record<string, Value>> = {}) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)))
  const { fields, filters: declared } = served.resource
  const others = [...Object.keys(fields), ...Object.keys(declared)].filter((name) => !names.includes(name))
  return {
    ...served,
    withheld: new Set(others),
    resource: { ...served.resource, fields: told(fields), filters: told(declared) },
    binding: { ...binding, filters: told<NonNullable<typeof filters>[string]>(filters) },
  }
}

/** The list as a call that answers some of its fields alone shows it to this caller. */
export const shownBy = (served: Served, { only }: Pick<RowsAnswer<unknown>, 'only'>, ctx: Context): Served =>
  only && !(only.unless && ctx.can(only.unless)) ? showing(served, only.fields) : served
