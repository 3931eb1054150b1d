import { constants, createDecipheriv, generateKeyPairSync, privateDecrypt } from 'node:crypto'
import { expect, test } from 'vitest'
import { seal } from './envelope.ts'

const pair = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
})

/** Opens an envelope the way the protocol's documentation tells a server to. */
function open(envelope: string): string {
  const [keyCipher = '', cipher = ''] = envelope.split(':')
  const key = privateDecrypt(
    { key: pair.privateKey, padding: constants.RSA_PKCS1_PADDING },
    Buffer.from(keyCipher, 'base64'),
  )
  const aes = createDecipheriv('aes-128-ecb', key, null).setAutoPadding(false)
  const plain = Buffer.concat([aes.update(Buffer.from(cipher, 'base64')), aes.final()])
  return plain.toString('utf8').replace(/\0+$/u, '')
}

test.each(['x', 'exactly16bytes..', 'päss wörd 密码 🔑', 'k'.repeat(5000)])(
  'a sealed secret opens to what was typed: %s',
  (secret) => {
    expect(open(seal(secret, pair.publicKey))).toBe(secret)
  },
)

test('the same secret never looks the same twice', () => {
  expect(seal('same', pair.publicKey)).not.toBe(seal('same', pair.publicKey))
})
