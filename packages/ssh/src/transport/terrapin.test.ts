import { Transform, type Duplex } from 'node:stream'
import { expect, test } from 'vitest'
import { generateKey } from '../keys/generate.ts'
import { SshError } from '../wire/errors.ts'
import { message } from '../wire/messages.ts'
import { Writer } from '../wire/writer.ts'
import { defaultAlgorithms } from './algorithms.ts'
import { Transport } from './transport.ts'
import { streamPair } from '../testing/stream-pair.ts'

const service = Buffer.from([message.serviceRequest])
const hostKey = await generateKey('ssh-ed25519')

/** A message nobody has to mind, in a packet without keys (RFC 4253, 6). */
function plainIgnore(): Buffer {
  const payload = new Writer().byte(message.ignore).string('').finish()
  const padding = 16 - ((payload.length + 5) % 8)
  const head = Buffer.alloc(5)
  head.writeUInt32BE(payload.length + padding + 1)
  head[4] = padding
  return Buffer.concat([head, payload, Buffer.alloc(padding)])
}

type Step = 'inject' | 'drop'

/** Between both: puts a packet in before the new keys, and takes as many away behind them, so that the numbers fit again (Terrapin). */
class Between extends Transform {
  readonly #steps: readonly Step[]
  #rest = Buffer.alloc(0)
  #isGreeted = false
  #isKeyed = false
  #isDropped = false

  constructor(steps: readonly Step[]) {
    super()
    this.#steps = steps
  }

  override _transform(chunk: Buffer, _encoding: string, done: () => void): void {
    this.#rest = Buffer.concat([this.#rest, chunk])
    this.#pass()
    done()
  }

  #pass(): void {
    if (!this.#isGreeted) {
      const end = this.#rest.indexOf('\n') + 1
      if (end === 0) return
      this.#isGreeted = true
      this.#take(end)
    }
    while (!this.#isKeyed && this.#rest.length >= 6) {
      const length = 4 + this.#rest.readUInt32BE(0)
      if (this.#rest.length < length) return
      if (this.#rest[5] === message.newKeys) {
        this.#isKeyed = true
        if (this.#steps.includes('inject')) this.push(plainIgnore())
      }
      this.#take(length)
    }
    if (!this.#isKeyed || this.#rest.length === 0) return
    // What comes first is one packet: each side says something first, and then waits.
    if (this.#steps.includes('drop') && !this.#isDropped) {
      this.#isDropped = true
      this.#rest = Buffer.alloc(0)
    }
    this.#take(this.#rest.length)
  }

  #take(bytes: number): void {
    if (bytes > 0) this.push(this.#rest.subarray(0, bytes))
    this.#rest = this.#rest.subarray(bytes)
  }
}

const protections = [
  { cipher: 'chacha20-poly1305@openssh.com', mac: 'hmac-sha2-256-etm@openssh.com' },
  { cipher: 'aes128-ctr', mac: 'hmac-sha2-256-etm@openssh.com' },
  { cipher: 'aes128-gcm@openssh.com', mac: 'hmac-sha2-256-etm@openssh.com' },
]
const attacks = (['toClient', 'toServer'] as const).flatMap((way) =>
  protections.flatMap((protection) =>
    ([['inject'], ['drop'], ['inject', 'drop']] as Step[][]).map((steps) => ({
      ...protection,
      way,
      steps,
      what: steps.join(' and '),
    })),
  ),
)

function talk(
  { cipher, mac }: { cipher: string; mac: string },
  between: (near: Duplex, far: Duplex) => void,
) {
  const [a, b] = streamPair()
  const [c, d] = streamPair()
  between(b, c)
  const algorithms = { ...defaultAlgorithms, kex: ['curve25519-sha256'], cipher: [cipher], mac: [mac] }
  const options = { ident: 'SSH-2.0-Test', algorithms, exchangeMs: 5000 }
  const server = new Transport(a, { ...options, role: 'server', hostKeys: [hostKey] })
  const client = new Transport(d, { ...options, role: 'client', verifyHostKey: () => {} })
  const taken = { server: 0, client: 0 }
  server.onPacket = () => void taken.server++
  client.onPacket = () => void taken.client++
  return { server, client, taken }
}

test.each(protections)('without anybody between both hear each other, with $cipher', async (protection) => {
  const { server, client, taken } = talk(protection, (near, far) => near.pipe(far).pipe(near))
  for (const side of [server, client]) side.send(service)
  await expect.poll(() => taken).toEqual({ server: 1, client: 1 })
  server.destroy()
  client.destroy()
})

test.each(attacks)(
  'whoever is between and does $what, $way, with $cipher, ends the connection',
  async ({ way, steps, ...protection }) => {
    const { server, client, taken } = talk(protection, (near, far) => {
      const [from, to] = way === 'toClient' ? [near, far] : [far, near]
      from.pipe(new Between(steps)).pipe(to)
      to.pipe(from)
    })
    const attacked = way === 'toClient' ? 'client' : 'server'
    const side = attacked === 'client' ? client : server
    let error: unknown
    void side.closed.then((reason) => (error = reason))
    // Behind what was taken away something has to come, for it to be missed.
    const speak = () => {
      for (const speaker of [server, client]) speaker.send(service)
      return error
    }
    await expect.poll(speak).toBeInstanceOf(SshError)
    expect(taken[attacked]).toBe(0)
    server.destroy()
    client.destroy()
  },
)
