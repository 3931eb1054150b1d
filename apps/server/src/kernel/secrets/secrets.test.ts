import { constants, createCipheriv, publicEncrypt, randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { envelopeKey, formatEnvelope, padZeros } from '@sallyport/contract/envelope'
import { ConfigError, readConfig } from '../config.ts'
import { createTestDatabase } from '../testing/index.ts'
import { createKeyring, loadEnvelopeOpener, loadKeyring, SecretKeyError } from './index.ts'

const database = await createTestDatabase()
const oldKey = 'the key of last year'
const newKey = 'the key of this year'

function seal(text: string, publicKey: string, keyText: string): string {
  const aesKey = envelopeKey(Buffer.from(keyText))
  const aes = createCipheriv(`aes-${aesKey.length * 8}-ecb`, aesKey, null).setAutoPadding(false)
  return formatEnvelope({
    keyCipher: publicEncrypt(
      { key: publicKey, padding: constants.RSA_PKCS1_PADDING },
      Buffer.from(keyText),
    ).toString('base64'),
    cipher: Buffer.concat([aes.update(padZeros(text)), aes.final()]).toString('base64'),
  })
}

describe('secrets at rest', () => {
  test('what is stored shows nothing of the secret and differs each time', () => {
    const keyring = createKeyring([oldKey])
    const stored = keyring.encrypt('pässwörd')
    expect(stored).toMatch(/^v1\.[0-9a-f]{12}\.[\w-]+$/)
    expect(keyring.encrypt('pässwörd')).not.toBe(stored)
    expect(keyring.decrypt(stored)).toBe('pässwörd')
  })

  test('after a rotation the new key encrypts and the old one still decrypts', () => {
    const before = createKeyring([oldKey]).encrypt('a')
    const rotated = createKeyring([newKey, oldKey])
    expect(rotated.decrypt(before)).toBe('a')
    expect(createKeyring([newKey]).decrypt(rotated.encrypt('b'))).toBe('b')
    expect(() => createKeyring([newKey]).decrypt(before)).toThrow(SecretKeyError)
  })

  test('an altered secret is refused', () => {
    const keyring = createKeyring([oldKey])
    const stored = keyring.encrypt('something')
    const flipped = stored.slice(0, -4) + (stored.endsWith('AAAA') ? 'BBBB' : 'AAAA')
    expect(() => keyring.decrypt(flipped)).toThrow('altered')
    expect(() => keyring.decrypt('plain')).toThrow(SecretKeyError)
  })

  test('without SALLYPORT_SECRET_KEY a key is generated that only this account may read, and it is kept', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'sallyport-key-'))
    onTestFinished(() => rm(dataDir, { recursive: true }))
    const config = readConfig({ SALLYPORT_DATA: dataDir })
    const [one, two] = await Promise.all([loadKeyring(config), loadKeyring(config)])
    expect(two.decrypt(one.encrypt('x'))).toBe('x')
    expect((await stat(join(dataDir, 'secret.key'))).mode & 0o777).toBe(0o600)
    const later = await loadKeyring(readConfig({ SALLYPORT_DATA: dataDir, SALLYPORT_SECRET_KEY: newKey }))
    expect(later.decrypt(one.encrypt('x'))).toBe('x')
    expect(createKeyring([newKey]).decrypt(later.encrypt('y'))).toBe('y')
    expect(await readFile(join(dataDir, 'secret.key'), 'utf8')).not.toContain(newKey)
  })
})

describe('the secret envelope', () => {
  test('nodes that start at once share one key pair and open what the browser sealed', async () => {
    const keyring = createKeyring([oldKey])
    const [one, two] = await Promise.all([
      loadEnvelopeOpener(database, keyring),
      loadEnvelopeOpener(database, keyring),
    ])
    expect(two.publicKey).toBe(one.publicKey)
    for (const keyText of ['k', 'sixteen bytes ok', 'a key of more than sixteen', 'x'.repeat(40)]) {
      for (const text of ['secret', '密码🔑', 'a:b:c', 'p'.repeat(5000)]) {
        expect(await two.openEnvelopes([seal(text, one.publicKey, keyText)])).toEqual([text])
      }
    }
  })

  test('what is no envelope is taken as it is', async () => {
    const opener = await loadEnvelopeOpener(database, createKeyring([oldKey]))
    const foreign = randomBytes(256).toString('base64')
    const whole = seal('text', opener.publicKey, 'sixteen bytes ok')
    const plain = [
      '',
      'plain',
      'user:password',
      'a:b:c',
      ':x',
      `${foreign}:AAAA`,
      whole.slice(0, -8),
      'ab:cd=',
    ]
    expect(await opener.openEnvelopes(plain)).toEqual(plain)
  })

  test('a server with another secret key says so at its start', async () => {
    await loadEnvelopeOpener(database, createKeyring([oldKey]))
    await expect(loadEnvelopeOpener(database, createKeyring([newKey]))).rejects.toThrow(ConfigError)
  })
})
