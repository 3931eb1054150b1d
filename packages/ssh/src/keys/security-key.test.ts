/** There is no security key here: the tests sign as one would, and ssh-keygen says whether that is right. */
import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { Keygen, signedData } from '../testing/keygen.ts'
import { Writer } from '../wire/writer.ts'
import { nistp256, writeSignature } from './ecdsa.ts'
import { parsePublicKey } from './public-key.ts'

const keygen = new Keygen()
afterAll(() => keygen.dispose())
const application = 'ssh:'
const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest()
const raw = { format: 'raw-public' } as const

function securityKey(type: string) {
  const ed = generateKeyPairSync('ed25519')
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const isEd = type === 'sk-ssh-ed25519@openssh.com'
  const writer = new Writer().string(type)
  if (!isEd) writer.string('nistp256')
  const blob = writer
    .string((isEd ? ed : ec).publicKey.export(raw))
    .string(application)
    .finish()
  return {
    blob,
    signature: (data: Buffer, flags: number) => {
      const use = Buffer.from([flags, 0, 0, 1, 2])
      const signed = Buffer.concat([sha256(application), use, sha256(data)])
      const bytes = isEd
        ? sign(null, signed, ed.privateKey)
        : writeSignature(sign('sha256', signed, { key: ec.privateKey, dsaEncoding: 'ieee-p1363' }), nistp256)
      return new Writer().string(type).string(bytes).bytes(use).finish()
    },
  }
}

describe.each(['sk-ssh-ed25519@openssh.com', 'sk-ecdsa-sha2-nistp256@openssh.com'])('%s', (type) => {
  test('is verified as ssh-keygen does it, touched and counted', () => {
    const { blob, signature } = securityKey(type)
    const key = parsePublicKey(blob)
    const signed = signature(signedData('text'), 0x01)
    expect(keygen.verifies(blob, 'text', signed)).toBe(true)
    expect(key.algorithms).toEqual([type])
    expect(key.verify(type, signedData('text'), signed)).toBe(true)
    expect(key.verify(type, signedData('another'), signed)).toBe(false)
    for (let at = 0; at < signed.length; at++) {
      const changed = Buffer.from(signed)
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8))
      expect(key.verify(type, signedData('text'), changed)).toBe(false)
      expect(key.verify(type, signedData('text'), signed.subarray(0, at))).toBe(false)
    }
  })

  test('has to be touched unless that is waived, and to know its user where that is asked for', () => {
    const { blob, signature } = securityKey(type)
    const data = signedData('text')
    const verified = (flags: number, options = {}) =>
      parsePublicKey(blob, options).verify(type, data, signature(data, flags))
    expect([verified(0x00), verified(0x01), verified(0x04), verified(0x05)]).toEqual([
      false,
      true,
      false,
      true,
    ])
    expect(verified(0x00, { withoutTouch: true })).toBe(true)
    expect([verified(0x01, { withVerification: true }), verified(0x05, { withVerification: true })]).toEqual([
      false,
      true,
    ])
  })
})
