import { assetCategories, assetTypes, connectivities, labelCategories, secretTypes } from '../assets/types.ts'
import { answer, onList, onRow } from '../resource/calls.ts'
import {
  boolean,
  choice,
  computed,
  datetime,
  integer,
  list,
  many,
  object,
  objects,
  one,
  plainChoice,
  type ReadsOf,
  secret,
  text,
  uuid,
  value,
} from '../resource/field.ts'
import {
  active,
  commented,
  created,
  identified,
  organized,
  resource,
  type Filter,
  type RowOf,
  updated,
} from '../resource/resource.ts'
import { hostInfoFields } from './host-info.ts'
import type { Platform } from './platforms.ts'
import { databaseInfoFields, webInfoFields } from './spec-info.ts'

export const Domain = resource({
  app: 'assets',
  model: 'domain',
  path: 'assets/domains',
  scope: 'org',
  order: ['name'],
  mini: ['id', 'name'],
  small: ['id', 'name', 'comment'],
  fields: {
    ...identified,
    name: text({ max: 128, required: true, filter: true, search: true }),
    ...commented,
    assets: many('assets.asset', ['id', 'name']),
    gateways: value<{ id: string; name: string }[]>(),
    /** Without its gateways. */
    asset_count: computed(integer()),
    gateway_count: computed(integer()),
    ...organized,
    date_created: datetime({ readOnly: true }),
  },
})
export type Domain = RowOf<typeof Domain>

export const Label = resource({
  app: 'assets',
  model: 'label',
  path: 'assets/labels',
  scope: 'org',
  order: ['name', 'value'],
  mini: ['id', 'name'],
  small: ['id', 'name', 'value', 'category', 'is_active', 'date_created', 'comment'],
  fields: {
    ...identified,
    name: text({ max: 128, required: true, filter: true, search: true }),
    value: text({ max: 128, required: true, filter: true, search: true }),
    category: choice(labelCategories, { readOnly: true }),
    ...active,
    ...commented,
    asset_count: computed(integer()),
    assets: many('assets.asset', ['id', 'name']),
    ...organized,
    date_created: datetime({ readOnly: true }),
  },
})
export type Label = RowOf<typeof Label>

/** Platform abilities an asset is read with. */
export const autoInfoNames = [
  'su_enabled',
  'ping_enabled',
  'domain_enabled',
  'ansible_enabled',
  'push_account_enabled',
  'gather_facts_enabled',
  'change_secret_enabled',
  'verify_account_enabled',
  'gather_accounts_enabled',
] as const
export type AutoInfo = Record<(typeof autoInfoNames)[number], boolean>

/** Accounts given when an asset is made; read back in short on one asset. */
const assetAccounts = objects(
  {
    id: uuid(),
    name: text({ max: 128 }),
    username: text({ max: 128 }),
    secret_type: plainChoice(secretTypes),
    secret: secret({ max: 40_960, nullable: true }),
    passphrase: secret({ max: 512, nullable: true }),
    privileged: boolean(),
    is_active: boolean(),
    push_now: boolean({ writeOnly: true }),
    template: boolean({ writeOnly: true }),
    version: integer({ readOnly: true }),
  },
  { createOnly: true, show: 'detail', exported: false },
)

/** What assets of every category have. */
export const assetFields = {
  ...identified,
  name: text({ max: 128, required: true, filter: true, search: true }),
  address: text({ max: 767, required: true, filter: true, search: true }),
  domain: one('assets.domain', ['id', 'name'], { nullable: true, filter: true }),
  platform: one('assets.platform', ['id', 'name'], { required: true, integerId: true, filter: true }),
  nodes: many('assets.node', ['id', 'name'], { named: true }),
  labels: objects({
    id: uuid({ nullable: true }),
    name: text({ max: 128 }),
    value: text({ max: 128 }),
  }),
  protocols: objects(
    {
      name: text({ max: 32, required: true }),
      port: integer({ min: 1, max: 65_535, nullable: true }),
    },
    { notation: ['name', 'port'] },
  ),
  nodes_display: list({ readOnly: true, max: 4096 }),
  accounts: assetAccounts,
  category: choice(assetCategories, { readOnly: true, filter: true }),
  type: choice(assetTypes, { readOnly: true, filter: true }),
  connectivity: choice(connectivities, { readOnly: true }),
  auto_info: value<AutoInfo>({ exported: false }),
  ...active,
  ...commented,
  ...created,
  ...updated,
  date_verified: datetime({ readOnly: true, nullable: true }),
  /** Why the last test did not reach it. */
  connectivity_reason: computed(text({ order: false })),
  ...organized,
} as const

/** Only what is known is returned. */
const hostInfo = object(hostInfoFields, { default: {} })

const hostFields = { ...assetFields, info: hostInfo, spec_info: value({ show: 'detail' }) }
type HostInfo = ReadsOf<{ info: typeof hostInfo }>['info']

const text1 = { kind: 'text' } as const satisfies Filter
const yesNo = { kind: 'boolean' } as const satisfies Filter
const modifier = { kind: 'modifier' } as const satisfies Filter
export const assetFilters = {
  labels: text1,
  label: { kind: 'text', every: true },
  node: text1,
  node_id: text1,
  all: modifier,
  show_current_asset: modifier,
  ips: text1,
  domain_enabled: yesNo,
  ping_enabled: yesNo,
  gather_facts_enabled: yesNo,
  change_secret_enabled: yesNo,
  push_account_enabled: yesNo,
  verify_account_enabled: yesNo,
  gather_accounts_enabled: yesNo,
} as const

const sizes = {
  mini: ['id', 'name', 'address'],
  small: ['id', 'name', 'address', 'is_active', 'comment'],
} as const

/** What the lists of all categories are alike in. They are one table, and one right. */
export const ofCategory = {
  app: 'assets',
  permission: 'asset',
  scope: 'org',
  order: ['name'],
  ...sizes,
  filters: assetFilters,
  fromQuery: { nodes: 'node_id' },
} as const

/** What every list of assets can be asked. */
export const assetCalls = {
  /** The first few assets found, of organizations the caller is in. */
  suggestions: onList({
    method: 'GET',
    path: 'suggestions',
    access: 'assets.match_asset',
    // Enough to choose one.
    answer: answer.rowsOnly(
      ['id', 'name', 'address', 'platform', 'category', 'type', 'is_active', 'org_id', 'org_name'],
      'assets.view_asset',
    ),
  }),
  platform: onRow({
    method: 'GET',
    path: 'platform',
    access: 'assets.view_platform',
    answer: answer.rowOf<Platform>('assets.platform'),
  }),
  /** Those of its domain. */
  gateways: onRow({
    method: 'GET',
    path: 'gateways',
    access: 'assets.view_gateway',
    answer: answer.rowsOf<ReadsOf<typeof hostFields>>('assets.gateway'),
  }),
  specInfo: onRow({
    method: 'GET',
    path: 'spec-info',
    access: 'assets.view_asset',
    // Of any category: a client asks for what there is before it knows the asset.
    answer: answer.jsonAs<unknown>({ ...databaseInfoFields, ...webInfoFields }),
  }),
} as const
const hostCalls = {
  ...assetCalls,
  info: onRow({
    method: 'GET',
    path: 'info',
    access: 'assets.view_asset',
    answer: answer.jsonAs<HostInfo & { asset: { id: string; name: string; address: string } }>({
      ...hostInfoFields,
      asset: object({ id: uuid(), name: text(), address: text() }),
    }),
  }),
} as const

/** Assets of every category. Made through the list of their category. */
export const Asset = resource({
  app: 'assets',
  model: 'asset',
  path: 'assets/assets',
  scope: 'org',
  order: ['name'],
  ...sizes,
  actions: ['list', 'retrieve', 'update', 'delete'],
  filters: assetFilters,
  fields: {
    ...assetFields,
    info: value({ show: 'detail' }),
    spec_info: value({ show: 'detail' }),
  },
  calls: {
    ...assetCalls,
    /** Always refused: an asset is made through the list of its category. */
    create: onList({
      method: 'POST',
      path: '',
      access: 'assets.add_asset',
      records: { unrecorded: 'it is always refused' },
    }),
  },
})
export type Asset = RowOf<typeof Asset>

export const Host = resource({
  ...ofCategory,
  model: 'host',
  path: 'assets/hosts',
  fields: hostFields,
  calls: hostCalls,
})
export type Host = RowOf<typeof Host>

/** Hosts on the platform Gateway: the way into a domain. */
export const Gateway = resource({
  app: 'assets',
  model: 'gateway',
  path: 'assets/gateways',
  scope: 'org',
  order: ['name'],
  ...sizes,
  filters: assetFilters,
  fromQuery: { nodes: 'node_id' },
  fields: hostFields,
  calls: hostCalls,
})
export type Gateway = RowOf<typeof Gateway>

export const FavoriteAsset = resource({
  app: 'assets',
  model: 'favoriteasset',
  path: 'assets/favorite-assets',
  scope: 'own',
  order: ['asset'],
  audited: false,
  actions: ['list', 'create', 'delete'],
  fields: { asset: uuid({ required: true, filter: true }) },
  calls: {
    /** The one of that asset. */
    remove: onList({
      method: 'DELETE',
      path: '',
      access: 'valid_user',
      query: { asset: uuid() },
      records: { unrecorded: 'favourites are a person’s own marks, and give nothing' },
    }),
  },
})
export type FavoriteAsset = RowOf<typeof FavoriteAsset>
