/** Whatever arrives where a key is expected: it is refused with the declared error, or is a key that holds. */
import { duplexPair } from 'node:stream'
import { expect, test } from 'vitest'
import { mutate, numbers } from '../testing/mutate.ts'
import { securityKey } from '../testing/security-key.ts'
import { Writer } from '../wire/writer.ts'
import { Agent } from './agent.ts'
import { generateKey } from './generate.ts'
import { KeyError } from './key.ts'
import { formatOpenSshKey } from './openssh-key.ts'
import { parsePrivateKey } from './private-key.ts'
import { formatPublicKeyLine, parsePublicKeyFile, parsePublicKeyLine } from './public-key-text.ts'
import { parsePublicKey } from './public-key.ts'
import { signCertificate } from './sign-certificate.ts'

/** By hand for longer, with another seed: FUZZ_ROUNDS=1000000 FUZZ_SEED=7. */
const rounds = Number(process.env['FUZZ_ROUNDS'] ?? 4000)
const random = numbers(Number(process.env['FUZZ_SEED'] ?? 1))

const keys = await Promise.all(
  (['ssh-ed25519', 'ecdsa-sha2-nistp256', 'ssh-rsa'] as const).map((type) => generateKey(type)),
)
const [ed25519 = await generateKey('ssh-ed25519')] = keys
const data = Buffer.from('data')
const plain = [
  ...keys.map(({ publicKey }) => publicKey.blob),
  ...['sk-ssh-ed25519@openssh.com', 'sk-ecdsa-sha2-nistp256@openssh.com'].map(
    (type) => securityKey(type).blob,
  ),
]
const certificates = await Promise.all(
  plain.map((blob) =>
    signCertificate(ed25519, parsePublicKey(blob), {
      kind: 'user',
      serial: 1n,
      keyId: 'fuzz',
      principals: ['ann', 'bob'],
      validAfter: 0,
      validBefore: Number.POSITIVE_INFINITY,
      criticalOptions: new Map([['source-address', '192.0.2.0/24']]),
      extensions: new Map([['permit-pty', '']]),
    }),
  ),
)

/** @returns undefined where the declared error was thrown */
function declared<Parsed>(parse: () => Parsed): Parsed | undefined {
  try {
    return parse()
  } catch (error) {
    if (error instanceof KeyError) return undefined
    throw error
  }
}
const pick = <Item>(items: readonly Item[]): Item => {
  const item = items[random(items.length)]
  if (item === undefined) throw new Error('there is nothing to pick')
  return item
}

test('public keys', () => {
  for (let round = 0; round < rounds; round++) {
    const mutated = mutate(pick(plain), random)
    const key = declared(() => parsePublicKey(mutated))
    if (key) expect(key.blob).toEqual(mutated)
  }
})

test('certificates: none but those that were signed', () => {
  for (let round = 0; round < rounds; round++) {
    const { blob } = pick(certificates)
    const mutated = mutate(blob, random)
    const key = declared(() => parsePublicKey(mutated))
    if (key) expect(mutated).toEqual(blob)
  }
})

test('signatures: none but those that were made', async () => {
  for (const key of keys)
    for (const algorithm of key.publicKey.algorithms) {
      const signature = await key.sign(algorithm, data)
      for (let round = 0; round < rounds / 4; round++) {
        const mutated = mutate(signature, random)
        expect(key.publicKey.verify(algorithm, data, mutated)).toBe(mutated.equals(signature))
      }
    }
})

test('private keys, and lines and files of public ones', () => {
  const texts = [
    ...keys.map((key) => formatOpenSshKey(key)),
    ...keys.map(({ keyObject }) => keyObject.export({ type: 'pkcs8', format: 'pem' })),
  ]
  const { publicKey } = ed25519
  const line = Buffer.from(`from="192.0.2.1",no-pty ${formatPublicKeyLine(publicKey)} me@home`)
  const body = publicKey.blob.toString('base64')
  const file = `---- BEGIN SSH2 PUBLIC KEY ----\nComment: "me"\n${body}\n---- END SSH2 PUBLIC KEY ----\n`
  for (let round = 0; round < rounds; round++) {
    const text = pick(texts)
    const [, base64 = ''] = /-----\n([^-]+)-----/.exec(text) ?? []
    const bytes = mutate(Buffer.from(base64, 'base64'), random)
    const inside = text.replace(base64, `${bytes.toString('base64')}\n`)
    for (const mutated of [inside, mutate(Buffer.from(text), random).toString()])
      declared(() => parsePrivateKey(mutated, { passphrase: 'a passphrase' }))
    declared(() => parsePublicKeyLine(mutate(line, random).toString()))
    declared(() => parsePublicKeyFile(mutate(Buffer.from(file), random).toString()))
  }
})

test('answers of agents', async () => {
  const list = new Writer().byte(12).uint32(plain.length)
  for (const blob of plain) list.string(blob).string('comment')
  const answer = list.finish()
  for (let round = 0; round < rounds / 4; round++) {
    const [ours, theirs] = duplexPair()
    theirs.once('data', () => theirs.write(new Writer().string(mutate(answer, random)).finish()))
    const agent = new Agent(ours, { timeoutMs: 20_000 })
    await agent.keys().catch((error: unknown) => expect(error).toBeInstanceOf(KeyError))
    ours.destroy()
  }
})
