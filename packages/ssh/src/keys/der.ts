export interface Element {
  tag: number
  body: Buffer
}

/**
 * The largest integer in the first element of an encrypted key (RFC 5958, 3), which says how it is encrypted: iterations, costs and
 * lengths. Infinity for what cannot be read.
 */
export function largestInteger(key: Buffer): number {
  const [outer] = elements(key)
  const [algorithm] = outer === undefined ? [] : elements(outer.body)
  if (algorithm === undefined) return Number.POSITIVE_INFINITY
  let largest = 0
  const waiting = [algorithm]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    if (next.tag === 0x30) waiting.push(...elements(next.body))
    else if (next.tag === 0x02) largest = Math.max(largest, Number(`0x${next.body.toString('hex') || '0'}`))
  return largest
}

/** ITU-T X.690, 8.1, as far as keys use it; what is cut off is left out. */
export function elements(der: Buffer): Element[] {
  const found: Element[] = []
  for (let at = 0; at + 2 <= der.length;) {
    const tag = der.readUInt8(at)
    const short = der.readUInt8(at + 1)
    const lengthBytes = short < 0x80 ? 0 : short & 0x7f
    const start = at + 2 + lengthBytes
    if (lengthBytes > 4 || start > der.length) break
    const length = lengthBytes === 0 ? short : der.readUIntBE(at + 2, lengthBytes)
    found.push({ tag, body: der.subarray(start, start + length) })
    at = start + length
  }
  return found
}
