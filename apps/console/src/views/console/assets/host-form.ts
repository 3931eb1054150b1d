import { Domain, Host } from '@sallyport/contract/resources/assets'
import { Platform } from '@sallyport/contract/resources/platforms'
import { lazyPart } from '../../../kit/loading/lazy-part.tsx'
import { listPath } from '../../../kit/api/resource.ts'
import { isEmpty, rules } from '../../../kit/form/rules.ts'
import { resourceForm } from '../../../kit/form/declare-form.ts'
import { nodeSource } from '../sources.ts'
import { idOf } from './platform.ts'

const AssetProtocols = lazyPart(() => import('./asset-protocols.tsx'))
const AssetLabels = lazyPart(() => import('./asset-labels.tsx'))
const NewAccounts = lazyPart(() => import('../accounts/new-accounts.tsx'))

export const assetListAddress = '/console/assets/assets'
const defaultPlatform = 1

/** How a host is added and changed. What it offers follows from its platform. */
export const hostForm = resourceForm(Host, {
  groups: [
    ['basic', ['name', 'address', 'platform', 'nodes']],
    ['accessGroup', ['protocols', 'accounts']],
    ['other', ['domain', 'labels', 'is_active', 'comment']],
  ],
  fields: {
    address: { rules: [rules.noEmoji] },
    platform: {
      relation: { path: Platform.path, query: { category: 'host', fields_size: 'mini' } },
      required: true,
      consequences: () => ({ protocols: undefined }),
    },
    nodes: {
      relation: { ...nodeSource, creatable: 'assets.add_node' },
      required: (_values, { updating }) => updating,
      // A new host without a node lies in the root.
      toSend: (nodes, { updating }) => (!updating && isEmpty(nodes) ? undefined : nodes),
    },
    protocols: { widget: AssetProtocols, columns: { name: {}, port: {} }, required: true },
    // An account of a copied host keeps its id: the server copies the secret of the account it names.
    accounts: {
      widget: NewAccounts,
      initial: [],
      hidden: (_values, { updating }) => updating,
    },
    domain: { relation: { path: Domain.path, query: { fields_size: 'mini' } } },
    labels: { widget: AssetLabels },
  },
  presets: (search) => ({
    initial: {
      platform: Number(search.get('platform') ?? defaultPlatform),
      is_active: true,
      nodes: [search.get('node') ?? []].flat(),
    },
  }),
  describedBy: (values) => {
    const platform = idOf(values.platform)
    return `${listPath(Host.path)}${platform === undefined ? '' : `?platform=${platform}`}`
  },
  base: assetListAddress,
  nextTo: () => assetListAddress,
})
