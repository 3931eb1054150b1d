import { isIPv6 } from 'node:net'

const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/

/** The one form of an address, the shortest (RFC 5952); of an IPv4 one that came over IPv6, that of IPv4. What is none stays as it is. */
export function plainAddress(address: string): string {
  if (!isIPv6(address) || address.includes('%')) return address
  const short = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [, high, low] = mapped.exec(short) ?? []
  if (high === undefined || low === undefined) return short
  const bytes = [high, low]
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 255])
  return bytes.join('.')
}

/**
 * What an address is counted as where one peer's share is bounded: an IPv4 address, or the /64 network of an IPv6 one, all of which
 * belongs to one site at least (RFC 6177). What is no address stays as it is.
 */
export function networkOf(address: string): string {
  const [withoutZone = ''] = address.split('%')
  const plain = plainAddress(withoutZone)
  if (!isIPv6(plain)) return plain
  const [head = [], tail = []] = plain.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0')
  return `${plainAddress(`${[...head, ...zeros, ...tail].slice(0, 4).join(':')}::`)}/64`
}
