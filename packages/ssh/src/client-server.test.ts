import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type AddressInfo, type Server } from 'node:net'
import type { Duplex } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type Client, type ConnectOptions } from './client.ts'
import { generateKey } from './keys/generate.ts'
import { serve, type ServeOptions } from './server.ts'
import { logIn, logInRaw, type RawClient } from './testing/log-in.ts'
import { TestServer } from './testing/test-server.ts'
import { Transport } from './transport/transport.ts'
import { TimeoutError } from './wire/errors.ts'
import { message } from './wire/messages.ts'
import { Writer } from './wire/writer.ts'
import { streamPair } from './testing/stream-pair.ts'

const key = await generateKey('ssh-ed25519')
let server: TestServer
let echo: Server

beforeAll(async () => {
  server = await TestServer.start()
  echo = createServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket)).listen(0, '127.0.0.1')
  await once(echo, 'listening')
})
afterAll(async () => {
  await server.stop()
  echo.close()
})

const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const limits = { loginMs: 10_000, replyMs: 10_000, keepaliveMs: 10_000 }
const connectOver = (stream: Duplex, more: Partial<ConnectOptions> = {}): Promise<Client> =>
  connect(stream, {
    ident: 'Test',
    username: 'ann',
    methods: [],
    verifyHostKey: () => {},
    ...limits,
    ...more,
  })
const serveOver = (stream: Duplex, more: Partial<ServeOptions> = {}) =>
  serve(stream, {
    ident: 'Test',
    hostKeys: [key],
    authenticate: async () => 'accepted',
    methods: () => [],
    maxFailures: 1,
    onLogin: () => {},
    onChannel: (opening) => opening.refuse('administrativelyProhibited', 'Nothing here'),
    ...limits,
    ...more,
  })

/** Our client on our server, in memory. */
async function pair(clientOptions: Partial<ConnectOptions> = {}, serverOptions: Partial<ServeOptions> = {}) {
  const [one, other] = streamPair()
  const serving = serveOver(other, serverOptions)
  return { client: await connectOver(one, clientOptions), serving, one, other }
}

test('a command in memory, with keys changed by both while it runs', async () => {
  const [one, other] = streamPair()
  const serving = server.serve(other)
  const client = await connectOver(one)
  const session = await client.openSession()
  await session.exec('cat; exit 4')
  const data = randomBytes(5_000_000)
  session.end(data)
  const output = buffer(session)
  for (let change = 0; change < 5; change++) await Promise.all([client.rekey(), serving.rekey()])
  expect(digest(await output)).toBe(digest(data))
  expect(await session.exited).toEqual({ kind: 'status', code: 4 })
  client.end()
  await Promise.all([client.closed, serving.closed])
})

test.each([128 * 1024, 250_000])('a command of %i bytes arrives as it is', async (length) => {
  const commands: string[] = []
  const { client } = await pair(
    {},
    {
      onChannel: (opening) => {
        if (opening.type !== 'session') return
        const session = opening.accept()
        session.handlers = {
          exec: (command) => () => {
            commands.push(command)
            session.exit({ kind: 'status', code: 0 }, 1000)
          },
        }
      },
    },
  )
  const session = await client.openSession()
  await session.exec('ä'.repeat(length / 2))
  expect(await session.exited).toEqual({ kind: 'status', code: 0 })
  expect(commands).toEqual(['ä'.repeat(length / 2)])
  client.end()
})

test('ways on to another machine, many at once, each ends both ways', async () => {
  const [one, other] = streamPair()
  server.serve(other)
  const client = await connectOver(one)
  const { port } = echo.address() as AddressInfo
  const many = Array.from({ length: 20 }, async () => {
    const way = await client.openDirect({ host: '127.0.0.1', port })
    const data = randomBytes(300_000)
    way.end(data)
    const isSame = (await buffer(way)).equals(data)
    await way.gone
    return isSame
  })
  expect(new Set(await Promise.all(many))).toEqual(new Set([true]))
  client.end()
})

/** It stays paused, also where what came before waited for its turn. */
function fallSilent(stream: Duplex): void {
  stream.pause()
  stream.resume = () => stream
}

test('a peer that falls silent is asked for a sign of life, and given up when there is none', async () => {
  const silent = await pair({ keepaliveMs: 20 })
  // What the server says does not arrive any more.
  fallSilent(silent.one)
  expect(await silent.client.closed).toBeInstanceOf(TimeoutError)
  const gone = await pair({}, { keepaliveMs: 20 })
  fallSilent(gone.other)
  expect(await gone.serving.closed).toBeInstanceOf(TimeoutError)
})

test('a peer that answers stays, however long nothing else happens', async () => {
  const { client, serving } = await pair({ keepaliveMs: 5 }, { keepaliveMs: 5 })
  let isClosed = false
  void Promise.race([client.closed, serving.closed]).then(() => (isClosed = true))
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(isClosed).toBe(false)
  client.end()
  await serving.closed
})

test('what a server wants to open at its client is refused', async () => {
  const [one, other] = streamPair()
  const transport = new Transport(other, { role: 'server', ident: 'SSH-2.0-Raw', hostKeys: [key] })
  const told: number[] = []
  transport.onPacket = (payload) => {
    const number = payload[0] ?? 0
    told.push(number)
    if (number === message.serviceRequest) {
      transport.send(new Writer().byte(message.serviceAccept).string('ssh-userauth').finish())
    }
    if (number === message.userauthRequest) {
      transport.send(Buffer.from([message.userauthSuccess]))
      transport.send(new Writer().byte(80).string('hostkeys-00@openssh.com').boolean(false).finish())
      transport.send(
        new Writer()
          .byte(90)
          .string('x11')
          .uint32(0)
          .uint32(1000)
          .uint32(1000)
          .string('h')
          .uint32(1)
          .finish(),
      )
    }
  }
  const client = await connectOver(one)
  await expect.poll(() => told).toEqual([5, 50, message.channelOpenFailure])
  client.end()
})

test('a session behind the announcement that there are no more is the end', async () => {
  const raw = await logInRaw({ port: server.port, username: 'ann', methods: [] })
  raw.transport.send(request('no-more-sessions@openssh.com'))
  raw.transport.send(open(0))
  expect(await raw.transport.closed).toMatchObject({ reason: 'protocolError' })
  expect(numbers(raw)).toEqual([message.requestSuccess])
})

test('nothing but authentication is done before the login', async () => {
  const [one, other] = streamPair()
  const opened: string[] = []
  const serving = serveOver(other, { onChannel: ({ type }) => opened.push(type) })
  const transport = new Transport(one, { role: 'client', ident: 'SSH-2.0-Raw', verifyHostKey: () => {} })
  await transport.ready
  transport.send(open(0))
  expect(await serving.closed).toMatchObject({ reason: 'protocolError' })
  expect(opened).toEqual([])
})

test('thousands of opens and requests cost their sender, and nobody else', async () => {
  const raw = await logInRaw({ port: server.port, username: 'ann', methods: [] })
  for (let id = 0; id < 3000; id++) raw.transport.send(open(id))
  for (let count = 0; count < 3000; count++) raw.transport.send(request('anything'))
  await expect.poll(() => raw.told.length).toBe(6000)
  const answers = numbers(raw)
  expect(answers.filter((number) => number === message.channelOpenConfirmation)).toHaveLength(128)
  expect(answers.filter((number) => number === message.requestFailure)).toHaveLength(3000)
  const another = await logIn({ port: server.port, username: 'bob', methods: [] })
  const session = await another.openSession()
  await session.exec('echo fine')
  expect(await text(session)).toBe('fine\n')
  another.end()
  raw.transport.destroy()
})

test('a login is abandoned by its signal, and by its server, whatever the person is doing', async () => {
  const ask: Partial<ServeOptions> = {
    methods: () => ['keyboard-interactive'],
    authenticate: async (one) => {
      if (one.method !== 'keyboard-interactive') return 'refused'
      await one.ask({ name: '', instruction: '', questions: [{ prompt: '?', echo: true }] })
      return 'accepted'
    },
  }
  for (const end of ['signal', 'server'] as const) {
    const [one, other] = streamPair()
    const serving = serveOver(other, ask)
    const giveUp = new AbortController()
    const asked = Promise.withResolvers<void>()
    const answer = async () => {
      asked.resolve()
      return await new Promise<string[]>(() => {})
    }
    const methods = [{ method: 'keyboard-interactive', answer } as const]
    const connecting = connectOver(one, { methods, loginMs: 100, signal: giveUp.signal })
    const failed = expect(connecting).rejects.toThrow(end === 'signal' ? 'enough' : 'ended the connection')
    await asked.promise
    if (end === 'signal') giveUp.abort(new Error('enough'))
    else serving.disconnect('byApplication', 'Go away')
    await failed
  }
})

test('a text for the person is shown before the end of the connection', async () => {
  const [one, other] = streamPair()
  const said: string[] = []
  const serving = serveOver(other, {
    authenticate: async () => {
      serving.banner('You may not\n')
      serving.disconnect('byApplication', 'Not you')
      return 'refused'
    },
  })
  const connecting = connectOver(one, { onBanner: (line) => said.push(line) })
  await expect(connecting).rejects.toMatchObject({ peerText: 'Not you' })
  expect(said).toEqual(['You may not\n'])
})

test('errors of a session stay with it', async () => {
  const [one, other] = streamPair()
  server.serve(other)
  const client = await connectOver(one)
  const session = await client.openSession()
  await session.exec('echo still here')
  session.destroy()
  session.write('behind the end', () => {})
  const next = await client.openSession()
  await next.exec('echo still here')
  expect(await text(next)).toBe('still here\n')
  client.end()
})

const open = (id: number) =>
  new Writer().byte(90).string('session').uint32(id).uint32(100_000).uint32(30_000).finish()
const request = (name: string) => new Writer().byte(80).string(name).boolean(true).finish()
const numbers = ({ told }: RawClient) => told.map((payload) => payload[0])
