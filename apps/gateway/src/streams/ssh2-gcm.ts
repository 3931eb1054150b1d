/**
 * AES-GCM for ssh2, in place of its own: the same packets (RFC 5647, OpenSSH's variant), but without a new buffer for each plain packet
 * and a call for random padding. Must be loaded before ssh2, whose key exchange takes these functions when it is loaded.
 */
import {
  createCipheriv,
  createSecretKey,
  randomFillSync,
  type CipherGCMTypes,
  type KeyObject,
} from 'node:crypto'
import { createRequire } from 'node:module'

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

const library: { createCipher: (config: CipherConfig) => Cipher } = require('ssh2/lib/protocol/crypto.js')

const BLOCK_BYTES = 16
const LENGTH_BYTES = 4
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
    this.#write(length)
    this.#write(cipher.update(packet.subarray(LENGTH_BYTES)))
    cipher.final()
    this.#write(cipher.getAuthTag())
    increment(this.#iv)
    this.outSeqno = (this.outSeqno + 1) >>> 0
  }
}

/** The last eight bytes are a counter of packets. */
function increment(iv: Buffer): void {
  iv.writeBigUInt64BE(BigInt.asUintN(64, iv.readBigUInt64BE(4) + 1n), 4)
}

const createOther = library.createCipher
library.createCipher = (config) => {
  const { sslName } = config.outbound.cipherInfo
  if (sslName === 'aes-128-gcm' || sslName === 'aes-256-gcm') return new GcmCipher(config, sslName)
  return createOther(config)
}
