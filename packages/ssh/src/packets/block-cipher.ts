import {
  type Cipheriv,
  createCipheriv,
  createDecipheriv,
  type Decipheriv,
  timingSafeEqual,
} from 'node:crypto'
import type { KeyedMac, Mac } from './macs.ts'
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

/** AES in counter or chaining mode, as OpenSSL calls it: one stream for all packets of a direction (RFC 4253, 6.3; RFC 4344, 4). */
export interface BlockCipher {
  name: string
  blockBytes: number
}

/** The MAC is made of what was encrypted; the length stays readable. */
export class EncryptThenMacSealer implements Sealer {
  readonly #cipher: Cipheriv
  readonly #blockBytes: number
  readonly #mac: KeyedMac
  readonly #length = Buffer.alloc(lengthBytes)

  constructor({ name, blockBytes }: BlockCipher, mac: Mac, keys: DirectionKeys) {
    this.#cipher = createCipheriv(name, keys.key, keys.iv).setAutoPadding(false)
    this.#blockBytes = blockBytes
    this.#mac = mac.keyed(keys.macKey)
  }

  seal(sequence: number, parts: readonly Buffer[], bytes: number, output: Output): void {
    const padding = paddingOf(1 + bytes, this.#blockBytes)
    this.#length.writeUInt32BE(1 + bytes + padding, 0)
    const mac = this.#mac.begin(sequence)
    mac.update(this.#length)
    output.write(this.#length)
    const sealed = this.#cipher.update(plainPacket(parts, bytes, padding, false))
    mac.update(sealed)
    output.write(sealed)
    free(sealed)
    output.write(mac.tag())
  }
}

export class EncryptThenMacOpener implements Opener {
  readonly headBytes = lengthBytes
  readonly #decipher: Decipheriv
  readonly #blockBytes: number
  readonly #mac: KeyedMac
  readonly #tagBytes: number

  constructor({ name, blockBytes }: BlockCipher, mac: Mac, keys: DirectionKeys) {
    this.#decipher = createDecipheriv(name, keys.key, keys.iv).setAutoPadding(false)
    this.#blockBytes = blockBytes
    this.#mac = mac.keyed(keys.macKey)
    this.#tagBytes = mac.tagBytes
  }

  measure(_sequence: number, head: Buffer, maxBytes: number): number {
    return totalOf(head.readUInt32BE(0), this.#blockBytes, this.#tagBytes, maxBytes)
  }

  open(sequence: number, packet: Buffer): Buffer {
    const end = packet.length - this.#tagBytes
    const mac = this.#mac.begin(sequence)
    mac.update(packet.subarray(0, end))
    if (!timingSafeEqual(mac.tag(), packet.subarray(end))) throw wasChanged()
    return unpad(own(this.#decipher.update(packet.subarray(lengthBytes, end))))
  }
}

/** For old peers: the MAC is made of the plain packet, and the length is encrypted too. */
export class EncryptAndMacSealer implements Sealer {
  readonly #cipher: Cipheriv
  readonly #blockBytes: number
  readonly #mac: KeyedMac

  constructor({ name, blockBytes }: BlockCipher, mac: Mac, keys: DirectionKeys) {
    this.#cipher = createCipheriv(name, keys.key, keys.iv).setAutoPadding(false)
    this.#blockBytes = blockBytes
    this.#mac = mac.keyed(keys.macKey)
  }

  seal(sequence: number, parts: readonly Buffer[], bytes: number, output: Output): void {
    const padding = paddingOf(lengthBytes + 1 + bytes, this.#blockBytes)
    const mac = this.#mac.begin(sequence)
    const plain = plainPacket(parts, bytes, padding, true)
    mac.update(plain)
    const sealed = this.#cipher.update(plain)
    output.write(sealed)
    free(sealed)
    output.write(mac.tag())
  }
}

export class EncryptAndMacOpener implements Opener {
  readonly headBytes: number
  readonly #decipher: Decipheriv
  readonly #mac: KeyedMac
  readonly #tagBytes: number
  /** The first block of the packet that is coming in, decrypted; undefined when its length can't be. */
  #head: Buffer | undefined

  constructor({ name, blockBytes }: BlockCipher, mac: Mac, keys: DirectionKeys) {
    this.headBytes = blockBytes
    this.#decipher = createDecipheriv(name, keys.key, keys.iv).setAutoPadding(false)
    this.#mac = mac.keyed(keys.macKey)
    this.#tagBytes = mac.tagBytes
  }

  /**
   * Of a length that can't be nothing is told until as much has come as may come, and then that the packet was changed: when the
   * connection ends would tell what the first block decrypts to (CVE-2008-5161).
   */
  measure(_sequence: number, head: Buffer, maxBytes: number): number {
    const block = this.#decipher.update(head)
    const plain = lengthBytes + block.readUInt32BE(0)
    const total = plain + this.#tagBytes
    const isPossible = plain >= 16 && plain % this.headBytes === 0 && total <= maxBytes
    this.#head = isPossible ? block : undefined
    return isPossible ? total : maxBytes
  }

  open(sequence: number, packet: Buffer): Buffer {
    if (!this.#head) throw wasChanged()
    const end = packet.length - this.#tagBytes
    const rest = this.#decipher.update(packet.subarray(this.headBytes, end))
    const plain = own(Buffer.allocUnsafeSlow(end))
    plain.set(this.#head)
    plain.set(rest, this.#head.length)
    free(rest)
    const mac = this.#mac.begin(sequence)
    mac.update(plain)
    if (!timingSafeEqual(mac.tag(), packet.subarray(end))) throw wasChanged()
    return unpad(plain.subarray(lengthBytes))
  }
}
