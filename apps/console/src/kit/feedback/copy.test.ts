import { expect, test } from 'vitest'
import { isRepeated } from './copy.ts'

test('pressing copy again within 1.8 seconds does nothing; another text is copied at once', () => {
  expect(isRepeated('name', 0)).toBe(false)
  expect(isRepeated('name', 1799)).toBe(true)
  expect(isRepeated('name', 1800)).toBe(false)
  expect(isRepeated('password', 1801)).toBe(false)
  expect(isRepeated('name', 1802)).toBe(false)
})
