import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { MalformedError, SshError } from '../wire/errors.ts'
import { ciphers, needsMac, protectionOf } from './ciphers.ts'
import { macs } from './macs.ts'
import { own, release } from './memory.ts'
import { PacketReader } from './packet-reader.ts'
import { PacketWriter } from './packet-writer.ts'

const maxBytes = 40_000

const protections = [...ciphers.keys()].flatMap((cipher) =>
  needsMac(cipher) ? [...macs.keys()].map((mac) => ({ cipher, mac })) : [{ cipher, mac: '' }],
)

/** Both ends of one direction, under the same keys. */
function direction({ cipher, mac }: { cipher: string; mac: string }) {
  const protection = protectionOf(cipher, mac)
  const keys = {
    iv: randomBytes(protection.ivBytes),
    key: randomBytes(protection.keyBytes),
    macKey: randomBytes(protection.macKeyBytes),
  }
  const written: Buffer[] = []
  const writer = new PacketWriter({ write: (bytes) => void written.push(Buffer.from(bytes)) })
  writer.sealer = protection.sealer({ ...keys, iv: Buffer.from(keys.iv) })
  const newReader = () => {
    const reader = new PacketReader(maxBytes)
    reader.opener = protection.opener({ ...keys, iv: Buffer.from(keys.iv) })
    return reader
  }
  const sealed = (...payloads: (readonly Buffer[])[]) => {
    for (const parts of payloads) writer.write(parts, Buffer.concat(parts).length)
    return Buffer.concat(written.splice(0))
  }
  return { sealed, newReader }
}

function readAll(reader: PacketReader, bytes: Buffer): Buffer[] {
  const input = { bytes, at: 0 }
  const payloads = []
  for (let payload = reader.next(input); payload; payload = reader.next(input)) payloads.push(payload)
  return payloads
}

test.for(protections)('packets are whole however they are cut, with $cipher $mac', (names) => {
  const { sealed, newReader } = direction(names)
  const payloads = [[randomBytes(1)], [randomBytes(9), randomBytes(5000)], [randomBytes(20)]]
  const expected = payloads.map((parts) => Buffer.concat(parts))
  const bytes = sealed(...payloads)
  // All cuts near the borders of packets, and some in the midst of the large one.
  const cuts = Array.from({ length: bytes.length }, (_, at) => at).filter(
    (at) => at < 80 || at > bytes.length - 120 || at % 251 === 0,
  )
  for (const cut of cuts) {
    const reader = newReader()
    const read = [...readAll(reader, bytes.subarray(0, cut)), ...readAll(reader, bytes.subarray(cut))]
    expect(read).toEqual(expected)
    expect(reader.isBetweenPackets).toBe(true)
  }
  const reader = newReader()
  expect([...bytes].flatMap((byte) => readAll(reader, Buffer.from([byte])))).toEqual(expected)
})

test.for(protections)(
  'a payload of any size is in memory of its own, which can be given back and takes nothing else with it, with $cipher $mac',
  (names) => {
    const { sealed, newReader } = direction(names)
    const payloads = [1, 100, 5000, 4200, 20_000, 32 * 1024, 8000, 9].map((bytes) => randomBytes(bytes))
    const bytes = sealed(...payloads.map((payload) => [payload]))
    const neighbour = Buffer.allocUnsafe(5000).fill('x')
    const opened = readAll(newReader(), bytes)
    for (const [at, payload] of opened.entries()) {
      expect(payload.equals(payloads[at] ?? Buffer.alloc(0)), String(payload.length)).toBe(true)
      const { length } = payload
      release(payload.subarray(0))
      expect(payload.length, 'what is left').toBe(length >= 4200 ? 0 : length)
    }
    expect(neighbour.equals(Buffer.alloc(5000, 'x'))).toBe(true)
  },
)

test.for(protections)('a packet with any byte changed is not opened, with $cipher $mac', (names) => {
  const { sealed, newReader } = direction(names)
  const bytes = sealed([randomBytes(30)])
  // What a changed length lets wait for: the reader must not take it for a packet.
  const more = randomBytes(maxBytes)
  for (let at = 0; at < bytes.length; at++) {
    const changed = Buffer.from(bytes)
    changed[at] = (changed[at] ?? 0) ^ 0x10
    expect(() => readAll(newReader(), Buffer.concat([changed, more]))).toThrow(SshError)
  }
})

test.for(protections)('a packet that is left out or comes twice is noticed, with $cipher $mac', (names) => {
  const { sealed, newReader } = direction(names)
  const [first, second] = [sealed([randomBytes(40)]), sealed([randomBytes(40)])]
  const more = randomBytes(maxBytes)
  expect(() => readAll(newReader(), Buffer.concat([second, more]))).toThrow(SshError)
  expect(() => readAll(newReader(), Buffer.concat([first, first, more]))).toThrow(SshError)
})

test('a length beyond the limit is refused before anything is held for it', () => {
  for (const length of [0, 1, 8, maxBytes, 2 ** 31, 2 ** 32 - 1]) {
    const head = Buffer.alloc(4)
    head.writeUInt32BE(length)
    expect(() => readAll(new PacketReader(maxBytes), head)).toThrow(MalformedError)
    const { newReader } = direction({ cipher: 'aes128-gcm@openssh.com', mac: '' })
    expect(() => readAll(newReader(), head)).toThrow(MalformedError)
  }
})

test('padding that leaves no payload, and a payload that is empty, are refused', () => {
  for (const padding of [0, 3, 11, 12, 255]) {
    const packet = Buffer.alloc(16)
    packet.writeUInt32BE(12)
    packet[4] = padding
    expect(() => readAll(new PacketReader(maxBytes), packet)).toThrow(MalformedError)
  }
})

test('owned bytes are gone once a part of them is released, those of others stay', () => {
  const owned = own(randomBytes(8000))
  release(owned.subarray(10))
  expect(owned.length).toBe(0)
  const foreign = randomBytes(8000)
  release(foreign.subarray(10))
  expect(foreign.length).toBe(8000)
})

test('bytes that share their memory with others are never owned, whoever says so', () => {
  const pooled = own(Buffer.concat([randomBytes(3000), randomBytes(3000)]))
  expect(pooled.buffer.byteLength).toBeGreaterThan(pooled.length)
  const part = own(randomBytes(8000).subarray(100))
  for (const shared of [pooled, part]) {
    const { length } = shared
    release(shared)
    expect(shared.length).toBe(length)
  }
})
