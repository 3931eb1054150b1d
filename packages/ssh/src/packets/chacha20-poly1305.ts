import { Poly1305 } from '@noble/ciphers/_poly1305.js'
import { type Cipheriv, createCipheriv, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto'
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

const blockBytes = 8
const tagBytes = 16
/** A block of ChaCha20: the first of each packet's is the key of its tag. */
const zeros = Buffer.alloc(64)
const macKeyBytes = 32

/** Both keys of a direction: one for the payload and the tag, one for the length (OpenSSH's PROTOCOL.chacha20poly1305). */
class Keys {
  readonly #payload: KeyObject
  readonly #length: KeyObject
  /** For OpenSSL: a counter of eight bytes, and the number of the packet. */
  readonly #iv = Buffer.alloc(16)

  constructor({ key }: DirectionKeys) {
    this.#payload = createSecretKey(key.subarray(0, 32))
    this.#length = createSecretKey(key.subarray(32))
  }

  /** Encrypts a length and decrypts one. */
  length(sequence: number, length: Buffer): Buffer {
    return this.#stream(this.#length, sequence).update(length)
  }

  payload(sequence: number): { cipher: Cipheriv; mac: Poly1305 } {
    const cipher = this.#stream(this.#payload, sequence)
    return { cipher, mac: new Poly1305(cipher.update(zeros).subarray(0, macKeyBytes)) }
  }

  #stream(key: KeyObject, sequence: number): Cipheriv {
    this.#iv.writeUInt32BE(sequence, 12)
    return createCipheriv('chacha20', key, this.#iv)
  }
}

export class ChachaSealer implements Sealer {
  readonly #keys: Keys
  readonly #length = Buffer.alloc(lengthBytes)

  constructor(keys: DirectionKeys) {
    this.#keys = new Keys(keys)
  }

  seal(sequence: number, parts: readonly Buffer[], bytes: number, output: Output): void {
    const padding = paddingOf(1 + bytes, blockBytes)
    this.#length.writeUInt32BE(1 + bytes + padding, 0)
    const length = this.#keys.length(sequence, this.#length)
    const { cipher, mac } = this.#keys.payload(sequence)
    mac.update(length)
    output.write(length)
    const sealed = cipher.update(plainPacket(parts, bytes, padding, false))
    mac.update(sealed)
    output.write(sealed)
    free(sealed)
    output.write(Buffer.from(mac.digest()))
  }
}

export class ChachaOpener implements Opener {
  readonly headBytes = lengthBytes
  readonly #keys: Keys

  constructor(keys: DirectionKeys) {
    this.#keys = new Keys(keys)
  }

  measure(sequence: number, head: Buffer, maxBytes: number): number {
    return totalOf(this.#keys.length(sequence, head).readUInt32BE(0), blockBytes, tagBytes, maxBytes)
  }

  open(sequence: number, packet: Buffer): Buffer {
    const end = packet.length - tagBytes
    const { cipher, mac } = this.#keys.payload(sequence)
    mac.update(packet.subarray(0, end))
    if (!timingSafeEqual(mac.digest(), packet.subarray(end))) throw wasChanged()
    return unpad(own(cipher.update(packet.subarray(lengthBytes, end))))
  }
}
