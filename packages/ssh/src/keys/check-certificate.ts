import { BlockList, isIP } from 'node:net'
import type { Certificate, CertificateKind } from './certificate.ts'
import type { PublicKey } from './key.ts'

export interface CertificateUse {
  kind: CertificateKind
  /** Of the user who wants to be let in, or of the host that was called. */
  principal: string
  now: Date
  /** Where the user comes from. */
  address?: string
  isTrusted: (authority: PublicKey) => boolean
}

export type CertificateProblem =
  | 'anotherKind'
  | 'anotherAuthority'
  | 'notYetValid'
  | 'expired'
  | 'anotherPrincipal'
  /** It has to be heeded, and is not known. */
  | 'unknownOption'
  | 'anotherAddress'

const knownOptions: Record<CertificateKind, readonly string[]> = {
  user: ['force-command', 'source-address', 'verify-required'],
  host: [],
}

/**
 * Whether a certificate is good for this use. What is left to whoever lets the user in is to heed force-command, and to allow only what
 * its extensions permit.
 */
export function checkCertificate(
  { facts, authority }: Certificate,
  { kind, principal, now, address, isTrusted }: CertificateUse,
): CertificateProblem | undefined {
  if (facts.kind !== kind) return 'anotherKind'
  if (!isTrusted(authority)) return 'anotherAuthority'
  const seconds = now.getTime() / 1000
  if (seconds < facts.validAfter) return 'notYetValid'
  if (seconds >= facts.validBefore) return 'expired'
  const isNamed = kind === 'host' ? isHost : (name: string, user: string) => name === user
  if (!facts.principals.some((name) => isNamed(name, principal))) return 'anotherPrincipal'
  if ([...facts.criticalOptions.keys()].some((name) => !knownOptions[kind].includes(name)))
    return 'unknownOption'
  const networks = facts.criticalOptions.get('source-address')
  return networks === undefined || isWithin(networks, address) ? undefined : 'anotherAddress'
}

/** Names of hosts may have `*` and `?` for what is not said, and differ in case only. */
function isHost(pattern: string, host: string): boolean {
  const form = pattern
    .toLowerCase()
    .replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
    .replaceAll(/\*+/g, '.*')
    .replaceAll('?', '.')
  return new RegExp(`^${form}$`, 's').test(host.toLowerCase())
}

/** Addresses and networks with commas between them; anything else allows nobody. */
function isWithin(networks: string, address: string | undefined): boolean {
  const own = address?.replace(/^::ffff:(?=\d+\.)/i, '') ?? ''
  const family = isIP(own)
  if (family === 0) return false
  const list = new BlockList()
  for (const network of networks.split(',')) {
    const [, base = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(network.trim()) ?? []
    const baseFamily = isIP(base)
    const maxBits = baseFamily === 4 ? 32 : 128
    const prefix = bits === undefined ? maxBits : Number(bits)
    if (baseFamily === 0 || prefix > maxBits) return false
    list.addSubnet(base, prefix, baseFamily === 4 ? 'ipv4' : 'ipv6')
  }
  return list.check(own, family === 4 ? 'ipv4' : 'ipv6')
}
