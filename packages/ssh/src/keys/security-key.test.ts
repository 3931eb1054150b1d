/** There is no security key here: the tests sign as one would, and ssh-keygen says whether that is right. */
import { afterAll, describe, expect, test } from 'vitest'
import { Keygen, signedData } from '../testing/keygen.ts'
import { securityKey } from '../testing/security-key.ts'
import { generateKey } from './generate.ts'
import { formatPublicKeyLine } from './public-key-text.ts'
import { parsePublicKey } from './public-key.ts'
import { signCertificate } from './sign-certificate.ts'

const keygen = new Keygen()
afterAll(() => keygen.dispose())
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

  test('is certified, and used as its certificate says', async () => {
    const { blob, signature } = securityKey(type)
    const authority = await generateKey('ssh-ed25519')
    const data = signedData('text')
    const verified = async (flags: number, option?: 'criticalOptions' | 'extensions', name = '') => {
      const certificate = await signCertificate(authority, parsePublicKey(blob), {
        kind: 'user',
        serial: 1n,
        keyId: 'a security key',
        principals: ['ann'],
        validAfter: 0,
        validBefore: Number.POSITIVE_INFINITY,
        criticalOptions: new Map(),
        extensions: new Map(),
        ...(option && { [option]: new Map([[name, '']]) }),
      })
      keygen.write('key-cert.pub', formatPublicKeyLine(certificate))
      expect(keygen.run('-L', '-f', 'key-cert.pub')).toContain(certificate.key.fingerprint)
      const [algorithm = ''] = certificate.algorithms
      expect(algorithm).toBe(type.replace('@', '-cert-v01@'))
      return certificate.verify(algorithm, data, signature(data, flags))
    }
    expect([await verified(0x00), await verified(0x01)]).toEqual([false, true])
    expect(await verified(0x00, 'extensions', 'no-touch-required')).toBe(true)
    expect(await verified(0x01, 'criticalOptions', 'verify-required')).toBe(false)
    expect(await verified(0x05, 'criticalOptions', 'verify-required')).toBe(true)
  })
})
