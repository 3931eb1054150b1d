import { Account } from '@sallyport/contract/resources/accounts'
import { Asset } from '@sallyport/contract/resources/assets'
import { AssetGrants } from '@sallyport/contract/resources/grants'
import { AssetPermission } from '@sallyport/contract/resources/perms'
import { User, UserGroup } from '@sallyport/contract/resources/users'
import { lazyPart } from '../../../kit/loading/lazy-part.tsx'
import { isRecord } from '../../../kit/api/errors.ts'
import { addressOf } from '../../../kit/api/call.ts'
import { viewPermission } from '../../../kit/api/resource.ts'
import type { DetailTab } from '../../../kit/detail/detail-page.tsx'
import { card, facts, members, quick, related } from '../../../kit/detail/parts.tsx'
import { accountList } from '../accounts/account-list.tsx'
import { nodeSource } from '../sources.ts'
import { labelTags, protocolTags } from './asset-cells.tsx'
import { refreshHardware, testAssets } from './asset-tasks.ts'
import { hostKeys } from './host-keys.tsx'

const SpecificCard = lazyPart(() => import('./specific-card.tsx'))
const HardwareCard = lazyPart(() => import('./hardware-card.tsx'))
// The list of assets comes without how permissions look.
const PermissionsOfAsset = lazyPart(() => import('./permissions-of-asset.tsx'))
const GrantingDialog = lazyPart(() => import('./granting-dialog.tsx'))

const hasSpecifics = ({ spec_info: specifics }: Asset) =>
  isRecord(specifics) && Object.keys(specifics).length > 0

/** What it is, whether it can be used, and where it stands in the tree. */
const info: DetailTab<Asset> = {
  name: 'Detail',
  title: 'basicInformation',
  main: [
    facts(Asset, {
      fields: [
        'name',
        'category',
        'type',
        'address',
        'protocols',
        'domain',
        'platform',
        'is_active',
        'connectivity',
        'date_verified',
        'connectivity_reason',
        'date_created',
        'created_by',
        'comment',
      ],
      values: { protocols: (row) => protocolTags(row.protocols) },
    }),
    { show: (row) => hasSpecifics(row) && <SpecificCard asset={row} /> },
    { show: (row) => row.category.value === 'host' && <HardwareCard asset={row} /> },
  ],
  side: [
    quick(Asset, {
      toggles: [{ field: 'is_active', title: 'activate' }],
      actions: [refreshHardware, testAssets],
    }),
    members(Asset, 'nodes', { title: 'console:nodes', source: nodeSource }),
    card('console:labels', (row) => labelTags(row.labels)),
  ],
}

const accounts: DetailTab<Asset> = {
  name: 'Account',
  title: 'console:accountList',
  main: related(Account, {
    by: 'asset',
    base: '/console/accounts/accounts',
    of: (row: Asset) => accountList({ assetId: row.id, platformId: row.platform.id }),
  }),
}

/** Who may use it, through which permissions. */
const people: DetailTab<Asset> = {
  name: 'PermUserList',
  title: 'console:authorizedUsers',
  permission: 'perms.view_assetpermission',
  main: [
    related(User, {
      at: (row: Asset) => addressOf(AssetGrants, 'users', { id: row.id }),
      base: '/console/users/users',
      columns: ['name', 'username', 'email', 'groups', 'source', 'is_valid', 'last_login'],
      defaultColumns: ['name', 'username', 'source', 'is_valid'],
      of: ({ id, name: asset }) => ({
        rowActions: [
          {
            name: 'permissions',
            title: 'console:viewPermissions',
            dialog: (user, close) => (
              <GrantingDialog
                address={addressOf(AssetGrants, 'userPermissions', { id, user: user.id })}
                who={user.name}
                asset={asset}
                onClose={close}
              />
            ),
          },
        ],
      }),
    }),
    related(UserGroup, {
      title: 'userGroups',
      at: (row: Asset) => addressOf(AssetGrants, 'groups', { id: row.id }),
      base: '/console/users/groups',
      inAddress: false,
      columns: ['name', 'comment', 'created_by', 'date_created'],
      defaultColumns: ['name', 'comment'],
      of: ({ id, name: asset }) => ({
        rowActions: [
          {
            name: 'permissions',
            title: 'console:viewPermissions',
            dialog: (group, close) => (
              <GrantingDialog
                address={addressOf(AssetGrants, 'groupPermissions', { id, group: group.id })}
                who={group.name}
                asset={asset}
                onClose={close}
              />
            ),
          },
        ],
      }),
    }),
  ],
}

/** The permissions that name it, or a node it lies below. */
const permissions: DetailTab<Asset> = {
  name: 'AssetPermissions',
  title: 'assetPermissions',
  permission: viewPermission(AssetPermission),
  content: (asset) => <PermissionsOfAsset asset={asset} />,
}

/** The detail of an asset. */
export const assetTabs = [info, accounts, people, permissions, hostKeys]
