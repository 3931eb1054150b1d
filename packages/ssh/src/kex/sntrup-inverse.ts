import { setImmediate as nextTurn } from 'node:timers/promises'
import { moduloQ, p, q } from './sntrup-polynomial.ts'

/** Of this many steps of an inversion the event loop is left to others. */
const stepsInATurn = 200

/** How coefficients are held, and what is done to p + 1 of them at once. */
interface Arithmetic<Coefficients> {
  hold: (coefficients: Int32Array) => Coefficients
  /** The constant one. */
  first: (of: Coefficients) => number
  /** The first so many of `to` become the combination of both that makes 0 of `to0` with `from0`. */
  combine: (to: Coefficients, from: Coefficients, count: number, to0: number, from0: number) => void
  /** Times x; the highest is 0. */
  up: (of: Coefficients) => void
  /** Divided by x; the constant one is 0. */
  down: (of: Coefficients) => void
}

/**
 * The steps of division of Bernstein and Yang (2019, 3 and 7): as many, whatever is inverted. Each makes the constant coefficient of g 0
 * by adding f, and combines r and v alike. Ends with the last f's constant coefficient and what it is the combination with, backwards;
 * undefined when there is no inverse.
 */
async function divide<Coefficients>(
  { hold, first, combine, up, down }: Arithmetic<Coefficients>,
  polynomial: Int32Array,
  one: number,
): Promise<{ constant: number; combination: Coefficients } | undefined> {
  const zeros = () => new Int32Array(p + 1)
  const modulus = zeros()
  modulus[0] = 1
  modulus[p - 1] = modulus[p] = -1
  const backwards = zeros()
  backwards.set(polynomial.toReversed())
  const begin = zeros()
  begin[0] = one
  let f = hold(modulus)
  let g = hold(backwards)
  let v = hold(zeros())
  let r = hold(begin)
  let delta = 1
  const steps = 2 * p - 1
  for (let step = 0; step < steps; step++) {
    if (step % stepsInATurn === stepsInATurn - 1) await nextTurn()
    up(v)
    if (delta > 0 && first(g) !== 0) {
      ;[f, g, v, r] = [g, f, r, v]
      delta = -delta
    }
    delta++
    const f0 = first(f)
    const g0 = first(g)
    // Beyond these, coefficients are 0, or no longer come to be the constant one.
    combine(r, v, Math.min(p + 1, step + 2), g0, f0)
    combine(g, f, Math.min(p + 1, steps - step), g0, f0)
    down(g)
  }
  return delta === 0 ? { constant: first(f), combination: v } : undefined
}

const numbersModuloQ: Arithmetic<Int32Array> = {
  hold: (coefficients) => coefficients,
  first: (of) => of[0] ?? 0,
  combine(to, from, count, to0, from0) {
    for (let at = 0; at < count; at++)
      to[at] = moduloQ(Math.imul(from0, to[at] ?? 0) - Math.imul(to0, from[at] ?? 0))
  },
  up(of) {
    of.copyWithin(1, 0, p)
    of[0] = 0
  },
  down(of) {
    of.copyWithin(0, 1)
    of[p] = 0
  },
}

/** 1 / (3 f) modulo q. */
export async function inverseOfTriple(polynomial: Int32Array): Promise<Int32Array> {
  const divided = await divide(numbersModuloQ, polynomial, powerModuloQ(3, q - 2))
  if (!divided) throw new Error('Modulo a prime, all but 0 has an inverse')
  const scale = powerModuloQ(divided.constant, q - 2)
  const inverse = divided.combination.subarray(0, p).toReversed()
  return inverse.map((coefficient) => moduloQ(scale * coefficient))
}

function powerModuloQ(base: number, exponent: number): number {
  let power = 1
  for (let count = 0; count < exponent; count++) power = moduloQ(power * base)
  return power
}

const words = Math.ceil((p + 1) / 32)

/** Coefficients of -1, 0 and 1, 32 in a word: a bit where they are 1, and one where they are -1. */
interface Trits {
  plus: Int32Array
  minus: Int32Array
}

const trits: Arithmetic<Trits> = {
  hold(coefficients) {
    const held = { plus: new Int32Array(words), minus: new Int32Array(words) }
    for (let at = 0; at <= p; at++) {
      const coefficient = coefficients[at] ?? 0
      const bits = coefficient > 0 ? held.plus : held.minus
      if (coefficient !== 0) bits[at >> 5] = (bits[at >> 5] ?? 0) | (1 << (at & 31))
    }
    return held
  },

  first: ({ plus, minus }) => ((plus[0] ?? 0) & 1) - ((minus[0] ?? 0) & 1),

  combine(to, from, count, to0, from0) {
    const sign = -to0 * from0
    if (sign === 0) return
    const fromPlus = sign > 0 ? from.plus : from.minus
    const fromMinus = sign > 0 ? from.minus : from.plus
    for (let at = 0; at < (count + 31) >> 5; at++) {
      const a = to.plus[at] ?? 0
      const b = to.minus[at] ?? 0
      const c = fromPlus[at] ?? 0
      const d = fromMinus[at] ?? 0
      const isZero = ~(a | b)
      const isFromZero = ~(c | d)
      to.plus[at] = (a & isFromZero) | (c & isZero) | (b & d)
      to.minus[at] = (b & isFromZero) | (d & isZero) | (a & c)
    }
  },

  up({ plus, minus }) {
    for (let at = words - 1; at > 0; at--) {
      plus[at] = ((plus[at] ?? 0) << 1) | ((plus[at - 1] ?? 0) >>> 31)
      minus[at] = ((minus[at] ?? 0) << 1) | ((minus[at - 1] ?? 0) >>> 31)
    }
    plus[0] = (plus[0] ?? 0) << 1
    minus[0] = (minus[0] ?? 0) << 1
  },

  down({ plus, minus }) {
    const last = words - 1
    for (let at = 0; at < last; at++) {
      plus[at] = ((plus[at] ?? 0) >>> 1) | ((plus[at + 1] ?? 0) << 31)
      minus[at] = ((minus[at] ?? 0) >>> 1) | ((minus[at + 1] ?? 0) << 31)
    }
    plus[last] = (plus[last] ?? 0) >>> 1
    minus[last] = (minus[last] ?? 0) >>> 1
  },
}

/** Modulo 3, of one whose coefficients lie between -1 and 1; undefined when there is none. */
export async function inverseModulo3(polynomial: Int32Array): Promise<Int32Array | undefined> {
  const divided = await divide(trits, polynomial, 1)
  if (!divided) return undefined
  const { plus, minus } = divided.combination
  return Int32Array.from({ length: p }, (_, index) => {
    const at = p - 1 - index
    const bit = (bits: Int32Array) => ((bits[at >> 5] ?? 0) >>> (at & 31)) & 1
    return divided.constant * (bit(plus) - bit(minus))
  })
}
