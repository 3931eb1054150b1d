/**
 * What a person was granted, as SQL over the tables of grants. Nothing is kept aside: a grant that is changed counts with the next
 * statement. Each answer joins from the person's grants outwards, so its cost follows what this person was granted, not what exists.
 */
import { type SQL, sql } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Executor } from '../../kernel/database/index.ts'
import { idsAsTheyStand } from '../../kernel/tree/tree.ts'
import { assetNodeCounts, assetNodes, assets, favoriteAssets, nodeTree } from '../assets/index.ts'
import { userGroupMembers } from '../users/index.ts'
import {
  assetPermissions,
  permissionAssets,
  permissionNodes,
  permissionUserGroups,
  permissionUsers,
} from './tables.ts'

// Not now(), which stands still in a transaction: a grant made in it counts at once.
export const isInForce: SQL = sql`(${assetPermissions.is_active}
  and ${assetPermissions.date_start} <= statement_timestamp()
  and ${assetPermissions.date_expired} > statement_timestamp())`

/** Of these grants only, where the caller knows which come into question. */
const amongst = (column: PgColumn, ids: readonly string[] | undefined) =>
  ids === undefined ? sql`` : sql` and ${column} = any(${sql.param(ids)}::uuid[])`

/** Ids of grants that name a person or one of their groups, in force or not; some twice. */
export const grantsNaming = (userId: string, ids?: readonly string[]): SQL =>
  sql`select ${permissionUsers.assetpermission} as id
    from ${permissionUsers}
    where ${permissionUsers.user} = ${userId}${amongst(permissionUsers.assetpermission, ids)}
    union all
    select ${permissionUserGroups.assetpermission}
    from ${permissionUserGroups}
    join ${userGroupMembers} on ${userGroupMembers.usergroup_id} = ${permissionUserGroups.usergroup}
    where ${userGroupMembers.user_id} = ${userId}${amongst(permissionUserGroups.assetpermission, ids)}`

/** Ids of the nodes an asset lies in. */
export const nodesOf = (assetId: string): SQL =>
  sql`select ${assetNodes.node_id} from ${assetNodes} where ${assetNodes.asset_id} = ${assetId}`

/** Ids of grants that name an asset, one of its nodes or a node above, in force or not; some twice. */
export const grantsCovering = (assetId: string, ids?: readonly string[]): SQL =>
  sql`select ${permissionAssets.assetpermission} as id
    from ${permissionAssets}
    where ${permissionAssets.asset} = ${assetId}${amongst(permissionAssets.assetpermission, ids)}
    union all
    select ${permissionNodes.assetpermission}
    from (${nodeTree.aboveAny(nodesOf(assetId))}) as over (id)
    join ${permissionNodes} on ${permissionNodes.node} = over.id
    where true${amongst(permissionNodes.assetpermission, ids)}`

const grantsOfGroup = (groupId: string): SQL =>
  sql`select ${permissionUserGroups.assetpermission} as id
    from ${permissionUserGroups}
    where ${permissionUserGroups.usergroup} = ${groupId}`

/** Whose grants: a person's (with those of their groups), or a group's. */
export type Holder = ({ userId: string } | { groupId: string }) & {
  /** The granted nodes, where they were looked up before (`lookedUp`), and whether thousands of assets lie in and below them. */
  nodes?: readonly string[]
  isLarge?: boolean
}

/** The grants in force of a holder, as a list of ids. */
const inForce = (holder: Holder): SQL =>
  sql`select ${assetPermissions.id}
    from ${assetPermissions}
    where ${isInForce}
      and ${assetPermissions.id} in (${'userId' in holder ? grantsNaming(holder.userId) : grantsOfGroup(holder.groupId)})`

/** Ids of assets granted one by one. */
export const directAssets = (holder: Holder): SQL =>
  sql`select ${permissionAssets.asset} from ${permissionAssets} where ${permissionAssets.assetpermission} in (${inForce(holder)})`

/** Ids of the granted nodes, without those below others of them: many grants of one person may lie within each other. */
export const grantedNodes = (holder: Holder): SQL =>
  holder.nodes
    ? sql`select unnest(${idsAsTheyStand(holder.nodes)})`
    : nodeTree.topmost(
        sql`select ${permissionNodes.node} from ${permissionNodes} where ${permissionNodes.assetpermission} in (${inForce(holder)})`,
      )

/** From here on it is less to look at the assets of a list one by one than to bring together all that were granted. */
const largeGrant = 5000

/** The holder with the granted nodes: what lies below them, perhaps everything there is, is found the sooner when they are known. */
export async function lookedUp<H extends Holder>(db: Executor, holder: H): Promise<H> {
  const found = await db.execute<{ id: string }>(grantedNodes(holder))
  const nodes = found.rows.map(({ id }) => id)
  const counted = await db.execute<{ amount: string }>(
    sql`select coalesce(sum(amount), 0) as amount from ${assetNodeCounts} where node_id in (${nodeTree.belowThese(nodes)})`,
  )
  return { ...holder, nodes, isLarge: Number(counted.rows[0]?.amount) > largeGrant }
}

/** Ids of the granted nodes and of all below them. */
export const belowGranted = (holder: Holder): SQL =>
  holder.nodes ? nodeTree.belowThese(holder.nodes) : nodeTree.belowAny(grantedNodes(holder))

/** Ids of all granted assets. */
export const grantedAssets = (holder: Holder): SQL =>
  sql`${directAssets(holder)}
    union all
    select ${assetNodes.asset_id}
    from ${assetNodes}
    where ${assetNodes.node_id} in (${belowGranted(holder)})`

/** Whether a node is granted itself, or lies below one that is. */
export const isGrantedNode = (holder: Holder, nodeId: SQL): SQL =>
  sql`exists (select 1 from (${nodeTree.aboveAny(sql`select ${nodeId}`)}) as over (id) where over.id in (${grantedNodes(holder)}))`

/** Whether an asset is granted: it lies in a granted node or below one, or was granted by itself. */
export const isGranted = (holder: Holder): SQL =>
  holder.isLarge
    ? sql`(exists (
      select 1
      from ${assetNodes} as place
      where place.asset_id = ${assets.id} and place.node_id in (${belowGranted(holder)}))
      or ${isDirect(holder)})`
    : sql`${assets.id} in (${grantedAssets(holder)})`
export const isDirect = (holder: Holder): SQL => sql`${assets.id} in (${directAssets(holder)})`
export const isFavorite = (userId: string): SQL =>
  sql`${assets.id} in (select ${favoriteAssets.asset} from ${favoriteAssets} where ${favoriteAssets.user_id} = ${userId})`

/**
 * Granted assets in the nodes where they are seen: everything in a granted node and below, and what was granted one by one in each node
 * it lies in. Columns `asset_id`, `node_id`.
 */
export const grantedPairs = (holder: Holder): SQL =>
  sql`select ${assetNodes.asset_id}, ${assetNodes.node_id}
    from ${assetNodes}
    where ${assetNodes.node_id} in (${belowGranted(holder)})
    union
    select ${assetNodes.asset_id}, ${assetNodes.node_id}
    from ${assetNodes}
    where ${assetNodes.asset_id} in (${directAssets(holder)})`
