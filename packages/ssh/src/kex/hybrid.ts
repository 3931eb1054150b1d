import { createPublicKey, decapsulate, encapsulate, generateKeyPairSync, hash } from 'node:crypto'
import { MalformedError } from '../wire/errors.ts'
import { agreeX25519, generateX25519 } from './elliptic.ts'
import { type Awaitable, onPeersValue, type TwoValues } from './method.ts'

/** A way to hand a secret to whoever has a key. Values of the peer's have the lengths given here, and may be anything else. */
export interface Encapsulation {
  publicBytes: number
  ciphertextBytes: number
  generate(): Awaitable<{ publicKey: Buffer; open(ciphertext: Buffer): Buffer }>
  seal(publicKey: Buffer): { ciphertext: Buffer; secret: Buffer }
}

/** One that quantum computers don't break together with X25519: who wants the secret has to break both. */
export function withX25519(encapsulation: Encapsulation, hashName: 'sha256' | 'sha512'): TwoValues {
  const combine = (first: Buffer, second: Buffer) => hash(hashName, Buffer.concat([first, second]), 'buffer')
  const split = (value: Buffer, bytes: number): [Buffer, Buffer] => {
    if (value.length < bytes) throw new MalformedError('A value of the key exchange is not allowed')
    return [value.subarray(0, bytes), value.subarray(bytes)]
  }
  return {
    async begin() {
      const own = await encapsulation.generate()
      const curve = generateX25519()
      return {
        value: Buffer.concat([own.publicKey, curve.value]),
        finish(answer) {
          const [ciphertext, point] = split(answer, encapsulation.ciphertextBytes)
          return combine(own.open(ciphertext), agreeX25519(curve.privateKey, point))
        },
      }
    },

    answer(begun) {
      const [publicKey, point] = split(begun, encapsulation.publicBytes)
      const { ciphertext, secret } = encapsulation.seal(publicKey)
      const curve = generateX25519()
      return {
        value: Buffer.concat([ciphertext, curve.value]),
        secret: combine(secret, agreeX25519(curve.privateKey, point)),
      }
    },
  }
}

/** ML-KEM-768 (FIPS 203). */
export const mlkem768: Encapsulation = {
  publicBytes: 1184,
  ciphertextBytes: 1088,

  generate() {
    const { publicKey, privateKey } = generateKeyPairSync('ml-kem-768')
    return {
      publicKey: publicKey.export({ format: 'raw-public' }),
      open: (ciphertext) => onPeersValue(() => decapsulate(privateKey, ciphertext)),
    }
  },

  seal(publicKey) {
    const { ciphertext, sharedKey } = onPeersValue(() =>
      encapsulate(createPublicKey({ key: publicKey, format: 'raw-public', asymmetricKeyType: 'ml-kem-768' })),
    )
    return { ciphertext, secret: sharedKey }
  },
}
