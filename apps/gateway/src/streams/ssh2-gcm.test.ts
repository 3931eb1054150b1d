import { randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import { expect, it } from 'vitest'
import './ssh2-gcm.ts'
import { own, release } from '@sallyport/ssh/packets/memory'

const library: {
  createCipher(config: object): { allocPacket(length: number): Buffer; encrypt(packet: Buffer): void }
  createDecipher(config: object): { decrypt(data: Buffer, from: number, end: number): unknown }
} = createRequire(import.meta.url)('ssh2/lib/protocol/crypto.js')

const sizes = [1, 11, 12, 100, 5000, 32_777]

/** Both ends of one direction: what goes over the wire for the payloads, and a reader for it. */
function wire(payloads: Buffer[]) {
  const [key, iv] = [randomBytes(16), randomBytes(12)]
  const info = { sslName: 'aes-128-gcm', keyLen: 16, ivLen: 12 }
  const written: Buffer[] = []
  const cipher = library.createCipher({
    outbound: {
      seqno: 3,
      onWrite: (data: Buffer) => written.push(Buffer.from(data)),
      cipherInfo: info,
      cipherKey: key,
      cipherIV: Buffer.from(iv),
    },
  })
  for (const payload of payloads) {
    const packet = cipher.allocPacket(payload.length)
    payload.copy(packet, 5)
    cipher.encrypt(packet)
  }
  const read: Buffer[] = []
  const decipher = library.createDecipher({
    inbound: {
      seqno: 3,
      onPayload: (payload: Buffer) => void read.push(Buffer.from(payload)),
      decipherInfo: info,
      decipherKey: key,
      decipherIV: Buffer.from(iv),
    },
  })
  return { bytes: Buffer.concat(written), read, decipher }
}

it('packets come out whole however the network cuts them', () => {
  const payloads = sizes.map((size) => randomBytes(size))
  for (const piece of [1, 3, 17, 1000, 33_000, 1_000_000]) {
    const { bytes, read, decipher } = wire(payloads)
    for (let at = 0; at < bytes.length; at += piece) {
      const data = Buffer.from(bytes.subarray(at, at + piece))
      decipher.decrypt(data, 0, data.length)
      data.fill(0)
    }
    expect(read.map((payload) => payload.toString('hex'))).toEqual(payloads.map((p) => p.toString('hex')))
  }
})

it('a packet that was changed, or claims an impossible length, is refused and gives nothing', () => {
  for (const at of [0, 3, 10, 5000, 5027]) {
    const { bytes, read, decipher } = wire([randomBytes(5000)])
    bytes[at] = (bytes[at] ?? 0) ^ 1
    expect(() => decipher.decrypt(bytes, 0, bytes.length)).toThrow()
    expect(read).toEqual([])
  }
})

it('gives back only memory that is known to have one user', () => {
  const shared = Buffer.from('in a pool with others')
  own(shared)
  release(shared)
  expect(shared.toString()).toBe('in a pool with others')
  const [lent, owned] = [Buffer.alloc(10_000, 1), Buffer.alloc(10_000, 1)]
  release(lent)
  expect(lent.length).toBe(10_000)
  own(owned)
  release(owned.subarray(5, 10))
  expect(owned.length).toBe(0)
})
