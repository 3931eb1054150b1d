/**
 * Reading JSON takes as long as it has values and names, not as it is long: a megabyte of small objects takes a tenth of a second, and more
 * where no object has the names of another in the same order, for which an engine makes a description of its own (a hidden class).
 */
const [quote, backslash, comma, colon, bracket, brace, bracketEnd, braceEnd] = new TextEncoder().encode(
  '"\\,:[{]}',
)

export interface JsonSize {
  /** At most: what is between commas, and what holds others. */
  values: number
  /** Names that no other object has behind the same names in the same order. */
  names: number
}

const seed = Math.trunc(Math.random() * 2 ** 32)
const mixed = (hash: number, with_: number) => Math.imul(hash ^ with_, 0x01_00_01_93) >>> 0

/** How much JSON (UTF-8) holds, as far as it has come, part by part. */
export function measureJson(): (part: Uint8Array) => JsonSize {
  let values = 1
  let isText = false
  let isEscaped = false
  /** Of the text read last. */
  let text = seed
  /** Of the names each object has so far that is open. */
  const open: number[] = []
  const known = new Set<number>()
  const named = () => {
    const path = mixed(mixed(open.at(-1) ?? seed, text), text >>> 13)
    if (open.length > 0) open[open.length - 1] = path
    known.add(path)
  }
  return (part) => {
    for (let at = 0; at < part.length; at += 1) {
      const byte = part[at] ?? 0
      if (isText) {
        if (isEscaped) isEscaped = false
        else if (byte === backslash) isEscaped = true
        else if (byte === quote) isText = false
        text = mixed(text, byte)
      } else if (byte === quote) {
        isText = true
        text = seed
      } else if (byte === comma) values += 1
      else if (byte === colon) named()
      else if (byte === bracket || byte === brace) {
        values += 1
        open.push(seed)
      } else if (byte === bracketEnd || byte === braceEnd) open.pop()
    }
    return { values, names: known.size }
  }
}

/** How many values JSON (UTF-8) holds at most, as far as it has come, part by part. */
export function countValues(): (part: Uint8Array) => number {
  const measure = measureJson()
  return (part) => measure(part).values
}
