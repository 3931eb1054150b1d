/** Nodes: their children, trees and assets. */
import { find, isUuid, models, type Node, type TreeNode } from '@sallyport/contract'
import { and, eq, inArray, isNull, or, sql, type SQL } from 'drizzle-orm'
import { containing } from '../../kernel/database/index.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid, notFound } from '../../kernel/errors.ts'
import type { StoredRow } from '../../kernel/events.ts'
import {
  type CallsOf,
  narrowed,
  type RowOf,
  type SavingOf,
  type Served,
} from '../../kernel/resource/binding.ts'
import type { Called } from '../../kernel/resource/calls.ts'
import { storedRows } from '../../kernel/resource/read.ts'
import { createRow } from '../../kernel/resource/write.ts'
import type { Secrets } from '../../kernel/secrets/index.ts'
import type { TreeRow } from '../../kernel/tree/tree.ts'
import type { AccountsOfAssets } from './assets.ts'
import { suggested } from './calls.ts'
import { typeTree } from './categories.ts'
import { underNode } from './filters.ts'
import { prepareNode } from './node-binding.ts'
import { ensureRoot, fullValue, type StoredNode, tree, withKey } from './nodes.ts'
import { assetNodes, assets, nodes } from './tables.ts'
import { cutTree, nodeOfTree, readNodes, readTreeAssets } from './tree.ts'

type Calls = (typeof Node)['calls']
type Row = RowOf<typeof Node, typeof nodes>

const inOrg = (ctx: Context) => (ctx.org.is_root ? undefined : eq(nodes.org_id, ctx.org.id))

/** The node an id or key names; undefined when none is named. @throws 404 when it does not exist here. */
async function namedNode(
  ctx: Context,
  named: string | undefined,
): Promise<(StoredNode & { key: string }) | undefined> {
  if (named === undefined || named === '') return undefined
  const [found] = await ctx.db
    .select(withKey)
    .from(nodes)
    .where(and(eq(nodes.id, isUuid(named) ? named : tree.idOf(named)), inOrg(ctx)))
  if (found === undefined) throw notFound((language) => find(models, language, 'assets.node') ?? '')
  return found
}
interface Chosen {
  id?: string
  key?: string
  all?: string
}
const isAll = ({ all }: Pick<Chosen, 'all'>) => all !== undefined && ['all', '1', 'true'].includes(all)

/** Below a node: the nodes directly there, or all of them. */
const below = (node: TreeRow, everything: boolean): SQL =>
  everything
    ? sql`(${nodes.id} in (${tree.below(node.id)}) and ${nodes.id} <> ${node.id})`
    : eq(nodes.parent_id, node.id)

/** Which nodes a listing of children shows. */
async function childrenCondition(ctx: Context, chosen: Chosen): Promise<SQL> {
  const node = await namedNode(ctx, chosen.id ?? chosen.key)
  if (node) return below(node, isAll(chosen))
  if (isAll(chosen)) return inOrg(ctx) ?? sql`true`
  if (ctx.org.is_root) return isNull(nodes.parent_id)
  const root = await ensureRoot(ctx.db, ctx.org)
  return or(eq(nodes.id, root.id), eq(nodes.parent_id, root.id)) ?? sql`false`
}

async function addChild(
  ctx: Context,
  secrets: Secrets,
  { served, body }: Pick<Called<Calls['addChild' | 'addChildTo']>, 'served' | 'body'>,
  parent: TreeRow | undefined,
): Promise<StoredRow> {
  const under: Served = {
    ...served,
    binding: {
      ...served.binding,
      prepare: (inside, saving) => prepareNode(inside, saving as SavingOf<typeof Node, typeof nodes>, parent),
    },
  }
  return await createRow({ served: under, ctx, secrets }, body)
}

async function searchTree(ctx: Context, text: string, withAssets: boolean): Promise<TreeNode[]> {
  const pattern = containing(text)
  const org = inOrg(ctx) ?? sql`true`
  const hits = sql`select hit.id
    from ${nodes} as hit
    where hit.value ilike ${pattern}${ctx.org.is_root ? sql`` : sql` and hit.org_id = ${ctx.org.id}`}`
  const found = await readNodes(ctx, sql`${nodes.id} in (${tree.aboveAny(hits)}) and ${org}`)
  const above = found.map((node) => nodeOfTree(node, { open: true, withAssets }))
  if (!withAssets) return cutTree(ctx, above)
  const root = ctx.org.is_root ? undefined : await ensureRoot(ctx.db, ctx.org)
  const held = await readTreeAssets(
    ctx,
    sql`(${assets.name} ilike ${pattern} or ${assets.address} ilike ${pattern})
      ${root ? sql`and ${assets.org_id} = ${root.org_id}` : sql``}`,
    sql`(
      select min(${tree.key()})
      from ${assetNodes}
      join ${nodes} on ${nodes.id} = ${assetNodes.node_id}
      where ${assetNodes.asset_id} = ${assets.id})`,
  )
  return cutTree(ctx, [...above, ...held])
}

async function readTree(
  ctx: Context,
  { search, assets: withAssets = false, ...chosen }: Called<Calls['tree']>['query'],
): Promise<TreeNode[]> {
  if (search !== undefined) return await searchTree(ctx, search, withAssets)
  const named = await namedNode(ctx, chosen.id ?? chosen.key)
  const condition = await childrenCondition(ctx, chosen)
  const found = (await readNodes(ctx, condition)).map((node) => nodeOfTree(node, { withAssets }))
  if (!withAssets) return cutTree(ctx, found)
  const of = named ?? (ctx.org.is_root ? undefined : await ensureRoot(ctx.db, ctx.org))
  if (of === undefined) return cutTree(ctx, found)
  const key = named?.key ?? String(of.number)
  const held = await readTreeAssets(ctx, underNode(of.id, !isAll(chosen)), sql`${key}::text`)
  return cutTree(ctx, [...found, ...held])
}

/** Assets named by their ids that exist here, held as whoever saves their forms holds them; what does not exist is refused. */
async function checkedAssets(ctx: Context, wanted: readonly string[], orgId: string) {
  const unique = [...new Set(wanted)]
  if (unique.length === 0) return []
  const found = await ctx.db
    .select({ id: assets.id, name: assets.name })
    .from(assets)
    .where(and(inArray(assets.id, unique), eq(assets.org_id, orgId)))
    .orderBy(assets.id)
    .for('no key update')
  const known = new Set(found.map(({ id }) => id))
  const missing = unique.find((id) => !known.has(id))
  if (missing) throw invalid('assets', 'does_not_exist', { pk: missing })
  return found
}

async function changeAssets(
  ctx: Context,
  { row: node, body }: Pick<Called<Calls['addAssets'], unknown, Row>, 'row' | 'body'>,
  how: 'add' | 'remove' | 'replace',
) {
  const given = await checkedAssets(ctx, body.assets, node.org_id)
  if (given.length > 0) {
    const list = sql`${sql.param(given.map((asset) => asset.id))}::uuid[]`
    if (how === 'replace')
      await ctx.db.execute(
        sql`delete from ${assetNodes} where ${assetNodes.asset_id} = any(${list}) and ${assetNodes.node_id} <> ${node.id}`,
      )
    if (how === 'remove') {
      await ctx.db.execute(
        sql`delete from ${assetNodes} where ${assetNodes.asset_id} = any(${list}) and ${assetNodes.node_id} = ${node.id}`,
      )
      const root = await ensureRoot(ctx.db, { id: node.org_id, name: ctx.orgName(node.org_id) })
      await ctx.db.execute(
        sql`insert into ${assetNodes} (asset_id, node_id)
          select item, ${root.id}::uuid
          from unnest(${list}) as item
          where not exists (select 1 from ${assetNodes} where ${assetNodes.asset_id} = item)`,
      )
    } else
      await ctx.db.execute(
        sql`insert into ${assetNodes} (asset_id, node_id)
          select item, ${node.id}::uuid
          from unnest(${list}) as item
          on conflict do nothing`,
      )
    const [named] = await ctx.db.select({ path: fullValue }).from(nodes).where(eq(nodes.id, node.id))
    await ctx.emit({
      type: 'happened',
      name: 'assets.node_assets_changed',
      data: { node: { id: node.id, name: String(named?.path), org_id: node.org_id }, assets: given, how },
    })
  }
  const held = await ctx.db.execute<{ id: string }>(
    sql`select ${assetNodes.asset_id} as id from ${assetNodes} where ${assetNodes.node_id} = ${node.id} limit 10000`,
  )
  return { assets: held.rows.map((row) => row.id), org_id: node.org_id, org_name: ctx.orgName(node.org_id) }
}

async function takeChildren(
  ctx: Context,
  { row, body, served, about }: Called<Calls['takeChildren'], unknown, Row>,
) {
  const moving = await storedRows(served, ctx, inArray(nodes.id, body.nodes))
  about(moving.filter((one) => one['parent_id'] !== row.id))
  await tree.move(ctx, row, body.nodes)
  return 'OK' as const
}

/** `allAssets` is the list of assets as it is served. */
export const nodeCalls = (
  secrets: Secrets,
  allAssets: Served,
  accountsOf: AccountsOfAssets,
): CallsOf<typeof Node, typeof nodes> => ({
  suggestions: (ctx, { served, sent }) => Promise.resolve(suggested(served, ctx, sent)),
  children: async (ctx, { served, query }) => ({
    served: narrowed(served, await childrenCondition(ctx, query)),
  }),
  childrenOf: (_ctx, { served, row, query }) =>
    Promise.resolve({ served: narrowed(served, below(row, isAll(query))) }),
  addChild: async (ctx, called) =>
    await addChild(ctx, secrets, called, await namedNode(ctx, called.query.id ?? called.query.key)),
  addChildTo: (ctx, called) => addChild(ctx, secrets, called, called.row),
  takeChildren,
  tree: (ctx, { query }) => readTree(ctx, query),
  typeTree: (ctx, { query }) => typeTree(ctx, query, accountsOf),
  assets: (_ctx, { row, query }) =>
    Promise.resolve({ served: narrowed(allAssets, underNode(row.id, !isAll(query))) }),
  addAssets: (ctx, called) => changeAssets(ctx, called, 'add'),
  removeAssets: (ctx, called) => changeAssets(ctx, called, 'remove'),
  replaceAssets: (ctx, called) => changeAssets(ctx, called, 'replace'),
})
