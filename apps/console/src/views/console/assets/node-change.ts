import type { TreeNode } from '../../../kit/tree/tree-node.ts'

export type Change = 'add' | 'replace' | 'remove'
export type Refresh = () => Promise<unknown>

export interface ChangeRequest {
  change: Change
  node: TreeNode
  refresh: Refresh
}

/** The calls that make them. */
export const calls = { add: 'addAssets', replace: 'replaceAssets', remove: 'removeAssets' } as const

export const titles = {
  add: 'console:addAssetsToNode',
  replace: 'console:moveAssetsToNode',
  remove: 'console:removeAssetsFromNode',
} as const
