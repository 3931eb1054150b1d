import { expect, test } from 'vitest'
import { shortened } from './commands.ts'

test('a command that fits is shown whole, however long', () => {
  for (const text of ['', 'x', '𝄞'.repeat(100)]) expect(shortened(text, 200)).toBe(text)
})

test('of one that does not its beginning and its end are shown, and how much is left out', () => {
  const text = `echo harmless${' '.repeat(4200)}; touch it`
  const shown = shortened(text, 2048)
  expect(shown.length).toBeLessThanOrEqual(2048)
  const [begin = '', left = '', end = ''] = shown.split(/ \[… (\d+) characters left out …\] /)
  expect(begin.startsWith('echo harmless')).toBe(true)
  expect(end.endsWith('; touch it')).toBe(true)
  expect(begin.length + Number(left) + end.length).toBe(text.length)
  expect(shortened(shown, 2048)).toBe(shown)
})

test('no half of a character is shown', () => {
  for (const text of ['𝄞'.repeat(200), `x${'𝄞'.repeat(200)}`])
    expect(shortened(text, 200).isWellFormed()).toBe(true)
})
