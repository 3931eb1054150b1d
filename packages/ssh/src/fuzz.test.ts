import { randomInt } from 'node:crypto'
import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ClientAuth } from './auth/client-auth.ts'
import { publicKeyRequest, signedClaim } from './auth/publickey.ts'
import { ServerAuth } from './auth/server-auth.ts'
import { Channels } from './channels/channels.ts'
import { ClientSession } from './channels/client-session.ts'
import { ServerSession } from './channels/server-session.ts'
import { noModes, writeTerminal } from './channels/session.ts'
import { generateKey } from './keys/generate.ts'
import { packetPair, type PacketEnd } from './testing/packet-pair.ts'
import { SshError } from './wire/errors.ts'
import { message } from './wire/messages.ts'
import { Writer } from './wire/writer.ts'

/** Of each kind of peer; more by hand: FUZZ_CONNECTIONS=100000. */
const connections = Number(process.env['FUZZ_CONNECTIONS'] ?? 300)
const messagesOfEach = 60
const key = await generateKey('ssh-ed25519')

const write = (number: number, body: (writer: Writer) => Writer = (writer) => writer) =>
  body(new Writer().byte(number)).finish()
const request = (name: string, body: (writer: Writer) => Writer = (writer) => writer) =>
  write(98, (writer) => body(writer.uint32(randomInt(3)).string(name).boolean(true)))
const authRequest = (method: string, body: (writer: Writer) => Writer = (writer) => writer) =>
  write(50, (writer) => body(writer.string('ann').string('ssh-connection').string(method)))
const terminal = { term: 'xterm', cols: 80, rows: 24, widthPixels: 0, heightPixels: 0, modes: noModes }

/** Messages as they may come, in any order. */
const ofChannels = [
  () => write(90, (body) => body.string('session').uint32(randomInt(5)).uint32(1000).uint32(1000)),
  () => write(90, (body) => body.string('direct-tcpip').uint32(7).uint32(1000).uint32(1000)),
  () => write(91, (body) => body.uint32(randomInt(3)).uint32(1).uint32(1000).uint32(1000)),
  () => write(92, (body) => body.uint32(randomInt(3)).uint32(1).string('no').string('')),
  () => write(93, (body) => body.uint32(randomInt(3)).uint32(randomInt(1000))),
  () => write(94, (body) => body.uint32(randomInt(3)).string(Buffer.alloc(randomInt(100)))),
  () =>
    write(95, (body) =>
      body
        .uint32(randomInt(3))
        .uint32(1)
        .string(Buffer.alloc(randomInt(100))),
    ),
  () => write(96, (body) => body.uint32(randomInt(3))),
  () => write(97, (body) => body.uint32(randomInt(3))),
  () => write(99, (body) => body.uint32(randomInt(3))),
  () => write(80, (body) => body.string('tcpip-forward').boolean(true).string('').uint32(0)),
  () => write(81),
  () => request('exec', (body) => body.string('ls')),
  () => request('shell'),
  () => request('env', (body) => body.string('LANG').string('C')),
  () => request('eow@openssh.com'),
  () => request('exit-status', (body) => body.uint32(3)),
  () => request('exit-signal', (body) => body.string('TERM').boolean(false).string('').string('')),
  () =>
    request('pty-req', (body) => {
      writeTerminal(body, terminal)
      return body
    }),
]
const claim = { username: 'ann', algorithm: 'ssh-ed25519', blob: key.publicKey.blob }
const signature = await key.sign('ssh-ed25519', signedClaim(Buffer.alloc(32), claim))
const ofClients = [
  () => write(5, (body) => body.string('ssh-userauth')),
  () => authRequest('none'),
  () => authRequest('password', (body) => body.boolean(false).string('secret')),
  () => authRequest('keyboard-interactive', (body) => body.string('').string('')),
  () => publicKeyRequest(claim, false),
  () => new Writer().bytes(publicKeyRequest(claim, true)).string(signature).finish(),
  () => write(61, (body) => body.uint32(1).string('answer')),
]
const ofServers = [
  () => write(6, (body) => body.string('ssh-userauth')),
  () => write(51, (body) => body.nameList(['publickey', 'keyboard-interactive', 'password']).boolean(false)),
  () => write(53, (body) => body.string('Hello\r\n').string('')),
  () => write(60, (body) => body.string('').string('').string('').uint32(1).string('?').boolean(true)),
  () => write(60, (body) => body.string('ssh-ed25519').string(key.publicKey.blob)),
]

/** One of them, as it is, cut off, changed, or with something behind. */
function some(kinds: readonly (() => Buffer)[]): Buffer {
  const bytes = Buffer.from(kinds[randomInt(kinds.length)]?.() ?? [])
  const how = randomInt(8)
  if (how === 0) return bytes.subarray(0, randomInt(1, bytes.length + 1))
  if (how === 1) return Buffer.concat([bytes, Buffer.alloc(randomInt(1, 9))])
  for (let changes = how === 2 ? randomInt(1, 4) : 0; changes > 0; changes--) {
    bytes[randomInt(bytes.length)] = randomInt(256)
  }
  return bytes
}

/** How the end that is tried was ended, if it was; anything but an `SshError` fails the test. */
async function attack(end: PacketEnd, other: PacketEnd, kinds: readonly (() => Buffer)[]): Promise<void> {
  other.onPacket = () => {}
  for (let count = 0; count < messagesOfEach; count++) other.send(some(kinds))
  while (other.queuedBytes > 0) await turn()
  end.destroy()
  const error = await end.closed
  if (error) expect(error).toBeInstanceOf(SshError)
}

const limits = { windowBytes: 1000, packetBytes: 1000, maxChannels: 5, replyMs: 1000 }

test('whatever a client says about channels, the server either goes on or ends', async () => {
  for (let count = 0; count < connections; count++) {
    const [end, other] = packetPair()
    const channels = new Channels(end, {
      ...limits,
      onOpen: (opening) => {
        if (opening.type !== 'session') opening.refuse('connectFailed', 'no')
        else {
          const session = opening.accept((link, ends) => new ServerSession(link, ends))
          session.handlers = { pty: () => true, env: () => true, exec: () => () => session.write('x') }
        }
      },
    })
    end.onPacket = (payload) => channels.take(payload)
    void end.closed.then((error) => channels.close(error))
    await attack(end, other, ofChannels)
    expect(channels.count).toBe(0)
  }
})

test('whatever a server says about channels, the client either goes on or ends', async () => {
  for (let count = 0; count < connections; count++) {
    const [end, other] = packetPair()
    const channels = new Channels(end, limits)
    end.onPacket = (payload) => channels.take(payload)
    void end.closed.then((error) => channels.close(error))
    for (let opened = 0; opened < 3; opened++) {
      const begin = async () => {
        const session = await channels.open('session', (link, ends) => new ClientSession(link, ends))
        session.stderr.resume()
        session.end('input')
        await Promise.allSettled([session.pty(terminal), session.exec('ls'), session.exited])
      }
      begin().catch(() => {})
    }
    await attack(end, other, ofChannels)
    expect(channels.count).toBe(0)
  }
})

test('whatever a client says to log in, nobody is let in who did not prove anything', async () => {
  for (let count = 0; count < connections; count++) {
    const [end, other] = packetPair()
    const auth = new ServerAuth(end, {
      keyAlgorithms: ['ssh-ed25519'],
      methods: () => ['publickey', 'password', 'keyboard-interactive'],
      maxFailures: 20,
      authenticate: async (one) => {
        if (one.method === 'keyboard-interactive') {
          await one.ask({ name: '', instruction: '', questions: [{ prompt: '?', echo: true }] })
        }
        // The signatures above are for another session.
        return one.method === 'publickey' ? 'accepted' : 'wrong'
      },
    })
    end.onPacket = (payload) => auth.take(payload)
    other.send(write(message.serviceRequest, (body) => body.string('ssh-userauth')))
    await attack(end, other, ofClients)
    expect(auth.isDone).toBe(false)
  }
})

test('whatever a server says while a client logs in, the client ends or is refused', async () => {
  for (let count = 0; count < connections; count++) {
    const [end, other] = packetPair()
    const auth = new ClientAuth(end, {
      username: 'ann',
      methods: [
        { method: 'publickey', key },
        { method: 'publickey', key },
        { method: 'keyboard-interactive', answer: async ({ questions }) => questions.map(() => 'x') },
        { method: 'password', password: 'x' },
      ],
    })
    end.onPacket = (payload) => auth.take(payload)
    const run = auth.run()
    const failed = expect(run).rejects.toBeInstanceOf(SshError)
    await attack(end, other, ofServers)
    await failed
  }
})
