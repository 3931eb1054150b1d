import { expect, test } from 'vitest'
import { readTypedNumber } from './typed-number.ts'

test('a number is read in digits of any width, with blanks around it', () => {
  expect(readTypedNumber(' 100 ', true)).toBe(100)
  expect(readTypedNumber('１００', true)).toBe(100)
  expect(readTypedNumber('-1', true)).toBe(-1)
  expect(readTypedNumber('1.5', false)).toBe(1.5)
})

test('what is no number is not made one, and digits in groups are not guessed at', () => {
  for (const text of ['1O0', '90 days', '1.000', '1,000', '1 000', '1e3', '0x10', '']) {
    expect(readTypedNumber(text, true), text).toBeUndefined()
  }
  for (const text of ['1.000,5', '1,5', '.', '1.']) expect(readTypedNumber(text, false), text).toBeUndefined()
})
