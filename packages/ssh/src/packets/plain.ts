import {
  lengthBytes,
  type Opener,
  type Output,
  paddingOf,
  plainPacket,
  type Sealer,
  unpad,
  wrongLength,
} from './packet.ts'

const blockBytes = 8

/** Packets before the first keys (RFC 4253, 6). */
export const plainSealer: Sealer = {
  seal(_sequence: number, parts: readonly Buffer[], bytes: number, output: Output): void {
    const padding = paddingOf(lengthBytes + 1 + bytes, blockBytes)
    output.write(plainPacket(parts, bytes, padding, true))
  },
}

export const plainOpener: Opener = {
  headBytes: lengthBytes,

  measure(_sequence, head, maxBytes) {
    const total = lengthBytes + head.readUInt32BE(0)
    if (total < 16 || total > maxBytes || total % blockBytes !== 0) throw wrongLength()
    return total
  },

  open(_sequence, packet) {
    return Buffer.from(unpad(packet.subarray(lengthBytes)))
  },
}
