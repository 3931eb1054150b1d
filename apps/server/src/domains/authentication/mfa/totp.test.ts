import { expect, test } from 'vitest'
import { base32, codeOf, newTotpSecret, stepAt, stepOf, totpUri } from './totp.ts'

// RFC 6238 appendix B has codes of eight digits; the last six are the same.
const secret = base32(Buffer.from('12345678901234567890'))
test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('at second %i the code is that of RFC 6238', (seconds, code) => {
  expect(codeOf(secret, stepAt(seconds * 1000))).toBe(code)
})

test('a code is taken within the window and not beside it, and says of which step it is', () => {
  const now = 1_700_000_000_000
  const step = stepAt(now)
  for (const away of [-2, -1, 0, 1, 2])
    expect(stepOf(secret, codeOf(secret, step + away), 2, now)).toBe(step + away)
  for (const away of [-3, 3]) expect(stepOf(secret, codeOf(secret, step + away), 2, now)).toBeUndefined()
})

test('secrets have 160 bits, and the address of a QR code says whose they are', () => {
  expect(newTotpSecret()).toMatch(/^[A-Z2-7]{32}$/)
  expect(totpUri('ABC', 'My House', 'ann@x')).toBe(
    'otpauth://totp/My%20House:ann%40x?secret=ABC&issuer=My%20House',
  )
})
