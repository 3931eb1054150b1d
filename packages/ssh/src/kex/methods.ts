import { diffieHellmanIn, knownGroup } from './dh.ts'
import { curve25519, ecdh } from './elliptic.ts'
import { groupExchange } from './group-exchange.ts'
import { mlkem768, withX25519 } from './hybrid.ts'
import { sntrup761 } from './sntrup761.ts'
import { type KexMethod, twoValueMethod } from './method.ts'

/** What is sent is a string, what it leads to a number. */
const points = { value: 'string', secret: 'mpint' } as const
const numbers = { value: 'mpint', secret: 'mpint' } as const
const strings = { value: 'string', secret: 'string' } as const

const sntrup = twoValueMethod('sha512', withX25519(sntrup761, 'sha512'), strings)
const curve = twoValueMethod('sha256', curve25519, points)

/** All methods of key exchange by the names of SSH. */
export const kexMethods: ReadonlyMap<string, KexMethod> = new Map([
  ['mlkem768x25519-sha256', twoValueMethod('sha256', withX25519(mlkem768, 'sha256'), strings)],
  ['sntrup761x25519-sha512', sntrup],
  ['sntrup761x25519-sha512@openssh.com', sntrup],
  ['curve25519-sha256', curve],
  ['curve25519-sha256@libssh.org', curve],
  ['ecdh-sha2-nistp256', twoValueMethod('sha256', ecdh('prime256v1'), points)],
  ['ecdh-sha2-nistp384', twoValueMethod('sha384', ecdh('secp384r1'), points)],
  ['ecdh-sha2-nistp521', twoValueMethod('sha512', ecdh('secp521r1'), points)],
  ['diffie-hellman-group14-sha256', inGroup('sha256', 'modp14')],
  ['diffie-hellman-group16-sha512', inGroup('sha512', 'modp16')],
  ['diffie-hellman-group18-sha512', inGroup('sha512', 'modp18')],
  ['diffie-hellman-group-exchange-sha256', groupExchange('sha256')],
  ['diffie-hellman-group-exchange-sha1', groupExchange('sha1')],
  ['diffie-hellman-group14-sha1', inGroup('sha1', 'modp14')],
  ['diffie-hellman-group1-sha1', inGroup('sha1', 'modp2')],
])

/** RFC 4253, 8.1; RFC 8268. */
function inGroup(hash: 'sha1' | 'sha256' | 'sha512', name: Parameters<typeof knownGroup>[0]): KexMethod {
  return twoValueMethod(hash, diffieHellmanIn(knownGroup(name)), numbers)
}
