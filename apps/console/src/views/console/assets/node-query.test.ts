import { expect, test } from 'vitest'
import type { TreeNode } from '../../../kit/tree/tree-node.ts'
import { nodeQuery } from './node-query.ts'

const node = (id: string): TreeNode => ({ id, name: id, pId: '', isParent: true })

test('choosing a node narrows the list by what it stands for', () => {
  const of = (type: string, data: { id: string; category?: string }) =>
    nodeQuery({ ...node('x'), meta: { type, data } })
  expect(of('node', { id: '7' })).toEqual({ node_id: '7' })
  expect(of('asset', { id: '8' })).toEqual({ asset_id: '8' })
  expect(of('type', { id: 'linux', category: 'host' })).toEqual({ category: 'host', type: 'linux' })
})
