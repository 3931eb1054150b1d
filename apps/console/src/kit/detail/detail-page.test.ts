import { expect, test } from 'vitest'
import { detailTitle } from './detail-page.tsx'

test('the title of a detail is what it is and its name, cut at eighty characters', () => {
  expect(detailTitle('user group', 'Operators')).toBe('User group: Operators')
  expect(detailTitle('', 'Operators')).toBe('Operators')
  const long = detailTitle('host', 'x'.repeat(100))
  expect(long).toBe(`Host: ${'x'.repeat(74)}…`)
  expect(detailTitle('host', 'x'.repeat(74))).not.toContain('…')
})
