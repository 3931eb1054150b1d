import { setImmediate as turn } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { generateKey } from '../keys/generate.ts'
import type { PrivateKey } from '../keys/key.ts'
import { packetPair, type PacketEnd } from '../testing/packet-pair.ts'
import { SshError } from '../wire/errors.ts'
import { message } from '../wire/messages.ts'
import { Reader } from '../wire/reader.ts'
import { Writer } from '../wire/writer.ts'
import { AuthError, ClientAuth, type AuthMethod, type ClientAuthOptions } from './client-auth.ts'
import { AbandonedError } from './interview.ts'
import {
  hostboundExtension,
  publicKeyRequest,
  signatureAlgorithmsExtension,
  signedClaim,
} from './publickey.ts'
import {
  ServerAuth,
  type AuthRequest,
  type MethodName,
  type ServerAuthOptions,
  type Verdict,
} from './server-auth.ts'

const keyAlgorithms = ['ssh-ed25519', 'ecdsa-sha2-nistp256', 'rsa-sha2-512', 'rsa-sha2-256']
const ours = await generateKey('ssh-ed25519')
const other = await generateKey('ecdsa-sha2-nistp256')
const rsa = await generateKey('ssh-rsa')

interface Server {
  end: PacketEnd
  auth: ServerAuth
  requests: AuthRequest[]
}

/** A server that judges by `judge`; both ends of the connection to it. */
function setUp(
  judge: (request: AuthRequest) => Verdict | Promise<Verdict>,
  options: Partial<ServerAuthOptions> = {},
): { server: Server; clientEnd: PacketEnd } {
  const [clientEnd, end] = packetPair()
  const requests: AuthRequest[] = []
  const auth = new ServerAuth(end, {
    keyAlgorithms,
    methods: () => ['publickey', 'password', 'keyboard-interactive'],
    maxFailures: 3,
    authenticate: async (request) => {
      requests.push(request)
      return await judge(request)
    },
    ...options,
  })
  end.onPacket = (payload) => auth.take(payload)
  return { server: { end, auth, requests }, clientEnd }
}

async function login(clientEnd: PacketEnd, methods: AuthMethod[], more: Partial<ClientAuthOptions> = {}) {
  const auth = new ClientAuth(clientEnd, { username: 'änn', methods, ...more })
  clientEnd.onPacket = (payload) => auth.take(payload)
  await auth.run()
}

const password = (value: string): AuthMethod => ({ method: 'password', password: value })
const publickey = (key: PrivateKey): AuthMethod => ({ method: 'publickey', key })
const isOurs = (request: AuthRequest) =>
  request.method === 'publickey' && request.key.fingerprint === ours.publicKey.fingerprint

test('whoever needs to prove nothing gets in with nothing', async () => {
  const { clientEnd } = setUp(() => 'accepted')
  await login(clientEnd, [])
})

test('a right password opens, a wrong one does not, and what may go on is told', async () => {
  const judge = (request: AuthRequest): Verdict =>
    request.method === 'password' && request.password === 'pässword' ? 'accepted' : 'wrong'
  const right = setUp(judge)
  await login(right.clientEnd, [password('pässword')])
  expect(right.server.requests).toMatchObject([{ method: 'none' }, { method: 'password', username: 'änn' }])
  const wrong = setUp(judge, { methods: () => ['password'] })
  const refused = login(wrong.clientEnd, [publickey(ours), password('no')])
  await expect(refused).rejects.toThrow(AuthError)
  await expect(refused).rejects.toMatchObject({ methods: ['password'] })
  expect(wrong.server.requests.map(({ method }) => method)).toEqual(['none', 'password'])
})

test.each([
  ['Ed25519', ours],
  ['ECDSA', other],
  ['RSA', rsa],
])('a single key of %s is proven at once', async (_name, key) => {
  const { server, clientEnd } = setUp((request) => (request.method === 'publickey' ? 'accepted' : 'refused'))
  clientEnd.peer.extensions.set(signatureAlgorithmsExtension, Buffer.from('rsa-sha2-256,ssh-ed25519'))
  await login(clientEnd, [publickey(key)])
  expect(server.requests.slice(1)).toMatchObject([{ method: 'publickey', isProven: true }])
})

test('of several keys only the one that would do has to sign, and the others are not counted as failures', async () => {
  const { server, clientEnd } = setUp((request) => (isOurs(request) ? 'accepted' : 'refused'), {
    maxFailures: 1,
  })
  const signed: string[] = []
  const watched = (key: PrivateKey): PrivateKey => ({
    publicKey: key.publicKey,
    sign(algorithm, data) {
      signed.push(key.publicKey.type)
      return key.sign(algorithm, data)
    },
  })
  await login(
    clientEnd,
    [other, rsa, ours, other].map((key) => publickey(watched(key))),
  )
  expect(signed).toEqual(['ssh-ed25519'])
  expect(server.requests.slice(1)).toMatchObject([
    { isProven: false },
    { isProven: false },
    { isProven: false },
    { isProven: true },
  ])
})

test('a key is bound to the host where the server knows how, and a signature made for another host is of no use', async () => {
  const bound = setUp((request) => (isOurs(request) ? 'accepted' : 'refused'))
  bound.clientEnd.peer.extensions.set(hostboundExtension, Buffer.from('0'))
  await login(bound.clientEnd, [publickey(ours)])
  const relayed = setUp((request) => (isOurs(request) ? 'accepted' : 'refused'))
  relayed.clientEnd.peer.extensions.set(hostboundExtension, Buffer.from('0'))
  relayed.clientEnd.hostKey = Buffer.from('of another host')
  await expect(login(relayed.clientEnd, [publickey(ours)])).rejects.toThrow(AuthError)
})

test('several proofs may be needed, in the order the server wants them', async () => {
  const steps: MethodName[] = ['password', 'publickey', 'keyboard-interactive']
  const { server, clientEnd } = setUp(
    ({ method }) => {
      if (method !== steps[0]) return 'refused'
      steps.shift()
      return steps.length > 0 ? 'partial' : 'accepted'
    },
    { methods: () => steps.slice(0, 1) },
  )
  await login(clientEnd, [
    { method: 'keyboard-interactive', answer: async () => [] },
    publickey(ours),
    password('secret'),
  ])
  expect(server.requests.map(({ method }) => method)).toEqual([
    'none',
    'password',
    'publickey',
    'keyboard-interactive',
  ])
})

test('questions are asked as often as needed, with time to think, and their answers come back', async () => {
  const { clientEnd } = setUp(async (request) => {
    if (request.method !== 'keyboard-interactive') return 'refused'
    const { ask } = request
    const [first] = await ask({ name: 'n', instruction: 'i', questions: [{ prompt: 'Code: ', echo: false }] })
    const both = await ask({
      name: '',
      instruction: 'again',
      questions: [
        { prompt: 'One: ', echo: true },
        { prompt: 'Two: ', echo: true },
      ],
    })
    await ask({ name: '', instruction: 'no question at all', questions: [] })
    return [first, ...both].join() === 'Code: ,One: ,Two: ' ? 'accepted' : 'wrong'
  })
  const asked: unknown[] = []
  const answer = async (questions: { questions: readonly { prompt: string }[] }) => {
    asked.push(questions)
    await turn()
    return questions.questions.map(({ prompt }) => prompt)
  }
  await login(clientEnd, [{ method: 'keyboard-interactive', answer }])
  expect(asked).toMatchObject([
    { name: 'n', instruction: 'i', questions: [{ prompt: 'Code: ', echo: false }] },
    { instruction: 'again', questions: [{ echo: true }, { echo: true }] },
  ])
})

test('whoever does not answer gets nowhere', async () => {
  const { server, clientEnd } = setUp(async (request): Promise<Verdict> => {
    if (request.method === 'keyboard-interactive') {
      await request.ask({ name: '', instruction: '', questions: [{ prompt: '?', echo: true }] })
    }
    return 'refused'
  })
  const answer = () => Promise.reject(new Error('the person has left'))
  await expect(login(clientEnd, [{ method: 'keyboard-interactive', answer }])).rejects.toThrow('has left')
  clientEnd.destroy()
  await server.end.closed
})

test('banners come at any time before the success, and never before the service or after it', async () => {
  const { server, clientEnd } = setUp(async (request): Promise<Verdict> => {
    server.auth.banner(`at ${request.method}\nsecond line`)
    return request.method === 'password' ? 'accepted' : 'refused'
  })
  server.auth.banner('early')
  const said: string[] = []
  await login(clientEnd, [password('x')], { onBanner: (text) => said.push(text) })
  server.auth.banner('late')
  expect(said).toEqual(['early', 'at none\nsecond line', 'at password\nsecond line'])
  expect(server.end.sent.at(-1)?.number).toBe(message.userauthSuccess)
})

/** A client that says what it likes; what it is told. */
function rawClient(clientEnd: PacketEnd) {
  const told: Buffer[] = []
  clientEnd.onPacket = (payload) => void told.push(payload)
  clientEnd.send(new Writer().byte(message.serviceRequest).string('ssh-userauth').finish())
  return { told, numbers: () => told.map((payload) => payload[0]) }
}
const request = (method: string, write: (body: Writer) => void = () => {}, username = 'ann') => {
  const body = new Writer().byte(50).string(username).string('ssh-connection').string(method)
  write(body)
  return body.finish()
}
const withPassword = (value: string | Buffer) =>
  request('password', (body) => body.boolean(false).string(value))

test('so many failures end the connection; probes and keys nobody knows are none', async () => {
  const { server, clientEnd } = setUp((one) => (one.method === 'publickey' ? 'refused' : 'wrong'))
  rawClient(clientEnd)
  const { blob } = ours.publicKey
  const claim = { username: 'ann', algorithm: 'ssh-ed25519', blob }
  for (let probe = 0; probe < 20; probe++) clientEnd.send(publicKeyRequest(claim, false))
  for (const value of ['a', 'b', 'c', 'd']) clientEnd.send(withPassword(value))
  await server.end.closed
  expect(server.end.goodbye).toMatchObject({ reason: 'noMoreMethods' })
  expect(server.requests.filter(({ method }) => method === 'password')).toHaveLength(3)
})

test('a signature over anything else is wrong, and nobody is asked about its key', async () => {
  const { server, clientEnd } = setUp(() => 'accepted', { maxFailures: 10 })
  const { numbers } = rawClient(clientEnd)
  const { blob } = ours.publicKey
  const claim = { username: 'ann', algorithm: 'ssh-ed25519', blob }
  const signedOver = async (data: Buffer, sent = claim) =>
    clientEnd.send(
      new Writer()
        .bytes(publicKeyRequest(sent, true))
        .string(await ours.sign('ssh-ed25519', data))
        .finish(),
    )
  await signedOver(signedClaim(Buffer.alloc(32), claim))
  await signedOver(signedClaim(clientEnd.sessionId, { ...claim, username: 'root' }))
  await signedOver(signedClaim(clientEnd.sessionId, { ...claim, hostKey: Buffer.from('a host key') }))
  clientEnd.send(
    new Writer().bytes(publicKeyRequest(claim, true)).string(Buffer.from('no signature')).finish(),
  )
  await vi.waitUntil(() => numbers().length === 5)
  expect(server.requests).toEqual([])
  expect(numbers()).toEqual([6, 51, 51, 51, 51])
  await signedOver(signedClaim(clientEnd.sessionId, claim))
  await vi.waitUntil(() => numbers().length === 6)
  expect(numbers().at(-1)).toBe(message.userauthSuccess)
})

test('keys of kinds nobody knows, or that are not taken, are refused without a question', async () => {
  const { server, clientEnd } = setUp(() => 'accepted', { keyAlgorithms: ['ssh-ed25519'] })
  const { told } = rawClient(clientEnd)
  const keyed = (algorithm: string, blob: Buffer) =>
    clientEnd.send(publicKeyRequest({ username: 'ann', algorithm, blob }, false))
  keyed('ssh-dss', Buffer.from('x'))
  keyed('ssh-ed25519', Buffer.from('malformed'))
  keyed('rsa-sha2-512', rsa.publicKey.blob)
  keyed('ssh-ed25519', rsa.publicKey.blob)
  await vi.waitUntil(() => told.length === 5)
  expect(told.slice(1).map((payload) => payload[0])).toEqual([51, 51, 51, 51])
  expect(server.requests).toEqual([])
  const failure = new Reader(told[1] ?? Buffer.alloc(0), 1)
  expect([failure.nameList(), failure.boolean()]).toEqual([
    ['publickey', 'password', 'keyboard-interactive'],
    false,
  ])
})

test('a password that is no text, is too long, or comes with a new one is just wrong', async () => {
  const { server, clientEnd } = setUp(() => 'accepted', { maxFailures: 10 })
  const { numbers } = rawClient(clientEnd)
  clientEnd.send(withPassword(Buffer.from('ff00', 'hex')))
  clientEnd.send(withPassword('x'.repeat(30_000)))
  clientEnd.send(request('password', (body) => body.boolean(true).string('old').string('new')))
  await vi.waitUntil(() => numbers().length === 4)
  expect(numbers()).toEqual([6, 51, 51, 51])
  expect(server.requests).toEqual([])
})

test('a client that asks anew instead of answering is answered to what it asks', async () => {
  const abandoned: unknown[] = []
  const { clientEnd } = setUp(async (one) => {
    if (one.method === 'password') return 'accepted'
    if (one.method === 'keyboard-interactive') {
      const asking = one.ask({ name: '', instruction: '', questions: [{ prompt: '?', echo: true }] })
      await asking.catch((error: unknown) => abandoned.push(error))
      await asking
    }
    return 'refused'
  })
  const { numbers } = rawClient(clientEnd)
  clientEnd.send(request('keyboard-interactive', (body) => body.string('').string('')))
  await vi.waitUntil(() => numbers().includes(message.userauthInfoRequest))
  clientEnd.send(withPassword('x'))
  await vi.waitUntil(() => numbers().includes(message.userauthSuccess))
  expect(numbers()).toEqual([6, 60, 52])
  expect(abandoned).toMatchObject([expect.any(AbandonedError)])
})

test('another number of answers than of questions is wrong', async () => {
  const { clientEnd } = setUp(async (one): Promise<Verdict> => {
    if (one.method === 'keyboard-interactive') {
      await one.ask({ name: '', instruction: '', questions: [{ prompt: '?', echo: true }] })
    }
    return 'accepted'
  })
  const { numbers } = rawClient(clientEnd)
  clientEnd.send(request('keyboard-interactive', (body) => body.string('').string('')))
  await vi.waitUntil(() => numbers().includes(message.userauthInfoRequest))
  clientEnd.send(new Writer().byte(61).uint32(2).string('a').string('b').finish())
  await vi.waitUntil(() => numbers().length === 3)
  expect(numbers()).toEqual([6, 60, 51])
})

test('an answer that comes when the client is gone lets nobody in, and what it asked besides is not answered', async () => {
  const verdict = Promise.withResolvers<Verdict>()
  const onSuccess = vi.fn()
  const { server, clientEnd } = setUp(() => verdict.promise, { onSuccess })
  clientEnd.onPacket = () => {}
  const service = new Writer().byte(message.serviceRequest).string('ssh-userauth').finish()
  const body = () => new Writer().byte(message.userauthRequest).string('ann').string('ssh-connection')
  clientEnd.send(service)
  for (const secret of ['one', 'two'])
    clientEnd.send(body().string('password').boolean(false).string(secret).finish())
  await vi.waitFor(() => expect(server.requests).toHaveLength(1))
  server.end.destroy()
  await server.end.closed
  verdict.resolve('accepted')
  await turn()
  expect(onSuccess).not.toHaveBeenCalled()
  expect(server.requests).toHaveLength(1)
  expect(server.auth.isDone).toBe(false)
})

test('what is sent behind a login that succeeds is not looked at', async () => {
  const { server, clientEnd } = setUp(() => 'accepted')
  const { numbers } = rawClient(clientEnd)
  for (let count = 0; count < 5; count++) clientEnd.send(withPassword('x'))
  await vi.waitUntil(() => numbers().includes(message.userauthSuccess))
  await turn()
  expect(numbers()).toEqual([6, 52])
  expect(server.requests).toHaveLength(1)
})

const serviceRequest = (service = 'ssh-userauth') => new Writer().byte(5).string(service).finish()
test('a client that asks for the service before each attempt has as many as others', async () => {
  const { clientEnd } = setUp((asked) =>
    asked.method === 'password' && asked.password === 'right' ? 'accepted' : 'refused',
  )
  const { numbers } = rawClient(clientEnd)
  clientEnd.send(withPassword('wrong'))
  await vi.waitUntil(() => numbers().includes(message.userauthFailure))
  clientEnd.send(serviceRequest())
  clientEnd.send(withPassword('right'))
  await vi.waitUntil(() => numbers().includes(message.userauthSuccess))
  expect(numbers()).toEqual([6, 51, 6, 52])
})

const breaks: [string, (clientEnd: PacketEnd) => void][] = [
  [
    'another user name',
    (end) => [withPassword('x'), request('none', undefined, 'root')].forEach((one) => end.send(one)),
  ],
  [
    'another service',
    (end) => end.send(new Writer().byte(50).string('ann').string('ssh-agent').string('none').finish()),
  ],
  ['the service without end', (end) => Array.from({ length: 200 }, () => end.send(serviceRequest()))],
  ['a service of another kind', (end) => end.send(serviceRequest('ssh-connection'))],
  ['an answer to no question', (end) => end.send(new Writer().byte(61).uint32(0).finish())],
  ['a success of its own', (end) => end.send(Buffer.from([message.userauthSuccess]))],
  ['a request that is cut off', (end) => end.send(request('password'))],
  ['more than there should be', (end) => end.send(request('none', (body) => body.string('more')))],
  ['requests without end', (end) => Array.from({ length: 200 }, () => end.send(request('none')))],
]
test.each(breaks)('%s is the end of the connection', async (_name, broken) => {
  const { server, clientEnd } = setUp(() => 'refused')
  rawClient(clientEnd)
  broken(clientEnd)
  expect(await server.end.closed).toBeInstanceOf(SshError)
  expect(server.auth.isDone).toBe(false)
})

test('nothing is authenticated before the service is asked for', async () => {
  const { server, clientEnd } = setUp(() => 'accepted')
  clientEnd.send(withPassword('x'))
  expect(await server.end.closed).toMatchObject({ reason: 'protocolError' })
  expect(server.requests).toEqual([])
})

test('a success that comes before anything was asked lets the client in nowhere', async () => {
  const [clientEnd, serverEnd] = packetPair()
  serverEnd.onPacket = () => {}
  const run = login(clientEnd, [password('right')])
  const failed = expect(run).rejects.toBeInstanceOf(SshError)
  serverEnd.send(new Writer().byte(message.serviceAccept).string('ssh-userauth').finish())
  clientEnd.isHeld = true
  const { onPacket } = clientEnd
  clientEnd.onPacket = (payload) => {
    clientEnd.onPacket = onPacket
    void onPacket(payload)
    // In the same piece of the stream.
    return onPacket(Buffer.from([message.userauthSuccess]))
  }
  await failed
})

test('a server that says what nobody asked is left', async () => {
  for (const unasked of [
    [new Writer().byte(60).string('ssh-ed25519').string('').finish()],
    [Buffer.from([message.serviceAccept])],
    Array.from({ length: 20 }, () => Buffer.from([message.userauthFailure])),
    Array.from({ length: 200 }, () => new Writer().byte(53).string('banner').string('').finish()),
  ]) {
    const { server, clientEnd } = setUp(() => 'refused')
    server.end.onPacket = (payload) => {
      if (payload[0] === message.serviceRequest) void server.auth.take(payload)
      else for (const one of unasked) server.end.send(one)
    }
    await expect(login(clientEnd, [password('x')])).rejects.toBeInstanceOf(SshError)
  }
})

test('a login whose server goes away fails, whatever it waits for', async () => {
  const { server, clientEnd } = setUp(() => new Promise(() => {}))
  const failed = expect(login(clientEnd, [password('x')])).rejects.toMatchObject({ reason: 'connectionLost' })
  await vi.waitUntil(() => server.requests.length === 1)
  server.end.destroy()
  await failed
})
