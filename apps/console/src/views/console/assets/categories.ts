import type { Category } from '@sallyport/contract/assets/types'
import { Cloud, Database, Device, Web } from '@sallyport/contract/resources/asset-categories'
import { type Asset, Host } from '@sallyport/contract/resources/assets'
import type { Resource } from '@sallyport/contract/resource/resource'
import { screenPaths } from '../../../kit/screens/paths.ts'
import type { MessageKey } from '../../../kit/text.ts'

export const assetListAddress = '/console/assets/assets'

interface CategoryOfAssets {
  category: Category
  resource: Resource
  /** Address of its list. */
  base: string
  /** Its tab in the common list. */
  tab: string
  title: MessageKey
}

/** The categories of assets in the order of their tabs. */
export const categories: readonly CategoryOfAssets[] = [
  { category: 'host', resource: Host, base: '/console/assets/hosts', tab: 'hosts', title: 'hosts' },
  { category: 'device', resource: Device, base: '/console/assets/devices', tab: 'devices', title: 'devices' },
  {
    category: 'database',
    resource: Database,
    base: '/console/assets/databases',
    tab: 'databases',
    title: 'databases',
  },
  { category: 'cloud', resource: Cloud, base: '/console/assets/clouds', tab: 'clouds', title: 'clouds' },
  { category: 'web', resource: Web, base: '/console/assets/webs', tab: 'web', title: 'webs' },
]

const bases = Object.fromEntries(categories.map(({ category, base }) => [category, base]))

/** The screens of an asset that depend on its category. */
export const pathsOf = (category: Category) => screenPaths(bases[category] ?? assetListAddress)
export const pathsOfAsset = ({ category }: Pick<Asset, 'category'>) => pathsOf(category.value)
