import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Encapsulation } from './hybrid.ts'
import { decodeList, encodeList } from './sntrup-encoding.ts'
import { inverseModulo3, inverseOfTriple } from './sntrup-inverse.ts'
import { half, modulo3, moduloQ, multiply, p, q } from './sntrup-polynomial.ts'

/**
 * Streamlined NTRU Prime with p = 761, q = 4591, w = 286 (NTRU Prime, round 3, 2020). Small polynomials have coefficients between -1 and
 * 1, and short ones are small with w that are not 0. Keys live for one exchange: nobody can measure an operation twice.
 */
const w = 286
/** Multiples of 3 between -2295 and 2295. */
const rounded = (q + 2) / 3

const smallBytes = Math.ceil(p / 4)
const roundedBytes = 1007
const confirmBytes = 32
const hashBytes = 32

export const sntrup761: Encapsulation = {
  publicBytes: 1158,
  ciphertextBytes: roundedBytes + confirmBytes,

  async generate() {
    let [g, inverse] = [randomSmall(), undefined as Int32Array | undefined]
    for (;;) {
      inverse = await inverseModulo3(g)
      if (inverse) break
      g = randomSmall()
    }
    const f = randomShort()
    const publicKey = encodeList(
      multiply(await inverseOfTriple(f), g, moduloQ).map((coefficient) => coefficient + half),
      q,
    )
    const ofG = inverse
    const instead = randomBytes(smallBytes)
    return { publicKey, open: (ciphertext) => open(ciphertext, { f, ofG, publicKey, instead }) }
  },

  seal(publicKey) {
    const r = randomShort()
    const ciphertext = encrypt(r, publicKey)
    return { ciphertext, secret: secretOf(1, encodeSmall(r), ciphertext) }
  },
}

interface Secret {
  f: Int32Array
  /** 1 / g modulo 3. */
  ofG: Int32Array
  publicKey: Buffer
  /** What the secret is made of when the ciphertext is none. */
  instead: Buffer
}

function open(ciphertext: Buffer, { f, ofG, publicKey, instead }: Secret): Buffer {
  const c = decodeList(ciphertext.subarray(0, roundedBytes), p, rounded).map((value) => value * 3 - half)
  const e = multiply(c, f, moduloQ).map((coefficient) => modulo3(moduloQ(3 * coefficient)))
  const r = multiply(e, ofG, modulo3)
  const wrongWeight = r.reduce((weight, coefficient) => weight + (coefficient & 1), 0) ^ w
  const mask = wrongWeight === 0 ? -1 : 0
  for (let at = 0; at < p; at++) {
    const fallback = at < w ? 1 : 0
    r[at] = ((r[at] ?? 0) & mask) | (fallback & ~mask)
  }
  const isWhole = timingSafeEqual(encrypt(r, publicKey), ciphertext)
  return secretOf(isWhole ? 1 : 0, isWhole ? encodeSmall(r) : instead, ciphertext)
}

/** The ciphertext of r, and what confirms that whoever sends it knows r. */
function encrypt(r: Int32Array, publicKey: Buffer): Buffer {
  const h = decodeList(publicKey, p, q).map((value) => value - half)
  // Rounded to multiples of 3.
  const c = multiply(h, r, moduloQ).map((coefficient) => (coefficient - modulo3(coefficient) + half) / 3)
  const confirm = prefixed(2, prefixed(3, encodeSmall(r)), prefixed(4, publicKey))
  return Buffer.concat([encodeList(c, rounded), confirm])
}

function secretOf(kind: 0 | 1, input: Buffer, ciphertext: Buffer): Buffer {
  return prefixed(kind, prefixed(3, input), ciphertext)
}

function prefixed(prefix: number, ...parts: Buffer[]): Buffer {
  return hash('sha512', Buffer.concat([Buffer.from([prefix]), ...parts]), 'buffer').subarray(0, hashBytes)
}

function randomSmall(): Int32Array {
  const random = randomNumbers()
  return Int32Array.from(random, (number) => Math.floor((number >>> 2) * (3 / 2 ** 30)) - 1)
}

/** w random numbers that are even and p - w that end in binary 01 change places by being sorted; their last bits are -1 or 1, or 0. */
function randomShort(): Int32Array {
  const random = randomNumbers().map((number, at) => (at < w ? number & ~1 : (number & ~3) | 1))
  return Int32Array.from(random.sort(), (number) => (number & 3) - 1)
}

function randomNumbers(): Uint32Array {
  const bytes = randomBytes(p * 4)
  return Uint32Array.from({ length: p }, (_, at) => bytes.readUInt32LE(at * 4))
}

/** Four coefficients in a byte. */
function encodeSmall(small: Int32Array): Buffer {
  const bytes = Buffer.alloc(smallBytes)
  for (let at = 0; at < p; at++)
    bytes[at >> 2] = (bytes[at >> 2] ?? 0) | (((small[at] ?? 0) + 1) << (2 * (at & 3)))
  return bytes
}
