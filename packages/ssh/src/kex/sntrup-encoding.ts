/** A number that is less than its limit takes bytes off while the limit is at least this. */
const limit = 16_384

/**
 * Numbers that are all less than `modulus`, in few bytes: two become one that is less than the product, and what of it exceeds 14 bits is
 * written, until one number is left (NTRU Prime, round 3, 2020, 4.4).
 */
export function encodeList(numbers: Int32Array, modulus: number): Buffer {
  const bytes: number[] = []
  let values = [...numbers]
  let limits = values.map(() => modulus)
  while (values.length > 1) {
    const [nextValues, nextLimits]: [number[], number[]] = [[], []]
    for (let at = 0; at + 1 < values.length; at += 2) {
      let value = (values[at] ?? 0) + (values[at + 1] ?? 0) * (limits[at] ?? 0)
      let below = (limits[at] ?? 0) * (limits[at + 1] ?? 0)
      while (below >= limit) {
        bytes.push(value & 0xff)
        value >>>= 8
        below = (below + 255) >>> 8
      }
      nextValues.push(value)
      nextLimits.push(below)
    }
    if (values.length % 2 === 1) {
      nextValues.push(values.at(-1) ?? 0)
      nextLimits.push(limits.at(-1) ?? 0)
    }
    values = nextValues
    limits = nextLimits
  }
  let [value = 0] = values
  for (let [below = 0] = limits; below > 1; below = (below + 255) >>> 8) {
    bytes.push(value & 0xff)
    value >>>= 8
  }
  return Buffer.from(bytes)
}

/** The other way round. Whatever the bytes, the numbers are less than `modulus`. */
export function decodeList(bytes: Buffer, count: number, modulus: number): Int32Array {
  /** Each round's limits, and what was written of each pair in it: the low part, and what the rest counts. */
  const rounds: { limits: number[]; low: number[]; unit: number[] }[] = []
  let at = 0
  let limits = Array.from({ length: count }, () => modulus)
  while (limits.length > 1) {
    const round = { limits, low: [] as number[], unit: [] as number[] }
    const next: number[] = []
    for (let pair = 0; pair + 1 < limits.length; pair += 2) {
      let below = (limits[pair] ?? 0) * (limits[pair + 1] ?? 0)
      let low = 0
      let unit = 1
      while (below >= limit) {
        low += (bytes[at++] ?? 0) * unit
        unit *= 256
        below = (below + 255) >>> 8
      }
      round.low.push(low)
      round.unit.push(unit)
      next.push(below)
    }
    if (limits.length % 2 === 1) next.push(limits.at(-1) ?? 0)
    rounds.push(round)
    limits = next
  }
  let value = 0
  let unit = 1
  for (let [below = 0] = limits; below > 1; below = (below + 255) >>> 8) {
    value += (bytes[at++] ?? 0) * unit
    unit *= 256
  }
  let values = [value % (limits[0] ?? 1)]
  for (const round of rounds.toReversed()) {
    const wider: number[] = []
    for (let pair = 0; pair + 1 < round.limits.length; pair += 2) {
      const half = pair / 2
      const whole = (round.low[half] ?? 0) + (round.unit[half] ?? 0) * (values[half] ?? 0)
      const first = round.limits[pair] ?? 1
      wider.push(whole % first, Math.floor(whole / first) % (round.limits[pair + 1] ?? 1))
    }
    if (round.limits.length % 2 === 1) wider.push(values.at(-1) ?? 0)
    values = wider
  }
  return Int32Array.from(values)
}
