/** One node of a tree as the wire has it. */
export interface TreeNode {
  id: string
  name: string
  title: string
  /** The id of the node above; empty at the top. */
  pId: string
  isParent: boolean
  open: boolean
  iconSkin?: string
  /** Ticked; of a node with others below it, when any of them is. */
  checked?: boolean
  /** It cannot be chosen. */
  chkDisabled?: boolean
  meta?: { type: string; category?: string; _type?: string; data?: Record<string, unknown> }
}
