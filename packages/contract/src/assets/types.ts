/** What kinds of asset there are. */
import { choices } from '../resource/choices.ts'

export const categories = ['host', 'device', 'database', 'web', 'cloud'] as const
export type Category = (typeof categories)[number]
export const typesOf = {
  host: ['linux', 'windows', 'unix', 'other'],
  device: ['general', 'switch', 'router', 'firewall'],
  database: ['mysql', 'mariadb', 'postgresql', 'oracle', 'sqlserver', 'clickhouse', 'mongodb', 'redis'],
  web: ['website'],
  cloud: ['public', 'private', 'k8s'],
} as const satisfies Record<Category, readonly string[]>
export type AssetType = (typeof typesOf)[Category][number]

export const assetCategories = choices('asset_category', ['host', 'device', 'database', 'cloud', 'web'])
export const assetTypes = choices('asset_type', [
  ...typesOf.host,
  ...typesOf.device,
  ...typesOf.database,
  ...typesOf.cloud,
  ...typesOf.web,
])
/** The last part of the address of a category's list. */
export const pathOf: Record<Category, string> = {
  host: 'hosts',
  device: 'devices',
  database: 'databases',
  web: 'webs',
  cloud: 'clouds',
}

export const isCategory = (text: string): text is Category => (categories as readonly string[]).includes(text)
export const isTypeOf = (category: Category, type: string): type is AssetType =>
  (typesOf[category] as readonly string[]).includes(type)

export const connectivities = choices('connectivity', ['-', 'ok', 'err'])
export const charsets = choices('charset', ['utf-8', 'gbk'])
export const suMethods = choices('su_method', ['sudo', 'su'])
export const labelCategories = choices('label_category', ['U', 'S'])
export const autofillModes = choices('autofill', ['no', 'basic', 'script'])
export type AutofillMode = (typeof autofillModes.values)[number]
export const rdpSecurities = choices('rdp_security', ['any', 'rdp', 'tls', 'nla'])
export const secretTypes = choices('secret_type', ['password', 'ssh_key', 'access_key', 'token', 'api_key'])
export type SecretType = (typeof secretTypes.values)[number]
