/** The labels of an asset, as they are written with it (assets.md 8). They are those of other assets, too. */
import { Label } from '@sallyport/contract'
import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import { forbidden, invalid } from '../../kernel/errors.ts'
import { assetLabels, labels } from './tables.ts'

interface GivenLabel {
  id?: string | null
  name?: string
  value?: string
}

/** Replaces the labels of an asset: known ones by id, others by name and value, made when there is none. */
export async function setLabels(
  ctx: Context,
  asset: { id: string; org_id: string; isNew: boolean },
  given: readonly GivenLabel[],
): Promise<void> {
  if (given.length === 0 && asset.isNew) return
  const ids: string[] = []
  for (const { id, ...named } of given)
    ids.push(id ? await knownLabel(ctx, asset.org_id, id, named) : await labelNamed(ctx, asset.org_id, named))
  await ctx.db.delete(assetLabels).where(eq(assetLabels.asset_id, asset.id))
  if (ids.length > 0)
    await ctx.db
      .insert(assetLabels)
      .values([...new Set(ids)].map((label_id) => ({ asset_id: asset.id, label_id })))
}

/** The wire has it that another name or value changes the label, of all assets: whoever may do that may do it here. */
async function knownLabel(
  ctx: Context,
  orgId: string,
  id: string,
  { name, value }: GivenLabel,
): Promise<string> {
  const where = and(eq(labels.id, id), eq(labels.org_id, orgId))
  const [before] = await ctx.db.select().from(labels).where(where)
  if (before === undefined) throw invalid('labels', 'does_not_exist', { pk: id })
  const changes = { name: name || before.name, value: value || before.value }
  if (changes.name === before.name && changes.value === before.value) return id
  if (!ctx.can('assets.change_label')) throw forbidden()
  const [after] = await ctx.db.update(labels).set(changes).where(where).returning()
  await ctx.emit({ type: 'updated', resource: Label, id, before, after, secrets: [] })
  return id
}

async function labelNamed(ctx: Context, orgId: string, { name, value }: GivenLabel): Promise<string> {
  if (!name || !value) throw invalid('labels', 'label_incomplete')
  const [found] = await ctx.db
    .insert(labels)
    .values({ name, value, org_id: orgId, created_by: ctx.identity?.name.slice(0, 30) ?? 'System' })
    .onConflictDoUpdate({
      target: [labels.org_id, labels.name, labels.value],
      set: { date_updated: sql`now()` },
    })
    // PostgreSQL's mark of a row that was there before and is locked or changed by this statement.
    .returning({ ...getTableColumns(labels), isNew: sql<boolean>`xmax = 0` })
  if (found === undefined) throw new Error('the label was not stored')
  const { isNew, ...after } = found
  if (isNew)
    await ctx.emit({ type: 'created', resource: Label, id: after.id, before: undefined, after, secrets: [] })
  return after.id
}
