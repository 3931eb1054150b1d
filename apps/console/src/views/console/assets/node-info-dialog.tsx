import { Node } from '@sallyport/contract/resources/nodes'
import { Dialog } from '../../../kit/dialog/dialog.tsx'
import { useDetail } from '../../../kit/api/hooks.ts'
import { describeError } from '../../../kit/feedback/errors.ts'
import { useKitText, useMessages } from '../../../kit/text.ts'
import { idOfNode, type TreeNode } from '../../../kit/tree/tree-node.ts'
import styles from './assets.module.css'

export default function NodeInfoDialog({ node, onClose }: { node: TreeNode; onClose: () => void }) {
  const t = useKitText()
  const text = useMessages()
  const { data, error } = useDetail(Node.path, idOfNode(node))
  return (
    <Dialog
      title={text('console:nodeInformation')}
      footer={null}
      loading={!data && !error}
      onCancel={onClose}
    >
      {error ? (
        <p role="alert">{describeError(error, t)}</p>
      ) : (
        data && (
          <dl className={styles.facts}>
            <dt>ID</dt>
            <dd>{data.id}</dd>
            <dt>{t('name')}</dt>
            <dd>{String(data['value'])}</dd>
            <dt>{text('console:fullName')}</dt>
            <dd>{String(data['full_value'])}</dd>
          </dl>
        )
      )}
    </Dialog>
  )
}
