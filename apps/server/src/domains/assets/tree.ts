/** Trees as the wire has them (kernel.md 18): flat lists of nodes and assets that name their parent. */
import type { Context } from '../../kernel/context.ts'
import { type SQL, sql } from 'drizzle-orm'
import { serverTexts, translate, type TreeNode } from '@sallyport/contract'
import { bounded, maxTreeRows } from '../../kernel/tree/tree.ts'
import { assetsAmount } from './nodes.ts'
import { assets, nodes, platforms } from './tables.ts'

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
  parent_key: string
  value: string
  amount: number
  has_children: boolean
}

export const hasChildren: SQL = sql`exists (select 1 from nodes as child where child.parent_key = ${nodes.key})`

/** Nodes with the number of assets below; `amount` counts other than all assets (a person's, say). */
export async function readNodes(ctx: Context, where: SQL, amount: SQL = assetsAmount): Promise<ReadNode[]> {
  const found = await ctx.db.execute<ReadNode & Record<string, unknown>>(
    sql`select ${nodes.id} as id, ${nodes.key} as key, ${nodes.parent_key} as parent_key, ${nodes.value} as value, ${amount} as amount, ${hasChildren} as has_children from ${nodes} where ${where} order by ${nodes.value}, ${nodes.key} limit ${readAtMost}`,
  )
  return found.rows
}

export const nodeOfTree = (
  node: ReadNode,
  options: { open?: boolean; withAssets?: boolean } = {},
): TreeNode => ({
  id: node.key,
  name: `${node.value} (${node.amount})`,
  title: `${node.value} (${node.amount})`,
  pId: node.parent_key,
  isParent: node.has_children || (options.withAssets === true && node.amount > 0),
  open: options.open ?? node.parent_key === '',
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
    sql`select ${assets.id} as id, ${assets.name} as name, ${assets.address} as address, ${assets.is_active} as is_active, ${assets.org_id} as org_id, ${platforms.type} as type, ${platforms.category} as category, ${platforms.protocols} @> '[{"name": "ssh", "setting": {"sftp_enabled": true}}]' as sftp, ${pId} as p_id from ${assets} join ${platforms} on ${platforms.id} = ${assets.platform_id} where ${where} order by ${assets.name}, ${assets.id} limit ${readAtMost}`,
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
