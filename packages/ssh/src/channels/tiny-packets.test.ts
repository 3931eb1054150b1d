import { expect, test } from 'vitest'
import { generateKey } from '../keys/generate.ts'
import { streamPair } from '../testing/stream-pair.ts'
import { Transport } from '../transport/transport.ts'
import { message } from '../wire/messages.ts'
import { Channel } from './channel.ts'
import { Channels } from './channels.ts'

const hostKey = await generateKey('ssh-ed25519')
const limits = { windowBytes: 2 ** 31, maxChannels: 40, replyMs: 60_000 }

interface Nibbler {
  server: Transport
  /** The server's ends of its channels. */
  channels: Channel[]
}

/** A client that takes a byte in a message. `work` counts what is sealed for it. */
async function nibbler(work: { sealed: number }, count = 1): Promise<Nibbler> {
  const [near, far] = streamPair()
  const server = new Transport(far, { role: 'server', ident: 'SSH-2.0-Test', hostKeys: [hostKey] })
  const client = new Transport(near, { role: 'client', ident: 'SSH-2.0-Test', verifyHostKey: () => {} })
  await Promise.all([client.ready, server.ready])
  const send = server.send.bind(server)
  server.send = (payload) => {
    if (Array.isArray(payload)) work.sealed++
    send(payload)
  }
  const channels: Channel[] = []
  const serving = new Channels(server, {
    ...limits,
    packetBytes: 32_768,
    onOpen: (opening) => channels.push(opening.accept((link, ends) => new Channel(link, ends))),
  })
  const asking = new Channels(client, { ...limits, packetBytes: 1 })
  server.onPacket = (payload) => serving.take(payload)
  client.onPacket = (payload) => asking.take(payload)
  for (let opened = 0; opened < count; opened++) {
    const channel = await asking.open('session', (link, ends) => new Channel(link, ends))
    channel.resume()
  }
  return { server, channels }
}

/** The most that was sealed in a turn of the event loop, until it was so much. */
async function mostInATurn(work: { sealed: number }, until: number): Promise<number> {
  let most = 0
  while (work.sealed < until) {
    const before = work.sealed
    await new Promise((resolve) => setImmediate(resolve))
    most = Math.max(most, work.sealed - before)
  }
  return most
}

test.each([
  ['one that takes a byte at a time', 1, 1],
  ['one that does so on many channels', 1, 30],
  ['many that do so', 10, 1],
])(
  '%s leaves everybody else their turns',
  async (_who, connections, count) => {
    const work = { sealed: 0 }
    const all = await Promise.all(Array.from({ length: connections }, () => nibbler(work, count)))
    const bytes = 24_000 / connections / count
    for (const { channels } of all) for (const channel of channels) channel.end(Buffer.alloc(bytes))
    expect(await mostInATurn(work, 24_000)).toBeLessThan(3000)
  },
  60_000,
)

test('all of it arrives, over changes of keys in the middle, too', async () => {
  const work = { sealed: 0 }
  const { server, channels } = await nibbler(work)
  const written = new Promise((resolve) => channels[0]?.write(Buffer.alloc(10_000), resolve))
  for (const share of [0.2, 0.5, 0.8]) {
    await mostInATurn(work, share * 10_000)
    await server.rekey()
  }
  await written
  expect(work.sealed).toBe(10_000)
})

test('a message is answered beside a flood of tiny ones', async () => {
  const work = { sealed: 0 }
  const flooded = await Promise.all(Array.from({ length: 10 }, () => nibbler(work)))
  const [near, far] = streamPair()
  const server = new Transport(far, { role: 'server', ident: 'SSH-2.0-Test', hostKeys: [hostKey] })
  const client = new Transport(near, { role: 'client', ident: 'SSH-2.0-Test', verifyHostKey: () => {} })
  await Promise.all([client.ready, server.ready])
  server.onPacket = (payload) => server.send(payload)
  for (const { channels } of flooded) channels[0]?.end(Buffer.alloc(2400))
  const before = work.sealed
  await new Promise<void>((resolve) => {
    client.onPacket = () => resolve()
    client.send(Buffer.from([message.channelData]))
  })
  expect(work.sealed - before).toBeLessThan(6000)
})
