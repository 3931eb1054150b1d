/** What people and groups were granted: lists and trees. */
import type { DirectTargetsTold } from '../gateway/grants.ts'
import type { TreeNode } from '../resource/tree.ts'
import type { PermissionName } from '../rbac/permissions.ts'
import { answer, onList, service } from '../resource/calls.ts'
import { integer, type ReadsOf, text } from '../resource/field.ts'
import {
  type AssetPermission,
  type GrantedAsset,
  permittedAccountFields,
  type PermittedAccountRow,
} from './perms.ts'
import type { User, UserGroup } from './users.ts'

/** A node as the person sees it who was granted something in it. */
const grantedNode = {
  id: text(),
  name: text(),
  key: text(),
  value: text(),
  org_id: text(),
  /** Granted assets in it and below. */
  assets_amount: integer(),
}
export type GrantedNode = ReadsOf<typeof grantedNode>

const assets = { method: 'GET', answer: answer.rowsOf<GrantedAsset>('perms.grantedasset') } as const
const nodes = { method: 'GET', answer: answer.list(grantedNode) } as const
/** The node whose children are asked for; without it the top. */
const below = { key: text({ max: 4096 }) }
const tree = { method: 'GET', answer: answer.json<TreeNode[]>() } as const

const grants = (access: PermissionName) => ({
  assets: onList({ ...assets, path: 'assets', access }),
  ungroupedAssets: onList({ ...assets, path: 'nodes/ungrouped/assets', access }),
  favoriteAssets: onList({ ...assets, path: 'nodes/favorite/assets', access }),
  nodeAssets: onList({ ...assets, path: 'nodes/{node}/assets', access }),
  /** The accounts usable on an asset; `@INPUT` and `@USER` are typed by hand. */
  accounts: onList({
    method: 'GET',
    path: 'assets/{asset}/accounts',
    access,
    answer: answer.jsonAs<PermittedAccountRow[]>(permittedAccountFields),
  }),
  nodes: onList({ ...nodes, path: 'nodes', access }),
  childNodes: onList({ ...nodes, path: 'nodes/children', access, query: below }),
  nodeTree: onList({ ...tree, path: 'nodes/tree', access }),
  /** One level: what `key` shows below it, or the top. */
  childNodeTree: onList({ ...tree, path: 'nodes/children/tree', access, query: below }),
  assetTree: onList({ ...tree, path: 'assets/tree', access }),
  ungroupedAssetTree: onList({ ...tree, path: 'ungroup/assets/tree', access }),
  /** One level with the assets in it. */
  childTree: onList({
    ...tree,
    path: 'nodes/children-with-assets/tree',
    access,
    query: { ...below, id: text({ max: 64 }), search: text({ max: 256 }) },
  }),
  wholeTree: onList({ ...tree, path: 'nodes/all-with-assets/tree', access }),
})

/** The caller's own. */
export const MyGrants = service({
  app: 'perms',
  model: 'mygrants',
  path: 'perms/users/self',
  calls: grants('perms.view_myassets'),
})
/** The same under the address older clients use. */
export const MyGrantsToo = service({
  app: 'perms',
  model: 'mygrantstoo',
  path: 'perms/users/my',
  calls: grants('perms.view_myassets'),
})
export const UserGrants = service({
  app: 'perms',
  model: 'usergrants',
  path: 'perms/users/{user}',
  calls: {
    ...grants('perms.view_userassets'),
    /** What a direct login (`person@account@address`) names: assets that speak the protocol, and the accounts where it is one asset. */
    direct: onList({
      method: 'GET',
      path: 'direct',
      access: 'component',
      query: {
        address: text({ max: 1024, required: true }),
        protocol: text({ max: 16, required: true }),
      },
      answer: answer.json<DirectTargetsTold>(),
    }),
  },
})
export const UserGroupGrants = service({
  app: 'perms',
  model: 'usergroupgrants',
  path: 'perms/user-groups/{group}',
  calls: {
    assets: onList({ ...assets, path: 'assets', access: 'assets.view_asset' }),
    nodeAssets: onList({ ...assets, path: 'nodes/{node}/assets', access: 'assets.view_asset' }),
    nodes: onList({ ...nodes, path: 'nodes', access: 'assets.view_node' }),
    childNodes: onList({ ...nodes, path: 'nodes/children', access: 'assets.view_node', query: below }),
    childNodeTree: onList({
      ...tree,
      path: 'nodes/children/tree',
      // In no role.
      access: 'super_admin',
      query: below,
    }),
  },
})

const people = <const P extends string>(path: P) =>
  ({ method: 'GET', path, access: 'perms.view_assetpermission' }) as const
const permissions = answer.rowsOf<AssetPermission>('perms.assetpermission')

/** Whom a grant lets reach an asset, in force or not, and by which grants. */
export const AssetGrants = service({
  app: 'perms',
  model: 'assetgrants',
  path: 'assets/assets/{id}',
  calls: {
    users: onList({ ...people('perm-users'), answer: answer.rowsOf<User>('users.user') }),
    userPermissions: onList({ ...people('perm-users/{user}/permissions'), answer: permissions }),
    groups: onList({ ...people('perm-user-groups'), answer: answer.rowsOf<UserGroup>('users.usergroup') }),
    groupPermissions: onList({ ...people('perm-user-groups/{group}/permissions'), answer: permissions }),
  },
})
