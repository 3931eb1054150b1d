import type { Category } from '@sallyport/contract/assets/types'
import { Cloud, Database, Device, Web } from '@sallyport/contract/resources/asset-categories'
import { Domain, Host } from '@sallyport/contract/resources/assets'
import { Platform } from '@sallyport/contract/resources/platforms'
import type { Resource } from '@sallyport/contract/resource/resource'
import { lazyPart } from '../../../kit/loading/lazy-part.tsx'
import { isRecord } from '../../../kit/api/errors.ts'
import { listPath } from '../../../kit/api/resource.ts'
import { isEmpty, rules } from '../../../kit/form/rules.ts'
import { resourceForm } from '../../../kit/form/declare-form.ts'
import { nodeSource } from '../sources.ts'
import { idOf } from './platform.ts'
import { assetListAddress } from './categories.ts'
import { portOf } from './port-of.ts'
import { protocolsOf } from './protocols.ts'

const AssetProtocols = lazyPart(() => import('./asset-protocols.tsx'))
const AssetLabels = lazyPart(() => import('./asset-labels.tsx'))
const AssetAccounts = lazyPart(() => import('./asset-accounts.tsx'))
const TextFile = lazyPart(() => import('../../../kit/form/widgets/text-file.tsx'))

/** Built-in platforms a form begins with where none is named. */
const firstPlatform: Record<Category, number> = { host: 1, device: 13, database: 17, web: 26, cloud: 28 }

/** The accounts of a copy are new ones: their secrets are not taken along. */
const withoutSecrets = (accounts: unknown) =>
  (Array.isArray(accounts) ? accounts : [])
    .filter(isRecord)
    .map(({ name, username, secret_type, privileged, is_active }) => ({
      name,
      username,
      secret_type,
      privileged,
      is_active,
    }))

/** What the forms of all categories are alike in. What an asset can have follows from its platform. */
const formOf = (resource: Resource, category: Category) =>
  resourceForm(Device, {
    groups: [],
    fields: {
      address: { rules: [rules.noEmoji] },
      platform: {
        relation: { path: Platform.path, query: { category, fields_size: 'mini' } },
        required: true,
        // Those of the new platform, once it is known (asset-protocols.tsx).
        consequences: () => ({ protocols: [] }),
      },
      nodes: {
        relation: { ...nodeSource, creatable: 'assets.add_node' },
        required: (_values, { updating }) => updating,
        // A new asset without a node lies in the root.
        toSend: (nodes, { updating }) => (!updating && isEmpty(nodes) ? undefined : nodes),
      },
      protocols: { widget: AssetProtocols, columns: { name: {}, port: { required: true } }, required: true },
      accounts: {
        widget: AssetAccounts,
        initial: [],
        copied: withoutSecrets,
        toSend: (accounts, { updating }) => (updating ? undefined : accounts),
      },
      domain: { relation: { path: Domain.path, query: { fields_size: 'mini' } } },
      labels: { widget: AssetLabels },
    },
    presets: (search) => ({
      initial: {
        platform: Number(search.get('platform') ?? firstPlatform[category]),
        is_active: true,
        nodes: [search.get('node') ?? []].flat(),
      },
    }),
    describedBy: (values) => {
      const platform = idOf(values.platform)
      return `${listPath(resource.path)}${platform === undefined ? '' : `?platform=${platform}`}`
    },
    base: assetListAddress,
    nextTo: () => assetListAddress,
  })

const place = ['name', 'address', 'platform', 'nodes'] as const
const access = ['console:accessGroup', ['protocols', 'accounts']] as const
const other = ['other', ['domain', 'labels', 'is_active', 'comment']] as const
const usual = [['basic', place], access, other] as const

/** What is opened at a URL listens at the port the URL says, until somebody says otherwise. */
const byUrl = {
  rules: [rules.noEmoji],
  consequences: (address: unknown, { protocols }: { protocols?: unknown }) => {
    const port = portOf(address)
    const [first, ...others] = protocolsOf(protocols)
    return port === undefined || first === undefined ? {} : { protocols: [{ ...first, port }, ...others] }
  },
}

const hosts = formOf(Host, 'host')
export const hostForm = resourceForm(Host, { ...hosts, groups: usual })

export const deviceForm = resourceForm(Device, { ...formOf(Device, 'device'), groups: usual })

const clouds = formOf(Cloud, 'cloud')
export const cloudForm = resourceForm(Cloud, {
  ...clouds,
  groups: usual,
  fields: { ...clouds.fields, address: byUrl },
})

const databases = formOf(Database, 'database')
const certificate = {
  widget: TextFile,
  secret: true,
  hidden: ({ use_ssl }: { use_ssl?: unknown }) => use_ssl !== true,
} as const
/** Which of the fields of the group "Security" there are, the server says with the platform. */
export const databaseForm = resourceForm(Database, {
  ...databases,
  groups: [
    ['basic', [...place, 'db_name']],
    access,
    ['console:secureGroup', ['use_ssl', 'ca_cert', 'client_cert', 'client_key', 'allow_invalid_cert']],
    other,
  ],
  fields: {
    ...databases.fields,
    ca_cert: certificate,
    client_cert: certificate,
    client_key: certificate,
    allow_invalid_cert: { hidden: certificate.hidden },
  },
})

const webs = formOf(Web, 'web')
const selector = { hidden: ({ autofill }: { autofill?: unknown }) => autofill !== 'basic' } as const
export const webForm = resourceForm(Web, {
  ...webs,
  groups: [
    ['basic', place],
    [
      'console:selectorGroup',
      ['autofill', 'username_selector', 'password_selector', 'submit_selector', 'script'],
    ],
    access,
    other,
  ],
  fields: {
    ...webs.fields,
    address: byUrl,
    username_selector: selector,
    password_selector: selector,
    submit_selector: selector,
    script: { hidden: ({ autofill }) => autofill !== 'script' },
  },
})
