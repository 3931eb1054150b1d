import { kexMethods } from '../kex/methods.ts'
import { ciphers } from '../packets/ciphers.ts'

/** Names of algorithms, best first. */
export interface Algorithms {
  kex: readonly string[]
  hostKey: readonly string[]
  cipher: readonly string[]
  mac: readonly string[]
}

export const defaultAlgorithms: Algorithms = {
  kex: [...kexMethods.keys()],
  hostKey: [
    'ssh-ed25519',
    'ecdsa-sha2-nistp256',
    'ecdsa-sha2-nistp384',
    'ecdsa-sha2-nistp521',
    'rsa-sha2-512',
    'rsa-sha2-256',
  ],
  cipher: [...ciphers.keys()],
  mac: [],
}
