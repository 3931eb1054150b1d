import { SshError } from '../wire/errors.ts'
import {
  type BlockCipher,
  EncryptAndMacOpener,
  EncryptAndMacSealer,
  EncryptThenMacOpener,
  EncryptThenMacSealer,
} from './block-cipher.ts'
import { ChachaOpener, ChachaSealer } from './chacha20-poly1305.ts'
import { GcmOpener, GcmSealer } from './gcm.ts'
import { type Mac, macs } from './macs.ts'
import type { DirectionKeys, KeySizes, Opener, Sealer } from './packet.ts'

/** How the packets of one direction are protected. */
export interface Protection extends KeySizes {
  sealer(keys: DirectionKeys): Sealer
  opener(keys: DirectionKeys): Opener
}

/** A cipher that is a MAC too, or one that needs a MAC besides. */
type Cipher =
  | { isAuthenticated: true; protection: Protection }
  | { isAuthenticated: false; with(mac: Mac): Protection }

function gcm(name: 'aes-128-gcm' | 'aes-256-gcm', keyBytes: number): Cipher {
  const protection: Protection = {
    keyBytes,
    ivBytes: 12,
    macKeyBytes: 0,
    sealer: (keys) => new GcmSealer(name, keys),
    opener: (keys) => new GcmOpener(name, keys),
  }
  return { isAuthenticated: true, protection }
}

const chacha: Cipher = {
  isAuthenticated: true,
  protection: {
    keyBytes: 64,
    ivBytes: 0,
    macKeyBytes: 0,
    sealer: (keys) => new ChachaSealer(keys),
    opener: (keys) => new ChachaOpener(keys),
  },
}

function block(name: string, keyBytes: number, blockBytes = 16): Cipher {
  const cipher: BlockCipher = { name, blockBytes }
  return {
    isAuthenticated: false,
    with: (mac) => ({
      keyBytes,
      ivBytes: blockBytes,
      macKeyBytes: mac.keyBytes,
      sealer: (keys) =>
        mac.isOfEncrypted
          ? new EncryptThenMacSealer(cipher, mac, keys)
          : new EncryptAndMacSealer(cipher, mac, keys),
      opener: (keys) =>
        mac.isOfEncrypted
          ? new EncryptThenMacOpener(cipher, mac, keys)
          : new EncryptAndMacOpener(cipher, mac, keys),
    }),
  }
}

/** All ciphers by the names of SSH. */
export const ciphers: ReadonlyMap<string, Cipher> = new Map([
  ['aes128-gcm@openssh.com', gcm('aes-128-gcm', 16)],
  ['aes256-gcm@openssh.com', gcm('aes-256-gcm', 32)],
  ['chacha20-poly1305@openssh.com', chacha],
  ['aes128-ctr', block('aes-128-ctr', 16)],
  ['aes192-ctr', block('aes-192-ctr', 24)],
  ['aes256-ctr', block('aes-256-ctr', 32)],
  ['aes128-cbc', block('aes-128-cbc', 16)],
  ['aes192-cbc', block('aes-192-cbc', 24)],
  ['aes256-cbc', block('aes-256-cbc', 32)],
  ['3des-cbc', block('des-ede3-cbc', 24, 8)],
])

export function needsMac(cipher: string): boolean {
  return ciphers.get(cipher)?.isAuthenticated === false
}

/** Of names both sides agreed on. */
export function protectionOf(cipherName: string, macName: string | undefined): Protection {
  const cipher = ciphers.get(cipherName)
  if (cipher?.isAuthenticated === true) return cipher.protection
  const mac = macs.get(macName ?? '')
  if (!cipher || !mac) throw new SshError('keyExchangeFailed', 'A cipher or a MAC is not known')
  return cipher.with(mac)
}
