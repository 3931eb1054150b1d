import type { Asset } from '@sallyport/contract/resources/assets'
import { AssetPermission } from '@sallyport/contract/resources/perms'
import { related } from '../../../kit/detail/parts.tsx'
import { permissionsOfOthers } from '../perms/permission-cells.tsx'

const permissions = related(AssetPermission, { by: 'asset_id', ...permissionsOfOthers })

/** The permissions that name an asset, or a node it lies below. */
export default function PermissionsOfAsset({ asset }: { asset: Asset }) {
  return permissions.show(asset)
}
