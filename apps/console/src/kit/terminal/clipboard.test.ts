import { expect, it } from 'vitest'
import { cleanPaste, pastedLines, runsWhenPasted } from './clipboard.ts'

it('takes from pasted text what could leave a bracketed paste or press a hidden key', () => {
  expect(cleanPaste('ls\u001b[201~\rrm -rf x\u0003\u009b31m')).toBe('ls[201~\rrm -rf x31m')
  expect(cleanPaste('a\tb\r\n漢字 😀')).toBe('a\tb\r\n漢字 😀')
})

it('counts the lines a person has copied, with or without a line end behind the last', () => {
  expect(['ls', 'ls\n', 'a\r\nb', 'a\rb\n', 'a\n\n'].map((text) => pastedLines(text))).toEqual([
    1, 1, 2, 2, 2,
  ])
})

it('knows that a line end alone makes a shell run what stands before it', () => {
  expect(['ls', 'ls\n', 'ls\r', 'a\nb'].map((text) => runsWhenPasted(text))).toEqual([
    false,
    true,
    true,
    true,
  ])
})
