import { Asset } from '@sallyport/contract/resources/assets'
import { Node } from '@sallyport/contract/resources/nodes'
import { useQueryClient } from '@tanstack/react-query'
import { Dialog } from '../../../kit/dialog/dialog.tsx'
import { call } from '../../../kit/api/call.ts'
import { queryKeys } from '../../../kit/api/keys.ts'
import { toast } from '../../../kit/feedback/toast.ts'
import { Form } from '../../../kit/form/form.tsx'
import { assetSource } from '../sources.ts'
import { idOfNode } from '../../../kit/tree/tree-node.ts'
import { useKitText, useMessages } from '../../../kit/text.ts'
import { calls, type ChangeRequest, titles } from './node-change.ts'

const none = { assets: [] }
const assetsField = { type: 'm2m_related_field', required: true, label: '' }

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
  const source =
    change === 'remove'
      ? { ...assetSource, query: { ...assetSource.query, node_id: idOfNode(node), show_current_asset: 1 } }
      : assetSource
  return (
    <Dialog
      open
      title={`${text(titles[change])}: ${node.meta?.data?.value ?? node.name}`}
      footer={null}
      mask={{ closable: false }}
      onCancel={onClose}
    >
      <Form
        groups={[['assetsGroup', ['assets']]]}
        metas={{ assets: { ...assetsField, label: text('assetsGroup') } }}
        fields={{ assets: { relation: { ...source, plain: true } } }}
        initial={none}
        updating={false}
        submitText={t('confirm')}
        onSubmit={async ({ assets }) => {
          await call(Node, calls[change], { id: idOfNode(node), body: { assets: assets as string[] } })
          await Promise.all([
            client.invalidateQueries({ queryKey: queryKeys.resource(Asset.path) }),
            refresh(),
          ])
        }}
        onSaved={() => {
          toast.success(t('updateSuccess'))
          onClose()
        }}
      />
    </Dialog>
  )
}
