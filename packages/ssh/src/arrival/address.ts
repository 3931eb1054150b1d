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
