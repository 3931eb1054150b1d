import { expect, test } from 'vitest'
import { CountClamp } from './count-clamp.ts'

const clamped = (...pieces: string[]) => {
  const clamp = new CountClamp()
  return pieces
    .map((piece) => Buffer.from(clamp.clamp(Buffer.from(piece, 'latin1'))).toString('latin1'))
    .join('')
}

test('a count beyond any window is shortened, everything else stays as it is', () => {
  const whole =
    'plain 2147483647 \x1b[1;31m\x1b[?1049h\x1b[38;2;255;128;0mx\x1b[0000000012A\x1b]0;title 123456\x07é'
  expect(clamped(whole)).toBe(whole)
  expect(clamped('a\x1b[2147483647Sb')).toBe('a\x1b[2147Sb')
  expect(clamped('\x1b[1;2147483647H')).toBe('\x1b[1;2147H')
  expect(clamped('\xc2\x9b2147483647b')).toBe('\xc2\x9b2147b')
})

test('no border between chunks and no control character in between hides one', () => {
  expect(clamped('\x1b', '[214', '7483', '647S')).toBe('\x1b[2147S')
  expect(clamped('\x1b[21\n4748\t3647S')).toBe('\x1b[21\n47\tS')
  expect(clamped('\x1b[12\x1b[99999999L')).toBe('\x1b[12\x1b[9999L')
})
