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

test('of a title nobody has the emulation is told no more than its beginning, and nothing behind it is lost', () => {
  const long = 'x'.repeat(1024)
  for (const end of ['\x07', '\x1b\\', '\xc2\x9c', '\x18']) {
    expect(clamped(`\x1b]0;short${end}text`)).toBe(`\x1b]0;short${end}text`)
    expect(clamped(`\x1b]0;${long}`, long, `${end}text`).slice(-8)).toMatch(/text$/)
    expect(clamped(`\x1b]0;${long}`, long, `${end}text`).length).toBeLessThan(1100)
  }
  expect(clamped(`\xc2\x9d0;${long}${long}\xc2`, '\x9b31mred').slice(-8)).toBe('\xc2\x9b31mred')
  expect(clamped(`\x1b\x7f]0;${long}${long}\x07text`)).toBe(`\x1b\x7f]0;${long.slice(2)}\x18text`)
})

test('what is for a device is a string that is passed over', () => {
  expect(clamped('\x1bP$qm\x1b\\text')).toBe('\x1bX$qm\x1b\\text')
  expect(clamped('\xc2', '\x90q#0\x1b\\')).toBe('\xc2\x98q#0\x1b\\')
})
