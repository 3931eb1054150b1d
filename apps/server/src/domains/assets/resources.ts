/** Nodes, domains, labels and favourites. */
import { Domain, FavoriteAsset, Label, Node, serverTexts } from '@sallyport/contract'
import { and, eq, inArray, isNull, not, sql } from 'drizzle-orm'
import { type Context, callerOf } from '../../kernel/context.ts'
import { invalid, ValidationError } from '../../kernel/errors.ts'
import { type Input, type Saving, serve, type Served, type Through } from '../../kernel/resource/binding.ts'
import type { Implementations } from '../../kernel/resource/calls.ts'
import { org, own } from '../../kernel/resource/rows.ts'
import { type AccountsOfAssets, isGateway } from './assets.ts'
import { favoriteCalls } from './calls.ts'
import {
  checkName,
  checkRename,
  ensurePath,
  ensureRoot,
  fullValue,
  nextName,
  pathOfFullValue,
  removeBelow,
  type StoredNode,
  tree,
} from './nodes.ts'
import { assetRelation } from './reading.ts'
import { assetLabels, assets, domains, favoriteAssets, labels, nodes } from './tables.ts'

const byOf = (ctx: Context) => ctx.identity?.name.slice(0, 30) ?? 'System'

async function parentOf(
  ctx: Context,
  input: Input,
): Promise<{ parent: StoredNode; value: string | undefined }> {
  const root = await ensureRoot(ctx.db, ctx.org)
  const full = input['full_value'] as string | undefined
  if (full) {
    const path = pathOfFullValue(root, full)
    const value = path.pop()
    if (value === undefined) throw invalid('full_value', 'node_name_taken')
    return { parent: await ensurePath(ctx.db, root, path, byOf(ctx)), value }
  }
  const under = input['parent'] as StoredNode | undefined
  return { parent: under ?? root, value: (input['value'] as string | null | undefined) ?? undefined }
}

async function prepareNode(ctx: Context, { mode, input, before }: Saving): Promise<Input> {
  if (mode === 'create') {
    const { parent, value } = await parentOf(ctx, input)
    const called = value || (await nextName(ctx.db, parent, serverTexts[ctx.language].new_node))
    checkName(called)
    return await tree.child(ctx.db, parent, called)
  }
  const value = input['value'] as string | null | undefined
  if (!value) return {}
  await checkRename(ctx.db, before as unknown as StoredNode, value)
  return { value }
}

export const nodeServed = (calls: Implementations<(typeof Node)['calls']>): Served =>
  serve(Node, {
    table: nodes,
    rows: org(nodes.org_id),
    // The root of the tree goes with its organization.
    held: { statistic: 'nodes_amount', goes: isNull(nodes.parent_id) },
    locking: (ctx) => tree.lock(ctx.db, ctx.org),
    computed: { key: tree.key(), name: sql`${nodes.value}`, full_value: fullValue },
    filters: { key: (value) => eq(nodes.id, tree.idOf(value)) },
    orders: { key: tree.numbers() },
    searches: [tree.found],
    prepare: prepareNode,
    removing: removeBelow,
    calls,
  })
const membersOf = (condition: ReturnType<typeof sql>) =>
  sql`(select coalesce(json_agg(json_build_object('id', ${assets.id}, 'name', ${assets.name}) order by ${assets.name}), '[]'::json) from ${assets} where ${assets.domain_id} = ${domains.id} and ${condition})`

/** The gateways of a domain stay; its other assets become the given ones. */
async function setMembers(
  ctx: Context,
  accountsOf: AccountsOfAssets,
  domain: { id: string; org_id: string },
  ids: readonly string[],
) {
  const list = sql`${sql.param(ids)}::uuid[]`
  const found = await ctx.db.execute<{ id: string }>(
    sql`select id from ${assets} where id = any(${list}) and org_id = ${domain.org_id}`,
  )
  const known = new Set(found.rows.map(({ id }) => id))
  const missing = ids.find((id) => !known.has(id))
  if (missing) throw invalid('assets', 'does_not_exist', { pk: missing })
  const moved = await ctx.db.execute<{ id: string }>(
    sql`select id from ${assets} where (${assets.domain_id} = ${domain.id}) is distinct from (id = any(${list})) and (${assets.domain_id} = ${domain.id} or id = any(${list})) and not ${isGateway}`,
  )
  await accountsOf.checkMayMove(
    ctx,
    moved.rows.map(({ id }) => id),
  )
  await ctx.db.execute(
    sql`update ${assets} set domain_id = null where ${assets.domain_id} = ${domain.id} and not ${isGateway} and ${assets.id} <> all(${list})`,
  )
  await ctx.db.execute(
    sql`update ${assets} set domain_id = ${domain.id} where ${assets.id} = any(${list}) and not ${isGateway}`,
  )
}

export const domainServed = (accountsOf: AccountsOfAssets): Served =>
  serve(Domain, {
    table: domains,
    rows: org(domains.org_id),
    held: { statistic: 'domains_amount' },
    computed: { assets: membersOf(sql`not ${isGateway}`), gateways: membersOf(isGateway) },
    saved: async (ctx, rows) => {
      for (const { input, id, after } of rows) {
        if (input.assets !== undefined)
          await setMembers(ctx, accountsOf, { id, org_id: after.org_id }, input.assets)
      }
    },
    removing: async (ctx, rows) => {
      const held = await ctx.db
        .select({ id: assets.id })
        .from(assets)
        .where(
          and(
            inArray(
              assets.domain_id,
              rows.map(({ id }) => id),
            ),
            not(isGateway),
          ),
        )
      await accountsOf.checkMayMove(
        ctx,
        held.map(({ id }) => id),
      )
    },
  })

const assetsOfLabel: Through = {
  link: assetLabels,
  from: assetLabels.label_id,
  to: assetLabels.asset_id,
  target: assetRelation,
}
export const labelServed = serve(Label, {
  table: labels,
  rows: org(labels.org_id),
  relations: { assets: assetsOfLabel },
  computed: {
    asset_count: sql`(select count(*)::integer from ${assetLabels} where ${assetLabels.label_id} = ${labels.id})`,
  },
})

export const favoriteServed = serve(FavoriteAsset, {
  table: favoriteAssets,
  rows: own(favoriteAssets.user_id),
  relations: { asset: assetRelation },
  calls: favoriteCalls,
  prepare: async (ctx, { input }) => {
    const user_id = callerOf(ctx).id
    const asset = String(input.asset)
    const twice = await ctx.db
      .select({ id: favoriteAssets.id })
      .from(favoriteAssets)
      .where(and(eq(favoriteAssets.user_id, user_id), eq(favoriteAssets.asset, asset)))
    if (twice.length > 0)
      throw new ValidationError({
        non_field_errors: [{ key: 'unique_set', params: { fields: 'user, asset' } }],
      })
    return input
  },
})
