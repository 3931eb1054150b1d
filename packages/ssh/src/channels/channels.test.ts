import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { packetPair, type PacketEnd } from '../testing/packet-pair.ts'
import { SshError } from '../wire/errors.ts'
import { message } from '../wire/messages.ts'
import { Writer } from '../wire/writer.ts'
import { Channel } from './channel.ts'
import { Channels, type ChannelsOptions, type Opening } from './channels.ts'
import { ClientSession } from './client-session.ts'
import { ChannelError } from './errors.ts'
import { ServerSession } from './server-session.ts'
import { noModes } from './session.ts'

const defaults: ChannelsOptions = {
  windowBytes: 100_000,
  packetBytes: 32_768,
  maxChannels: 10,
  replyMs: 60_000,
}

interface Setup {
  client: Channels
  server: Channels
  clientEnd: PacketEnd
  serverEnd: PacketEnd
  /** The server's ends of the channels the client opened. */
  sessions: ServerSession[]
}

function setUp(
  serverOptions: Partial<ChannelsOptions> = {},
  clientOptions: Partial<ChannelsOptions> = {},
  roomBytes?: number,
): Setup {
  const [clientEnd, serverEnd] = packetPair({ roomBytes })
  const sessions: ServerSession[] = []
  const server = new Channels(serverEnd, {
    ...defaults,
    onOpen: (opening) => {
      sessions.push(opening.accept((link, ends) => new ServerSession(link, ends)))
    },
    ...serverOptions,
  })
  const client = new Channels(clientEnd, { ...defaults, ...clientOptions })
  for (const [end, channels] of [
    [clientEnd, client],
    [serverEnd, server],
  ] as const) {
    end.onPacket = (payload) => channels.take(payload)
    void end.closed.then((error) => channels.close(error))
  }
  return { client, server, clientEnd, serverEnd, sessions }
}

const openSession = ({ client }: Setup) =>
  client.open('session', (link, ends) => new ClientSession(link, ends))

/** Both ends of a session. */
async function session(setup: Setup): Promise<{ ours: ClientSession; theirs: ServerSession }> {
  const ours = await openSession(setup)
  const theirs = setup.sessions.at(-1)
  if (!theirs) throw new Error('no session')
  return { ours, theirs }
}

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const terminal = { term: 'xterm', cols: 80, rows: 24, widthPixels: 0, heightPixels: 0, modes: noModes }

test('what is asked of a session reaches the program, and what it says comes back, each on its own stream', async () => {
  const { ours, theirs } = await session(setUp())
  const asked: unknown[] = []
  theirs.handlers = {
    pty: ({ term, cols, rows }) => asked.push(term, cols, rows) > 0,
    env: (name, value) => asked.push(`${name}=${value}`) > 0 && name === 'LANG',
    exec: (command) => () => asked.push(command),
    windowChange: ({ cols, rows }) => asked.push(cols, rows),
    signal: (name) => asked.push(name),
  }
  ours.env('LANG', 'ja_JP.UTF-8')
  ours.env('PATH', '/')
  await Promise.all([ours.pty(terminal), ours.exec('cat; ä')])
  ours.windowChange({ cols: 100, rows: 30, widthPixels: 0, heightPixels: 0 })
  ours.signal('INT')
  ours.end('in')
  expect(await text(theirs)).toBe('in')
  theirs.write('out')
  theirs.stderr.write('err')
  theirs.exit({ kind: 'status', code: 42 }, 1000)
  expect(await Promise.all([text(ours), text(ours.stderr), ours.exited])).toEqual([
    'out',
    'err',
    { kind: 'status', code: 42 },
  ])
  expect(asked).toEqual(['LANG=ja_JP.UTF-8', 'PATH=/', 'xterm', 80, 24, 'cat; ä', 100, 30, 'INT'])
  expect(await ours.gone).toBeUndefined()
})

test('a terminal is asked for whatever length its name has', async () => {
  const { ours, theirs } = await session(setUp())
  let asked = ''
  theirs.handlers = { pty: ({ term }) => (asked = term) !== '', exec: () => () => theirs.end() }
  const term = 'x'.repeat(5000)
  await Promise.all([ours.pty({ ...terminal, term }), ours.exec('cat')])
  expect(asked).toBe(term)
})

test('a program that died of a signal says which; one that closes without a word says nothing', async () => {
  const setup = setUp()
  const killed = await session(setup)
  killed.theirs.exit({ kind: 'signal', name: 'KILL' }, 1000)
  expect(await killed.ours.exited).toEqual({ kind: 'signal', name: 'KILL' })
  const silent = await session(setup)
  silent.theirs.destroy()
  expect(await silent.ours.exited).toBeUndefined()
})

test('a program that ended its outputs reads on, and tells how it ended', async () => {
  const { ours, theirs } = await session(setUp())
  theirs.stderr.end('err')
  theirs.end('out')
  expect(await Promise.all([text(ours), text(ours.stderr)])).toEqual(['out', 'err'])
  ours.end('in')
  expect(await text(theirs)).toBe('in')
  theirs.exit({ kind: 'status', code: 43 }, 1000)
  expect(await ours.exited).toEqual({ kind: 'status', code: 43 })
})

test('requests nobody handles, and a second program, are refused, in order', async () => {
  const { ours, theirs } = await session(setUp())
  theirs.handlers = { exec: () => () => {} }
  const results = await Promise.allSettled([
    ours.pty(terminal),
    ours.exec('first'),
    ours.exec('second'),
    ours.subsystem('sftp'),
  ])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'rejected'])
})

test('a request that is never answered fails in its time, and the channel with it', async () => {
  const setup = setUp({}, { replyMs: 20 })
  const { ours } = await session(setup)
  setup.serverEnd.isHeld = true
  await expect(ours.shell()).rejects.toThrow(ChannelError)
  expect(ours.destroyed).toBe(true)
})

test('a megabyte through windows of a thousand bytes arrives as it was sent, both ways at once', async () => {
  const { ours, theirs } = await session(setUp({ windowBytes: 1000 }, { windowBytes: 777 }, 5000))
  const [there, back] = [randomBytes(1_000_000), randomBytes(1_000_000)]
  ours.end(there)
  theirs.end(back)
  const [received, returned] = await Promise.all([buffer(theirs), buffer(ours)])
  expect([digest(received), digest(returned)]).toEqual([digest(there), digest(back)])
})

test.each([1, 7, 32_768, 1_000_000])('messages of at most %i bytes carry everything', async (packetBytes) => {
  const setup = setUp({ packetBytes })
  const { ours, theirs } = await session(setup)
  const data = randomBytes(packetBytes < 10 ? 5000 : 300_000)
  ours.end(data)
  expect(digest(await buffer(theirs))).toBe(digest(data))
  const largest = Math.max(...setup.clientEnd.sent.map(({ bytes }) => bytes))
  expect(largest).toBeLessThanOrEqual(Math.max(Math.min(packetBytes, 32_768) + 9, 64))
})

test('nothing is granted for what nobody reads, and all of it once it is read', async () => {
  const setup = setUp()
  const { ours, theirs } = await session(setup)
  let isDone = false
  ours.write(Buffer.alloc(250_000), () => (isDone = true))
  await expect.poll(() => theirs.readableLength).toBe(100_000)
  await sleep(20)
  expect([isDone, theirs.readableLength]).toEqual([false, 100_000])
  const adjusts = () => setup.serverEnd.sent.filter(({ number }) => number === message.channelWindowAdjust)
  expect(adjusts()).toHaveLength(0)
  ours.end()
  expect((await buffer(theirs)).length).toBe(250_000)
  expect(isDone).toBe(true)
})

test.each([
  {
    channels: 2,
    isBehind: true,
    atMost: 300_000,
    what: 'beside another and more than is dealt with, little',
  },
  { channels: 1, isBehind: true, atMost: 2_100_000, what: 'alone, a whole window' },
  { channels: 2, isBehind: false, atMost: 2_100_000, what: 'beside another on a long way, a whole window' },
])('of a channel is on its way $what', async ({ channels, isBehind, atMost }) => {
  const windowBytes = 2 * 1024 * 1024
  const setup = setUp({}, { windowBytes }, 100_000_000)
  const { ours, theirs } = await session(setup)
  for (let more = 1; more < channels; more++) await openSession(setup)
  setup.clientEnd.isBehind = isBehind
  theirs.write(Buffer.alloc(40_000_000))
  let bytes = 0
  ours.on('data', (data: Buffer) => {
    bytes += data.length
    // From here on nothing arrives any more, and what may be sent is.
    if (bytes > 20_000_000) setup.serverEnd.isHeld = true
  })
  await expect.poll(() => setup.serverEnd.isHeld).toBe(true)
  await expect.poll(() => setup.clientEnd.queuedBytes).toBe(0)
  const { queuedBytes } = setup.serverEnd
  expect(queuedBytes).toBeLessThan(atMost)
  expect(queuedBytes).toBeGreaterThan(atMost / 2)
})

test('single bytes nobody reads cost little more memory than their window, and come in order', async () => {
  const setup = setUp({ packetBytes: 1 }, { packetBytes: 1 })
  const { ours, theirs } = await session(setup)
  const [there, error] = [randomBytes(60_000), randomBytes(30_000)]
  ours.write(there)
  theirs.stderr.write(error)
  await expect.poll(() => setup.clientEnd.sent.length).toBeGreaterThan(60_000)
  await expect.poll(() => setup.serverEnd.sent.length).toBeGreaterThan(30_000)
  await expect.poll(() => setup.clientEnd.queuedBytes + setup.serverEnd.queuedBytes).toBe(0)
  const pieces: Buffer[] = []
  theirs.on('data', (piece: Buffer) => pieces.push(piece))
  const errors = buffer(ours.stderr)
  ours.end()
  await once(theirs, 'end')
  theirs.exit({ kind: 'status', code: 0 }, 1000)
  expect(digest(Buffer.concat(pieces))).toBe(digest(there))
  expect(digest(await errors)).toBe(digest(error))
  expect(pieces.length).toBeLessThan(4200)
})

test('standard error that nobody reads is not granted again; output goes on as far as the window they share', async () => {
  const { ours, theirs } = await session(setUp({}, { windowBytes: 10_000 }))
  theirs.stderr.write(Buffer.alloc(4000))
  theirs.end(Buffer.alloc(50_000))
  theirs.stderr.end()
  const output = buffer(ours)
  expect((await output).length).toBe(50_000)
  expect(ours.stderr.readableLength).toBe(4000)
  expect((await buffer(ours.stderr)).length).toBe(4000)
})

test('each way ends on its own', async () => {
  const { ours, theirs } = await session(setUp())
  theirs.end('the answer, before the question')
  expect(await text(ours)).toBe('the answer, before the question')
  ours.end('the question')
  expect(await text(theirs)).toBe('the question')
  expect([ours.isOpen, theirs.isOpen]).toEqual([true, true])
  theirs.exit({ kind: 'status', code: 0 }, 1000)
  expect(await ours.exited).toEqual({ kind: 'status', code: 0 })
})

test('what came before the end can be read after it', async () => {
  const { ours, theirs } = await session(setUp())
  theirs.write('last words')
  theirs.stderr.write('of both kinds')
  theirs.exit({ kind: 'status', code: 1 }, 1000)
  await ours.gone
  expect([await text(ours), await text(ours.stderr)]).toEqual(['last words', 'of both kinds'])
  if (!ours.closed) await once(ours, 'close')
})

test('writes to a peer that closed, or is gone, are done and go nowhere', async () => {
  const setup = setUp()
  const { ours, theirs } = await session(setup)
  const written = new Promise((resolve) => ours.write(Buffer.alloc(500_000), resolve))
  theirs.destroy()
  await ours.gone
  await written
  await new Promise((resolve) => ours.write('more', resolve))
  const other = await session(setup)
  setup.serverEnd.destroy(new SshError('connectionLost', 'gone'))
  await other.ours.gone
  await new Promise((resolve) => other.ours.write('more', resolve))
  await expect(openSession(setup)).rejects.toThrow(ChannelError)
})

test('a program whose client does not read is closed after its time all the same', async () => {
  const { ours, theirs } = await session(setUp())
  theirs.write(Buffer.alloc(300_000))
  theirs.exit({ kind: 'status', code: 3 }, 30)
  expect(await ours.exited).toEqual({ kind: 'status', code: 3 })
  expect((await buffer(ours)).length).toBe(100_000)
})

test('a client that reads no more says so, and what is written goes nowhere', async () => {
  const { ours, theirs } = await session(setUp())
  const told = once(theirs, 'eow')
  const written = new Promise((resolve) => theirs.write(Buffer.alloc(500_000), resolve))
  const errors = text(ours.stderr)
  ours.sendEow()
  await Promise.all([told, written])
  theirs.stderr.end('errors still come')
  theirs.exit({ kind: 'status', code: 1 }, 1000)
  ours.resume()
  expect(await errors).toBe('errors still come')
})

test('a channel is not opened without a handler, over the limit, or where it is refused, with the sentence why', async () => {
  await expect(openSession(setUp({ onOpen: undefined }))).rejects.toMatchObject({ said: 'Not offered' })
  const setup = setUp({ maxChannels: 2 })
  const first = await session(setup)
  await session(setup)
  await expect(openSession(setup)).rejects.toMatchObject({ reason: 'resourceShortage' })
  first.theirs.destroy()
  await first.ours.gone
  await session(setup)
  const refusing = setUp({
    onOpen: (opening) => opening.refuse('connectFailed', 'No \u001b[31mway there\u0007'),
  })
  await expect(openSession(refusing)).rejects.toMatchObject({
    reason: 'connectFailed',
    said: 'No [31mway there',
  })
})

test('a channel may be accepted later; one that is accepted when the connection is gone is closed', async () => {
  const openings: Opening[] = []
  const setup = setUp({ onOpen: (opening) => openings.push(opening) })
  const pending = setup.client.open('direct-tcpip', (link, ends) => new Channel(link, ends))
  const failing = setup.client.open('direct-tcpip', (link, ends) => new Channel(link, ends))
  await expect.poll(() => openings.length).toBe(2)
  expect(setup.server.count).toBe(2)
  const theirs = openings[0]?.accept((link, ends) => new Channel(link, ends))
  const ours = await pending
  ours.end('ping')
  expect(theirs && (await text(theirs))).toBe('ping')
  theirs?.end('pong')
  expect(await text(ours)).toBe('pong')
  await Promise.all([ours.gone, theirs?.gone])
  await expect.poll(() => [setup.server.count, setup.client.count]).toEqual([1, 1])
  setup.clientEnd.destroy()
  await expect(failing).rejects.toThrow(ChannelError)
  await setup.serverEnd.closed
  const late = openings[1]?.accept((link, ends) => new Channel(link, ends))
  await late?.gone
  expect(setup.server.count).toBe(0)
})

test('an opening nobody answers is refused in its time, and one that is accepted after that is closed', async () => {
  const openings: Opening[] = []
  const setup = setUp({ onOpen: (opening) => openings.push(opening), replyMs: 20 })
  await expect(openSession(setup)).rejects.toMatchObject({ reason: 'connectFailed' })
  const late = openings[0]?.accept((link, ends) => new ServerSession(link, ends))
  await late?.gone
  expect(setup.server.count).toBe(0)
})

test('an opening that is answered too late is closed again', async () => {
  const openings: Opening[] = []
  const setup = setUp({ onOpen: (opening) => openings.push(opening) }, { replyMs: 20 })
  await expect(openSession(setup)).rejects.toThrow(ChannelError)
  const late = openings[0]?.accept((link, ends) => new ServerSession(link, ends))
  await late?.gone
  await expect.poll(() => [setup.server.count, setup.client.count]).toEqual([0, 0])
})

test('global requests are answered in order', async () => {
  const setup = setUp({ onRequest: (name) => name === 'yes' })
  const answers = await Promise.all(['yes', 'no', 'yes'].map((name) => setup.client.ask(name)))
  expect(answers).toEqual([true, false, true])
})

test('a channel that fills the connection leaves room for the others', async () => {
  const setup = setUp({ windowBytes: 2 ** 31 }, {}, 100_000)
  const greedy = await session(setup)
  const modest = await session(setup)
  const read: string[] = []
  const count = async (name: string, stream: Readable) => {
    for await (const chunk of stream) if (Buffer.byteLength(chunk) > 0) read.push(name)
  }
  const both = Promise.all([count('greedy', greedy.theirs), count('modest', modest.theirs)])
  greedy.ours.end(Buffer.alloc(20_000_000))
  modest.ours.end('a word')
  await both
  expect(read.indexOf('modest')).toBeLessThan(20)
})

const peerBreaks: [string, (peer: Breaking) => Buffer | Buffer[]][] = [
  ['more data than the window', ({ id }) => Array.from({ length: 4 }, () => data(id, Buffer.alloc(30_000)))],
  ['more data than fits in a message', ({ id }) => data(id, Buffer.alloc(32_769))],
  ['data for a channel that is not there', () => data(77, Buffer.alloc(1))],
  ['data behind the end', ({ id }) => [ofChannel(message.channelEof, id), data(id, Buffer.alloc(1))]],
  ['two ends', ({ id }) => [ofChannel(message.channelEof, id), ofChannel(message.channelEof, id)]],
  ['data behind the closing', ({ id }) => [ofChannel(message.channelClose, id), data(id, Buffer.alloc(1))]],
  ['a window beyond 4 GiB', ({ id }) => [adjust(id, 2 ** 32 - 1), adjust(id, 2 ** 32 - 1)]],
  ['an answer to no request', ({ id }) => ofChannel(message.channelSuccess, id)],
  ['an answer to no global request', () => Buffer.from([message.requestSuccess])],
  ['a confirmation of nothing', () => new Writer().byte(91).uint32(5).uint32(0).uint32(1).uint32(1).finish()],
  ['a refusal of nothing', () => new Writer().byte(92).uint32(5).uint32(1).string('').string('').finish()],
  ['a channel nothing can be sent on', () => open('session', 9, 1000, 0)],
  ['an authentication after its end', () => new Writer().byte(message.userauthFailure).finish()],
  ['a message nobody knows', () => Buffer.from([127])],
  ['a message that is cut off', ({ id }) => ofChannel(message.channelWindowAdjust, id)],
  ['data with another length than it says', ({ id }) => new Writer().byte(94).uint32(id).uint32(9).finish()],
]
interface Breaking {
  id: number
}
const ofChannel = (number: number, id: number) => new Writer().byte(number).uint32(id).finish()
const data = (id: number, bytes: Buffer) =>
  new Writer().byte(message.channelData).uint32(id).string(bytes).finish()
const adjust = (id: number, bytes: number) =>
  new Writer().byte(message.channelWindowAdjust).uint32(id).uint32(bytes).finish()
const open = (type: string, id: number, window: number, packet: number) =>
  new Writer().byte(90).string(type).uint32(id).uint32(window).uint32(packet).finish()

test.each(peerBreaks)('%s is the end of the connection', async (_name, broken) => {
  const setup = setUp()
  const { theirs } = await session(setup)
  for (const payload of [broken({ id: theirs.id })].flat()) setup.clientEnd.send(payload)
  expect(await setup.serverEnd.closed).toMatchObject({ reason: 'protocolError' })
  await theirs.gone
  expect(setup.server.count).toBe(0)
})

test('a peer that grants 4 GiB does not make the sender fill its memory', async () => {
  const setup = setUp({ windowBytes: 2 ** 32 - 1 }, {}, 200_000)
  const { ours } = await session(setup)
  setup.clientEnd.isHeld = true
  let written = 0
  const fill = () => {
    while (written < 1000 && ours.write(Buffer.alloc(50_000))) written++
  }
  ours.on('drain', fill)
  fill()
  await sleep(20)
  expect(setup.clientEnd.queuedBytes).toBeLessThan(300_000)
  expect(ours.writableLength).toBeLessThan(200_000)
})

test('a peer that opens channels without end has at most so many, and one that asks without end is not listened to', async () => {
  const setup = setUp({}, {}, 10_000)
  setup.serverEnd.isHeld = true
  for (let id = 0; id < 5000; id++) setup.clientEnd.send(open('session', id, 1000, 1000))
  await expect.poll(() => setup.server.count).toBe(10)
  await sleep(20)
  const answered = setup.serverEnd.sent.length
  expect(answered).toBeLessThan(2000)
  const request = new Writer().byte(80).string('anything').boolean(true).finish()
  for (let count = 0; count < 5000; count++) setup.clientEnd.send(request)
  await sleep(20)
  expect(setup.serverEnd.sent.length).toBe(answered)
  // Whoever begins to read gets it all.
  setup.clientEnd.onPacket = () => {}
  setup.serverEnd.release()
  await expect.poll(() => setup.serverEnd.sent.length).toBe(10_000)
})

test('a program that is over before the server says that it runs is heard to its end, and the connection goes on', async () => {
  const setup = setUp()
  const { ours, theirs } = await session(setup)
  const asked = ours.exec('uptime')
  const output = text(ours)
  // Before the request is there to be answered.
  theirs.write('up 3 days')
  theirs.exit({ kind: 'status', code: 3 }, 1000)
  await theirs.gone
  await asked
  expect([await output, await ours.exited]).toEqual(['up 3 days', { kind: 'status', code: 3 }])
  setup.serverEnd.send(new Writer(5).byte(message.channelSuccess).uint32(ours.id).finish())
  expect((await session(setup)).ours.isOpen).toBe(true)
})

test('a channel that is closed without a word for what was asked has not granted it', async () => {
  const { ours, theirs } = await session(setUp())
  theirs.destroy()
  await expect(ours.exec('uptime')).rejects.toThrow(ChannelError)
})
