import { Node } from '@sallyport/contract/resources/nodes'
import { useAccess } from '../../../kit/access/access.ts'
import { call } from '../../../kit/api/call.ts'
import { idOfNode, type TreeNode } from '../../../kit/tree/tree-node.ts'
import type { TreeMoves } from '../../../kit/tree/tree-moves.tsx'
import { isNode, isRoot } from './node-actions.tsx'

/** The key of a node begins with those of all above it: `1:4:2`. */
const isBelow = (node: TreeNode, other: TreeNode) => node.id.startsWith(`${other.id}:`)
const isChildOf = (node: TreeNode, other: TreeNode) => node.id.replace(/:[^:]*$/u, '') === other.id

const moves: TreeMoves = {
  may: (node) => isNode(node) && !isRoot(node),
  mayInto: (node, target) => isNode(target) && !isBelow(target, node) && !isChildOf(node, target),
  move: (node, target) =>
    call(Node, 'takeChildren', { id: idOfNode(target), body: { nodes: [idOfNode(node)] } }),
}

/** Moving nodes of the asset tree, for whom may. */
export function useNodeMoves(): TreeMoves | undefined {
  const { can, inRoot } = useAccess()
  return can('assets.change_node') && !inRoot ? moves : undefined
}
