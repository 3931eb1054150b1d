/** Who may use which assets, with which accounts, for what, until when. */
import { isUuid, maxPageSize, resource, text, User } from '@sallyport/contract'
import { eq, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import type { Domain } from '../../kernel/domain.ts'
import { type Access, type Route, route } from '../../kernel/http/route.ts'
import { narrowed, serve, type Served } from '../../kernel/resource/binding.ts'
import { identifiedBy, listRows, missing, storedRow } from '../../kernel/resource/read.ts'
import { accounts, accountsRead } from '../accounts/index.ts'
import { assetNodes, assets, allAssets, nodeAncestors } from '../assets/index.ts'
import {
  groupServed,
  people,
  userGroupMembers,
  userGroups,
  users,
  userServed,
  type UsersServices,
} from '../users/index.ts'
import { grantsCovering, grantsNaming } from './granted.ts'
import { grantedAssetResource, grantedRoutes } from './granted-routes.ts'
import { pairResources, permissionResource } from './resources.ts'
import {
  assetPermissions,
  permissionAssets,
  permissionNodes,
  permissionUserGroups,
  permissionUsers,
} from './tables.ts'

export { grantedAssets, isInForce } from './granted.ts'
export { permittedAccounts, type PermittedAccount } from './permitted.ts'

type Query = Record<string, string>

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
    name: text({ search: true, filter: true, order: true }),
    username: text({ search: true, filter: true, order: true }),
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

const assetsOf = (grant: string): SQL =>
  sql`select ${permissionAssets.asset} from ${permissionAssets} where ${permissionAssets.assetpermission} = ${grant} union select ${assetNodes.asset_id} from ${permissionNodes} join ${nodeAncestors} on ${nodeAncestors.ancestor_id} = ${permissionNodes.node} join ${assetNodes} on ${assetNodes.node_id} = ${nodeAncestors.node_id} where ${permissionNodes.assetpermission} = ${grant}`
const peopleOf = (grant: string): SQL =>
  sql`select ${permissionUsers.user} from ${permissionUsers} where ${permissionUsers.assetpermission} = ${grant} union select ${userGroupMembers.user_id} from ${permissionUserGroups} join ${userGroupMembers} on ${userGroupMembers.usergroup_id} = ${permissionUserGroups.usergroup} where ${permissionUserGroups.assetpermission} = ${grant}`

function accountsOf(grant: string, listed: readonly string[]): SQL {
  const ofAssets = sql`${accounts.asset_id} in (${assetsOf(grant)})`
  return listed.includes('@ALL')
    ? ofAssets
    : sql`${ofAssets} and ${accounts.username} = any(${sql.param(listed)}::text[])`
}

/** People and groups a grant reaches an asset for, whether or not it is in force. */
const usersOfAsset = (assetId: string): SQL =>
  sql`${users.id} in (select ${permissionUsers.user} from ${permissionUsers} where ${permissionUsers.assetpermission} in (${grantsCovering(assetId)}) union select ${userGroupMembers.user_id} from ${permissionUserGroups} join ${userGroupMembers} on ${userGroupMembers.usergroup_id} = ${permissionUserGroups.usergroup} where ${permissionUserGroups.assetpermission} in (${grantsCovering(assetId)}))`
const groupsOfAsset = (assetId: string): SQL =>
  sql`${userGroups.id} in (select ${permissionUserGroups.usergroup} from ${permissionUserGroups} where ${permissionUserGroups.assetpermission} in (${grantsCovering(assetId)}))`

export function domain(services: UsersServices): Domain {
  const persons = userServed(services)
  const groups = groupServed()
  const accountList = accountsRead
  /** A list narrowed by something that must exist here first. */
  const below = (
    path: string,
    access: Access,
    of: Served,
    listOf: (ctx: Context, row: Readonly<Record<string, unknown>>, params: Query) => [Served, SQL],
  ): Route =>
    route({
      method: 'GET',
      path,
      access,
      handler: async (ctx, { params, query, request }) => {
        const row = isUuid(params['id'] ?? '')
          ? await storedRow(of, ctx, identifiedBy(of, params['id'] ?? ''))
          : undefined
        if (row === undefined) throw missing(of)
        const [served, condition] = listOf(ctx, row, params)
        return await listRows(narrowed(served, condition), ctx, query as Query, {
          selected: undefined,
          maxLimit: maxPageSize,
          path: request.url.split('?', 1)[0] ?? request.url,
        })
      },
    })
  const grant = '/api/v1/perms/asset-permissions/:id/'
  const asset = '/api/v1/assets/assets/:id/'
  const viewGrants = { permission: 'perms.view_assetpermission' }
  const idOf = (row: Readonly<Record<string, unknown>>) => String(row['id'])
  const grantsFor = (holder: SQL, assetId: string) =>
    sql`${assetPermissions.id} in (${holder}) and ${assetPermissions.id} in (${grantsCovering(assetId)})`
  const uuidOr = (id: string | undefined) =>
    isUuid(id ?? '') ? (id ?? '') : '00000000-0000-0000-0000-000000000000'
  return {
    name: 'perms',
    // Who leaves an organization keeps nothing that was granted there by name.
    onRecord: async (ctx, events) => {
      for (const event of events) {
        if (event.type !== 'happened' || event.name !== 'users_left_org') continue
        const { user_ids, org_id } = event.data
        await ctx.db.execute(
          sql`delete from ${permissionUsers} using ${assetPermissions} where ${assetPermissions.id} = ${permissionUsers.assetpermission} and ${assetPermissions.org_id} = ${org_id} and ${permissionUsers.user} = any(${sql.param(user_ids)}::uuid[])`,
        )
      }
    },
    resources: [permissionResource, grantedAssetResource, ...pairResources],
    routes: [
      ...grantedRoutes,
      below(`${grant}assets/all/`, { permission: 'assets.view_asset' }, permissionResource, (_ctx, row) => [
        coveredAsset,
        sql`${assets.id} in (${assetsOf(idOf(row))})`,
      ]),
      below(`${grant}users/all/`, { permission: 'users.view_user' }, permissionResource, (_ctx, row) => [
        namedUser,
        sql`${users.id} in (${peopleOf(idOf(row))})`,
      ]),
      below(`${grant}accounts/`, { permission: 'accounts.view_account' }, permissionResource, (_ctx, row) => [
        accountList,
        accountsOf(idOf(row), row['accounts'] as string[]),
      ]),
      below(`${asset}perm-users/`, viewGrants, allAssets, (_ctx, row) => [persons, usersOfAsset(idOf(row))]),
      below(`${asset}perm-users/:user/permissions/`, viewGrants, allAssets, (_ctx, row, params) => [
        permissionResource,
        grantsFor(grantsNaming(uuidOr(params['user'])), idOf(row)),
      ]),
      below(`${asset}perm-user-groups/`, viewGrants, allAssets, (_ctx, row) => [
        groups,
        groupsOfAsset(idOf(row)),
      ]),
      below(`${asset}perm-user-groups/:group/permissions/`, viewGrants, allAssets, (_ctx, row, params) => [
        permissionResource,
        grantsFor(
          sql`select ${permissionUserGroups.assetpermission} from ${permissionUserGroups} where ${eq(permissionUserGroups.usergroup, uuidOr(params['group']))}`,
          idOf(row),
        ),
      ]),
    ],
  }
}
