import { Transform } from 'node:stream'
import { expect, test } from 'vitest'
import { generateKey } from '../keys/generate.ts'
import { SshError } from '../wire/errors.ts'
import { message } from '../wire/messages.ts'
import { defaultAlgorithms, legacyAlgorithms } from './algorithms.ts'
import { Transport } from './transport.ts'
import { streamPair } from '../testing/stream-pair.ts'

const hostKey = await generateKey('ssh-ed25519')
/** For how long, in milliseconds: a moment in the tests, an hour by hand. */
const fuzzMs = Number(process.env.FUZZ_MS ?? 2000)

/** Numbers that look random, and are the same again for the same seed (Marsaglia's xorshift). */
function randomFrom(seed: number): (below: number) => number {
  let state = seed | 1
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}

/** Hands bytes on, and does to some pieces what a peer or somebody between might: changes, cuts, repeats, reorders and leaves out. */
class Mischief extends Transform {
  readonly #random: (below: number) => number
  #kept: Buffer | undefined

  constructor(random: (below: number) => number) {
    super()
    this.#random = random
  }

  override _transform(chunk: Buffer, _encoding: string, done: () => void): void {
    const bytes = Buffer.from(chunk)
    const at = this.#random(bytes.length)
    switch (this.#random(12)) {
      case 0:
        bytes[at] = this.#random(256)
        this.push(bytes)
        break
      case 1:
        this.push(bytes.subarray(0, at))
        break
      case 2:
        this.push(bytes)
        this.push(Buffer.from(bytes))
        break
      case 3:
        this.#kept = bytes
        break
      case 4:
        this.push(
          Buffer.concat([bytes.subarray(0, at), Buffer.from([this.#random(256)]), bytes.subarray(at)]),
        )
        break
      default:
        this.push(bytes.subarray(0, at))
        this.push(bytes.subarray(at))
    }
    if (this.#kept && this.#random(2) === 0) {
      this.push(this.#kept)
      this.#kept = undefined
    }
    done()
  }
}

/** Data, new keys, and the end, if it comes to that. */
async function talk(side: Transport, random: (below: number) => number): Promise<void> {
  try {
    await side.ready
    for (let count = 0; count < 5; count++)
      side.send(Buffer.concat([Buffer.from([message.channelData]), Buffer.alloc(random(3000))]))
    await side.rekey()
  } catch (error) {
    if (!(error instanceof SshError)) throw error
  }
  side.disconnect('byApplication', '')
}

test('whatever happens to the bytes on their way, both sides stay, or end with an error of their own', async () => {
  const until = performance.now() + fuzzMs
  let seed = 1
  for (; performance.now() < until; seed++) {
    const random = randomFrom(seed * 7919)
    const [a, b] = streamPair()
    const [c, d] = streamPair()
    b.pipe(new Mischief(random)).pipe(c)
    c.pipe(new Mischief(random)).pipe(b)
    const kex = [
      'curve25519-sha256',
      'ecdh-sha2-nistp256',
      'mlkem768x25519-sha256',
      'diffie-hellman-group14-sha256',
    ]
    const pick = <Value>(values: readonly Value[]) => values.slice(random(values.length)).slice(0, 1)
    const algorithms = {
      ...defaultAlgorithms,
      kex: pick(kex),
      cipher: pick(legacyAlgorithms.cipher),
      mac: pick(legacyAlgorithms.mac),
    }
    const options = { ident: 'SSH-2.0-Fuzz', algorithms, exchangeMs: 300 }
    const server = new Transport(a, { ...options, role: 'server', hostKeys: [hostKey] })
    const client = new Transport(d, { ...options, role: 'client', verifyHostKey: () => {} })
    for (const side of [server, client]) {
      side.onPacket = () => {}
      void talk(side, random)
    }
    for (const error of await Promise.all([server.closed, client.closed]))
      expect(error === undefined || error instanceof SshError, `seed ${seed}: ${String(error)}`).toBe(true)
    // What is not an error of the protocol is one of ours.
    for (const error of await Promise.all([server.closed, client.closed]))
      expect(error?.message, `seed ${seed}: ${String(error?.cause)}`).not.toBe('Something went wrong here')
  }
  if (process.env.FUZZ_MS) process.stdout.write(`${seed - 1} connections\n`)
})
