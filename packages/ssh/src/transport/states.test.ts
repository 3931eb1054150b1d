import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { type Proposal, readKexInit, writeKexInit } from '../kex/kex-init.ts'
import { generateKey } from '../keys/generate.ts'
import { PacketReader } from '../packets/packet-reader.ts'
import { PacketWriter } from '../packets/packet-writer.ts'
import { message } from '../wire/messages.ts'
import { Writer } from '../wire/writer.ts'
import { defaultAlgorithms } from './algorithms.ts'
import { Transport } from './transport.ts'
import { streamPair } from '../testing/stream-pair.ts'

const hostKey = await generateKey('ssh-ed25519')

/** A client that says what a test wants it to say, and has no keys yet. */
class BareClient {
  readonly server: Transport
  readonly received: Buffer[] = []
  readonly #stream: Duplex
  readonly #writer: PacketWriter

  constructor(ident = 'SSH-2.0-Bare\r\n', algorithms = defaultAlgorithms) {
    const [stream, far] = streamPair()
    this.#stream = stream
    this.server = new Transport(far, {
      role: 'server',
      ident: 'SSH-2.0-Test',
      hostKeys: [hostKey],
      algorithms,
    })
    this.#writer = new PacketWriter({ write: (bytes) => void stream.write(Buffer.from(bytes)) })
    const reader = new PacketReader(100_000)
    let isIdentRead = false
    stream.on('data', (chunk: Buffer) => {
      const input = { bytes: chunk, at: 0 }
      if (!isIdentRead) input.at = chunk.indexOf('\n') + 1
      isIdentRead = true
      for (let payload = reader.next(input); payload; payload = reader.next(input))
        this.received.push(payload)
    })
    stream.write(ident)
  }

  say(...payloads: Buffer[]): this {
    for (const payload of payloads) this.#writer.write([payload], payload.length)
    return this
  }

  propose(proposal: Partial<Proposal> = {}): this {
    const { kex, hostKey, cipher, mac } = defaultAlgorithms
    return this.say(
      writeKexInit({
        kex,
        hostKey,
        cipherToServer: cipher,
        cipherToClient: cipher,
        macToServer: mac,
        macToClient: mac,
        compressionToServer: ['none'],
        compressionToClient: ['none'],
        isGuessing: false,
        ...proposal,
      }),
    )
  }

  numbers(): (number | undefined)[] {
    return this.received.map((payload) => payload[0])
  }

  end(): void {
    this.#stream.destroy()
  }
}

const ignore = new Writer().byte(message.ignore).string('').finish()
const curveInit = (value: Buffer) => new Writer().byte(message.kexFirst).string(value).finish()
const anyPoint = Buffer.alloc(32, 9)
const strict = [...defaultAlgorithms.kex, 'kex-strict-c-v00@openssh.com']
const curve = ['curve25519-sha256']

test.for([
  ['speaks another protocol', 'GET / HTTP/1.1\r\n\r\n'],
  ['has an old version', 'SSH-1.5-old\r\n'],
  ['never ends its first line', 'SSH-2.0-'.padEnd(5000, 'x')],
  ['has control characters in its version', 'SSH-2.0-a\u0000b\r\n'],
])('a client that %s is sent away', async ([, ident]) => {
  const client = new BareClient(ident)
  expect(await client.server.closed).toMatchObject({ reason: 'versionNotSupported' })
})

test.for([
  ['at once', '', 'connectionLost'],
  ['before it said its version', 'SSH-2.0-a', 'versionNotSupported'],
  ['before keys are exchanged', 'SSH-2.0-a\r\n', 'connectionLost'],
])('a client that leaves %s ends the connection', async ([, ident, reason]) => {
  const client = new BareClient(ident)
  client.end()
  expect(await client.server.closed).toMatchObject({ reason })
})

test.for<[string, (client: BareClient) => unknown]>([
  [
    'a request for a service before there are keys',
    (client) => client.say(Buffer.from([message.serviceRequest])),
  ],
  ['data before there are keys', (client) => client.propose().say(Buffer.from([message.channelData]))],
  ['new keys before they are agreed on', (client) => client.propose().say(Buffer.from([message.newKeys]))],
  ['new keys before anything', (client) => client.say(Buffer.from([message.newKeys]))],
  ['a message of key exchange before a proposal', (client) => client.say(curveInit(anyPoint))],
  [
    "the other side's message of key exchange",
    (client) => client.propose().say(Buffer.from([31, 0, 0, 0, 0])),
  ],
  ['two proposals', (client) => client.propose().propose()],
  ['extensions before there are keys', (client) => client.propose().say(Buffer.from([7, 0, 0, 0, 0]))],
  ['a message nobody knows while keys are exchanged', (client) => client.propose().say(Buffer.from([25]))],
  ['an empty proposal', (client) => client.say(Buffer.from([message.kexInit]))],
  ['something before the first proposal, strictly', (client) => client.say(ignore).propose({ kex: strict })],
  [
    'something between the messages of the first exchange, strictly',
    (client) => client.propose({ kex: strict }).say(ignore),
  ],
  [
    'a point that leads to a secret of zeros',
    (client) => client.propose({ kex: curve }).say(curveInit(Buffer.alloc(32))),
  ],
  [
    'a point that is too short',
    (client) => client.propose({ kex: curve }).say(curveInit(Buffer.alloc(31, 9))),
  ],
  [
    'a point that is on no curve',
    (client) => client.propose({ kex: ['ecdh-sha2-nistp256'] }).say(curveInit(Buffer.alloc(65, 4))),
  ],
  [
    'a key of ML-KEM that is none',
    (client) => client.propose({ kex: ['mlkem768x25519-sha256'] }).say(curveInit(Buffer.alloc(1216, 0xff))),
  ],
  ...[Buffer.alloc(0), Buffer.from([1])].map((value): [string, (client: BareClient) => unknown] => [
    `the number ${value.length} for a group`,
    (client) =>
      client
        .propose({ kex: ['diffie-hellman-group14-sha256'] })
        .say(new Writer().byte(message.kexFirst).mpint(value).finish()),
  ]),
])('%s ends the connection', async ([, says]) => {
  const client = new BareClient()
  says(client)
  expect(await client.server.closed).toMatchObject({ reason: 'protocolError' })
  await expect.poll(() => client.numbers().at(-1)).toBe(message.disconnect)
})

test('nothing in common ends the connection with what is missing', async () => {
  const client = new BareClient().propose({ cipherToServer: ['rot13'] })
  expect(await client.server.closed).toMatchObject({
    reason: 'keyExchangeFailed',
    message: 'There is no cipher both sides know',
  })
})

test('what a client guessed wrong is skipped, what it guessed right is answered (RFC 4253, 7)', async () => {
  const wrong = new BareClient()
    .propose({ kex: ['other', 'curve25519-sha256'], isGuessing: true })
    .say(curveInit(Buffer.from('of another method')), curveInit(anyPoint))
  const right = new BareClient('SSH-2.0-Bare\r\n', { ...defaultAlgorithms, kex: curve })
    .propose({ kex: curve, hostKey: ['ssh-ed25519'], isGuessing: true })
    .say(curveInit(anyPoint))
  for (const client of [wrong, right])
    await expect
      .poll(() => client.numbers())
      .toEqual([message.kexInit, message.kexFirst + 1, message.newKeys])
})

test('what may be left out is let pass before there are keys, when the client is not strict', async () => {
  const client = new BareClient().say(ignore).propose({ kex: curve }).say(ignore, curveInit(anyPoint), ignore)
  await expect.poll(() => client.numbers()).toEqual([message.kexInit, message.kexFirst + 1, message.newKeys])
})

test("OpenSSH's client is offered the cipher that is fastest here, others all of them", async () => {
  const ciphers = ['chacha20-poly1305@openssh.com', 'aes128-ctr', 'aes128-gcm@openssh.com']
  const offered = async (ident: string) => {
    const client = new BareClient(ident).propose({ cipherToServer: ciphers, cipherToClient: ciphers })
    await expect.poll(() => client.received.length).toBeGreaterThan(0)
    return readKexInit(client.received[0] ?? Buffer.alloc(0)).cipherToServer
  }
  expect(await offered('SSH-2.0-OpenSSH_9.2\r\n')).toEqual(['aes128-gcm@openssh.com'])
  expect(await offered('SSH-2.0-Other\r\n')).toEqual(defaultAlgorithms.cipher)
})

/** Both roles, with keys. */
async function connected() {
  const [near, far] = streamPair()
  const server = new Transport(far, { role: 'server', ident: 'SSH-2.0-Test', hostKeys: [hostKey] })
  const client = new Transport(near, { role: 'client', ident: 'SSH-2.0-Test', verifyHostKey: () => {} })
  await Promise.all([server.ready, client.ready])
  const received: Buffer[] = []
  client.onPacket = (payload) => void received.push(payload)
  return { server, client, near, received }
}

test.for([
  ['new keys', [message.newKeys]],
  ['a message of key exchange', [message.kexFirst]],
  ['extensions later than they may come', [message.extInfo, 0, 0, 0, 0]],
])('%s out of turn end a connection that has keys', async ([, bytes]) => {
  const { server, client } = await connected()
  client.send(Buffer.from([message.channelData]))
  client.send(Buffer.from(bytes as number[]))
  expect(await server.closed).toMatchObject({ reason: 'protocolError' })
})

test('a message nobody knows is answered with its number, a ping with what it held', async () => {
  const { server, client } = await connected()
  const sent = vi.spyOn(server, 'send')
  for (const payload of [[199], [25], [message.ping, 0, 0, 0, 1, 7]]) client.send(Buffer.from(payload))
  await expect.poll(() => sent.mock.calls.length).toBe(3)
  expect(sent.mock.calls.map(([payload]) => Buffer.concat([payload].flat()))).toEqual([
    // Strictly, numbers begin anew with the keys: the first packet told of the extensions.
    Buffer.from([message.unimplemented, 0, 0, 0, 1]),
    Buffer.from([message.unimplemented, 0, 0, 0, 2]),
    Buffer.from([message.pong, 0, 0, 0, 1, 7]),
  ])
})

test('a client that exchanges keys again and again before it is let in is sent away', async () => {
  const { server, client } = await connected()
  for (let count = 0; count < 10; count++) await client.rekey().catch(() => {})
  expect(await server.closed).toMatchObject({ message: 'Keys are exchanged too often' })
})

test('a peer that exchanges no keys in time is left', async () => {
  const [near, far] = streamPair()
  near.resume()
  const server = new Transport(far, {
    role: 'server',
    ident: 'SSH-2.0-Test',
    hostKeys: [hostKey],
    exchangeMs: 50,
  })
  expect(await server.closed).toMatchObject({ reason: 'keyExchangeFailed' })
  await expect(server.ready).rejects.toThrow('too long')
  if (!near.readableEnded) await once(near, 'end')
})

test('what was sent while keys are exchanged comes before the end', async () => {
  const { server, client, received } = await connected()
  void server.rekey().catch(() => {})
  server.send(Buffer.from([message.channelData, 1]))
  server.disconnect('byApplication', 'enough')
  expect(await client.closed).toMatchObject({ peerText: 'enough' })
  expect(received).toEqual([Buffer.from([message.channelData, 1])])
})

test('a first line of a server may have others before it, but not too many', async () => {
  const dial = (lines: string) => {
    const [near, far] = streamPair()
    near.resume()
    near.write(lines)
    return new Transport(far, { role: 'client', ident: 'SSH-2.0-Test' })
  }
  const polite = dial('Welcome\r\nto the\nmachine\r\nSSH-2.0-Polite one\r\n')
  await expect.poll(() => polite.peer.ident).toBe('SSH-2.0-Polite one')
  polite.destroy()
  const endless = dial('Welcome\r\n'.repeat(5000))
  expect(await endless.closed).toMatchObject({ reason: 'versionNotSupported' })
})
