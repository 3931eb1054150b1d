/** Blowfish with the expensive key schedule of bcrypt (Provos and Mazières, 1999), as far as bcrypt_pbkdf needs it. */

const subkeys = 18
const boxWords = 4 * 256

let initial: Int32Array | undefined

/** The first words of the fraction of pi, which Blowfish begins with. */
function wordsOfPi(): Int32Array {
  if (initial) return initial
  const bits = BigInt((subkeys + boxWords) * 32)
  const guard = 64n
  const one = 1n << (bits + guard)
  const arctanOfInverse = (x: bigint) => {
    let term = one / x
    let sum = term
    for (let n = 3n, sign = -1n; term !== 0n; n += 2n, sign = -sign) {
      term /= x * x
      sum += (sign * term) / n
    }
    return sum
  }
  const pi = 4n * (4n * arctanOfInverse(5n) - arctanOfInverse(239n))
  const fraction = ((pi - 3n * one) >> guard).toString(16).padStart(Number(bits) / 4, '0')
  initial = Int32Array.from({ length: subkeys + boxWords }, (_, word) =>
    Number.parseInt(fraction.slice(word * 8, word * 8 + 8), 16),
  )
  return initial
}

export class Blowfish {
  readonly #subkeys = wordsOfPi().slice(0, subkeys)
  readonly #boxes = wordsOfPi().slice(subkeys)
  /** The block that was enciphered last. */
  #left = 0
  #right = 0

  /** Mixes the words of a key in, and those of a salt into every block, if there is one. */
  expand(key: Int32Array, salt?: Int32Array): void {
    const mixed = this.#subkeys
    for (let at = 0; at < subkeys; at++) mixed[at] = (mixed[at] ?? 0) ^ (key[at % key.length] ?? 0)
    this.#left = 0
    this.#right = 0
    let from = 0
    for (const words of [mixed, this.#boxes])
      for (let at = 0; at < words.length; at += 2) {
        if (salt) {
          this.#left ^= salt[from] ?? 0
          this.#right ^= salt[from + 1] ?? 0
          from = (from + 2) % salt.length
        }
        this.#encipher()
        words[at] = this.#left
        words[at + 1] = this.#right
      }
  }

  /** Enciphers pairs of words where they are. */
  encipher(words: Int32Array): void {
    for (let at = 0; at < words.length; at += 2) {
      this.#left = words[at] ?? 0
      this.#right = words[at + 1] ?? 0
      this.#encipher()
      words[at] = this.#left
      words[at + 1] = this.#right
    }
  }

  #encipher(): void {
    const mixed = this.#subkeys
    const boxes = this.#boxes
    let left = this.#left ^ (mixed[0] ?? 0)
    let right = this.#right
    for (let round = 1; round <= 16; round += 2) {
      right ^= half(boxes, left) ^ (mixed[round] ?? 0)
      left ^= half(boxes, right) ^ (mixed[round + 1] ?? 0)
    }
    this.#left = right ^ (mixed[17] ?? 0)
    this.#right = left
  }
}

function half(boxes: Int32Array, word: number): number {
  const sum = ((boxes[word >>> 24] ?? 0) + (boxes[256 + ((word >>> 16) & 0xff)] ?? 0)) | 0
  return ((sum ^ (boxes[512 + ((word >>> 8) & 0xff)] ?? 0)) + (boxes[768 + (word & 0xff)] ?? 0)) | 0
}
