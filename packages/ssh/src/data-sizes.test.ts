import { createHash, randomBytes } from 'node:crypto'
import type { Readable } from 'node:stream'
import { beforeAll, expect, test } from 'vitest'
import type { ServerSession } from './channels/server-session.ts'
import { connect } from './client.ts'
import { generateKey } from './keys/generate.ts'
import type { PrivateKey } from './keys/key.ts'
import { ciphers, needsMac } from './packets/ciphers.ts'
import { macs } from './packets/macs.ts'
import { release } from './packets/memory.ts'
import { serve } from './server.ts'
import { testOptions } from './testing/log-in.ts'
import { streamPair } from './testing/stream-pair.ts'
import { legacyAlgorithms } from './transport/algorithms.ts'

const protections = [...ciphers.keys()].flatMap((cipher) =>
  needsMac(cipher) ? [...macs.keys()].map((mac) => ({ cipher, mac })) : [{ cipher, mac: 'none' }],
)
/** One packet of each kind there is by its size, and many. */
const sizes = [1, 100, 5 * 1024, 20_000, 32 * 1024, 1024 * 1024]

let key: PrivateKey
beforeAll(async () => {
  key = await generateKey('ssh-ed25519')
})

/** As a listener does that is done with each chunk at once, and gives its memory back. */
async function digestOf(stream: Readable): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of stream) {
    if (!Buffer.isBuffer(chunk)) throw new TypeError('no bytes')
    hash.update(chunk)
    release(chunk)
  }
  return hash.digest('hex')
}

test.for(protections)(
  'data of every size arrives whole both ways, and its memory can be given back, with $cipher and $mac',
  async ({ cipher, mac }) => {
    const [one, other] = streamPair()
    const sessions: ServerSession[] = []
    const algorithms = { ...legacyAlgorithms, cipher: [cipher], mac: [mac] }
    serve(other, {
      ...testOptions,
      algorithms,
      hostKeys: [key],
      authenticate: async () => 'accepted',
      methods: () => [],
      maxFailures: 1,
      onLogin: () => {},
      onChannel: (opening) => {
        if (opening.type !== 'session') return
        const session = opening.accept()
        session.handlers = { exec: () => () => void sessions.push(session) }
      },
    })
    const client = await connect(one, { ...testOptions, algorithms, username: 'ann', methods: [] })
    for (const size of sizes) {
      const [up, down] = [randomBytes(size), randomBytes(size)]
      const session = await client.openSession()
      await session.exec('swap')
      const served = sessions.pop()
      if (!served) throw new Error('no session')
      session.end(up)
      served.end(down)
      const digests = await Promise.all([digestOf(session), digestOf(served)])
      expect(digests, `${size} bytes`).toEqual(
        [down, up].map((data) => createHash('sha256').update(data).digest('hex')),
      )
      session.destroy()
    }
    client.end()
  },
)
