import { randomFillSync } from 'node:crypto'
import { MalformedError } from '../wire/errors.ts'

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

/** Parts smaller than this are put together before they are encrypted, larger ones are encrypted from where they are. */
const directBytes = 4096
const scratch = Buffer.allocUnsafeSlow(16 * 1024)
const random = Buffer.allocUnsafeSlow(16 * 1024)
let randomUsed = random.length

/**
 * Calls `update` with the plain packet, piece after piece: its length if that is encrypted too, the length of the padding, the payload,
 * the padding. A piece is valid during the call.
 */
export function eachPiece(
  parts: readonly Buffer[],
  bytes: number,
  padding: number,
  isLengthEncrypted: boolean,
  update: (piece: Buffer) => void,
): void {
  let used = 0
  if (isLengthEncrypted) used = scratch.writeUInt32BE(1 + bytes + padding, 0)
  scratch[used++] = padding
  for (const part of parts) {
    if (part.length >= directBytes || used + part.length > scratch.length) {
      update(scratch.subarray(0, used))
      used = 0
    }
    if (part.length >= directBytes) update(part)
    else {
      scratch.set(part, used)
      used += part.length
    }
  }
  if (used + padding > scratch.length) {
    update(scratch.subarray(0, used))
    used = 0
  }
  if (randomUsed + padding > random.length) {
    randomFillSync(random)
    randomUsed = 0
  }
  random.copy(scratch, used, randomUsed, randomUsed + padding)
  randomUsed += padding
  update(scratch.subarray(0, used + padding))
}

/** The payload in a plain packet that begins with the length of its padding. */
export function unpad(packet: Buffer): Buffer {
  const end = packet.length - (packet[0] ?? 0)
  if ((packet[0] ?? 0) < minPaddingBytes || end < 2) throw new MalformedError('A packet has a wrong padding')
  return packet.subarray(1, end)
}
