import type { Duplex } from 'node:stream'
import { expect, onTestFinished, test } from 'vitest'
import { generateKey } from '../keys/generate.ts'
import { message } from '../wire/messages.ts'
import { FairShare } from './fair-share.ts'
import { Transport } from './transport.ts'
import { streamPair } from '../testing/stream-pair.ts'

const hostKey = await generateKey('ssh-ed25519')

interface Visitor {
  client: Transport
  server: Transport
  /** What the client reads. */
  near: Duplex
}

/** A client whose each message costs the server a millisecond; `onWork` is told of it. */
async function visitor(onWork: () => unknown): Promise<Visitor> {
  const [near, far] = streamPair()
  const server = new Transport(far, { role: 'server', ident: 'SSH-2.0-Test', hostKeys: [hostKey] })
  server.onPacket = () => {
    onWork()
    const until = performance.now() + 1
    while (performance.now() < until);
  }
  const client = new Transport(near, { role: 'client', ident: 'SSH-2.0-Test', verifyHostKey: () => {} })
  await Promise.all([client.ready, server.ready])
  return { client, server, near }
}

const send = ({ client }: Pick<Visitor, 'client'>, count: number) => {
  for (let sent = 0; sent < count; sent++) client.send(Buffer.from([message.channelData]))
}

test('one who sends at once more than can be dealt with at once does not hold up who sends one key', async () => {
  const dealtWith: string[] = []
  const flooder = await visitor(() => dealtWith.push('flood'))
  const typist = await visitor(() => dealtWith.push('key'))
  send(flooder, 200)
  send(typist, 1)
  await expect.poll(() => dealtWith.length).toBe(201)
  expect(dealtWith.indexOf('key')).toBeLessThan(50)
})

test('the answer to a key leaves before more of what others sent is dealt with', async () => {
  const happened: string[] = []
  const typist = await visitor(() => {})
  // The key is typed while the others wait for their turns: one that is there before them has nobody to pass.
  const flood = () => happened.push('flood') === 20 && send(typist, 1)
  const flooders = await Promise.all(Array.from({ length: 4 }, () => visitor(flood)))
  typist.server.onPacket = () => {
    happened.push('key')
    // As what lies between: streams that hand data on when they are done.
    queueMicrotask(() => typist.server.send(Buffer.from([message.channelData])))
  }
  typist.near.on('data', () => happened.push('answer'))
  for (const flooder of flooders) send(flooder, 50)
  await expect.poll(() => happened.includes('answer')).toBe(true)
  expect(happened.indexOf('answer') - happened.indexOf('key')).toBe(1)
  await expect.poll(() => happened.length).toBe(202)
})

test('however many send at once, everything else gets its turn every few milliseconds', async () => {
  const work = { count: 0 }
  const flooders = await Promise.all(Array.from({ length: 19 }, () => visitor(() => work.count++)))
  for (const flooder of flooders) send(flooder, 20)
  let longest = 0
  while (work.count < 380) {
    const before = work.count
    await new Promise((resolve) => setImmediate(resolve))
    longest = Math.max(longest, work.count - before)
  }
  expect(longest).toBeLessThan(10)
})

test.each(['ends', 'is ended with a word'])(
  'what came before a connection %s is dealt with, also where it has to wait for its turn',
  async (end) => {
    const dealtWith: string[] = []
    const leaver = await visitor(() => dealtWith.push('message'))
    send(leaver, 20)
    await expect.poll(() => dealtWith.length).toBeGreaterThan(0)
    // The stream is held: it reads these, and that it ends, at once.
    send(leaver, 20)
    await Promise.resolve()
    if (end === 'ends') leaver.near.end()
    else leaver.client.disconnect('byApplication', 'Enough')
    await leaver.server.closed
    expect(dealtWith).toHaveLength(40)
  },
)

test.for([
  ['nothing, to be ignored', [message.ignore, 0, 0, 0, 0]],
  ['signs of life', [message.ping, 0, 0, 0, 0]],
  ['messages nobody knows', [200]],
] as const)('who has not logged in and sends %s on and on is cut off', async ([, bytes]) => {
  const { client, server } = await visitor(() => {})
  for (let sent = 0; sent < 101; sent++) client.send(Buffer.from(bytes))
  expect(await server.closed).toMatchObject({ reason: 'protocolError' })
})

test('who has logged in may send as many messages without effect as he likes', async () => {
  const { client, server } = await visitor(() => {})
  // Behind a success the client may tell nothing of itself any more.
  await expect.poll(() => server.peer.extensions.size).toBe(1)
  server.send(Buffer.from([message.userauthSuccess]))
  const answers: number[] = []
  client.onPacket = (payload) => void answers.push(payload[0] ?? 0)
  await expect.poll(() => answers).toEqual([message.userauthSuccess])
  let seen = 0
  server.onPacket = () => void seen++
  for (let sent = 0; sent < 1000; sent++) client.send(Buffer.from([message.ignore, 0, 0, 0, 0]))
  send({ client }, 1)
  await expect.poll(() => seen).toBe(1)
})

test('what goes wrong in somebody’s turn takes nobody else’s', async () => {
  const wrong = Promise.withResolvers<unknown>()
  process.once('unhandledRejection', wrong.resolve)
  onTestFinished(() => void process.off('unhandledRejection', wrong.resolve))
  const served: string[] = []
  const one = new FairShare(() => {
    served.push('one')
    throw new Error('of one')
  })
  const other = new FairShare(() => served.push('other'))
  one.wait()
  other.wait()
  expect(await wrong.promise).toMatchObject({ message: 'of one' })
  await expect.poll(() => served).toEqual(['one', 'other'])
  other.wait()
  await expect.poll(() => served).toEqual(['one', 'other', 'other'])
})
