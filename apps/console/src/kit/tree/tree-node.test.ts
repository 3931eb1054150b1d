import { expect, test } from 'vitest'
import { levelsOf, type TreeNode, visibleNodes } from './tree-node.ts'

const node = (id: string, pId = ''): TreeNode => ({ id, name: id, pId, isParent: true })

test('only what is open is in view, in the order of the server', () => {
  const levels = levelsOf([node('1', '0'), node('1:1', '1'), node('1:2', '1'), node('2', '0')])
  const shown = (open: string[]) =>
    visibleNodes(levels, new Set(open), new Map()).map((item) => `${item.level} ${item.node.id}`)
  expect(shown([])).toEqual(['1 1', '1 2'])
  expect(shown(['1'])).toEqual(['1 1', '2 1:1', '2 1:2', '1 2'])
})

test('a level of thousands is shown in parts, and says how many are left', () => {
  const levels = levelsOf(Array.from({ length: 1000 }, (_, index) => node(`n${index}`)))
  const visible = visibleNodes(levels, new Set(), new Map())
  expect(visible).toHaveLength(200)
  expect(visible.at(-1)?.hidden).toBe(800)
  expect(visibleNodes(levels, new Set(), new Map([['', 1000]]))).toHaveLength(1000)
})

test('a node that names itself as its parent is no endless tree', () => {
  const levels = levelsOf([node('a', 'a')])
  expect(visibleNodes(levels, new Set(['a']), new Map())).toHaveLength(1)
})
