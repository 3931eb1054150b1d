/** Whom and what grants reach, whether or not they are in force. */
import { AssetGrants, type AssetPermission, isUuid, resource, text, User } from '@sallyport/contract'
import { eq, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import { type CallsOf, narrowed, serve, type Served } from '../../kernel/resource/binding.ts'
import { provide, type Provided } from '../../kernel/resource/calls.ts'
import { identifiedBy, missing, storedRow } from '../../kernel/resource/read.ts'
import { accounts, accountsRead } from '../accounts/index.ts'
import { allAssets, assetNodes, assets, nodeTree } from '../assets/index.ts'
import { people, userGroupMembers, userGroups, users } from '../users/index.ts'
import { grantsCovering, grantsNaming } from './granted.ts'
import {
  assetPermissions,
  permissionAssets,
  permissionNodes,
  permissionUserGroups,
  permissionUsers,
} from './tables.ts'

/** Assets and people of a grant, shown as a pair of id and name. */
const coveredAsset: Served = {
  ...allAssets,
  binding: {
    ...allAssets.binding,
    present: (_ctx, row) => ({
      asset: row['id'],
      asset_display: `${String(row['name'])}(${String(row['address'])})`,
    }),
  },
}
const NamedUser = resource({
  app: User.app,
  model: User.model,
  path: User.path,
  scope: 'system',
  order: ['name'],
  actions: ['list'],
  fields: {
    id: User.fields.id,
    name: text({ search: true, filter: true }),
    username: text({ search: true, filter: true }),
  },
})
const namedUser = serve(NamedUser, {
  table: users,
  rows: people,
  present: (_ctx, row) => ({
    user: row['id'],
    user_display: `${String(row['name'])}(${String(row['username'])})`,
  }),
})

export const coveredAssets = (grant: string): SQL =>
  sql`select ${permissionAssets.asset}
    from ${permissionAssets}
    where ${permissionAssets.assetpermission} = ${grant}
    union
    select ${assetNodes.asset_id}
    from ${assetNodes}
    where ${assetNodes.node_id} in (${nodeTree.belowAny(
      sql`select ${permissionNodes.node} from ${permissionNodes} where ${permissionNodes.assetpermission} = ${grant}`,
    )})`
const peopleOf = (grant: string): SQL =>
  sql`select ${permissionUsers.user}
    from ${permissionUsers}
    where ${permissionUsers.assetpermission} = ${grant}
    union
    select ${userGroupMembers.user_id}
    from ${permissionUserGroups}
    join ${userGroupMembers} on ${userGroupMembers.usergroup_id} = ${permissionUserGroups.usergroup}
    where ${permissionUserGroups.assetpermission} = ${grant}`

function accountsOf(grant: string, listed: readonly string[]): SQL {
  const ofAssets = sql`${accounts.asset_id} in (${coveredAssets(grant)})`
  return listed.includes('@ALL')
    ? ofAssets
    : sql`${ofAssets} and ${accounts.username} = any(${sql.param(listed)}::text[])`
}

const accountsByAsset: Served = {
  resource: { ...accountsRead.resource, order: ['asset', 'name', 'username'] },
  binding: {
    ...accountsRead.binding,
    orders: { asset: sql`(select ${assets.name} from ${assets} where ${assets.id} = ${accounts.asset_id})` },
  },
}

/** People and groups a grant reaches an asset for, whether or not it is in force. */
const usersOfAsset = (assetId: string): SQL =>
  sql`${users.id} in (
    select ${permissionUsers.user}
    from ${permissionUsers}
    where ${permissionUsers.assetpermission} in (${grantsCovering(assetId)})
    union
    select ${userGroupMembers.user_id}
    from ${permissionUserGroups}
    join ${userGroupMembers} on ${userGroupMembers.usergroup_id} = ${permissionUserGroups.usergroup}
    where ${permissionUserGroups.assetpermission} in (${grantsCovering(assetId)}))`
const groupsOfAsset = (assetId: string): SQL =>
  sql`${userGroups.id} in (
    select ${permissionUserGroups.usergroup}
    from ${permissionUserGroups}
    where ${permissionUserGroups.assetpermission} in (${grantsCovering(assetId)}))`

export const permissionCalls: CallsOf<typeof AssetPermission, typeof assetPermissions> = {
  allAssets: (_ctx, { row }) =>
    Promise.resolve({ served: narrowed(coveredAsset, sql`${assets.id} in (${coveredAssets(row.id)})`) }),
  allUsers: (_ctx, { row }) =>
    Promise.resolve({ served: narrowed(namedUser, sql`${users.id} in (${peopleOf(row.id)})`) }),
  accounts: (_ctx, { row }) =>
    Promise.resolve({
      served: narrowed(accountsByAsset, accountsOf(row.id, row.accounts)),
    }),
}

/** @throws ApiError 404 unless the asset exists here */
async function assetNamed(ctx: Context, id: string): Promise<string> {
  const row = isUuid(id) ? await storedRow(allAssets, ctx, identifiedBy(allAssets, id)) : undefined
  if (row === undefined) throw missing(allAssets)
  return String(row['id'])
}

/** The ids of that holder's grants; none for what cannot be an id. */
const ifId = (id: string, grants: (id: string) => SQL): SQL => (isUuid(id) ? grants(id) : sql`null`)
const grantsOfGroup = (id: string) =>
  sql`select ${permissionUserGroups.assetpermission} from ${permissionUserGroups} where ${eq(permissionUserGroups.usergroup, id)}`

export const assetGrants = (persons: Served, groups: Served, permissions: Served): Provided => {
  const grantsFor = (holder: SQL, asset: string) =>
    narrowed(
      permissions,
      sql`${assetPermissions.id} in (${holder}) and ${assetPermissions.id} in (${grantsCovering(asset)})`,
    )
  return provide(AssetGrants, {
    users: async (ctx, { parameters }) => ({
      served: narrowed(persons, usersOfAsset(await assetNamed(ctx, parameters.id))),
    }),
    userPermissions: async (ctx, { parameters }) => ({
      served: grantsFor(
        ifId(parameters.user, (id) => grantsNaming(id)),
        await assetNamed(ctx, parameters.id),
      ),
    }),
    groups: async (ctx, { parameters }) => ({
      served: narrowed(groups, groupsOfAsset(await assetNamed(ctx, parameters.id))),
    }),
    groupPermissions: async (ctx, { parameters }) => ({
      served: grantsFor(ifId(parameters.group, grantsOfGroup), await assetNamed(ctx, parameters.id)),
    }),
  })
}
