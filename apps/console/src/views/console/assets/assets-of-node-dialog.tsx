import { Asset } from '@sallyport/contract/resources/assets'
import { Node } from '@sallyport/contract/resources/nodes'
import { useQueryClient } from '@tanstack/react-query'
import { call } from '../../../kit/api/call.ts'
import { queryKeys } from '../../../kit/api/keys.ts'
import { toast } from '../../../kit/feedback/toast.ts'
import { assetSource } from '../sources.ts'
import { idOfNode } from '../../../kit/tree/tree-node.ts'
import { useKitText, useMessages } from '../../../kit/text.ts'
import { lazyPart } from '../../../kit/loading/lazy-part.tsx'
import { calls, type ChangeRequest, titles } from './node-change.ts'

const AssetDialog = lazyPart(() => import('./asset-dialog.tsx'))

/** Adds assets to a node, moves them there, or takes them out. */
export default function AssetsOfNodeDialog({
  change,
  node,
  refresh,
  onClose,
}: ChangeRequest & { onClose: () => void }) {
  const t = useKitText()
  const text = useMessages()
  const client = useQueryClient()
  const id = idOfNode(node)
  const isRemoval = change === 'remove'
  return (
    <AssetDialog
      title={`${text(titles[change])}: ${node.meta?.data?.value ?? node.name}`}
      source={isRemoval ? { ...assetSource, query: { node_id: id, show_current_asset: 1 } } : assetSource}
      isPlain={isRemoval}
      onChoose={async (assets) => {
        await call(Node, calls[change], { id, body: { assets: assets.map((asset) => String(asset.id)) } })
        toast.success(t('updateSuccess'))
        await Promise.all([client.invalidateQueries({ queryKey: queryKeys.resource(Asset.path) }), refresh()])
      }}
      onClose={onClose}
    />
  )
}
