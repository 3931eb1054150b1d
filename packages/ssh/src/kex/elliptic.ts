import { createECDH, createPublicKey, diffieHellman, generateKeyPairSync, type KeyObject } from 'node:crypto'
import { onPeersValue, type TwoValues } from './method.ts'

const x25519Bytes = 32

/** A key pair of X25519 for one exchange, and its public value. */
export function generateX25519(): { privateKey: KeyObject; value: Buffer } {
  const { privateKey, publicKey } = generateKeyPairSync('x25519')
  return { privateKey, value: publicKey.export({ format: 'raw-public' }) }
}

/** Throws when the peer's value is none, or leads to a secret of zeros (RFC 8731, 3). */
export function agreeX25519(privateKey: KeyObject, value: Buffer): Buffer {
  return onPeersValue(() => {
    if (value.length !== x25519Bytes) throw new RangeError('length')
    const publicKey = createPublicKey({ key: value, format: 'raw-public', asymmetricKeyType: 'x25519' })
    return diffieHellman({ privateKey, publicKey })
  })
}

/** RFC 8731. */
export const curve25519: TwoValues = {
  begin() {
    const { privateKey, value } = generateX25519()
    return { value, finish: (answer) => agreeX25519(privateKey, answer) }
  },

  answer(begun) {
    const { privateKey, value } = generateX25519()
    return { value, secret: agreeX25519(privateKey, begun) }
  },
}

/** RFC 5656, 4, with the name of the curve in OpenSSL. Points that are not on the curve are refused. */
export function ecdh(curve: 'prime256v1' | 'secp384r1' | 'secp521r1'): TwoValues {
  return {
    begin() {
      const pair = createECDH(curve)
      const value = pair.generateKeys()
      return { value, finish: (answer) => onPeersValue(() => pair.computeSecret(answer)) }
    },

    answer(begun) {
      const pair = createECDH(curve)
      const value = pair.generateKeys()
      return { value, secret: onPeersValue(() => pair.computeSecret(begun)) }
    },
  }
}
