import { createHash } from 'node:crypto'
import { Blowfish } from './blowfish.ts'

const hashBytes = 32
const magic = words(Buffer.from('OxychromaticBlowfishSwatDynamite'))

/** OpenBSD's bcrypt_pbkdf(3), which stretches the passphrases of OpenSSH's keys: milliseconds for each round and 32 bytes. */
export function bcryptPbkdf(passphrase: Buffer, salt: Buffer, rounds: number, bytes: number): Buffer {
  const key = Buffer.alloc(bytes)
  const password = words(sha512(passphrase))
  // Whoever wants only a part of the key has to calculate all of it: its blocks are spread over it byte by byte.
  const blocks = Math.ceil(bytes / hashBytes)
  for (let block = 0; block < blocks; block++) {
    const number = Buffer.alloc(4)
    number.writeUInt32BE(block + 1)
    let last = bcryptHash(password, words(sha512(salt, number)))
    const out = Buffer.from(last)
    for (let round = 1; round < rounds; round++) {
      last = bcryptHash(password, words(sha512(last)))
      for (let at = 0; at < hashBytes; at++) out[at] = (out[at] ?? 0) ^ (last[at] ?? 0)
    }
    for (let at = 0; at * blocks + block < bytes; at++) key[at * blocks + block] = out[at] ?? 0
  }
  return key
}

function bcryptHash(password: Int32Array, salt: Int32Array): Buffer {
  const blowfish = new Blowfish()
  blowfish.expand(password, salt)
  for (let round = 0; round < 64; round++) {
    blowfish.expand(salt)
    blowfish.expand(password)
  }
  const text = magic.slice()
  for (let round = 0; round < 64; round++) blowfish.encipher(text)
  const out = Buffer.alloc(hashBytes)
  text.forEach((word, at) => out.writeInt32LE(word, at * 4))
  return out
}

function words(bytes: Buffer): Int32Array {
  return Int32Array.from({ length: bytes.length / 4 }, (_, word) => bytes.readInt32BE(word * 4))
}

function sha512(...parts: Buffer[]): Buffer {
  const hash = createHash('sha512')
  for (const part of parts) hash.update(part)
  return hash.digest()
}
