import { expect, test } from 'vitest'
import type { TreeNode } from '../../../kit/tree/tree-node.ts'
import { permissionsOf, withoutTicked, withTicked } from './permission-rules.ts'

const group = (id: string, pId: string): TreeNode => ({ id, name: id, title: id, pId, isParent: true })
const leaf = (title: string, pId: string): TreeNode => ({
  id: `#${title}`,
  name: title,
  title,
  pId,
  isParent: false,
})
const of = permissionsOf([
  group('view_console', ''),
  group('users', 'view_console'),
  group('users.user', 'users'),
  leaf('rbac.view_console', 'view_console'),
  ...['view', 'add', 'delete', 'match'].map((verb) => leaf(`users.${verb}_user`, 'users.user')),
  leaf('assets.view_asset', 'view_console'),
  leaf('assets.view_node', 'view_console'),
  leaf('assets.view_platform', 'view_console'),
])
const codes = (ids: Iterable<string>) => [...ids].map((id) => id.slice(1)).toSorted()

test('what is ticked brings what it is of no use without, however far', () => {
  expect(codes(withTicked(of, new Set(), ['#users.add_user']))).toEqual([
    'rbac.view_console',
    'users.add_user',
    'users.view_user',
  ])
  expect(codes(withTicked(of, new Set(), ['#assets.view_node']))).toEqual([
    'assets.view_asset',
    'assets.view_node',
    'assets.view_platform',
    'rbac.view_console',
  ])
})

test('who can see them no longer does nothing with them, but may find them', () => {
  const all = ['view', 'add', 'delete', 'match'].map((verb) => `#users.${verb}_user`)
  expect(codes(withoutTicked(of, new Set(all), ['#users.view_user']))).toEqual(['users.match_user'])
  expect(codes(withoutTicked(of, new Set(all), ['#users.add_user']))).toHaveLength(3)
})
