/**
 * Create, replace, patch and delete: one way for every resource, for one row and for a thousand. Everything is checked for all rows before
 * any is written, and a statement writes all of them. All of it runs in the request's transaction.
 */
import {
  type Field,
  payloadSchema,
  type Problems,
  problemsOf,
  type Resource,
  withGoodItems,
} from '@sallyport/contract'
import { sql } from 'drizzle-orm'
import { callerOf, type Context } from '../context.ts'
import { ApiError, forbidden, ValidationError } from '../errors.ts'
import type { Changed, StoredRow } from '../events.ts'
import { inPieces } from '../pieces.ts'
import type { Secrets } from '../secrets/index.ts'
import type { Batch, Input, Mode, Saved, Saving, Served } from './binding.ts'
import { columnOf, storedIn } from './fields.ts'
import { hiddenValues } from './nested.ts'
import { checkMay } from './policy.ts'
import { identifiedBy, missing, storedRow, storedRows } from './read.ts'
import { arrayOf, makeNamed, type OrgId, organizationsOf, referenceProblems, setLinks } from './references.ts'
import {
  columnsOf,
  insertRows,
  uniqueProblems,
  unlessReferenced,
  unlessTaken,
  updateStored,
  type Values,
} from './store.ts'
import { copiedInput, defaultsOf, wholeInput } from './whole.ts'

export interface Writing {
  served: Served
  ctx: Context
  secrets: Secrets
  ahead?: ReadAhead | undefined
}
/** Rows as they were read before the transaction, by what was sent for them. */
export type ReadAhead = ReadonlyMap<unknown, Input | ValidationError>

/** What may not be written by this caller is dropped. */
export function parsePayload(resource: Resource, ctx: Context, mode: Mode, body: unknown): Input {
  const parsed = payloadSchema(resource, mode).safeParse(body)
  if (!parsed.success) throw new ValidationError(problemsOf(parsed.error.issues))
  const input: Input = {}
  for (const [name, value] of Object.entries(parsed.data)) {
    const permission = resource.fields[name]?.options.writePermission
    if (permission === undefined || ctx.can(permission)) input[name] = value
  }
  return input
}

/** A row as it was sent, with its slow work done: before the transaction where there is a request, else here. */
async function read(writing: Writing, mode: Mode, { body, before }: Given): Promise<Input> {
  const known = writing.ahead?.get(body)
  if (known instanceof ValidationError) throw known
  if (known !== undefined) return known
  return await readWithSlowWork(writing, { mode, body, id: before && String(before['id']) })
}
async function readWithSlowWork(
  writing: Writing,
  { mode, body, id }: { mode: Mode; body: unknown; id: string | undefined },
): Promise<Input> {
  const { served, ctx } = writing
  const input = parsePayload(served.resource, ctx, mode, body)
  const { ahead } = served.binding
  return ahead ? await ahead(ctx, { mode, input, id }) : input
}

/** Reads rows before the transaction; what is wrong with one is told when it is written, with all other problems. */
export async function readAhead(
  writing: Writing,
  mode: Mode,
  rows: readonly { body: unknown; id: string | undefined }[],
): Promise<ReadAhead> {
  const read = new Map<unknown, Input | ValidationError>()
  for await (const { body, id } of inPieces(rows))
    read.set(
      body,
      await readWithSlowWork(writing, { mode, body, id }).catch((error: unknown) => {
        if (error instanceof ValidationError) return error
        throw error
      }),
    )
  return read
}

/** What is wrong with each row, told all at once and in the order of the rows; `{}` for the good ones. */
class Faults {
  readonly #given: readonly Given[]
  readonly #problems: Problems[]
  constructor(given: readonly Given[]) {
    this.#given = given
    this.#problems = given.map(() => ({}))
  }
  add(at: number, problems: Problems): void {
    this.#problems[at] = { ...problems, ...this.#problems[at] }
  }
  addAll(problems: readonly Problems[]): void {
    for (const [at, row] of problems.entries()) this.add(at, row)
  }
  /** Runs the work for one row; what is wrong with that row is kept for the end. */
  async of<T>(at: number, work: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ValidationError) || Array.isArray(error.problems)) throw error
      this.add(at, error.problems)
      return undefined
    }
  }
  isFine(at: number): boolean {
    return Object.keys(this.#problems[at] ?? {}).length === 0
  }
  /** @throws ValidationError when any row has one. */
  async check(): Promise<void> {
    if (this.#problems.every((_row, at) => this.isFine(at))) return
    throw new ValidationError(
      await Array.fromAsync(inPieces(this.#problems.entries()), ([at, problems]) =>
        withGoodItems(problems, this.#given[at]?.body),
      ),
    )
  }
}

/** Values the kernel keeps itself wherever the table has the column. */
export function stamps({ served, ctx }: Pick<Writing, 'served' | 'ctx'>, mode: Mode): Input {
  const { table } = served.binding
  const by = ctx.identity ? ctx.identity.name.slice(0, 30) : 'System'
  const now = new Date()
  const all: Input =
    mode === 'create'
      ? { created_by: by, updated_by: by, date_created: now, date_updated: now }
      : { updated_by: by, date_updated: now }
  return Object.fromEntries(Object.entries(all).filter(([name]) => columnOf(table, name)))
}

const newRow = ({ served, ctx }: Writing): Input => ({
  ...defaultsOf(served.resource.fields),
  ...served.binding.defaults?.(ctx),
})

/** The column that says whose a new row is. */
function ownerOf({ served, ctx }: Writing, orgId: OrgId): [string, unknown][] {
  const { rows } = served.binding
  if (rows.of === 'org' || rows.of === 'shared') return [[rows.column.name, orgId]]
  return rows.of === 'own' ? [[rows.column.name, callerOf(ctx)[rows.by]]] : []
}

interface Given {
  body: unknown
  before: StoredRow | undefined
}
interface Ready {
  saving: Saving
  orgId: OrgId
  values: Values
}

/** Parses and checks all rows, and lets the binding have its say. @throws ValidationError with the problems of every row. */
async function prepare(writing: Writing, mode: Mode, given: readonly Given[]): Promise<Ready[]> {
  const { served, ctx, secrets } = writing
  const faults = new Faults(given)
  const parsed: { input: Input; before: StoredRow | undefined }[] = []
  for await (const [at, row] of inPieces(given.entries()))
    parsed.push({
      input: (await faults.of(at, () => read(writing, mode, row))) ?? {},
      before: row.before,
    })
  const orgs = await organizationsOf(served, ctx, parsed)
  faults.addAll(await makeNamed(served, ctx, parsed, orgs))
  faults.addAll(await referenceProblems(served, ctx, parsed, orgs))
  const defaults = mode === 'create' ? newRow(writing) : {}
  const stamped = stamps(writing, mode)
  const batch = createBatch(parsed)
  const ready: Ready[] = []
  for await (const [at, { input: own, before }] of inPieces(parsed.entries())) {
    const sent = { ...copiedInput(defaults), ...own }
    const input = faults.isFine(at)
      ? await faults.of(at, () => wholeInput(served.resource.fields, sent, before))
      : sent
    const saving = { mode, input: input ?? sent, before, batch } as Saving
    if (served.binding.prepare && faults.isFine(at))
      saving.input = (await faults.of(at, () => served.binding.prepare?.(ctx, saving))) ?? saving.input
    // The server's stamps win over what is sent, the binding's own values over the stamps.
    const columns = columnsOf(served, ctx, secrets, { ...stamped, ...saving.input }, before)
    if (mode === 'create') for (const [name, value] of ownerOf(writing, orgs[at])) columns.set(name, value)
    ready.push({ saving, orgId: orgs[at], values: columns })
  }
  const fine = [...ready.keys()].filter((at) => faults.isFine(at))
  const unique = await uniqueProblems(
    served,
    ctx,
    fine.flatMap((at) => {
      const row = ready[at]
      return row ? [{ values: row.values, before: row.saving.before }] : []
    }),
  )
  for (const [index, at] of fine.entries()) faults.add(at, unique[index] ?? {})
  await faults.check()
  return ready
}

function createBatch(given: Batch['given']): Batch {
  const loaded = new Map<string, Promise<unknown>>()
  return {
    size: given.length,
    given,
    once: <T>(key: string, load: () => Promise<T>) => {
      const known = loaded.get(key) ?? load()
      loaded.set(key, known)
      return known as Promise<T>
    },
  }
}

/** A single row's problems are its own, not a list of one. */
async function alone<T>(work: () => Promise<readonly T[]>): Promise<T> {
  try {
    const [row] = await work()
    if (row === undefined) throw new Error('a written row was not answered')
    return row
  } catch (error) {
    if (error instanceof ValidationError && Array.isArray(error.problems) && error.problems[0])
      throw new ValidationError(error.problems[0])
    throw error
  }
}

export const createRow = (writing: Writing, body: unknown): Promise<StoredRow> =>
  alone(() => createRows(writing, [body]))

export async function createRows(writing: Writing, bodies: readonly unknown[]): Promise<StoredRow[]> {
  const { served, ctx } = writing
  const { resource, binding } = served
  if (bodies.length === 0) return []
  if (resource.scope === 'org' && binding.rows.of !== 'shared' && ctx.org.is_root)
    throw new ApiError(400, 'root_organization_write')
  await binding.locking?.(ctx)
  const ready = await prepare(
    writing,
    'create',
    bodies.map((body) => ({ body, before: undefined })),
  )
  const stored = await unlessTaken(served, () =>
    insertRows(
      served,
      ctx,
      ready.map(({ values }) => values),
    ),
  )
  return await finish(writing, 'create', ready, stored)
}

/** `check` has its say about the row as it is, once nobody else can change it and the caller may. */
export async function updateRow(
  writing: Writing,
  key: string,
  mode: Mode,
  body: unknown,
  check: (before: StoredRow) => void,
): Promise<StoredRow> {
  const { served, ctx } = writing
  const before = await storedRow(served, ctx, identifiedBy(served, key), { lock: true })
  if (before === undefined) throw missing(served)
  checkChange(writing, before, 'update')
  check(before)
  return await alone(() => updateRows(writing, mode, [{ before, body }]))
}

/** Changes rows that were read and locked before. */
export async function updateRows(
  writing: Writing,
  mode: Mode,
  rows: readonly { before: StoredRow; body: unknown }[],
): Promise<StoredRow[]> {
  const { served, ctx } = writing
  for (const { before } of rows) checkChange(writing, before, 'update')
  const ready = await prepare(writing, mode, rows)
  const stored = await unlessTaken(served, () =>
    updateStored(
      served,
      ctx,
      ready.flatMap(({ saving: { before }, values }) => (before ? [{ before, values }] : [])),
    ),
  )
  return await finish(writing, mode, ready, stored)
}

/** Stores the values of a row that was read, parsed and checked before, with the kernel's stamps; nothing else follows from it. */
export async function storeRow(writing: Writing, before: StoredRow, input: Input): Promise<void> {
  const { served, ctx, secrets } = writing
  const values = columnsOf(served, ctx, secrets, { ...stamps(writing, 'patch'), ...input }, before)
  await unlessTaken(served, () => updateStored(served, ctx, [{ before, values }]))
}

/** Makes the caller's own row of a table that has one for each person, of the defaults; leaves the one that is there. */
export async function makeOwnRow(writing: Writing): Promise<void> {
  const { served, ctx, secrets } = writing
  const { table } = served.binding
  const defaults = {
    ...stamps(writing, 'create'),
    ...wholeInput(served.resource.fields, newRow(writing), undefined),
  }
  const values = [...columnsOf(served, ctx, secrets, defaults, undefined), ...ownerOf(writing, undefined)]
  const names = values.map(([name]) => sql.identifier(name))
  const given = values.map(([, value]) => sql`${value}`)
  await ctx.db.execute(
    sql`insert into ${table} (${sql.join(names, sql`, `)}) values (${sql.join(given, sql`, `)}) on conflict do nothing`,
  )
}

async function finish(
  writing: Writing,
  mode: Mode,
  ready: readonly Ready[],
  stored: readonly StoredRow[],
): Promise<StoredRow[]> {
  const { served, ctx, secrets } = writing
  const written = ready.map(({ saving, orgId }, at): Saved & { orgId: OrgId; isNew: boolean } => {
    const after = stored[at] ?? {}
    const id = after['id'] as string | number
    return { ...saving, orgId, isNew: mode === 'create', id: String(id), after }
  })
  await setLinks(
    served,
    ctx,
    written.map((row) => ({ ...row, id: row.after['id'] as string | number })),
  )
  await unlessTaken(served, async () => served.binding.saved?.(ctx, written))
  const ids = stored.map((row) => row['id'])
  const rows = await storedRows(
    served,
    ctx,
    sql`${served.binding.table.id} = any(${arrayOf(ids, served.binding.table.id)})`,
  )
  const known = new Map<unknown, StoredRow>(rows.map((row) => [row['id'], row]))
  const after = ids.map((id) => known.get(id)).filter((row) => row !== undefined)
  if (after.length < ids.length) throw missing(served)
  const changes = await Array.fromAsync(
    inPieces(written.entries()),
    ([at, { id, input, before }]): Changed => ({
      type: mode === 'create' ? 'created' : 'updated',
      resource: served.resource,
      id,
      before,
      after: after[at],
      secrets: hiddenChanges(served, secrets, input, before, after[at] ?? {}),
    }),
  )
  await ctx.emit(...changes)
  return after
}

/** Names of write-only values, at any depth, that are others than before. */
function hiddenChanges(
  served: Served,
  secrets: Secrets,
  input: Input,
  before: StoredRow | undefined,
  after: StoredRow,
): string[] {
  return Object.entries(served.resource.fields).flatMap(([name, field]) => {
    if (input[name] === undefined || !mayHide(field)) return []
    const column = storedIn(served, name, field)
    // What is kept elsewhere, or in another form, cannot be compared.
    if (column === undefined) return field.kind.kind === 'secret' && input[name] ? [name] : []
    const now = hiddenValues(name, field, after[column.name], secrets)
    const old = hiddenValues(name, field, before?.[column.name], secrets)
    return [...new Set([...now.keys(), ...old.keys()])].filter((path) => now.get(path) !== old.get(path))
  })
}
const mayHide = ({ kind, options }: Field): boolean =>
  options.writeOnly === true ||
  ((kind.kind === 'object' || kind.kind === 'objects') &&
    Object.values(kind.fields).some((field) => mayHide(field)))

/** By the binding's policy; and rows of all organizations are changed in the view of all of them only. */
function checkChange({ served, ctx }: Writing, row: StoredRow, action: 'update' | 'delete'): void {
  const { rows } = served.binding
  if (rows.of === 'shared' && row[rows.column.name] === null && !ctx.org.is_root)
    throw forbidden('shared_row')
  checkMay(served, ctx, row, action)
}

/** Removes rows that were read before; all or none. */
export async function deleteRows(writing: Writing, rows: readonly StoredRow[]): Promise<void> {
  const { served, ctx } = writing
  const { binding, resource } = served
  for (const row of rows) checkChange(writing, row, 'delete')
  if (rows.length === 0) return
  await binding.removing?.(ctx, rows)
  const ids = arrayOf(
    rows.map((row) => row['id']),
    binding.table.id,
  )
  await unlessReferenced(() =>
    ctx.db.execute(sql`delete from ${binding.table} where ${binding.table.id} = any(${ids})`),
  )
  await ctx.emit(
    ...rows.map((row) => ({
      type: 'deleted' as const,
      resource,
      id: String(row['id']),
      before: row,
      after: undefined,
      secrets: [],
    })),
  )
}
