import { curve25519, ecdh } from './elliptic.ts'
import { type KexMethod, twoValueMethod } from './method.ts'

const curve = twoValueMethod('sha256', curve25519, { value: 'string', secret: 'mpint' })
const point = { value: 'string', secret: 'mpint' } as const

/** All methods of key exchange by name, best first. */
export const kexMethods: ReadonlyMap<string, KexMethod> = new Map([
  ['curve25519-sha256', curve],
  ['curve25519-sha256@libssh.org', curve],
  ['ecdh-sha2-nistp256', twoValueMethod('sha256', ecdh('prime256v1'), point)],
  ['ecdh-sha2-nistp384', twoValueMethod('sha384', ecdh('secp384r1'), point)],
  ['ecdh-sha2-nistp521', twoValueMethod('sha512', ecdh('secp521r1'), point)],
])
