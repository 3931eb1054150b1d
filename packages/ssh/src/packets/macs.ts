import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'

export interface Mac {
  readonly keyBytes: number
  readonly tagBytes: number
  /** It is made of the encrypted packet: nothing is decrypted that was changed. */
  readonly isOfEncrypted: boolean
  keyed(key: Buffer): KeyedMac
}

/** Makes the tag of one packet of its number and its pieces, one after the other. */
export interface KeyedMac {
  begin(sequence: number): { update(piece: Buffer): void; tag(): Buffer }
}

function hmac(hash: string, bytes: number, isOfEncrypted: boolean): Mac {
  return {
    keyBytes: bytes,
    tagBytes: bytes,
    isOfEncrypted,
    keyed: (key) => new Hmac(hash, createSecretKey(key)),
  }
}

/** RFC 4253, 6.4; RFC 6668. */
class Hmac implements KeyedMac {
  readonly #hash: string
  readonly #key: KeyObject
  readonly #sequence = Buffer.alloc(4)

  constructor(hash: string, key: KeyObject) {
    this.#hash = hash
    this.#key = key
  }

  begin(sequence: number) {
    this.#sequence.writeUInt32BE(sequence, 0)
    const made = createHmac(this.#hash, this.#key).update(this.#sequence)
    return { update: (piece: Buffer) => void made.update(piece), tag: () => made.digest() }
  }
}

/** All MACs by name, best first: of the encrypted packet (OpenSSH's PROTOCOL, 1.5) before those of the plain one. */
export const macs: ReadonlyMap<string, Mac> = new Map([
  ['hmac-sha2-256-etm@openssh.com', hmac('sha256', 32, true)],
  ['hmac-sha2-512-etm@openssh.com', hmac('sha512', 64, true)],
  ['hmac-sha1-etm@openssh.com', hmac('sha1', 20, true)],
  ['hmac-sha2-256', hmac('sha256', 32, false)],
  ['hmac-sha2-512', hmac('sha512', 64, false)],
  ['hmac-sha1', hmac('sha1', 20, false)],
])
