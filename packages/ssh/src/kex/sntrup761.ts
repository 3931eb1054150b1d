import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Encapsulation } from './hybrid.ts'
import { decodeList, encodeList } from './sntrup-encoding.ts'

/**
 * Streamlined NTRU Prime with p = 761, q = 4591, w = 286 (NTRU Prime, round 3, 2020). Polynomials are lists of p coefficients, lowest
 * first, modulo x^p - x - 1; those modulo q lie between -2295 and 2295, small ones between -1 and 1, and short ones are small with w that
 * are not 0. Keys live for one exchange: nobody can measure an operation twice.
 */
const p = 761
const q = 4591
const w = 286
const half = (q - 1) / 2
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

/** Without a condition, which the processor would guess wrong half of the time, and which could be measured. */
function moduloQ(number: number): number {
  let rest = ((number | 0) % q) | 0
  rest -= q & ((half - rest) >> 31)
  rest += q & ((rest + half) >> 31)
  return rest
}

function modulo3(number: number): number {
  let rest = ((number | 0) % 3) | 0
  rest -= 3 & ((1 - rest) >> 31)
  rest += 3 & ((rest + 1) >> 31)
  return rest
}

/** Either is small, or both are modulo 3: the sums stay below 2^31. */
function multiply(a: Int32Array, b: Int32Array, reduce: (number: number) => number): Int32Array {
  const product = new Int32Array(2 * p)
  for (let at = 0; at < 2 * p - 1; at++) {
    const last = Math.min(at, p - 1)
    let sum = 0
    for (let i = Math.max(0, at - p + 1); i <= last; i++)
      sum = (sum + Math.imul(a[i] ?? 0, b[at - i] ?? 0)) | 0
    product[at] = sum
  }
  for (let at = 2 * p - 2; at >= p; at--) {
    // x^p = x + 1
    const high = product[at] ?? 0
    product[at - p] = (product[at - p] ?? 0) + high
    product[at - p + 1] = (product[at - p + 1] ?? 0) + high
  }
  return product.subarray(0, p).map(reduce)
}

/** Of this many steps of an inversion the event loop is left to others. */
const stepsInATurn = 100

/** The first so many coefficients of g become combinations of both, which make the constant one of the first pair 0. */
type Combine = (f: Int32Array, g: Int32Array, count: number, f0: number, g0: number) => void

/**
 * The steps of division of Bernstein and Yang (2019, 3 and 7): as many, whatever is inverted. Each makes the constant coefficient of g 0
 * by adding f, and combines v and r alike. Ends with the last f's constant coefficient and what it is the combination with; undefined when
 * there is no inverse.
 */
async function invert(
  polynomial: Int32Array,
  one: number,
  combine: Combine,
): Promise<{ constant: number; combination: Int32Array } | undefined> {
  const zero = () => new Int32Array(p + 1)
  let [f, g, v, r] = [zero(), zero(), zero(), zero()] as const
  f[0] = 1
  f[p - 1] = f[p] = -1
  for (let at = 0; at < p; at++) g[p - 1 - at] = polynomial[at] ?? 0
  r[0] = one
  let delta = 1
  const steps = 2 * p - 1
  for (let step = 0; step < steps; step++) {
    if (step % stepsInATurn === stepsInATurn - 1) await nextTurn()
    v.copyWithin(1, 0, p)
    v[0] = 0
    if (delta > 0 && g[0] !== 0) {
      ;[f, g, v, r] = [g, f, r, v]
      delta = -delta
    }
    delta++
    const [f0 = 0] = f
    const [g0 = 0] = g
    // Beyond these, coefficients are 0, or no longer come to be the constant one.
    combine(v, r, Math.min(p + 1, step + 2), f0, g0)
    combine(f, g, Math.min(p + 1, steps - step), f0, g0)
    g.copyWithin(0, 1)
    g[p] = 0
  }
  return delta === 0 ? { constant: f[0] ?? 0, combination: v.subarray(0, p).toReversed() } : undefined
}

/** 1 / (3 f) modulo q. */
async function inverseOfTriple(polynomial: Int32Array): Promise<Int32Array> {
  const inverted = await invert(polynomial, powerModuloQ(3, q - 2), (f, g, count, f0, g0) => {
    for (let at = 0; at < count; at++) g[at] = moduloQ(Math.imul(f0, g[at] ?? 0) - Math.imul(g0, f[at] ?? 0))
  })
  if (!inverted) throw new Error('Modulo a prime, all but 0 has an inverse')
  const scale = powerModuloQ(inverted.constant, q - 2)
  return inverted.combination.map((coefficient) => moduloQ(scale * coefficient))
}

async function inverseModulo3(polynomial: Int32Array): Promise<Int32Array | undefined> {
  const inverted = await invert(polynomial, 1, (f, g, count, f0, g0) => {
    const sign = -g0 * f0
    for (let at = 0; at < count; at++) g[at] = modulo3((g[at] ?? 0) + Math.imul(sign, f[at] ?? 0))
  })
  return inverted?.combination.map((coefficient) => inverted.constant * coefficient)
}

function powerModuloQ(base: number, exponent: number): number {
  let power = 1
  for (let count = 0; count < exponent; count++) power = moduloQ(power * base)
  return power
}
