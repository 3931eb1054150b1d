import { expect, test } from 'vitest'
import { checkedLeaves, checkStates, withCheck } from './tree-checks.ts'
import { levelsOf, type TreeNode } from './tree-node.ts'

const node = (id: string, pId = '', isParent = false): TreeNode => ({ id, name: id, pId, isParent })
const levels = levelsOf([
  node('1', '', true),
  node('1:1', '1', true),
  node('1:1:1', '1:1'),
  node('1:1:2', '1:1'),
  node('1:2', '1', true),
  node('2', '', true),
])
const above = (id: string) =>
  id.split(':').flatMap((_part, index, all) => (index > 0 ? [all.slice(0, index).join(':')] : []))
const stateOf = (checked: string[]) => Object.fromEntries(checkStates(levels, new Set(checked), above))

test('a tick holds for all below, and is seen in part from above', () => {
  expect(stateOf(['1:1'])).toEqual({
    '1': 'some',
    '1:1': 'on',
    '1:1:1': 'on',
    '1:1:2': 'on',
    '1:2': 'off',
    '2': 'off',
  })
})

test('a parent is ticked when all its children are', () => {
  expect(stateOf(['1:1:1', '1:1:2'])).toMatchObject({ '1': 'some', '1:1': 'on' })
})

test('what is ticked below a level that is not loaded is seen from above', () => {
  expect(stateOf(['1:2:7'])).toMatchObject({ '1': 'some', '1:2': 'some', '1:1': 'off' })
})

test('ticking a node takes the place of what was ticked below it', () => {
  expect([...withCheck(levels, new Set(['1:1:1', '1:2:7', '2']), '1', true, above)]).toEqual(['2', '1'])
})

test('unticking one leaves the rest of what was ticked with its parent', () => {
  const left = withCheck(levels, new Set(['1']), '1:1:1', false)
  expect([...left].toSorted()).toEqual(['1:1:2', '1:2'])
  expect(stateOf([...left])).toMatchObject({ '1': 'some', '1:1': 'some', '1:1:1': 'off', '1:2': 'on' })
})

test('unticking a parent unticks all below it', () => {
  expect([...withCheck(levels, new Set(['1:1:1', '1:2:7', '2']), '1', false, above)]).toEqual(['2'])
})

test('of a tree that is all known the ticked leaves are told in its order', () => {
  expect(checkedLeaves(levels, new Set(['2', '1:1']))).toEqual(['1:1:1', '1:1:2', '2'])
  expect(checkedLeaves(levels, new Set(['1']))).toEqual(['1:1:1', '1:1:2', '1:2'])
})
