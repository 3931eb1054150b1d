/**
 * AES-GCM for ssh2, in place of its own: the same packets (RFC 5647, OpenSSH's variant), but each is encrypted or decrypted in one go,
 * into memory that can be given back at once (`owned.ts`), without a new buffer for each plain packet and a call for random padding.
 * Must be loaded before ssh2, whose key exchange takes these functions when it is loaded.
 */
import {
  createCipheriv,
  createDecipheriv,
  createSecretKey,
  randomFillSync,
  type CipherGCMTypes,
  type KeyObject,
} from 'node:crypto'
import { createRequire } from 'node:module'
import { own } from '@sallyport/ssh/packets/memory'

const require = createRequire(import.meta.url)

interface CipherConfig {
  outbound: {
    seqno: number
    onWrite: (data: Buffer) => void
    cipherInfo: { sslName: string }
    cipherKey: Buffer
    cipherIV: Buffer
  }
}

interface Cipher {
  outSeqno: number
  allocPacket(payloadLength: number): Buffer
  encrypt(packet: Buffer): void
  free(): void
}

type OnPayload = (payload: Buffer) => number | false | undefined

interface DecipherConfig {
  inbound: {
    seqno: number
    onPayload: OnPayload
    decipherInfo: { sslName: string }
    decipherKey: Buffer
    decipherIV: Buffer
  }
}

interface Decipher {
  inSeqno: number
  /** The library puts another function here once the first keys are exchanged. */
  _onPayload: OnPayload
  /** Returns where to go on in `data` when another decipher takes over. */
  decrypt(data: Buffer, from: number, end: number): number | undefined
  free(): void
}

const library: {
  createCipher: (config: CipherConfig) => Cipher
  createDecipher: (config: DecipherConfig) => Decipher
} = require('ssh2/lib/protocol/crypto.js')

const BLOCK_BYTES = 16
const LENGTH_BYTES = 4
const TAG_BYTES = 16
/** Of one packet, as in the library. */
const MAX_PACKET_BYTES = 35_000
const MIN_PADDING_BYTES = 4
/** Larger than any packet of channel data: those are built, encrypted and forgotten in one go, so they share the place. */
const workspace = Buffer.allocUnsafeSlow(64 * 1024)
/** Smaller packets may be held a moment by the library, for a signature. */
const OWN_BUFFER_BYTES = 4096

const randomPool = Buffer.allocUnsafeSlow(16 * 1024)
let randomUsed = randomPool.length

function pad(packet: Buffer, from: number, length: number): void {
  if (randomUsed + length > randomPool.length) {
    randomFillSync(randomPool)
    randomUsed = 0
  }
  randomPool.copy(packet, from, randomUsed, randomUsed + length)
  randomUsed += length
}

class GcmCipher implements Cipher {
  outSeqno: number
  readonly #write: (data: Buffer) => void
  readonly #name: CipherGCMTypes
  readonly #key: KeyObject
  readonly #iv: Buffer
  #isFreed = false

  constructor({ outbound }: CipherConfig, name: CipherGCMTypes) {
    this.outSeqno = outbound.seqno
    this.#write = outbound.onWrite
    this.#name = name
    this.#key = createSecretKey(outbound.cipherKey)
    this.#iv = outbound.cipherIV
  }

  free(): void {
    this.#isFreed = true
  }

  allocPacket(payloadLength: number): Buffer {
    const unpadded = 1 + payloadLength
    let padding = BLOCK_BYTES - (unpadded % BLOCK_BYTES)
    if (padding < MIN_PADDING_BYTES) padding += BLOCK_BYTES
    const total = LENGTH_BYTES + unpadded + padding
    const isShared = total > OWN_BUFFER_BYTES && total <= workspace.length
    const packet = isShared ? workspace.subarray(0, total) : Buffer.allocUnsafe(total)
    packet.writeUInt32BE(total - LENGTH_BYTES, 0)
    packet[LENGTH_BYTES] = padding
    pad(packet, total - padding, padding)
    return packet
  }

  encrypt(packet: Buffer): void {
    if (this.#isFreed) return
    const cipher = createCipheriv(this.#name, this.#key, this.#iv)
    const length = Buffer.from(packet.subarray(0, LENGTH_BYTES))
    cipher.setAAD(length)
    const sealed = cipher.update(packet.subarray(LENGTH_BYTES))
    own(sealed)
    cipher.final()
    this.#write(length)
    this.#write(sealed)
    this.#write(cipher.getAuthTag())
    increment(this.#iv)
    this.outSeqno = (this.outSeqno + 1) >>> 0
  }
}

/** Where packets wait that came in part. */
const sparePackets: Buffer[] = []
const MAX_SPARE_PACKETS = 8

class GcmDecipher implements Decipher {
  inSeqno: number
  _onPayload: OnPayload
  readonly #name: CipherGCMTypes
  readonly #key: KeyObject
  readonly #iv: Buffer
  readonly #head = Buffer.alloc(LENGTH_BYTES)
  #headBytes = 0
  /** What follows the length of the packet that is being read. */
  #bodyBytes = 0
  #part: Buffer | undefined
  #partBytes = 0

  constructor({ inbound }: DecipherConfig, name: CipherGCMTypes) {
    this.inSeqno = inbound.seqno
    this._onPayload = inbound.onPayload
    this.#name = name
    this.#key = createSecretKey(inbound.decipherKey)
    this.#iv = inbound.decipherIV
  }

  free(): void {
    this.#part = undefined
  }

  decrypt(data: Buffer, from: number, end: number): number | undefined {
    for (let at = from; at < end;) {
      while (this.#headBytes < LENGTH_BYTES) {
        if (at === end) return undefined
        this.#head[this.#headBytes++] = data[at++] ?? 0
        if (this.#headBytes === LENGTH_BYTES) this.#bodyBytes = this.#readLength() + TAG_BYTES
      }
      const missing = this.#bodyBytes - this.#partBytes
      const there = Math.min(missing, end - at)
      let body: Buffer
      if (there === this.#bodyBytes) body = data.subarray(at, at + there)
      else {
        body = this.#keep(data.subarray(at, at + there))
        if (there < missing) return undefined
      }
      at += there
      const payload = this.#open(body)
      if (
        this.#part &&
        this.#part.byteLength === MAX_PACKET_BYTES &&
        sparePackets.length < MAX_SPARE_PACKETS
      ) {
        sparePackets.push(this.#part)
      }
      this.#part = undefined
      this.#partBytes = 0
      this.#headBytes = 0
      const next = this._onPayload(payload)
      if (next !== undefined) return next === false ? at : next
    }
    return undefined
  }

  #readLength(): number {
    const length = this.#head.readUInt32BE(0)
    const isValid =
      length >= BLOCK_BYTES &&
      length % BLOCK_BYTES === 0 &&
      length + LENGTH_BYTES + TAG_BYTES <= MAX_PACKET_BYTES
    if (!isValid) throw new Error('Bad packet length')
    return length
  }

  /** The part of the packet that is there. */
  #keep(bytes: Buffer): Buffer {
    const isLarge = this.#bodyBytes > OWN_BUFFER_BYTES
    this.#part ??= isLarge
      ? (sparePackets.pop() ?? Buffer.allocUnsafeSlow(MAX_PACKET_BYTES))
      : Buffer.allocUnsafe(this.#bodyBytes)
    this.#part.set(bytes, this.#partBytes)
    this.#partBytes += bytes.byteLength
    return this.#part.subarray(0, this.#partBytes)
  }

  /** Throws when the packet was changed on its way. */
  #open(body: Buffer): Buffer {
    const length = body.byteLength - TAG_BYTES
    const decipher = createDecipheriv(this.#name, this.#key, this.#iv)
    decipher.setAAD(this.#head)
    decipher.setAuthTag(body.subarray(length))
    const packet = decipher.update(body.subarray(0, length))
    own(packet)
    decipher.final()
    increment(this.#iv)
    this.inSeqno = (this.inSeqno + 1) >>> 0
    return packet.subarray(1, length - (packet[0] ?? 0))
  }
}

/** The last eight bytes are a counter of packets. */
function increment(iv: Buffer): void {
  iv.writeBigUInt64BE(BigInt.asUintN(64, iv.readBigUInt64BE(4) + 1n), 4)
}

const createOtherCipher = library.createCipher
library.createCipher = (config) => {
  const { sslName } = config.outbound.cipherInfo
  if (sslName === 'aes-128-gcm' || sslName === 'aes-256-gcm') return new GcmCipher(config, sslName)
  return createOtherCipher(config)
}

const createOtherDecipher = library.createDecipher
library.createDecipher = (config) => {
  const { sslName } = config.inbound.decipherInfo
  if (sslName === 'aes-128-gcm' || sslName === 'aes-256-gcm') return new GcmDecipher(config, sslName)
  return createOtherDecipher(config)
}
