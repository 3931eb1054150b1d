import { useMemo, useState } from 'react'
import { Dialog } from '../dialog/dialog.tsx'
import { describeError } from '../feedback/errors.ts'
import { useKitText } from '../text.ts'
import type { TreeMoves } from './tree-moves.tsx'
import type { TreeNode } from './tree-node.ts'
import type { TreeSource } from './tree-source.ts'
import { TreeView } from './tree-view.tsx'
import { useTree } from './use-tree.ts'

interface MoveDialogProps {
  node: TreeNode
  source: TreeSource
  moves: TreeMoves
  onChoose: (target: TreeNode) => void
  onClose: () => void
}

/** Where a node is to go, chosen in a tree: what dragging does, for whom it is too far or who has no pointer. */
export default function MoveDialog({ node, source, moves, onChoose, onClose }: MoveDialogProps) {
  const t = useKitText()
  const own = useMemo(() => ({ ...source, key: [...source.key, 'targets'] }), [source])
  const tree = useTree(own)
  const [target, setTarget] = useState<TreeNode>()
  const isPlace = target !== undefined && target.id !== node.id && moves.mayInto(node, target)
  return (
    <Dialog
      title={t('moveNode', { name: node.name })}
      okText={t('move')}
      okButtonProps={{ disabled: !isPlace }}
      loading={tree.waiting}
      onOk={() => {
        onClose()
        if (target) onChoose(target)
      }}
      onCancel={onClose}
    >
      {tree.error ? (
        <p role="alert">{describeError(tree.error, t)}</p>
      ) : (
        <TreeView autoFocus label={t('moveTitle')} tree={tree} selectedId={target?.id} onSelect={setTarget} />
      )}
    </Dialog>
  )
}
