import { hash } from 'node:crypto'
import type { DirectionKeys, KeySizes } from '../packets/packet.ts'
import type { KexHash } from './method.ts'

/** The keys of one direction (RFC 4253, 7.2). `secret`: as it stands in the exchange hash, with its length. */
export function deriveKeys(
  direction: 'toServer' | 'toClient',
  sizes: KeySizes,
  {
    secret,
    exchangeHash,
    sessionId,
    hash: name,
  }: { secret: Buffer; exchangeHash: Buffer; sessionId: Buffer; hash: KexHash },
): DirectionKeys {
  const prefix = Buffer.concat([secret, exchangeHash])
  const derive = (letter: string, bytes: number): Buffer => {
    let key = hash(name, Buffer.concat([prefix, Buffer.from(letter), sessionId]), 'buffer')
    while (key.length < bytes) key = Buffer.concat([key, hash(name, Buffer.concat([prefix, key]), 'buffer')])
    return key.subarray(0, bytes)
  }
  const [iv, key, mac] = direction === 'toServer' ? ['A', 'C', 'E'] : ['B', 'D', 'F']
  return {
    iv: derive(iv ?? '', sizes.ivBytes),
    key: derive(key ?? '', sizes.keyBytes),
    macKey: derive(mac ?? '', sizes.macKeyBytes),
  }
}
