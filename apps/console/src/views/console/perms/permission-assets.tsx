import {
  type AssetPermission,
  AssetPermissionAsset,
  AssetPermissionNode,
} from '@sallyport/contract/resources/perms'
import { Columns } from '../../../kit/detail/card.tsx'
import { assetSource, nodeSource } from '../sources.ts'
import { useMessages } from '../../../kit/text.ts'
import { Covered } from './covered.tsx'
import { PermissionRelation } from './permission-relation.tsx'

/** What a permission is about. */
export default function PermissionAssets({ row }: { row: AssetPermission }) {
  const text = useMessages()
  return (
    <Columns
      main={
        <Covered title={text('allAssets')} permissionId={row.id} path="assets/all/" field="asset_display" />
      }
      side={
        <>
          <PermissionRelation
            row={row}
            title={text('assetList')}
            field="assets"
            source={assetSource}
            pairs={AssetPermissionAsset}
            pairField="asset"
          />
          <PermissionRelation
            row={row}
            title={text('nodes')}
            field="nodes"
            source={nodeSource}
            pairs={AssetPermissionNode}
            pairField="node"
          />
        </>
      }
    />
  )
}
