import { useState } from 'react'
import type { Checked } from '../../kit/tree/tree-checks.ts'
import type { TreeNode } from '../../kit/tree/tree-node.ts'
import type { TreeSource } from '../../kit/tree/tree-source.ts'
import { TreeView } from '../../kit/tree/tree-view.tsx'
import { useTreeChecks } from '../../kit/tree/use-tree-checks.ts'
import { useTree } from '../../kit/tree/use-tree.ts'

const groups = 10
const inGroup = 99
const groupIds = Array.from({ length: groups }, (_, index) => String(index))
const membersOf = (id: string) => Array.from({ length: inGroup }, (_, index) => `${id}:${index}`)
const node = (id: string, pId: string, isParent: boolean, open: boolean): TreeNode => ({
  id,
  name: `Node ${id}`,
  pId,
  isParent,
  open,
})

/** The last group is loaded when it is opened. */
const source: TreeSource = {
  key: ['sample'],
  top: async () =>
    groupIds.flatMap((id) => {
      const isLoaded = Number(id) < groups - 1
      return [
        node(id, '', true, isLoaded),
        ...(isLoaded ? membersOf(id).map((member) => node(member, id, false, false)) : []),
      ]
    }),
  below: async ({ id }) => membersOf(id).map((member) => node(member, id, false, false)),
  above: (id) => (id.includes(':') ? [id.replace(/:.*$/u, '')] : []),
}

/** A tree of a thousand nodes with ticks, of which some are in a level that is not loaded yet. */
export default function TreePage() {
  const [checked, setChecked] = useState<Checked>(new Set(['9:5']))
  const tree = useTree(source)
  const checks = useTreeChecks(tree, checked, setChecked, source.above)
  return (
    <>
      <TreeView label="Nodes" tree={tree} checks={checks} />
      <output>{[...checked].toSorted().join(' ')}</output>
    </>
  )
}
