/** Trees as the wire has them: flat lists of nodes and assets that name their parent. */
import type { Context } from '../../kernel/context.ts'
import type { Executor } from '../../kernel/database/index.ts'
import { type SQL, sql } from 'drizzle-orm'
import { serverTexts, translate, type TreeNode } from '@sallyport/contract'
import { bounded, idsAsTheyStand, maxTreeRows } from '../../kernel/tree/tree.ts'
import { tree } from './nodes.ts'
import {
  assetCounts,
  assetNodeCounts,
  assetNodes,
  assets,
  nodeBranches,
  nodes,
  platforms,
  sharedAssets,
} from './tables.ts'

/** Trees are read level by level; nothing answers more than this at once. Read one more, so that `cutTree` can tell. */
export const readAtMost = maxTreeRows + 1

/** As much of a tree as is answered at once; when there is more, its last entry says so. */
export function cutTree(ctx: Context, entries: readonly TreeNode[]): TreeNode[] {
  const { rows, isCut } = bounded(entries)
  if (!isCut) return [...rows]
  const said = translate(serverTexts, ctx.language, 'tree_cut', { max: maxTreeRows })
  return [
    ...rows,
    {
      id: 'cut',
      name: said,
      title: said,
      pId: rows.at(-1)?.pId ?? '',
      isParent: false,
      open: false,
      chkDisabled: true,
      meta: { type: 'notice' },
    },
  ]
}

export interface ReadNode {
  id: string
  key: string
  value: string
  amount: number
  has_children: boolean
}

export const hasChildren: SQL = sql`exists (select 1 from nodes as child where child.parent_id = ${nodes.id})`

/** A node before its assets are counted. */
type Uncounted = Omit<ReadNode, 'amount'> & { parent_id: string | null; org_id: string }

/** Nodes with the number of assets below. */
export async function readNodes(ctx: Context, where: SQL): Promise<ReadNode[]> {
  const page = tree.keyed(
    sql`select * from ${nodes} where ${where} order by ${nodes.value}, ${nodes.id} limit ${readAtMost}`,
  )
  const found = await ctx.db.execute<Uncounted & Record<string, unknown>>(
    sql`select id, parent_id, org_id, key, value, ${hasChildren} as has_children from (${page}) as nodes order by value, id`,
  )
  const below = await assetsBelow(
    ctx,
    found.rows.filter(({ parent_id }) => parent_id !== null),
  )
  const inOrgs = await assetsOfOrgs(
    ctx,
    found.rows.filter(({ parent_id }) => parent_id === null),
  )
  return found.rows.map(({ parent_id, org_id, ...node }) => ({
    ...node,
    amount: (parent_id === null ? inOrgs.get(org_id) : below.get(node.id)) ?? 0,
  }))
}

async function amounts(ctx: Context, query: SQL): Promise<ReadonlyMap<string, number>> {
  const found = await ctx.db.execute<{ id: string; amount: number }>(query)
  return new Map(found.rows.map(({ id, amount }) => [id, amount]))
}

/** Query of where assets lie that lie in several nodes, or did: `asset_id`, `node_id`. They are few, and all others count by the node. */
export const inSeveralNodes: SQL = sql`select asset_id, node_id from ${assetNodes}
  where asset_id in (select asset_id from ${sharedAssets})`

/** Adds those that a trigger has not told of. @returns how many */
export async function healShared(db: Executor): Promise<number> {
  const { rows } = await db.execute(
    sql`insert into ${sharedAssets} (asset_id) select asset_id from ${assetNodes} group by asset_id having count(*) > 1
      except select asset_id from ${sharedAssets} returning asset_id`,
  )
  return rows.length
}

/** Distinct assets in nodes and below, by node: those of each node are known, and who is in several of them is counted once. */
async function assetsBelow(ctx: Context, rows: readonly Uncounted[]) {
  if (rows.length === 0) return new Map<string, number>()
  const all = idsAsTheyStand(rows.map(({ id }) => id))
  const parents = idsAsTheyStand(rows.filter(({ has_children }) => has_children).map(({ id }) => id))
  return await amounts(
    ctx,
    sql`with placed (asset_id, node_id) as materialized (${inSeveralNodes}),
      within (id, node_id) as materialized (
        select id, id from unnest(${all}) as id
        union all
        select branch.ancestor_id, child.id from ${nodeBranches} as branch
          join ${nodes} as child on child.parent_id = branch.branch_id where branch.ancestor_id = any(${parents})),
      held (id, amount) as (
        select within.id, kept.amount from within join ${assetNodeCounts} as kept on kept.node_id = within.node_id
        union all
        select within.id, 1 - count(*) from placed join within on within.node_id = placed.node_id
          group by within.id, placed.asset_id having count(*) > 1)
      select id, sum(amount)::integer as amount from held group by id`,
  )
}

/** Assets of the organizations of roots, by organization: every asset lies in a node of its own organization. */
async function assetsOfOrgs(ctx: Context, roots: readonly Uncounted[]) {
  if (roots.length === 0) return new Map<string, number>()
  const orgs = idsAsTheyStand(roots.map(({ org_id }) => org_id))
  return await amounts(
    ctx,
    sql`select org_id as id, sum(amount)::integer as amount from ${assetCounts} where org_id = any(${orgs}) group by org_id`,
  )
}

/** The key of the node above; empty of a root. */
export const parentKeyOf = (key: string) => key.slice(0, Math.max(0, key.lastIndexOf(':')))

export const nodeOfTree = (
  node: ReadNode,
  options: { open?: boolean; withAssets?: boolean } = {},
): TreeNode => ({
  id: node.key,
  name: `${node.value} (${node.amount})`,
  title: `${node.value} (${node.amount})`,
  pId: parentKeyOf(node.key),
  isParent: node.has_children || (options.withAssets === true && node.amount > 0),
  open: options.open ?? !node.key.includes(':'),
  meta: { type: 'node', data: { id: node.id, key: node.key, value: node.value } },
})

export async function readTreeAssets(ctx: Context, where: SQL, pId: string | SQL): Promise<TreeNode[]> {
  const found = await ctx.db.execute<{
    id: string
    name: string
    address: string
    is_active: boolean
    org_id: string
    type: string
    sftp: boolean
    category: string
    p_id: string
  }>(
    sql`select ${assets.id} as id, ${assets.name} as name, ${assets.address} as address,
        ${assets.is_active} as is_active, ${assets.org_id} as org_id, ${platforms.type} as type,
        ${platforms.category} as category,
        ${platforms.protocols} @> '[{"name": "ssh", "setting": {"sftp_enabled": true}}]' as sftp, ${pId} as p_id
      from ${assets}
      join ${platforms} on ${platforms.id} = ${assets.platform_id}
      where ${where}
      order by ${assets.name}, ${assets.id}
      limit ${readAtMost}`,
  )
  return found.rows.map((row) => ({
    id: row.id,
    name: row.name,
    title: row.address,
    pId: row.p_id,
    isParent: false,
    open: false,
    iconSkin: row.type,
    chkDisabled: !row.is_active,
    meta: {
      type: 'asset',
      data: {
        platform_type: row.type,
        category: row.category,
        org_name: ctx.orgName(row.org_id),
        sftp: row.sftp,
      },
    },
  }))
}
