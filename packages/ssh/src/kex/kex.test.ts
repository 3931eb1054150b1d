import { execFileSync } from 'node:child_process'
import { createPrivateKey, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { Writer } from '../wire/writer.ts'
import { deriveKeys } from './derive.ts'
import { agreeIn, generateIn, knownGroup } from './dh.ts'
import { agreeX25519 } from './elliptic.ts'
import { inTurn } from './turns.ts'

test.for(['sha1', 'sha256', 'sha384', 'sha512'] as const)(
  "keys are derived as OpenSSL's own derivation for SSH does, with %s",
  (hash) => {
    const secret = new Writer().mpint(randomBytes(100)).finish()
    const [exchangeHash, sessionId] = [randomBytes(32), randomBytes(32)]
    const sizes = { ivBytes: 12, keyBytes: 64, macKeyBytes: 200 }
    const openssl = (letter: string, bytes: number) => {
      const options = {
        digest: hash,
        hexkey: secret.toString('hex'),
        hexxcghash: exchangeHash.toString('hex'),
        hexsession_id: sessionId.toString('hex'),
        type: letter,
      }
      const args = Object.entries(options).flatMap(([name, value]) => ['-kdfopt', `${name}:${value}`])
      const printed = execFileSync('openssl', ['kdf', '-keylen', String(bytes), ...args, 'SSHKDF'])
      return Buffer.from(printed.toString().replaceAll(/[:\s]/g, ''), 'hex')
    }
    for (const [direction, iv, key, mac] of [
      ['toServer', 'A', 'C', 'E'],
      ['toClient', 'B', 'D', 'F'],
    ] as const)
      expect(deriveKeys(direction, sizes, { secret, exchangeHash, sessionId, hash })).toEqual({
        iv: openssl(iv, 12),
        key: openssl(key, 64),
        macKey: openssl(mac, 200),
      })
  },
)

test('X25519 agrees on the secret of RFC 7748, 6.1', () => {
  const hex = (text: string) => Buffer.from(text, 'hex')
  const alice = createPrivateKey({
    key: hex('77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a'),
    format: 'raw-private',
    asymmetricKeyType: 'x25519',
  })
  const bob = hex('de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f')
  expect(agreeX25519(alice, bob)).toEqual(
    hex('4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742'),
  )
})

test('a group refuses values that lead to a secret anybody knows', async () => {
  const group = knownGroup('modp14')
  const prime = BigInt(`0x${group.prime.toString('hex')}`)
  const { privateKey, value } = await generateIn(group)
  expect(await agreeIn(group, privateKey, value)).toHaveLength(256)
  for (const bad of [0n, 1n, prime - 1n, prime, prime + 1n]) {
    const text = bad.toString(16)
    const bytes = Buffer.from(text.padStart(text.length + (text.length % 2), '0'), 'hex')
    await expect(agreeIn(group, privateKey, bytes)).rejects.toMatchObject({ reason: 'protocolError' })
  }
})

test('work for threads waits for its turn, and one that fails gives its turn on', async () => {
  const gate = Promise.withResolvers<void>()
  let running = 0
  let most = 0
  const work = Array.from({ length: 6 }, (_, index) =>
    inTurn(async () => {
      most = Math.max(most, ++running)
      await gate.promise
      running--
      if (index % 2 === 0) throw new Error('no')
    }),
  )
  gate.resolve()
  const ended = await Promise.allSettled(work)
  expect(ended.map(({ status }) => status)).toEqual(
    Array.from({ length: 3 }, () => ['rejected', 'fulfilled']).flat(),
  )
  expect(most).toBe(2)
})
