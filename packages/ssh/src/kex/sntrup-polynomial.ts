/** Polynomials have p coefficients, lowest first, modulo x^p - x - 1. */
export const p = 761
export const q = 4591
/** Coefficients modulo q lie between this and the same below 0, those modulo 3 between -1 and 1. */
export const half = (q - 1) / 2

/** The same as q: by what is exported the engine divides as by any variable, which takes four times as long. */
const modulus = 4591
const halfModulus = 2295

/** Without a condition, which the processor would guess wrong half of the time, and which could be measured. */
export function moduloQ(number: number): number {
  let rest = ((number | 0) % modulus) | 0
  rest -= modulus & ((halfModulus - rest) >> 31)
  rest += modulus & ((rest + halfModulus) >> 31)
  return rest
}

export function modulo3(number: number): number {
  let rest = ((number | 0) % 3) | 0
  rest -= 3 & ((1 - rest) >> 31)
  rest += 3 & ((rest + 1) >> 31)
  return rest
}

/** Either is small, or both are modulo 3: the sums stay below 2^31. */
export function multiply(a: Int32Array, b: Int32Array, reduce: (number: number) => number): Int32Array {
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
