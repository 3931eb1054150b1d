import { execFileSync } from 'node:child_process'
import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { afterAll, describe, expect, test } from 'vitest'
import { Keygen } from '../testing/keygen.ts'
import { formatArmour } from './armour.ts'
import { KeyError } from './key.ts'
import { formatOpenSshKey } from './openssh-key.ts'
import { parsePrivateKey } from './private-key.ts'

const keygen = new Keygen()
afterAll(() => keygen.dispose())

const passphrase = 'a päss phrase'
const types = [
  { name: 'ed25519', args: ['-t', 'ed25519'] },
  { name: 'p256', args: ['-t', 'ecdsa', '-b', '256'] },
  { name: 'p384', args: ['-t', 'ecdsa', '-b', '384'] },
  { name: 'p521', args: ['-t', 'ecdsa', '-b', '521'] },
  { name: 'rsa', args: ['-t', 'rsa', '-b', '2048'] },
].map(({ name, args }) => ({ name, ...keygen.generate(name, ...args) }))
const rewritten = (name: string, ...args: string[]) => {
  keygen.write('copy', keygen.read(name))
  keygen.run('-q', '-p', '-f', 'copy', '-P', '', ...args)
  return keygen.read('copy')
}
const puttygen = (name: string, ...args: string[]) => {
  execFileSync(
    'puttygen',
    [name, '-O', 'private', '-o', 'key.ppk', '--old-passphrase', keygen.write('old', ''), ...args],
    { cwd: keygen.folder, stdio: 'pipe' },
  )
  return keygen.read('key.ppk')
}
const problemOf = (text: string, given?: string) => {
  try {
    parsePrivateKey(text, { passphrase: given })
    return undefined
  } catch (error) {
    return error instanceof KeyError ? error.problem : error
  }
}

describe.each(types)('a private key of ssh-keygen: $name', ({ name, privateText, blob }) => {
  test('is read, and ssh-keygen reads what is written of it', () => {
    const key = parsePrivateKey(privateText)
    expect(key.publicKey.blob).toEqual(blob)
    keygen.write('written', formatOpenSshKey(key))
    const [type, body] = keygen.run('-y', '-f', 'written').trim().split(' ')
    expect([type, body]).toEqual([key.publicKey.type, blob.toString('base64')])
    expect(parsePrivateKey(keygen.read('written')).keyObject.equals(key.keyObject)).toBe(true)
  })

  test('is read with lines as Windows ends them, and something before and behind', () => {
    const text = `\uFEFF\r\n${privateText.replaceAll('\n', '\r\n')}\r\nmore`
    expect(parsePrivateKey(text).publicKey.blob).toEqual(blob)
  })

  test('is read as PEM and PKCS #8, encrypted or not', () => {
    const forms = name === 'ed25519' ? [] : ['PEM', 'PKCS8']
    for (const form of forms)
      for (const given of ['', passphrase]) {
        const text = rewritten(name, '-m', form, '-N', given)
        expect(parsePrivateKey(text, { passphrase: given }).publicKey.blob).toEqual(blob)
        if (given === '') continue
        expect(problemOf(text)).toBe('passphraseMissing')
        expect(problemOf(text, 'another')).toBe('passphraseWrong')
      }
    const { keyObject } = parsePrivateKey(privateText)
    const pkcs8 = keyObject.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase })
    expect(parsePrivateKey(pkcs8, { passphrase }).publicKey.blob).toEqual(blob)
    expect(problemOf(pkcs8, 'another')).toBe('passphraseWrong')
  })

  test('is read as puttygen writes it, versions 2 and 3, encrypted or not', () => {
    const secret = keygen.write('new', passphrase)
    for (const version of [2, 3])
      for (const given of ['', passphrase]) {
        const args = ['--ppk-param', `version=${version},memory=1024,passes=2`]
        const text = puttygen(name, ...args, '--new-passphrase', given === '' ? '/dev/null' : secret)
        expect(text).toContain(`File-${version}: `)
        expect(parsePrivateKey(text, { passphrase: given }).publicKey.blob).toEqual(blob)
        expect(problemOf(text.replace(/^Comment: ./m, 'Comment: -'), given)).toBe(
          given === '' ? 'malformed' : 'passphraseWrong',
        )
        if (given === '') continue
        expect(problemOf(text)).toBe('passphraseMissing')
        expect(problemOf(text, 'another')).toBe('passphraseWrong')
      }
  })
})

test.each([
  'aes256-ctr',
  'aes256-cbc',
  'aes128-ctr',
  'aes192-cbc',
  '3des-cbc',
  'aes128-gcm@openssh.com',
  'aes256-gcm@openssh.com',
  'chacha20-poly1305@openssh.com',
])('a key that ssh-keygen encrypted with %s is opened with its passphrase only', (cipher) => {
  const { blob } = types[1] ?? { blob: undefined }
  const text = rewritten('p256', '-Z', cipher, '-a', '2', '-N', passphrase)
  expect(parsePrivateKey(text, { passphrase }).publicKey.blob).toEqual(blob)
  expect(problemOf(text)).toBe('passphraseMissing')
  expect(problemOf(text, 'another')).toBe('passphraseWrong')
})

test.each(['argon2id', 'argon2i', 'argon2d'])('a key that PuTTY stretched with %s is opened', (kdf) => {
  const text = puttygen(
    'ed25519',
    '--ppk-param',
    `kdf=${kdf},memory=512,passes=3,parallelism=2`,
    '--new-passphrase',
    keygen.write('new', passphrase),
  )
  expect(text.toLowerCase()).toContain(`key-derivation: ${kdf}`)
  expect(parsePrivateKey(text, { passphrase }).publicKey.blob).toEqual(types[0]?.blob)
})

describe('a key that takes too long to open is refused at once', () => {
  const changed = (text: string, change: (bytes: Buffer) => void) => {
    const [, body = ''] = /-----BEGIN [A-Z ]+-----([^-]*)-----END/.exec(text) ?? []
    const bytes = Buffer.from(body, 'base64')
    change(bytes)
    return text.replace(body, `\n${bytes.toString('base64')}\n`)
  }

  test('for rounds of bcrypt', () => {
    const text = rewritten('ed25519', '-a', '2', '-N', passphrase)
    const many = changed(text, (bytes) => bytes.writeUInt32BE(151, bytes.indexOf('bcrypt') + 6 + 4 + 4 + 16))
    expect(problemOf(many, passphrase)).toBe('tooCostly')
  })

  test('for iterations of PKCS #8', () => {
    const { privateKey } = generateKeyPairSync('ed25519')
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase })
    // The length of the salt and the count 2,048 beside it are made into a count of four bytes.
    const many = changed(pem, (bytes) => {
      const at = bytes.indexOf(Buffer.from([0x02, 0x02, 0x08, 0x00]))
      bytes.writeUInt8(bytes.readUInt8(at - 17) - 2, at - 17)
      bytes.set([0x02, 0x04, 0x7f, 0xff, 0xff, 0xff], at - 2)
    })
    expect(problemOf(many, passphrase)).toBe('tooCostly')
  })

  test('for the costs of scrypt', () => {
    const seal = (parallel: number) =>
      execFileSync('openssl', [
        'pkcs8',
        '-topk8',
        '-scrypt',
        ...Object.entries({ scrypt_N: 1024, scrypt_r: 8, scrypt_p: parallel }).flatMap(([name, value]) => [
          `-${name}`,
          String(value),
        ]),
        '-passout',
        `pass:${passphrase}`,
        '-in',
        keygen.path('scrypt'),
      ]).toString()
    keygen.write('scrypt', rewritten('p256', '-m', 'PKCS8', '-N', ''))
    expect(parsePrivateKey(seal(2), { passphrase }).publicKey.type).toBe('ecdsa-sha2-nistp256')
    expect(problemOf(seal(1025), passphrase)).toBe('tooCostly')
  })

  test("for memory and passes of PuTTY's", () => {
    const secret = keygen.write('new', passphrase)
    const text = puttygen('ed25519', '--ppk-param', 'memory=1024,passes=2', '--new-passphrase', secret)
    expect(problemOf(text.replace(/^Argon2-Memory: \d+/m, 'Argon2-Memory: 1048576'), passphrase)).toBe(
      'tooCostly',
    )
    expect(problemOf(text.replace(/^Argon2-Passes: \d+/m, 'Argon2-Passes: 1000000'), passphrase)).toBe(
      'tooCostly',
    )
  })
})

test('keys that are damaged are refused with the declared error only', () => {
  const texts = [
    ...types.map(({ privateText }) => privateText),
    rewritten('ed25519', '-Z', 'aes256-gcm@openssh.com', '-a', '1', '-N', passphrase),
    puttygen('ed25519', '--ppk-param', 'version=2'),
    puttygen('p256', '--ppk-param', 'version=3'),
    createPrivateKey(rewritten('rsa', '-m', 'PEM', '-N', '')).export({ type: 'pkcs8', format: 'pem' }),
  ]
  for (const text of texts) {
    const { keyObject } = parsePrivateKey(text, { passphrase })
    const [, body = ''] = /-----BEGIN [A-Z ]+-----([^-]*)-----END/.exec(text) ?? []
    const bytes = Buffer.from(body === '' ? text : body, body === '' ? 'utf8' : 'base64')
    const back = (mutated: Buffer) =>
      body === '' ? mutated.toString() : text.replace(body, `\n${mutated.toString('base64')}\n`)
    for (let at = 0; at < bytes.length; at += Math.ceil(bytes.length / 150)) {
      const flipped = Buffer.from(bytes)
      flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8))
      for (const mutated of [flipped, bytes.subarray(0, at)]) {
        let key: KeyObject | undefined
        try {
          key = parsePrivateKey(back(mutated), { passphrase }).keyObject
        } catch (error) {
          expect(error).toBeInstanceOf(KeyError)
        }
        // A comment, or a number that can be calculated from the others.
        if (key) expect(key.equals(keyObject) || isSamePublicKey(key, keyObject)).toBe(true)
      }
    }
  }
})

test('the key is found behind the parameters openssl writes before it', () => {
  const text = execFileSync('openssl', ['ecparam', '-name', 'secp384r1', '-genkey']).toString()
  expect(text).toContain('BEGIN EC PARAMETERS')
  expect(parsePrivateKey(text).publicKey.type).toBe('ecdsa-sha2-nistp384')
})

test('a key whose numbers do not belong to each other is refused', () => {
  for (const [name, type, numbers] of [
    ['rsa', 'pkcs1', ['d', 'p', 'q', 'dp', 'dq', 'qi']],
    ['p256', 'sec1', ['d']],
  ] as const) {
    const { keyObject } = parsePrivateKey(keygen.read(name))
    const whole = keyObject.export({ type, format: 'der' })
    const pem = (bytes: Buffer) =>
      formatArmour(type === 'pkcs1' ? 'RSA PRIVATE KEY' : 'EC PRIVATE KEY', bytes)
    expect(problemOf(pem(whole))).toBeUndefined()
    for (const number of numbers) {
      const bytes = Buffer.from(keyObject.export({ format: 'jwk' })[number] ?? '', 'base64url')
      const changed = Buffer.from(whole)
      const at = changed.indexOf(bytes) + bytes.length - 1
      changed[at] = (changed[at] ?? 0) ^ 4
      expect(problemOf(pem(changed)), number).toBe('malformed')
    }
  }
})

test('files that are no private key, or of kinds we do not know, are refused', () => {
  expect(problemOf('')).toBe('malformed')
  expect(problemOf(types[0]?.publicLine ?? '')).toBe('malformed')
  expect(problemOf('x'.repeat(70_000))).toBe('malformed')
  expect(problemOf('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----')).toBe('malformed')
  expect(problemOf('-----BEGIN DSA PRIVATE KEY-----\nAAAA\n-----END DSA PRIVATE KEY-----')).toBe(
    'unsupported',
  )
  const dsa = generateKeyPairSync('dsa', { modulusLength: 1024 }).privateKey
  expect(problemOf(dsa.export({ type: 'pkcs8', format: 'pem' }))).toBe('unsupported')
  const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey
  expect(problemOf(short.export({ type: 'pkcs1', format: 'pem' }))).toBe('weak')
})

test('no message of an error holds a part of the key or its passphrase', () => {
  const text = rewritten('ed25519', '-a', '1', '-N', passphrase)
  try {
    parsePrivateKey(text, { passphrase: 'a secret guess' })
    expect.unreachable()
  } catch (error) {
    const shown = `${String(error)} ${JSON.stringify(error)} ${error instanceof Error ? error.stack : ''}`
    expect(shown).not.toContain('a secret guess')
    expect(error).not.toHaveProperty('cause')
  }
})

const isSamePublicKey = (one: KeyObject, other: KeyObject) =>
  createPublicJson(one) === createPublicJson(other)
function createPublicJson(key: KeyObject): string {
  const { kty, crv, x, y, n, e } = key.export({ format: 'jwk' })
  return JSON.stringify({ kty, crv, x, y, n, e })
}
