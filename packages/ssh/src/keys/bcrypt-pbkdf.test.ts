import { expect, test } from 'vitest'
import { bcryptPbkdf } from './bcrypt-pbkdf.ts'

test('bcrypt_pbkdf gives the answers of OpenBSD', () => {
  const answer = (passphrase: string, salt: string, rounds: number, bytes: number) =>
    bcryptPbkdf(Buffer.from(passphrase), Buffer.from(salt), rounds, bytes).toString('hex')
  expect(answer('password', 'salt', 4, 32)).toBe(
    '5bbf0cc293587f1c3635555c27796598d47e579071bf427e9d8fbe842aba34d9',
  )
  expect(answer('password', '\0', 4, 16)).toBe('c12b566235eee04c212598970a579a67')
  expect(answer('\0', 'salt', 4, 16)).toBe('6051be18c2f4f82cbf0efee5471b4bb9')
  expect(answer('password', 'salt', 8, 64)).toBe(
    'e1367ec5151a33faac4cc1c144cd23fa15d5548493ecc99b9b5d9c0d3b27bec76227ea66088b849b20ab7aa478010246e74bba51723fefa9f9474d6508845e8d',
  )
})
