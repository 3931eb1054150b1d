import { expect, it } from 'vitest'
import { cleanPaste, pastedLines } from './clipboard.ts'

it('takes from pasted text what could leave a bracketed paste or press a hidden key', () => {
  expect(cleanPaste('ls\u001b[201~\rrm -rf x\u0003\u009b31m')).toBe('ls[201~\rrm -rf x31m')
  expect(cleanPaste('a\tb\r\n漢字 😀')).toBe('a\tb\r\n漢字 😀')
})

it('counts lines as a shell would run them', () => {
  expect([pastedLines('ls'), pastedLines('ls\n'), pastedLines('a\r\nb'), pastedLines('a\rb\n')]).toEqual([
    1, 2, 2, 3,
  ])
})
