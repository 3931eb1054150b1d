import { answer, onRow } from '../resource/calls.ts'
import {
  boolean,
  computed,
  datetime,
  flags,
  integer,
  list,
  many,
  plainChoice,
  type ReadsOf,
  text,
  uuid,
  value,
} from '../resource/field.ts'
import {
  active,
  commented,
  created,
  type Filter,
  identified,
  organized,
  resource,
  type RowOf,
} from '../resource/resource.ts'
import { secretTypes } from '../assets/types.ts'
import type { Account } from './accounts.ts'
import { Asset } from './assets.ts'
import { permissionActions } from './permission-actions.ts'

const text1 = { kind: 'text' } as const satisfies Filter
const uuid1 = { kind: 'uuid' } as const satisfies Filter
const yesNo = { kind: 'boolean' } as const satisfies Filter
const modifier = { kind: 'modifier' } as const satisfies Filter

export const AssetPermission = resource({
  app: 'perms',
  model: 'assetpermission',
  path: 'perms/asset-permissions',
  scope: 'org',
  order: ['name'],
  mini: ['id', 'name'],
  small: [
    'id',
    'name',
    'accounts',
    'actions',
    'created_by',
    'comment',
    'org_id',
    'org_name',
    'is_active',
    'is_expired',
    'is_valid',
    'from_ticket',
    'date_created',
    'date_start',
    'date_expired',
  ],
  filters: {
    all: modifier,
    user_id: uuid1,
    username: text1,
    user_group_id: uuid1,
    user_group: text1,
    node_id: uuid1,
    node_name: text1,
    asset_id: uuid1,
    asset_name: text1,
    address: text1,
    is_valid: yesNo,
    is_effective: yesNo,
  },
  fields: {
    ...identified,
    name: text({ max: 128, required: true, filter: true, search: true }),
    users: many('users.user', ['id', 'name']),
    user_groups: many('users.usergroup', ['id', 'name']),
    assets: many('assets.asset', ['id', 'name']),
    nodes: many('assets.node', ['id', 'name']),
    accounts: list({ max: 128, maxItems: 1000, default: [], filter: true }),
    actions: flags(permissionActions),
    ...commented,
    ...active,
    is_expired: computed(boolean()),
    is_valid: computed(boolean({ filter: true })),
    from_ticket: boolean({ readOnly: true, filter: true }),
    ...organized,
    ...created,
    date_start: datetime(),
    date_expired: datetime(),
  },
  calls: {
    /** Every asset a grant reaches: named, or under one of its nodes. */
    allAssets: onRow({
      method: 'GET',
      path: 'assets/all',
      access: 'assets.view_asset',
      answer: answer.rowsAs('assets.asset', { asset: uuid(), asset_display: text() }),
    }),
    /** Everybody a grant reaches: named, or in one of its groups. */
    allUsers: onRow({
      method: 'GET',
      path: 'users/all',
      access: 'users.view_user',
      answer: answer.rowsAs('users.user', { user: uuid(), user_display: text() }),
    }),
    /** The accounts it covers on its assets. */
    accounts: onRow({
      method: 'GET',
      path: 'accounts',
      access: 'accounts.view_account',
      answer: answer.rowsOf<Account>('accounts.account'),
    }),
  },
})
export type AssetPermission = RowOf<typeof AssetPermission>

/** One pair of a grant and what it names. */
const relation = <const F extends string>(model: string, path: string, field: F) =>
  resource({
    app: 'perms',
    model,
    permission: 'assetpermission',
    path: `perms/${path}`,
    scope: 'org',
    order: ['id'],
    integerId: true,
    pair: [field, 'assetpermission'],
    // In the books it is a change of the grant.
    audited: false,
    fields: {
      id: integer({ readOnly: true, filter: true }),
      ...({ [field]: uuid({ required: true, filter: true }) } as Record<
        F,
        ReturnType<typeof uuid<{ required: true; filter: true }>>
      >),
      ...({ [`${field}_display`]: text({ readOnly: true }) } as Record<
        `${F}_display`,
        ReturnType<typeof text<{ readOnly: true }>>
      >),
      assetpermission: uuid({ required: true, filter: true }),
      assetpermission_display: text({ readOnly: true }),
    },
  })
export const AssetPermissionUser = relation(
  'assetpermissionuser',
  'asset-permissions-users-relations',
  'user',
)
export const AssetPermissionUserGroup = relation(
  'assetpermissionusergroup',
  'asset-permissions-user-groups-relations',
  'usergroup',
)
export const AssetPermissionAsset = relation(
  'assetpermissionasset',
  'asset-permissions-assets-relations',
  'asset',
)
export const AssetPermissionNode = relation(
  'assetpermissionnode',
  'asset-permissions-nodes-relations',
  'node',
)

/** An asset as the person sees it who may use it. The address says whose: `self`, `my` or a person's id. */
export const GrantedAsset = resource({
  app: 'perms',
  model: 'grantedasset',
  path: 'perms/users/self/assets',
  scope: 'org',
  order: ['name'],
  audited: false,
  bulk: false,
  actions: ['list'],
  filters: Asset.filters,
  fields: {
    id: Asset.fields.id,
    name: Asset.fields.name,
    address: Asset.fields.address,
    domain: Asset.fields.domain,
    platform: Asset.fields.platform,
    comment: text({ default: '', search: true }),
    org_id: Asset.fields.org_id,
    is_active: Asset.fields.is_active,
    org_name: Asset.fields.org_name,
    protocols: Asset.fields.protocols,
    category: Asset.fields.category,
    type: Asset.fields.type,
    spec_info: value(),
  },
})
export type GrantedAsset = RowOf<typeof GrantedAsset>

export const permittedAccountFields = {
  alias: text(),
  name: text(),
  username: text(),
  has_username: boolean(),
  has_secret: boolean(),
  secret_type: plainChoice(secretTypes),
  actions: flags(permissionActions),
} as const
/** An account a person may use on an asset; `@INPUT` and `@USER` are accounts typed by hand. */
export type PermittedAccountRow = ReadsOf<typeof permittedAccountFields>
