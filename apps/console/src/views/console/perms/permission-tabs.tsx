import {
  AssetPermission,
  AssetPermissionAsset,
  AssetPermissionNode,
  AssetPermissionUser,
  AssetPermissionUserGroup,
} from '@sallyport/contract/resources/perms'
import { Account } from '@sallyport/contract/resources/accounts'
import { Tag } from 'antd'
import { lazyPart } from '../../../kit/loading/lazy-part.tsx'
import type { Action } from '../../../kit/actions/action.ts'
import { rowsNamed } from '../../../kit/actions/rows-named.ts'
import { disableAction } from '../../../kit/actions/usual-actions.ts'
import { addressOf } from '../../../kit/api/call.ts'
import type { DetailTab } from '../../../kit/detail/detail-page.tsx'
import { card, facts, members, type Part, quick, related } from '../../../kit/detail/parts.tsx'
import { AccountNames } from '../../../asset-words/account-text.tsx'
import { Validity } from './permission-cells.tsx'
import { accountsShown } from '../accounts/account-list.tsx'
import { assetSource, groupSource, nodeSource, userSource } from '../sources.ts'

const PermissionAccounts = lazyPart(() => import('./permission-accounts.tsx'))
const ChooseAssets = lazyPart(() => import('../assets/choose-assets.tsx'))
const Covered = lazyPart(() => import('./covered.tsx'))

/** Switching a permission off, after a question that says what it does not end. */
const disablePermissions: Action<AssetPermission> = {
  ...disableAction<AssetPermission>(AssetPermission),
  confirm: {
    content: (rows, text) => (
      <>
        {text('kit:disableConfirm', { names: rowsNamed(rows, text) })}
        <p>{text('console:sessionsGoOn')}</p>
      </>
    ),
  },
}

const info: DetailTab<AssetPermission> = {
  name: 'AssetPermissionDetail',
  title: 'basicInformation',
  main: facts(AssetPermission, {
    fields: [
      'name',
      'users',
      'user_groups',
      'assets',
      'nodes',
      'accounts',
      'actions',
      'is_valid',
      'date_start',
      'date_expired',
      'date_created',
      'created_by',
      'comment',
    ],
    values: {
      users: (row) => row.users.length,
      user_groups: (row) => row.user_groups.length,
      assets: (row) => row.assets.length,
      nodes: (row) => row.nodes.length,
      accounts: (row) => <AccountNames entries={row.accounts} />,
      is_valid: (row) => <Validity row={row} />,
      actions: (row) => row.actions.map(({ value, label }) => <Tag key={value}>{label}</Tag>),
    },
  }),
  side: quick(AssetPermission, {
    toggles: [{ field: 'is_active', title: 'activate', off: disablePermissions }],
  }),
}

const covered = (what: 'allUsers' | 'allAssets'): Part<AssetPermission> => ({
  show: (row) => <Covered row={row} what={what} />,
})
const own = 'assetpermission'

/** Whom a permission is for. */
const people: DetailTab<AssetPermission> = {
  name: 'AssetPermissionUser',
  title: 'console:usersAndGroups',
  permission: ['users.view_user', 'perms.change_assetpermission'],
  main: covered('allUsers'),
  side: [
    members(AssetPermission, 'users', {
      title: 'userList',
      source: userSource,
      pairs: { resource: AssetPermissionUser, own, other: 'user' },
    }),
    members(AssetPermission, 'user_groups', {
      title: 'userGroups',
      source: groupSource,
      pairs: { resource: AssetPermissionUserGroup, own, other: 'usergroup' },
    }),
  ],
}

/** What it is about. */
const assets: DetailTab<AssetPermission> = {
  name: 'AssetPermissionAsset',
  title: 'console:assetsAndNodes',
  permission: ['assets.view_asset', 'perms.change_assetpermission'],
  main: covered('allAssets'),
  side: [
    members(AssetPermission, 'assets', {
      title: 'assetList',
      source: assetSource,
      chooser: ChooseAssets,
      pairs: { resource: AssetPermissionAsset, own, other: 'asset' },
    }),
    members(AssetPermission, 'nodes', {
      title: 'console:nodes',
      source: nodeSource,
      pairs: { resource: AssetPermissionNode, own, other: 'node' },
    }),
  ],
}

/** With which accounts people are let in. */
const accounts: DetailTab<AssetPermission> = {
  name: 'AssetPermissionAccount',
  title: 'accounts',
  permission: ['accounts.view_account', 'perms.change_assetpermission'],
  main: related(Account, {
    ...accountsShown,
    defaultColumns: ['name', 'username', 'asset', 'secret_type', 'connectivity'],
    cells: {
      ...accountsShown.cells,
      username: { wrap: true, leastPx: 90 },
      secret_type: { widthPx: 90 },
    },
    at: (row: AssetPermission) => addressOf(AssetPermission, 'accounts', { id: row.id }),
  }),
  side: card('accounts', (row) => <PermissionAccounts row={row} />),
}

/** The detail of a permission. */
export const permissionTabs = [info, people, assets, accounts]
