import { useMemo } from 'react'
import type { TreeChoice } from '../../api/metadata.ts'
import { checkedLeaves } from '../../tree/tree-checks.ts'
import type { TreeNode } from '../../tree/tree-node.ts'
import { treeOf } from '../../tree/tree-source.ts'
import { TreeView } from '../../tree/tree-view.tsx'
import { useTreeChecks } from '../../tree/use-tree-checks.ts'
import { useTree } from '../../tree/use-tree.ts'
import type { WidgetProps } from '../form-spec.ts'

const none: readonly TreeChoice[] = []

/** Choices as nodes of a tree, all open. */
function nodesOf(choices: readonly TreeChoice[], pId = ''): TreeNode[] {
  return choices.flatMap(({ value, label, children }) => [
    { id: value, name: label, pId, isParent: children !== undefined, open: true },
    ...nodesOf(children ?? none, value),
  ])
}

/** A tree of choices; ticking a group ticks what is in it. What is stored are the leaves, in the order of the tree. */
export default function TreeField({ id, value, onChange, field, disabled }: WidgetProps) {
  const choices = field.meta.tree ?? none
  const source = useMemo(() => treeOf(nodesOf(choices)), [choices])
  const tree = useTree(source)
  const checked = useMemo(() => new Set(Array.isArray(value) ? value.map(String) : []), [value])
  const checks = useTreeChecks(tree, checked, (next) => onChange(checkedLeaves(tree.levels, next)))
  return (
    <div id={id}>
      <TreeView label={field.meta.label ?? ''} tree={tree} checks={checks} disabled={disabled} />
    </div>
  )
}
