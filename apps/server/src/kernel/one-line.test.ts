import { expect, test } from 'vitest'
import { inOneLine } from './one-line.ts'

test.each([
  ['ends of lines and what would hide them', ' a\r\nb\0c\u2028d\u2029e\x1b[31m ', 99, 'a b c d e [31m'],
  ['more than fits', 'abcdef', 3, 'abc'],
  ['a blank where it is cut', 'ab cd', 3, 'ab'],
  ['half a character where it is cut', 'ab\u{1F600}', 3, 'ab'],
  ['half a character within', 'a\uD83Db', 9, 'a\uFFFDb'],
])('%s', (_what, text, most, line) => {
  expect(inOneLine(text, most)).toBe(line)
})
