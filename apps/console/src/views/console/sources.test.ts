import { expect, test } from 'vitest'
import { relatedItems } from '../../kit/relation/relation.ts'
import { nodeSource } from './sources.ts'

test('a node is called by its whole path, and by its name where only that is known', () => {
  const known = { id: '7', name: 'Berlin', full_value: '/Default/Berlin' }
  const short = { id: '8', name: 'Paris' }
  expect(relatedItems([known, short], nodeSource)).toEqual([
    { id: '7', label: '/Default/Berlin' },
    { id: '8', label: 'Paris' },
  ])
})
