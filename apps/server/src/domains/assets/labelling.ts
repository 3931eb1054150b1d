/** The labels of assets, as they are written with them. They are those of other assets, too. */
import { addProblem, Label, type Problem, type Problems } from '@sallyport/contract'
import { inArray, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import { forbidden, ValidationError } from '../../kernel/errors.ts'
import { inPieces } from '../../kernel/pieces.ts'
import { assetLabels, labels } from './tables.ts'

interface GivenLabel {
  id?: string | null
  name?: string
  value?: string
}
interface Labelled {
  id: string
  org_id: string
  isNew: boolean
  /** Undefined: they stay as they are. */
  given: readonly GivenLabel[] | undefined
}
type StoredLabel = typeof labels.$inferSelect

/** Of one asset. */
export const maxLabels = 100
/** New ones, made by one write. */
const maxMade = 2000

/**
 * Replaces the labels of assets: known ones by id, others by name and value, made where there is none. However many they are, they are
 * read and written with a handful of statements.
 * @throws ValidationError with the problems of each asset, ApiError 403 on another name or value of a label that the caller may not change
 */
export async function setLabels(ctx: Context, assets: readonly Labelled[]): Promise<void> {
  const written = assets.filter(({ given, isNew }) => given && (given.length > 0 || !isNew))
  if (written.length === 0) return
  const problems = new Map(assets.map((asset): [Labelled, Problems] => [asset, {}]))
  const tell = (asset: Labelled, problem: Problem) =>
    addProblem(problems.get(asset) ?? {}, ['labels'], problem)
  const named = new Map<string, Wanted>()
  const byId = await knownLabels(ctx, written)
  for await (const asset of inPieces(written))
    for (const { id, name, value } of asset.given ?? [])
      if (id) {
        if (byId.get(id)?.org_id !== asset.org_id) tell(asset, { key: 'does_not_exist', params: { pk: id } })
      } else if (!name || !value) tell(asset, { key: 'label_incomplete' })
      else named.set(keyOf({ org_id: asset.org_id, name, value }), { org_id: asset.org_id, name, value })
  const told = [...problems.values()]
  if (told.some((row) => Object.keys(row).length > 0)) throw new ValidationError(told)
  await changeLabels(ctx, byId, written)
  const byName = await labelsNamed(ctx, [...named.values()])
  const pairs = written.flatMap((asset) =>
    (asset.given ?? []).map(
      ({ id, name = '', value = '' }) =>
        [asset.id, id || byName.get(keyOf({ org_id: asset.org_id, name, value }))] as const,
    ),
  )
  const old = written.filter(({ isNew }) => !isNew).map(({ id }) => id)
  if (old.length > 0)
    await ctx.db.execute(
      sql`delete from ${assetLabels} where asset_id = any(${sql.param(old)}::uuid[]) and (asset_id, label_id) not in (${pairsOf(pairs)})`,
    )
  if (pairs.length > 0)
    await ctx.db.execute(
      sql`insert into ${assetLabels} (asset_id, label_id) ${pairsOf(pairs)} on conflict do nothing`,
    )
}

type Wanted = Pick<StoredLabel, 'org_id' | 'name' | 'value'>
const keyOf = ({ org_id, name, value }: Wanted) => JSON.stringify([org_id, name, value])

const pairsOf = (pairs: readonly (readonly [string, string | undefined])[]) =>
  sql`select * from unnest(${sql.param(pairs.map(([asset]) => asset))}::uuid[], ${sql.param(pairs.map(([, label]) => label))}::uuid[])`

async function knownLabels(
  ctx: Context,
  assets: readonly Labelled[],
): Promise<ReadonlyMap<string, StoredLabel>> {
  const ids = new Set(assets.flatMap(({ given = [] }) => given.flatMap(({ id }) => id || [])))
  if (ids.size === 0) return new Map()
  const found = await ctx.db
    .select()
    .from(labels)
    .where(inArray(labels.id, [...ids]))
  return new Map(found.map((label) => [label.id, label]))
}

/** The wire has it that another name or value changes the label, of all assets: whoever may do that may do it here. */
async function changeLabels(
  ctx: Context,
  known: ReadonlyMap<string, StoredLabel>,
  assets: readonly Labelled[],
): Promise<void> {
  const changes = new Map<string, StoredLabel>()
  for (const { id, name, value } of assets.flatMap(({ given = [] }) => given)) {
    const before = id ? (changes.get(id) ?? known.get(id)) : undefined
    if (before === undefined) continue
    const after = { ...before, name: name || before.name, value: value || before.value }
    if (after.name !== before.name || after.value !== before.value) changes.set(before.id, after)
  }
  if (changes.size === 0) return
  if (!ctx.can('assets.change_label')) throw forbidden()
  const changed = [...changes.values()]
  await ctx.db.execute(
    sql`update ${labels} as label set name = given.name, value = given.value
      from unnest(${sql.param(changed.map(({ id }) => id))}::uuid[], ${sql.param(changed.map(({ name }) => name))}::text[],
        ${sql.param(changed.map(({ value }) => value))}::text[]) as given (id, name, value) where label.id = given.id`,
  )
  await ctx.emit(
    ...changed.map((after) => ({
      type: 'updated' as const,
      resource: Label,
      id: after.id,
      before: known.get(after.id),
      after,
      secrets: [],
    })),
  )
}

/** The ids of labels by name and value. Those that are there are not touched: others may write with them meanwhile. */
async function labelsNamed(ctx: Context, wanted: readonly Wanted[]): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>()
  if (wanted.length === 0) return ids
  // Two who make the same ones wait for each other in the same order.
  const inOrder = wanted.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
  await findNamed(ctx, inOrder, ids)
  const missing = inOrder.filter((label) => !ids.has(keyOf(label)))
  if (missing.length === 0) return ids
  if (missing.length > maxMade)
    throw new ValidationError({ labels: [{ key: 'too_many_names', params: { max: maxMade } }] })
  const created_by = ctx.identity?.name.slice(0, 30) ?? 'System'
  const made = await ctx.db
    .insert(labels)
    .values(missing.map((label) => ({ ...label, created_by })))
    .onConflictDoNothing()
    .returning()
  for (const label of made) ids.set(keyOf(label), label.id)
  await ctx.emit(
    ...made.map((after) => ({
      type: 'created' as const,
      resource: Label,
      id: after.id,
      before: undefined,
      after,
      secrets: [],
    })),
  )
  // What somebody else made meanwhile.
  if (made.length < missing.length) await findNamed(ctx, missing, ids)
  return ids
}

async function findNamed(ctx: Context, wanted: readonly Wanted[], ids: Map<string, string>): Promise<void> {
  const { rows } = await ctx.db.execute<Pick<StoredLabel, 'id'> & Wanted & Record<string, unknown>>(
    sql`select label.id, label.org_id, label.name, label.value
      from unnest(${sql.param(wanted.map(({ org_id }) => org_id))}::uuid[], ${sql.param(wanted.map(({ name }) => name))}::text[],
        ${sql.param(wanted.map(({ value }) => value))}::text[]) as given (org_id, name, value)
      join ${labels} as label on label.org_id = given.org_id and label.name = given.name and label.value = given.value`,
  )
  for (const label of rows) ids.set(keyOf(label), label.id)
}
