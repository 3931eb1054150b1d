import { randomBytes, generateKeyPairSync } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { TestGateway } from '../../testing/ssh-gateway.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await TestGateway.start({})
})
afterAll(async () => {
  await gateway.stop()
})

const KEXINIT = 20
const KEX_ECDH_INIT = 30
const KEX_ECDH_REPLY = 31

const text = (value: string | Buffer) => {
  const bytes = Buffer.from(value)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(bytes.byteLength)
  return Buffer.concat([length, bytes])
}

/** RFC 4253, section 6, before there are keys. */
function packet(payload: Buffer): Buffer {
  const padding = 8 - ((payload.byteLength + 5) % 8) + (8 - ((payload.byteLength + 5) % 8) < 4 ? 8 : 0)
  const head = Buffer.alloc(5)
  head.writeUInt32BE(payload.byteLength + padding + 1)
  head[4] = padding
  return Buffer.concat([head, payload, Buffer.alloc(padding)])
}

/** RFC 4253, section 7.1, with the announcement that a guessed packet follows. */
function kexInit(kex: string): Buffer {
  const lists = [
    kex,
    'ssh-ed25519',
    'aes128-ctr',
    'aes128-ctr',
    'hmac-sha2-256-etm@openssh.com',
    'hmac-sha2-256-etm@openssh.com',
    'none',
    'none',
    '',
    '',
  ]
  const follows = Buffer.from([1, 0, 0, 0, 0])
  return packet(Buffer.concat([Buffer.from([KEXINIT]), randomBytes(16), ...lists.map(text), follows]))
}

function ephemeral(): Buffer {
  const { publicKey } = generateKeyPairSync('x25519')
  const raw = Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')
  return packet(Buffer.concat([Buffer.from([KEX_ECDH_INIT]), text(raw)]))
}

/** The payloads (with the padding behind) of the packets that come after the greeting. */
async function* packets(socket: Socket): AsyncGenerator<Buffer> {
  let bytes = Buffer.alloc(0)
  let isGreeted = false
  for await (const part of socket as AsyncIterable<Buffer>) {
    bytes = Buffer.concat([bytes, part])
    if (!isGreeted) {
      const end = bytes.indexOf('\n')
      if (end < 0) continue
      isGreeted = true
      bytes = bytes.subarray(end + 1)
    }
    while (bytes.byteLength >= 6 && bytes.byteLength >= 4 + bytes.readUInt32BE(0)) {
      yield bytes.subarray(5, 4 + bytes.readUInt32BE(0))
      bytes = bytes.subarray(4 + bytes.readUInt32BE(0))
    }
  }
}

function isFirst(kexInitPayload: Buffer, kex: string): boolean {
  const length = kexInitPayload.readUInt32BE(17)
  return kexInitPayload.toString('latin1', 21, 21 + length).split(',')[0] === kex
}

// Dropbear does so (RFC 4253, section 7): it sends its first choice along and again where that was not the server's first.
test.each(['curve25519-sha256,curve25519-sha256@libssh.org', 'curve25519-sha256@libssh.org'])(
  'a client that guesses the key exchange (%s) gets in',
  async (kex) => {
    const socket = connect(gateway.port, '127.0.0.1')
    socket.setTimeout(10_000, () => socket.destroy())
    socket.write('SSH-2.0-guessing\r\n')
    socket.write(Buffer.concat([kexInit(kex), ephemeral()]))
    const seen: number[] = []
    for await (const payload of packets(socket)) {
      seen.push(payload[0] ?? 0)
      // A guess was right where both begin with the same key exchange and host key; otherwise it is sent again.
      if (payload[0] === KEXINIT && !isFirst(payload, kex.split(',')[0] ?? '')) socket.write(ephemeral())
      if (payload[0] === KEX_ECDH_REPLY) break
    }
    socket.destroy()
    expect(seen).toEqual([KEXINIT, KEX_ECDH_REPLY])
  },
)
