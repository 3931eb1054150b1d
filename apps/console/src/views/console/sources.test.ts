import { expect, test } from 'vitest'
import { relatedItems } from '../../kit/relation/relation.ts'
import { nodeSource } from './sources.ts'

test('a node is called by its whole path, which is asked for where only its name is known', () => {
  const known = { id: '7', name: 'Berlin', full_value: '/Default/Berlin' }
  const short = { id: '8', name: 'Paris' }
  expect(relatedItems([known, short], nodeSource)).toEqual([
    { id: '7', label: '/Default/Berlin' },
    { id: '8', name: 'Paris' },
  ])
})
