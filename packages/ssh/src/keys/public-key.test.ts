import { generateKeyPairSync } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Keygen, signedData } from '../testing/keygen.ts'
import { Writer } from '../wire/writer.ts'
import { generateKey } from './generate.ts'
import { KeyError } from './key.ts'
import { parsePublicKey } from './public-key.ts'
import { SoftwareKey } from './software-key.ts'

const keygen = new Keygen()
afterAll(() => keygen.dispose())

const types = [
  { name: 'ed25519', args: ['-t', 'ed25519'], algorithms: ['ssh-ed25519'] },
  { name: 'p256', args: ['-t', 'ecdsa', '-b', '256'], algorithms: ['ecdsa-sha2-nistp256'] },
  { name: 'p384', args: ['-t', 'ecdsa', '-b', '384'], algorithms: ['ecdsa-sha2-nistp384'] },
  { name: 'p521', args: ['-t', 'ecdsa', '-b', '521'], algorithms: ['ecdsa-sha2-nistp521'] },
  { name: 'rsa', args: ['-t', 'rsa', '-b', '2048'], algorithms: ['rsa-sha2-512', 'rsa-sha2-256'] },
]

describe.each(types)('a key of ssh-keygen: $name', ({ name, args, algorithms }) => {
  let blob: Buffer
  beforeAll(() => {
    blob = keygen.generate(name, ...args).blob
  })

  test('is known by type, algorithms and fingerprint', () => {
    const key = parsePublicKey(blob)
    expect(key.algorithms).toEqual(algorithms)
    expect(key.blob).toEqual(blob)
    expect(keygen.run('-l', '-f', `${name}.pub`).split(' ')[1]).toBe(key.fingerprint)
  })

  test('verifies what ssh-keygen signed with it, and nothing else', () => {
    const key = parsePublicKey(blob)
    const [algorithm = ''] = algorithms
    // Numbers of ECDSA differ in length from signature to signature.
    for (let round = 0; round < 5; round++) {
      const { data, signature } = keygen.sign(name, `text ${round}`)
      expect(key.verify(algorithm, data, signature)).toBe(true)
      expect(key.verify(algorithm, signedData('another'), signature)).toBe(false)
      expect(key.verify('ssh-rsa', data, signature)).toBe(false)
      if (round === 0) {
        for (let at = 0; at < signature.length; at++) {
          const changed = Buffer.from(signature)
          changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8))
          expect(key.verify(algorithm, data, changed)).toBe(false)
          expect(key.verify(algorithm, data, signature.subarray(0, at))).toBe(false)
        }
        expect(key.verify(algorithm, data, Buffer.concat([signature, Buffer.alloc(1)]))).toBe(false)
      }
    }
  })

  test('is refused or another key with any byte changed or missing, without another error', () => {
    for (let at = 0; at < blob.length; at++) {
      const changed = Buffer.from(blob)
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8))
      for (const bytes of [changed, blob.subarray(0, at)])
        try {
          expect(parsePublicKey(bytes).blob).toEqual(changed)
        } catch (error) {
          expect(error).toBeInstanceOf(KeyError)
        }
    }
  })
})

test.each(['ssh-ed25519', 'ecdsa-sha2-nistp256', 'ssh-rsa'] as const)(
  'ssh-keygen takes what we sign with a new key: %s',
  async (type) => {
    const key = await generateKey(type)
    const [algorithm = ''] = key.publicKey.algorithms
    for (let round = 0; round < 3; round++) {
      const signature = await key.sign(algorithm, signedData(`text ${round}`))
      expect(keygen.verifies(key.publicKey.blob, `text ${round}`, signature)).toBe(true)
      expect(keygen.verifies(key.publicKey.blob, 'another', signature)).toBe(false)
    }
  },
)

test('SHA-1 and short RSA are for legacy only', async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
  expect(() => new SoftwareKey(privateKey)).toThrow(expect.objectContaining({ problem: 'weak' }))
  const legacy = new SoftwareKey(privateKey, { legacy: true })
  expect(legacy.publicKey.algorithms).toEqual(['rsa-sha2-512', 'rsa-sha2-256', 'ssh-rsa'])
  const data = Buffer.from('data')
  expect(legacy.publicKey.verify('ssh-rsa', data, await legacy.sign('ssh-rsa', data))).toBe(true)

  const { privateKey: long } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const signature = await new SoftwareKey(long, { legacy: true }).sign('ssh-rsa', data)
  const { publicKey } = new SoftwareKey(long)
  expect(publicKey.verify('ssh-rsa', data, signature)).toBe(false)
  expect(() => new SoftwareKey(long).sign('ssh-rsa', data)).toThrow(KeyError)
})

test('keys of wrong length, points outside of the curve, exponents and moduli nobody makes are refused', () => {
  const ed25519 = (bytes: number) =>
    new Writer().string('ssh-ed25519').string(Buffer.alloc(bytes, 1)).finish()
  const p256 = (curve: string, point: Buffer) =>
    new Writer().string('ecdsa-sha2-nistp256').string(curve).string(point).finish()
  const rsa = (e: number[], bytes: number) =>
    new Writer().string('ssh-rsa').mpint(Buffer.from(e)).mpint(Buffer.alloc(bytes, 0xff)).finish()
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const compressed = publicKey.export({ format: 'raw-public', type: 'compressed' })
  const refused = {
    short: ed25519(31),
    long: ed25519(33),
    'off the curve': p256('nistp256', Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)])),
    infinity: p256('nistp256', Buffer.alloc(1)),
    compressed: p256('nistp256', compressed),
    'two curves': p256('nistp384', publicKey.export({ format: 'raw-public' })),
    'exponent 1': rsa([1], 256),
    'even exponent': rsa([2], 256),
    'long exponent': rsa(
      Array.from({ length: 9 }, () => 1),
      256,
    ),
    'too large': rsa([1, 0, 1], 2056),
    negative: new Writer()
      .string('ssh-rsa')
      .string(Buffer.from([1, 0, 1]))
      .string(Buffer.alloc(256, 0xff))
      .finish(),
    'with more behind it': Buffer.concat([ed25519(32), Buffer.alloc(1)]),
  }
  for (const [why, blob] of Object.entries(refused))
    expect(() => parsePublicKey(blob), why).toThrow(expect.objectContaining({ problem: 'malformed' }))
  expect(() => parsePublicKey(new Writer().string('ssh-dss').finish())).toThrow(
    expect.objectContaining({ problem: 'unsupported' }),
  )
})
