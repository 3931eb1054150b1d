import { randomFillSync } from 'node:crypto'
import { MalformedError, SshError } from '../wire/errors.ts'

/** Where sealed bytes go. They are copied before `write` returns. */
export interface Output {
  write(bytes: Buffer): void
}

/** Makes packets of one direction under one set of keys (RFC 4253, 6). */
export interface Sealer {
  /** `bytes`: the length of all parts of the payload. `sequence`: the number of the packet, 32 bits. */
  seal(sequence: number, parts: readonly Buffer[], bytes: number, output: Output): void
}

/** Reads packets of one direction under one set of keys. */
export interface Opener {
  /** So much of a packet tells its length. */
  readonly headBytes: number
  /** The bytes of the whole packet, from its head. Called once for each packet. Throws when the length can't be. */
  measure(sequence: number, head: Buffer, maxBytes: number): number
  /** The payload, in memory of its own. Throws `SshError` (macError) when the packet was changed on its way. */
  open(sequence: number, packet: Buffer): Buffer
}

export interface KeySizes {
  ivBytes: number
  keyBytes: number
  macKeyBytes: number
}

/** What one direction's cipher and MAC are keyed with (RFC 4253, 7.2). */
export interface DirectionKeys {
  iv: Buffer
  key: Buffer
  macKey: Buffer
}

export const lengthBytes = 4
const minPaddingBytes = 4

/** How much padding makes so many bytes a multiple of a block. */
export function paddingOf(unpadded: number, blockBytes: number): number {
  const padding = blockBytes - (unpadded % blockBytes)
  return padding < minPaddingBytes ? padding + blockBytes : padding
}

/** The bytes of a whole packet whose length stands apart from what is encrypted, with its tag. Throws when the length can't be. */
export function totalOf(length: number, blockBytes: number, tagBytes: number, maxBytes: number): number {
  const total = lengthBytes + length + tagBytes
  if (length < blockBytes || length % blockBytes !== 0 || total > maxBytes) throw wrongLength()
  return total
}

export const wrongLength = () => new MalformedError('A packet has a wrong length')
export const wasChanged = () => new SshError('macError', 'A packet was changed on its way')

/** Larger than any packet of channel data with what is around it. */
const place = Buffer.allocUnsafeSlow(64 * 1024)
const random = Buffer.allocUnsafeSlow(16 * 1024)
let randomUsed = random.length

/**
 * The plain packet in one piece: its length if that is encrypted too, the length of the padding, the payload, the padding. It is valid until
 * the next is made: copying 32 KiB here costs less than calling the cipher for each part.
 */
export function plainPacket(
  parts: readonly Buffer[],
  bytes: number,
  padding: number,
  isLengthEncrypted: boolean,
): Buffer {
  const total = (isLengthEncrypted ? lengthBytes : 0) + 1 + bytes + padding
  const packet = total <= place.length ? place.subarray(0, total) : Buffer.allocUnsafe(total)
  let used = isLengthEncrypted ? packet.writeUInt32BE(1 + bytes + padding, 0) : 0
  packet[used++] = padding
  for (const part of parts) {
    packet.set(part, used)
    used += part.length
  }
  if (randomUsed + padding > random.length) {
    randomFillSync(random)
    randomUsed = 0
  }
  random.copy(packet, used, randomUsed, randomUsed + padding)
  randomUsed += padding
  return packet
}

/** The payload in a plain packet that begins with the length of its padding. */
export function unpad(packet: Buffer): Buffer {
  const end = packet.length - (packet[0] ?? 0)
  if ((packet[0] ?? 0) < minPaddingBytes || end < 2) throw new MalformedError('A packet has a wrong padding')
  return packet.subarray(1, end)
}
