import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { decodeList, encodeList } from './sntrup-encoding.ts'
import { sntrup761 } from './sntrup761.ts'

test.for([
  [761, 4591, 1158],
  [761, 1531, 1007],
  [1, 300, 2],
  [2, 200, 2],
  [5, 7, 2],
])('%i numbers below %i are %i bytes, and the same numbers again', ([count = 0, modulus = 0, bytes]) => {
  for (const fill of [() => 0, () => modulus - 1, () => randomBytes(4).readUInt32LE() % modulus]) {
    const numbers = Int32Array.from({ length: count }, fill)
    const encoded = encodeList(numbers, modulus)
    expect(encoded.length).toBe(bytes)
    expect(decodeList(encoded, count, modulus)).toEqual(numbers)
  }
  const anyBytes = decodeList(Buffer.alloc(bytes ?? 0, 0xff), count, modulus)
  expect(anyBytes.every((number) => number < modulus)).toBe(true)
})

test('whoever has the key gets the secret, and of a changed ciphertext another one', async () => {
  const key = await sntrup761.generate()
  const { ciphertext, secret } = sntrup761.seal(key.publicKey)
  expect([key.publicKey.length, ciphertext.length, secret.length]).toEqual([1158, 1039, 32])
  expect(key.open(ciphertext)).toEqual(secret)
  for (const at of [0, 500, 1006, 1007, 1038]) {
    const changed = Buffer.from(ciphertext)
    changed[at] = (changed[at] ?? 0) ^ 1
    const other = key.open(changed)
    expect(other).not.toEqual(secret)
    expect(key.open(changed)).toEqual(other)
  }
  expect(key.open(Buffer.alloc(1039, 0xff))).toHaveLength(32)
})
