export const tags = { integer: 0x02, identifier: 0x06, sequence: 0x30 }

interface Element {
  tag: number
  body: Buffer
}

export interface EncryptionScheme {
  /** In the order they stand in: iterations, costs, lengths. */
  integers: number[]
  /** In hexadecimal. */
  identifiers: string[]
}

/** How an encrypted key says it is encrypted (RFC 5958, 3); undefined for what cannot be read. */
export function encryptionScheme(key: Buffer): EncryptionScheme | undefined {
  const [outer] = elements(key)
  const [algorithm] = outer === undefined ? [] : elements(outer.body)
  if (algorithm === undefined) return undefined
  const scheme: EncryptionScheme = { integers: [], identifiers: [] }
  const waiting = [algorithm]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
    if (next.tag === tags.sequence) waiting.push(...elements(next.body).toReversed())
    else if (next.tag === tags.integer) scheme.integers.push(Number(`0x${next.body.toString('hex') || '0'}`))
    else if (next.tag === tags.identifier) scheme.identifiers.push(next.body.toString('hex'))
  return scheme
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
