/** RFC 8709. */
import { createPrivateKey, createPublicKey, verify } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { KeyError } from './key.ts'
import type { KeyKind } from './key.ts'

const keyBytes = 32
const signatureBytes = 64

export const ed25519: KeyKind = {
  types: ['ssh-ed25519'],
  read(reader) {
    const key = ed25519PublicKey(reader.string(keyBytes))
    return {
      algorithms: ['ssh-ed25519'],
      verify(_algorithm, data, signature) {
        const bytes = signature.string(signatureBytes)
        signature.end()
        return verify(null, data, key, bytes)
      },
    }
  },
}

export function ed25519PublicKey(point: Buffer): KeyObject {
  if (point.length !== keyBytes) throw new KeyError('malformed', 'An Ed25519 key has another length')
  return createPublicKey({ key: point, format: 'raw-public', asymmetricKeyType: 'ed25519' })
}

export function ed25519PrivateKey(seed: Buffer): KeyObject {
  if (seed.length !== keyBytes) throw new KeyError('malformed', 'An Ed25519 key has another length')
  return createPrivateKey({ key: seed, format: 'raw-private', asymmetricKeyType: 'ed25519' })
}
