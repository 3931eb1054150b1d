import { GcmOpener, GcmSealer } from './gcm.ts'
import type { DirectionKeys, Opener, Sealer } from './packet.ts'

export interface Cipher {
  readonly keyBytes: number
  readonly ivBytes: number
  /** It is a MAC too. */
  readonly isAuthenticated: boolean
  sealer(keys: DirectionKeys): Sealer
  opener(keys: DirectionKeys): Opener
}

function gcm(name: 'aes-128-gcm' | 'aes-256-gcm', keyBytes: number): Cipher {
  return {
    keyBytes,
    ivBytes: 12,
    isAuthenticated: true,
    sealer: (keys) => new GcmSealer(name, keys),
    opener: (keys) => new GcmOpener(name, keys),
  }
}

/** All ciphers by name, best first. */
export const ciphers: ReadonlyMap<string, Cipher> = new Map([
  ['aes128-gcm@openssh.com', gcm('aes-128-gcm', 16)],
  ['aes256-gcm@openssh.com', gcm('aes-256-gcm', 32)],
])
