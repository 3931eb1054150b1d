import { expect, test } from 'vitest'
import { nextEntry, typedEntry } from './menu-keys.ts'

test('arrow keys go round, Home and End lead to the ends', () => {
  expect(nextEntry('ArrowDown', -1, 3)).toBe(0)
  expect(nextEntry('ArrowDown', 2, 3)).toBe(0)
  expect(nextEntry('ArrowUp', 0, 3)).toBe(2)
  expect(nextEntry('End', 0, 3)).toBe(2)
  expect(nextEntry('x', 0, 3)).toBeUndefined()
  expect(nextEntry('ArrowDown', -1, 0)).toBeUndefined()
})

test('letters find an entry: a word when typed at once, the next one with the same letter again', () => {
  const labels = ['Default', 'Plant', 'Depot', 'Port']
  const typed = { text: '', at: 0 }
  expect(typedEntry(typed, { key: 'd', timeStamp: 1000 }, labels, -1)).toBe(0)
  expect(typedEntry(typed, { key: 'd', timeStamp: 1100 }, labels, 0)).toBe(2)
  expect(typedEntry(typed, { key: 'p', timeStamp: 3000 }, labels, 2)).toBe(3)
  expect(typedEntry(typed, { key: 'l', timeStamp: 3100 }, labels, 3)).toBe(1)
  expect(typedEntry(typed, { key: 'z', timeStamp: 9000 }, labels, 1)).toBeUndefined()
})
