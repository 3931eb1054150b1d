import buffer from 'node:buffer'
import { text } from 'node:stream/consumers'
import { inspect } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AuthMethod } from './auth/client-auth.ts'
import type { AuthRequest, Verdict } from './auth/server-auth.ts'
import { connect, type ConnectOptions } from './client.ts'
import { generateKey } from './keys/generate.ts'
import { formatOpenSshKey } from './keys/openssh-key.ts'
import { parsePrivateKey } from './keys/private-key.ts'
import { dialLocally, logIn } from './testing/log-in.ts'
import { TestServer } from './testing/test-server.ts'
import { Transport } from './transport/transport.ts'
import { streamPair } from './testing/stream-pair.ts'

/** What nobody may find anywhere. */
const password = 'hunter2-password'
const answer = 'hunter2-answer'
const plaintext = 'hunter2-plaintext'
const passphrase = 'hunter2-passphrase'

// Not only the beginnings of bytes.
buffer.INSPECT_MAX_BYTES = 100_000

let server: TestServer

beforeAll(async () => {
  server = await TestServer.start()
})
afterAll(async () => {
  await server.stop()
})

/** Everything a log could make of it: its fields, those of its causes, its stack; and the forms bytes are shown in. */
function shown(value: unknown): string {
  let out = inspect(value, {
    depth: 12,
    showHidden: true,
    maxArrayLength: null,
    maxStringLength: null,
    breakLength: Infinity,
  })
  for (let one: unknown = value; one instanceof Error; one = one.cause)
    out += `\n${one.message}\n${one.stack ?? ''}\n${JSON.stringify(Object.entries(one))}`
  return out
}

function expectNoSecret(value: unknown, more: readonly Buffer[] = []): void {
  const secrets = [password, answer, plaintext, passphrase].map((secret) => Buffer.from(secret))
  const out = shown(value)
  for (const secret of [...secrets, ...more]) {
    const hex = secret.toString('hex')
    const forms = [
      secret.toString('latin1'),
      hex,
      secret.toString('base64'),
      hex.replace(/..(?=.)/g, '$& '),
      [...secret].join(', '),
    ]
    for (const form of forms) expect(out.includes(form), `${form} in ${out.slice(0, 3000)}`).toBe(false)
  }
}

const passwordMethod: AuthMethod = { method: 'password', password }
const questions: AuthMethod = { method: 'keyboard-interactive', answer: async () => [answer] }

async function login(methods: AuthMethod[], more: Partial<ConnectOptions> = {}) {
  return await logIn({ port: server.port, username: 'ann', methods }, more)
}

test('what is looked for is found where it is', () => {
  const bytes = Buffer.from(`about ${password}`)
  for (const value of [new Error('no', { cause: new Error(password) }), { bytes }, { deep: { password } }])
    expect(() => expectNoSecret(value)).toThrow()
})

test('a login that fails tells nothing of what was shown, whoever asks how', async () => {
  server.authenticate = async (request): Promise<Verdict> => {
    expectNoSecret(server.connections.at(-1))
    if (request.method === 'keyboard-interactive')
      await request.ask({ name: '', instruction: '', questions: [{ prompt: '?', echo: false }] })
    return 'wrong'
  }
  const error: unknown = await login([passwordMethod, questions]).catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(Error)
  expectNoSecret(error)
  expectNoSecret(server.connections.at(-1))
})

test('an application that fails while it judges gives away nothing of it', async () => {
  server.authenticate = () => {
    throw new Error('the directory is not there')
  }
  const error: unknown = await login([passwordMethod]).catch((reason: unknown) => reason)
  expectNoSecret(error)
  const connection = server.connections.at(-1)
  expectNoSecret(await connection?.closed)
})

test('a connection, its sessions, and how they ended hold no password, key or plaintext to be seen', async () => {
  const key = await generateKey('ssh-ed25519')
  const file = Buffer.from(formatOpenSshKey(key).replace(/-----.*-----|\s/g, ''), 'base64')
  const point = file.lastIndexOf(key.publicKey.blob.subarray(-32))
  const seed = file.subarray(point - 32, point)
  const requests: AuthRequest[] = []
  server.authenticate = (request) => {
    if (request.method === 'publickey') requests.push(request)
    return request.method === 'password' ? 'accepted' : 'refused'
  }
  const client = await login([{ method: 'publickey', key }, passwordMethod])
  const session = await client.openSession()
  await session.exec('cat')
  session.end(plaintext)
  expect(await text(session)).toBe(plaintext)
  await session.exited
  for (const value of [client, session, server.connections.at(-1), key, requests])
    expectNoSecret(value, [seed])
  client.destroy()
  expectNoSecret(await client.closed)
})

test('keys of exchanged secrets are not to be seen in a transport', async () => {
  const [near, far] = streamPair()
  const hostKey = await generateKey('ssh-ed25519')
  const options = { ident: 'SSH-2.0-Test' }
  const one = new Transport(near, { ...options, role: 'server', hostKeys: [hostKey] })
  const other = new Transport(far, { ...options, role: 'client', verifyHostKey: () => {} })
  await Promise.all([one.ready, other.ready])
  one.onPacket = () => {
    throw new Error('a fault of the application')
  }
  other.send([Buffer.from([94]), Buffer.from(plaintext)])
  expectNoSecret(one)
  expectNoSecret(await one.closed)
  expectNoSecret(other)
  other.destroy()
})

test.each(['OPENSSH', 'ENCRYPTED', 'RSA', 'EC'])(
  'a private key (%s) that cannot be read is not told in the error',
  async (kind) => {
    const begin = `-----BEGIN ${kind === 'ENCRYPTED' ? 'ENCRYPTED PRIVATE' : `${kind} PRIVATE`} KEY-----`
    const body = Buffer.from(`openssh-key-v1\0${plaintext}${plaintext}`).toString('base64')
    for (const file of [
      `${begin}\n${body}\n${begin.replace('BEGIN', 'END')}\n`,
      `${begin}\n${plaintext}`,
      plaintext,
    ]) {
      const read = async () => parsePrivateKey(file, { passphrase })
      const error: unknown = await read().catch((reason: unknown) => reason)
      expect(error).toBeInstanceOf(Error)
      expectNoSecret(error, [Buffer.from(body)])
    }
  },
)

test('a host key that is refused fails without what was to be shown', async () => {
  const connecting = connect(await dialLocally(server.port), {
    ident: 'Test',
    username: 'ann',
    methods: [passwordMethod],
    loginMs: 20_000,
    replyMs: 20_000,
    keepaliveMs: 20_000,
    verifyHostKey: () => {
      throw new Error('not this one')
    },
  })
  expectNoSecret(await connecting.catch((reason: unknown) => reason))
})
