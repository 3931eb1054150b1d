import type { Duplex } from 'node:stream'
import { expect, test } from 'vitest'
import { generateKey } from '../keys/generate.ts'
import { needsMac } from '../packets/ciphers.ts'
import { message } from '../wire/messages.ts'
import { type Algorithms, defaultAlgorithms, legacyAlgorithms } from './algorithms.ts'
import { Transport, type TransportOptions } from './transport.ts'
import { streamPair } from '../testing/stream-pair.ts'

const hostKey = await generateKey('ssh-ed25519')
const data = (bytes: number) => Buffer.concat([Buffer.from([message.channelData]), Buffer.alloc(bytes, 7)])
const success = Buffer.from([message.userauthSuccess])

interface Side {
  transport: Transport
  received: Buffer[]
}

function side(stream: Duplex, options: Omit<TransportOptions, 'ident'>): Side {
  const transport = new Transport(stream, { ident: 'SSH-2.0-Test', ...options })
  const received: Buffer[] = []
  transport.onPacket = (payload) => void received.push(payload)
  return { transport, received }
}

/** Both roles against each other in memory. */
function pair(
  options: Partial<TransportOptions> & { clientOptions?: Partial<TransportOptions> } = {},
  streams: [Duplex, Duplex] = streamPair(),
): { client: Side; server: Side } {
  const { clientOptions, ...both } = options
  const server = side(streams[0], { ...both, role: 'server', hostKeys: [hostKey] })
  const client = side(streams[1], { ...both, role: 'client', verifyHostKey: () => {}, ...clientOptions })
  return { client, server }
}

const only = (names: Partial<Algorithms>): Algorithms => ({ ...defaultAlgorithms, ...names })

test.for(legacyAlgorithms.kex)('both roles agree on keys by %s', async (kex) => {
  const { client, server } = pair({ algorithms: only({ kex: [kex] }) })
  await Promise.all([client.transport.ready, server.transport.ready])
  expect(client.transport.sessionId).toEqual(server.transport.sessionId)
  expect(client.transport.hostKey).toEqual(hostKey.publicKey.blob)
  client.transport.send(data(100))
  server.transport.send([data(0), Buffer.alloc(100, 7)])
  await expect.poll(() => [client.received, server.received]).toEqual([[data(100)], [data(100)]])
})

const protections = legacyAlgorithms.cipher.flatMap((cipher) =>
  needsMac(cipher) ? legacyAlgorithms.mac.map((mac) => ({ cipher, mac })) : [{ cipher, mac: 'none' }],
)

test.for(protections)(
  'packets of all lengths arrive in order with $cipher and $mac, across changes of keys',
  async ({ cipher, mac }) => {
    const { client, server } = pair({
      algorithms: only({ cipher: [cipher], mac: [mac] }),
      rekeyBytes: 200_000,
    })
    // Behind a success the client may tell nothing of itself any more.
    await expect.poll(() => server.transport.peer.extensions.size).toBe(1)
    server.transport.send(success)
    await expect.poll(() => client.received.length).toBe(1)
    const lengths = [
      ...Array.from({ length: 300 }, (_, length) => length),
      ...Array.from({ length: 25 }, () => 32_768),
    ]
    for (const length of lengths) {
      for (const { transport } of [client, server]) {
        transport.send(data(length))
        if (!transport.isWritable) await new Promise<void>((resolve) => (transport.onDrain = resolve))
      }
    }
    await expect.poll(() => server.received.length).toBe(lengths.length)
    await expect.poll(() => client.received.length).toBe(lengths.length + 1)
    expect(server.received.map((payload) => payload.length - 1)).toEqual(lengths)
    expect(client.received.slice(1).map((payload) => payload.length - 1)).toEqual(lengths)
    expect(server.received.every((payload) => payload.equals(data(payload.length - 1)))).toBe(true)
  },
)

test('a client that does not know the host key ends the connection', async () => {
  const { client, server } = pair({
    clientOptions: {
      verifyHostKey: () => {
        throw new Error('stranger')
      },
    },
  })
  await expect(client.transport.ready).rejects.toThrow('Something went wrong')
  await expect(server.transport.closed).resolves.toMatchObject({ reason: 'byApplication' })
})

test('what comes while a message is dealt with waits for it', async () => {
  const { client, server } = pair()
  await client.transport.ready
  const gate = Promise.withResolvers<void>()
  const seen: number[] = []
  server.transport.onPacket = async (payload) => {
    seen.push(payload.length)
    if (payload.length === 2) await gate.promise
  }
  for (const length of [1, 2, 3]) client.transport.send(data(length))
  await expect.poll(() => seen).toEqual([2])
  gate.resolve()
  await expect.poll(() => seen).toEqual([2, 3, 4])
})

test('each side learns why the other ended, and its extensions', async () => {
  const { client, server } = pair({ extensions: new Map([['server-sig-algs', 'ssh-ed25519']]) })
  await Promise.all([client.transport.ready, server.transport.ready])
  client.transport.send(data(1))
  server.transport.send(data(1))
  await expect.poll(() => [client.received.length, server.received.length]).toEqual([1, 1])
  expect([...client.transport.peer.extensions]).toEqual([
    ['server-sig-algs', Buffer.from('ssh-ed25519')],
    ['ping@openssh.com', Buffer.from('0')],
  ])
  client.transport.disconnect('cancelledByUser', 'enough\u0007')
  expect(await server.transport.closed).toMatchObject({ reason: 'cancelledByUser', peerText: 'enough' })
  expect(await client.transport.closed).toBeUndefined()
})

test('bytes that come one by one are packets all the same', async () => {
  const [a, b] = streamPair()
  const [c, d] = streamPair()
  const cut = (from: Duplex, to: Duplex) =>
    from.on('data', (chunk: Buffer) => {
      for (const byte of chunk) to.write(Buffer.from([byte]))
    })
  cut(b, c)
  cut(c, b)
  const { client, server } = pair({}, [a, d])
  await client.transport.ready
  for (let length = 0; length < 100; length++) client.transport.send(data(length))
  await expect.poll(() => server.received.length).toBe(100)
})
