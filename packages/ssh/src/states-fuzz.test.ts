import { setImmediate as turn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { publicKeyRequest, signedClaim } from './auth/publickey.ts'
import { noModes } from './channels/session.ts'
import { connect } from './client.ts'
import { generateKey } from './keys/generate.ts'
import { serve } from './server.ts'
import { anyMessage } from './testing/any-message.ts'
import { DrivenPeer } from './testing/driven-peer.ts'
import { mutate, numbers } from './testing/mutate.ts'
import { defaultAlgorithms } from './transport/algorithms.ts'
import { SshError } from './wire/errors.ts'
import { message } from './wire/messages.ts'
import { Writer } from './wire/writer.ts'
import { streamPair } from './testing/stream-pair.ts'

/** Of each role, in milliseconds; more by hand. */
const fuzzMs = Number(process.env['FUZZ_MS'] ?? 4000)
/** One that failed is tried again by its seed. */
const onlySeed = process.env['FUZZ_SEED']
const messagesOfEach = 30
/** What waits to be sent to a peer that does not read: the transport's bound, and the packets it was in the midst of. */
const maxUnsentBytes = 4 * 1024 * 1024
const maxHeapGrowth = 64 * 1024 * 1024

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
const hostKey = await generateKey('ssh-ed25519')
const otherHostKey = await generateKey('ssh-ed25519')
const userKey = await generateKey('ssh-ed25519')
const algorithms = {
  ...defaultAlgorithms,
  kex: ['curve25519-sha256'],
  cipher: ['aes128-gcm@openssh.com', 'chacha20-poly1305@openssh.com'],
}
const limits = { loginMs: 5000, replyMs: 5000, keepaliveMs: 5000, ident: 'Fuzzed', algorithms }
const terminal = { term: 'xterm', cols: 80, rows: 24, widthPixels: 0, heightPixels: 0, modes: noModes }
const right = 'right'
/** Said by the driver behind a disconnect only. */
const tooLate = 'too-late'

type Random = (limit: number) => number

const write = (number: number, body: (writer: Writer) => Writer = (writer) => writer) =>
  body(new Writer().byte(number)).finish()
const service = write(message.serviceRequest, (body) => body.string('ssh-userauth'))
const passwordRequest = (password: string) =>
  write(message.userauthRequest, (body) =>
    body.string('ann').string('ssh-connection').string('password').boolean(false).string(password),
  )
const open = write(message.channelOpen, (body) =>
  body.string('session').uint32(0).uint32(100_000).uint32(30_000),
)
const exec = (command: string) =>
  write(message.channelRequest, (body) => body.uint32(0).string('exec').boolean(true).string(command))

async function signedRequest(peer: DrivenPeer): Promise<Buffer> {
  const claim = { username: 'ann', algorithm: 'ssh-ed25519', blob: userKey.publicKey.blob }
  const signed = signedClaim(peer.keys?.sessionId ?? Buffer.alloc(0), claim)
  const signature = await userKey.sign('ssh-ed25519', signed)
  return new Writer().bytes(publicKeyRequest(claim, true)).string(signature).finish()
}

async function turns(count: number): Promise<void> {
  for (let left = count; left > 0; left--) await turn()
}

/** Tries seed after seed for the time there is. */
async function forSeeds(tryOne: (random: Random, seed: number) => Promise<void>): Promise<void> {
  if (onlySeed !== undefined) {
    await tryOne(numbers(Number(onlySeed) * 7919), Number(onlySeed))
    return
  }
  const until = performance.now() + fuzzMs
  let heapAtFirst = 0
  let seed = 1
  for (; performance.now() < until; seed++) {
    await tryOne(numbers(seed * 7919), seed)
    if (seed === 100) heapAtFirst = memory()
  }
  if (process.env['FUZZ_MS'])
    process.stdout.write(`${seed - 1} walks, ${memory() - heapAtFirst} bytes more than after 100\n`)
  if (seed > 100) expect(memory() - heapAtFirst).toBeLessThan(maxHeapGrowth)
}

function memory(): number {
  collectGarbage()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

/** Steps of a peer that keeps to the rules, then anything in any order; now and then new keys, now and then the end and more behind it. */
async function misbehave(
  peer: DrivenPeer,
  random: Random,
  honest: readonly (() => unknown)[],
): Promise<void> {
  const kept = random(honest.length + 1)
  for (const step of honest.slice(0, kept)) {
    await step()
    await turns(6)
  }
  for (let count = 0; count < messagesOfEach && !peer.isBroken; count++) {
    const kind = random(24)
    if (kind === 0) void peer.exchange()
    else if (kind < 4) void honest[random(honest.length)]?.()
    else if (kind === 4) {
      peer.say(write(message.disconnect, (body) => body.uint32(11).string('').string('')))
      peer.say(service, passwordRequest(tooLate), open, exec(tooLate))
    } else {
      const said = anyMessage(random)
      peer.say(random(4) === 0 ? mutate(said, random) : said)
    }
    if (random(3) === 0) await turns(1 + random(4))
  }
  await turns(10)
}

/** That the end is one that is declared. */
function checkEnd(error: unknown, seed: number): void {
  if (error === undefined) return
  if (!(error instanceof SshError)) throw error
  expect(error.message, `seed ${seed}: ${String(error.cause)}`).not.toBe('Something went wrong here')
  expect(error.message, `seed ${seed}: ${String(error.cause)}`).not.toBe('The login failed here')
}

test('whatever a client says whenever, nobody is in without an accepted authentication, and nothing comes behind the end', async () => {
  let loggedIn = 0
  await forSeeds(async (random, seed) => {
    const [near, far] = streamPair()
    const wrong: string[] = []
    let [accepted, logins, isOver] = [0, 0, false]
    const seen = (what: string, isAllowed: boolean) => {
      if (!isAllowed) wrong.push(what)
      if (isOver) wrong.push(`${what} behind the end`)
    }
    const connection = serve(far, {
      ...limits,
      hostKeys: [hostKey],
      rekeyBytes: 5000,
      windowBytes: 5000,
      maxFailures: 6,
      methods: () => ['password', 'publickey', 'keyboard-interactive'],
      authenticate: async (request) => {
        seen('an authentication', logins === 0)
        const { method } = request
        if (method === 'keyboard-interactive')
          await request.ask({ name: '', instruction: '', questions: [{ prompt: '?', echo: true }] })
        if (method === 'password') seen(request.password, request.password !== tooLate)
        const isRight =
          (method === 'password' && request.password === right) ||
          (method === 'publickey' && request.key.blob.equals(userKey.publicKey.blob))
        if (isRight && (method !== 'publickey' || request.isProven)) accepted++
        return isRight ? 'accepted' : 'wrong'
      },
      onLogin: () => {
        seen('a login', accepted === 1 && ++logins === 1)
        loggedIn++
      },
      onChannel: (opening) => {
        seen('a channel', logins === 1)
        if (opening.type !== 'session') {
          opening.refuse('administrativelyProhibited', 'No')
          return
        }
        const session = opening.accept()
        const begin = (command: string) => {
          seen(command, command !== tooLate)
          return () => void session.end(Buffer.alloc(3000))
        }
        session.handlers = {
          pty: () => true,
          env: () => true,
          shell: () => begin('shell'),
          exec: begin,
          subsystem: begin,
        }
        session.resume()
      },
    })
    const ended = connection.closed.then((error) => {
      isOver = true
      return error
    })
    const peer = new DrivenPeer(near, { role: 'client', hostKey, algorithms })
    await misbehave(peer, random, [
      async () => {
        await turns(3)
        await Promise.race([peer.exchange(), ended])
      },
      () => peer.say(service),
      async () => peer.say(random(2) === 0 ? passwordRequest(right) : await signedRequest(peer)),
      () => peer.say(open),
      () => peer.say(exec('ls')),
      () => peer.say(write(message.channelWindowAdjust, (body) => body.uint32(0).uint32(1000))),
    ])
    expect(far.writableLength, `seed ${seed}`).toBeLessThan(maxUnsentBytes)
    near.destroy()
    connection.destroy()
    checkEnd(await ended, seed)
    await turns(3)
    expect(wrong, `seed ${seed}`).toEqual([])
  })
  // The walk got as far as it should.
  if (onlySeed === undefined) expect(loggedIn).toBeGreaterThan(0)
})

test('whatever a server says whenever, a client shows nothing to a stranger and is in only when it was told so', async () => {
  let loggedIn = 0
  await forSeeds(async (random, seed) => {
    const [near, far] = streamPair()
    const isStranger = random(4) === 0
    let [isTold, isAsked] = [false, false]
    const peer = new DrivenPeer(near, {
      role: 'server',
      hostKey: isStranger ? otherHostKey : hostKey,
      algorithms,
      onMessage: (payload) => {
        if (payload[0] === message.userauthRequest) isAsked = true
      },
    })
    const say = peer.say.bind(peer)
    peer.say = (...payloads) => {
      isTold ||= payloads.some((payload) => payload[0] === message.userauthSuccess)
      say(...payloads)
    }
    const giveUp = new AbortController()
    const connecting = connect(far, {
      ...limits,
      username: 'ann',
      rekeyBytes: 5000,
      windowBytes: 5000,
      signal: giveUp.signal,
      verifyHostKey: ({ blob }) => {
        if (!blob.equals(hostKey.publicKey.blob)) throw new SshError('hostKeyNotVerifiable', 'A stranger')
      },
      methods: [
        { method: 'publickey', key: userKey },
        { method: 'keyboard-interactive', answer: async ({ questions }) => questions.map(() => 'x') },
        { method: 'password', password: right },
      ],
    })
    const using = (async () => {
      try {
        const client = await connecting
        loggedIn++
        // What it asked may still be on its way.
        await turns(50)
        expect([isTold, isAsked, isStranger], `seed ${seed}`).toEqual([true, true, false])
        const use = async () => {
          const session = await client.openSession()
          session.resume().stderr.resume()
          session.end('input')
          await Promise.allSettled([session.pty(terminal), session.exec('ls'), session.exited])
        }
        await Promise.allSettled([use(), use()])
        client.destroy()
        checkEnd(await client.closed, seed)
      } catch (error) {
        if (!giveUp.signal.aborted) checkEnd(error, seed)
      }
    })()
    const confirm = (id: number) =>
      write(message.channelOpenConfirmation, (body) => body.uint32(id).uint32(0).uint32(1000).uint32(1000))
    await misbehave(peer, random, [
      async () => {
        await turns(3)
        await Promise.race([peer.exchange(), connecting.catch(() => {})])
      },
      () => peer.say(write(message.serviceAccept, (body) => body.string('ssh-userauth'))),
      () => peer.say(write(message.userauthSuccess)),
      () => peer.say(confirm(0), confirm(1)),
      () => peer.say(write(message.channelSuccess, (body) => body.uint32(0))),
      () => peer.say(write(message.channelData, (body) => body.uint32(0).string('output'))),
    ])
    expect(far.writableLength, `seed ${seed}`).toBeLessThan(maxUnsentBytes)
    giveUp.abort()
    near.destroy()
    await using
    if (isStranger)
      expect(
        peer.heard.filter((number) => number >= message.userauthRequest && number < message.ping),
        `seed ${seed}`,
      ).toEqual([])
  })
  if (onlySeed === undefined) expect(loggedIn).toBeGreaterThan(0)
})
