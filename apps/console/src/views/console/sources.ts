import { AccountTemplate } from '@sallyport/contract/resources/account-templates'
import { gatewayPlatformName } from '@sallyport/contract/assets/platforms'
import { Asset } from '@sallyport/contract/resources/assets'
import { Node } from '@sallyport/contract/resources/nodes'
import { OrgRole, SystemRole } from '@sallyport/contract/resources/rbac'
import { User, UserGroup } from '@sallyport/contract/resources/users'
import { isRecord } from '../../kit/api/errors.ts'
import type { Row } from '../../kit/api/resource.ts'
import { lazyPart } from '../../kit/loading/lazy-part.tsx'
import type { RelationSource } from '../../kit/relation/relation.ts'

/** Where the things that many screens relate to come from. */

const textOf = (row: Row, field: string) => {
  const value = row[field]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

const withDetail = (name: string, detail: string) => (row: Row) => {
  const more = textOf(row, detail)
  return more ? `${textOf(row, name)}(${more})` : textOf(row, name)
}

/** People, by name and sign-in name. */
export const userSource: RelationSource = {
  path: User.path,
  query: { fields_size: 'mini', order: 'name' },
  labelOf: withDetail('name', 'username'),
}

export const groupSource: RelationSource = {
  path: UserGroup.path,
  query: { fields_size: 'mini', order: 'name' },
}

/** Roles of the whole system; the one of the platform's own components is not given to people. */
export const systemRoleSource: RelationSource = {
  path: SystemRole.path,
  labelOf: (row) => textOf(row, 'display_name'),
  except: (row) => row['name'] === 'SystemComponent',
}

export const orgRoleSource: RelationSource = {
  path: OrgRole.path,
  labelOf: (row) => textOf(row, 'display_name'),
}

/** Nodes of the asset tree, by their whole path. */
export const nodeSource: RelationSource = {
  path: Node.path,
  labelOf: (row) => textOf(row, 'full_value'),
}

/** Account templates that can be used for these protocols, all unless said, by name and username. */
export const templateSource = (protocols?: readonly string[]): RelationSource => ({
  path: AccountTemplate.path,
  query: { fields_size: 'mini', order: 'name', ...(protocols && { protocols: protocols.join() }) },
  labelOf: withDetail('name', 'username'),
  plain: true,
})

/** Assets, by name and address. */
export const assetSource: RelationSource = {
  path: Asset.path,
  query: { fields_size: 'mini', order: 'name' },
  labelOf: withDetail('name', 'address'),
}

/** How forms ask for assets: by name and address, or in a dialog beside the trees. */
export const assetField = {
  widget: lazyPart(() => import('./assets/asset-picker.tsx')),
  relation: assetSource,
} as const
/** Assets that can lie in a network zone; what leads into one is added there itself. */
export const zoneAssetSource: RelationSource = {
  ...assetSource,
  query: { order: 'name', domain_enabled: 'true' },
  except: ({ platform }) => isRecord(platform) && platform['name'] === gatewayPlatformName,
}
