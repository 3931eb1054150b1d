import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  type CipherGCMTypes,
  type KeyObject,
} from 'node:crypto'
import { free, own } from './memory.ts'
import {
  type DirectionKeys,
  lengthBytes,
  type Opener,
  type Output,
  paddingOf,
  plainPacket,
  type Sealer,
  totalOf,
  unpad,
  wasChanged,
} from './packet.ts'

const blockBytes = 16
const tagBytes = 16
const options = { authTagLength: tagBytes }

/** AES-GCM (RFC 5647, 7, as OpenSSH's aes128-gcm@openssh.com): the length is authenticated, but readable. */
export class GcmSealer implements Sealer {
  readonly #cipher: CipherGCMTypes
  readonly #key: KeyObject
  readonly #iv: Buffer
  readonly #length = Buffer.alloc(lengthBytes)

  constructor(cipher: CipherGCMTypes, keys: DirectionKeys) {
    this.#cipher = cipher
    this.#key = createSecretKey(keys.key)
    this.#iv = keys.iv
  }

  seal(_sequence: number, parts: readonly Buffer[], bytes: number, output: Output): void {
    const padding = paddingOf(1 + bytes, blockBytes)
    const cipher = createCipheriv(this.#cipher, this.#key, this.#iv, options)
    increment(this.#iv)
    this.#length.writeUInt32BE(1 + bytes + padding, 0)
    cipher.setAAD(this.#length)
    output.write(this.#length)
    const sealed = cipher.update(plainPacket(parts, bytes, padding, false))
    output.write(sealed)
    free(sealed)
    cipher.final()
    output.write(cipher.getAuthTag())
  }
}

export class GcmOpener implements Opener {
  readonly headBytes = lengthBytes
  readonly #cipher: CipherGCMTypes
  readonly #key: KeyObject
  readonly #iv: Buffer

  constructor(cipher: CipherGCMTypes, keys: DirectionKeys) {
    this.#cipher = cipher
    this.#key = createSecretKey(keys.key)
    this.#iv = keys.iv
  }

  measure(_sequence: number, head: Buffer, maxBytes: number): number {
    return totalOf(head.readUInt32BE(0), blockBytes, tagBytes, maxBytes)
  }

  open(_sequence: number, packet: Buffer): Buffer {
    const end = packet.length - tagBytes
    const decipher = createDecipheriv(this.#cipher, this.#key, this.#iv, options)
    increment(this.#iv)
    decipher.setAAD(packet.subarray(0, lengthBytes))
    decipher.setAuthTag(packet.subarray(end))
    const opened = own(decipher.update(packet.subarray(lengthBytes, end)))
    try {
      decipher.final()
    } catch {
      throw wasChanged()
    }
    return unpad(opened)
  }
}

/** The last eight of its twelve bytes count packets. */
function increment(iv: Buffer): void {
  for (let at = 11; at >= 4; at--) {
    const next = ((iv[at] ?? 0) + 1) & 0xff
    iv[at] = next
    if (next !== 0) return
  }
}
