/** Pseudo-random numbers below a limit, the same for the same seed (xorshift32). */
export function numbers(seed: number): (limit: number) => number {
  let state = seed | 1
  return (limit) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % limit
  }
}

/** One to four changes: bits turned over, bytes left out, put in, repeated, the end cut off, a length of another size. */
export function mutate(bytes: Buffer, random: (limit: number) => number): Buffer {
  let mutated = Buffer.from(bytes)
  for (let count = 1 + random(4); count > 0; count--) {
    const at = random(mutated.length + 1)
    const length = 1 + random(8)
    const [before, after] = [mutated.subarray(0, at), mutated.subarray(at)]
    const noise = Buffer.from(Array.from({ length }, () => random(256)))
    const changes = [
      () => {
        if (at < mutated.length) mutated[at] = (mutated[at] ?? 0) ^ (1 << random(8))
        return mutated
      },
      () => Buffer.concat([before, after.subarray(length)]),
      () => Buffer.concat([before, noise, after]),
      () => Buffer.concat([before, after.subarray(0, length), after]),
      () => before,
      () => {
        const lengths = [0, 1, bytes.length, 0x7fffffff, 0xffffffff]
        if (at + 4 <= mutated.length) mutated.writeUInt32BE(lengths[random(lengths.length)] ?? 0, at)
        return mutated
      },
    ]
    mutated = Buffer.from(changes[random(changes.length)]?.() ?? mutated)
  }
  return mutated
}
