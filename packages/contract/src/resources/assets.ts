import {
  assetCategories,
  assetTypes,
  autofillModes,
  charsets,
  connectivities,
  labelCategories,
  rdpSecurities,
  secretTypes,
  suMethods,
} from '../assets/types.ts'
import { automations } from '../assets/constraints.ts'
import {
  boolean,
  choice,
  computed,
  datetime,
  integer,
  json,
  list,
  many,
  object,
  objects,
  one,
  plainChoice,
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

const protocolSetting = object(
  {
    console: boolean(),
    security: plainChoice(rdpSecurities),
    sftp_enabled: boolean(),
    sftp_home: text({ max: 1024 }),
    autofill: plainChoice(autofillModes),
    username_selector: text({ max: 1024 }),
    password_selector: text({ max: 1024 }),
    submit_selector: text({ max: 1024 }),
    script: json(),
    auth_username: boolean(),
  },
  { nullable: true },
)

const automationPairs = Object.fromEntries(
  automations.flatMap((name) => [
    [`${name}_enabled`, boolean()],
    [`${name}_method`, text({ max: 32, nullable: true })],
  ]),
)

export const Platform = resource({
  app: 'assets',
  model: 'platform',
  path: 'assets/platforms',
  scope: 'system',
  order: ['id'],
  integerId: true,
  bulk: false,
  alsoBy: 'name',
  fields: {
    id: integer({ readOnly: true }),
    name: text({
      max: 50,
      required: true,
      pattern: 'slug',
      filter: true,
      search: true,
      order: true,
    }),
    category: choice(assetCategories, { required: true, filter: true, order: true }),
    type: choice(assetTypes, { required: true, filter: true, order: true }),
    charset: choice(charsets, { required: true }),
    protocols: objects({
      id: integer(),
      name: text({ max: 32, required: true }),
      port: integer({ min: 1, max: 65_535, required: true }),
      primary: boolean({ readOnly: true }),
      default: boolean(),
      required: boolean(),
      secret_types: list({ readOnly: true }),
      setting: protocolSetting,
    }),
    su_method: choice(suMethods, { nullable: true }),
    automation: object({
      id: integer(),
      ansible_enabled: boolean(),
      ansible_config: json(),
      ...automationPairs,
    }),
    internal: boolean({ readOnly: true }),
    domain_enabled: boolean({ default: true }),
    su_enabled: boolean({ default: false }),
    ...commented,
    ...created,
    ...updated,
  },
})
export type Platform = RowOf<typeof Platform>

export const Node = resource({
  app: 'assets',
  model: 'node',
  path: 'assets/nodes',
  scope: 'org',
  order: ['value'],
  mini: ['id', 'name'],
  small: ['id', 'name', 'key', 'value', 'full_value'],
  fields: {
    ...identified,
    key: text({ readOnly: true, filter: true, order: true }),
    value: text({ max: 128, filter: true, order: true, nullable: true }),
    name: text({ readOnly: true }),
    full_value: text({ max: 4096, createOnly: true }),
    ...organized,
  },
})
export type Node = RowOf<typeof Node>

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
    name: text({ max: 128, required: true, filter: true, search: true, order: true }),
    ...commented,
    assets: many('assets.asset', ['id', 'name']),
    gateways: value<{ id: string; name: string }[]>(),
    ...organized,
    date_created: datetime({ readOnly: true, order: true }),
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
    name: text({ max: 128, required: true, filter: true, search: true, order: true }),
    value: text({ max: 128, required: true, filter: true, search: true, order: true }),
    category: choice(labelCategories, { readOnly: true, order: true }),
    ...active,
    ...commented,
    asset_count: computed(integer()),
    assets: many('assets.asset', ['id', 'name']),
    ...organized,
    date_created: datetime({ readOnly: true, order: true }),
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
  { createOnly: true, show: 'detail' },
)

const assetFields = {
  ...identified,
  name: text({ max: 128, required: true, filter: true, search: true, order: true }),
  address: text({ max: 767, required: true, filter: true, search: true, order: true }),
  domain: one('assets.domain', ['id', 'name'], { nullable: true, filter: true }),
  platform: one('assets.platform', ['id', 'name'], { required: true, integerId: true, filter: true }),
  nodes: many('assets.node', ['id', 'name']),
  labels: objects({
    id: uuid({ nullable: true }),
    name: text({ max: 128 }),
    value: text({ max: 128 }),
  }),
  protocols: objects({
    name: text({ max: 32, required: true }),
    port: integer({ min: 1, max: 65_535, nullable: true }),
  }),
  nodes_display: list({ readOnly: true, max: 4096 }),
  accounts: assetAccounts,
  category: choice(assetCategories, { readOnly: true, filter: true }),
  type: choice(assetTypes, { readOnly: true, filter: true }),
  connectivity: choice(connectivities, { readOnly: true, order: true }),
  auto_info: value<AutoInfo>(),
  ...active,
  ...commented,
  ...created,
  ...updated,
  date_verified: datetime({ readOnly: true, order: true, nullable: true }),
  ...organized,
} as const

/** What is known about the machine itself (assets.md 7); only what is known is returned. */
const hostInfo = object(
  {
    vendor: text({ max: 64 }),
    model: text({ max: 54 }),
    sn: text({ max: 128 }),
    cpu_model: text({ max: 64 }),
    cpu_count: text({ max: 64 }),
    cpu_cores: text({ max: 64 }),
    cpu_vcpus: text({ max: 64 }),
    memory: text({ max: 64 }),
    disk_total: text({ max: 1024 }),
    distribution: text({ max: 128 }),
    distribution_version: text({ max: 16 }),
    arch: text({ max: 16 }),
  },
  { default: {} },
)

const text1 = { kind: 'text' } as const satisfies Filter
const yesNo = { kind: 'boolean' } as const satisfies Filter
const assetFilters = {
  labels: text1,
  label: text1,
  node: text1,
  node_id: text1,
  all: text1,
  show_current_asset: text1,
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
})
export type Asset = RowOf<typeof Asset>

export const Host = resource({
  app: 'assets',
  model: 'host',
  permission: 'asset',
  path: 'assets/hosts',
  scope: 'org',
  order: ['name'],
  ...sizes,
  filters: assetFilters,
  fields: { ...assetFields, info: hostInfo, spec_info: value({ show: 'detail' }) },
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
  fields: { ...assetFields, info: hostInfo, spec_info: value({ show: 'detail' }) },
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
})
export type FavoriteAsset = RowOf<typeof FavoriteAsset>
