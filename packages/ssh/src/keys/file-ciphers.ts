import { createDecipheriv, timingSafeEqual } from 'node:crypto'
import type { CipherGCMTypes } from 'node:crypto'
import { poly1305 } from '@noble/ciphers/_poly1305.js'

/** A cipher of transport, used once on the whole of a private key. */
export interface FileCipher {
  keyBytes: number
  ivBytes: number
  tagBytes: number
  /** @throws when the tag is another */
  open(key: Buffer, iv: Buffer, sealed: Buffer, tag: Buffer): Buffer
}
const blocks = (name: string, keyBytes: number, ivBytes = 16): FileCipher => ({
  keyBytes,
  ivBytes,
  tagBytes: 0,
  open(key, iv, sealed) {
    const decipher = createDecipheriv(name, key, iv).setAutoPadding(false)
    return Buffer.concat([decipher.update(sealed), decipher.final()])
  },
})
const gcm = (name: CipherGCMTypes, keyBytes: number): FileCipher => ({
  keyBytes,
  ivBytes: 12,
  tagBytes: 16,
  open(key, iv, sealed, tag) {
    const decipher = createDecipheriv(name, key, iv).setAuthTag(tag)
    return Buffer.concat([decipher.update(sealed), decipher.final()])
  },
})
/** As a packet with the number 0 (PROTOCOL.chacha20poly1305); the second half of the key, for lengths, goes unused. */
const chacha: FileCipher = {
  keyBytes: 64,
  ivBytes: 0,
  tagBytes: 16,
  open(key, _iv, sealed, tag) {
    const stream = (counter: number) => {
      const iv = Buffer.alloc(16)
      iv.writeUInt32LE(counter)
      return createDecipheriv('chacha20', key.subarray(0, 32), iv)
    }
    if (!timingSafeEqual(poly1305(sealed, stream(0).update(Buffer.alloc(32))), tag))
      throw new Error('Another tag')
    return stream(1).update(sealed)
  },
}
/** By their names in PROTOCOL.key. */
export const fileCiphers = new Map<string, FileCipher>([
  ['aes256-ctr', blocks('aes-256-ctr', 32)],
  ['aes256-cbc', blocks('aes-256-cbc', 32)],
  ['aes192-ctr', blocks('aes-192-ctr', 24)],
  ['aes192-cbc', blocks('aes-192-cbc', 24)],
  ['aes128-ctr', blocks('aes-128-ctr', 16)],
  ['aes128-cbc', blocks('aes-128-cbc', 16)],
  ['3des-cbc', blocks('des-ede3-cbc', 24, 8)],
  ['aes256-gcm@openssh.com', gcm('aes-256-gcm', 32)],
  ['aes128-gcm@openssh.com', gcm('aes-128-gcm', 16)],
  ['chacha20-poly1305@openssh.com', chacha],
])
