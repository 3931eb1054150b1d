import { createPublicKey, sign } from 'node:crypto'
import type { KeyObject, SignKeyObjectInput } from 'node:crypto'
import { Writer } from '../wire/writer.ts'
import { curveOf, writeSignature } from './ecdsa.ts'
import { KeyError, readingKey } from './key.ts'
import type { KeyOptions, PrivateKey, PublicKey } from './key.ts'
import { parsePublicKey } from './public-key.ts'
import { rsaHash } from './rsa.ts'

const signInThread = (hash: string, data: Buffer, key: KeyObject) =>
  new Promise<Buffer>((resolve, reject) => {
    sign(hash, data, key, (error, signature) => (error ? reject(error) : resolve(signature)))
  })

/** A private key in this process's memory. */
export class SoftwareKey implements PrivateKey {
  readonly publicKey: PublicKey
  readonly keyObject: KeyObject

  /** @throws KeyError when the key is weak, or of a type that SSH has not */
  constructor(keyObject: KeyObject, options: KeyOptions = {}) {
    this.keyObject = keyObject
    this.publicKey = parsePublicKey(
      readingKey(() => blobOf(keyObject)),
      options,
    )
  }

  /** Ed25519 and ECDSA at once; RSA, which takes milliseconds, in a thread. */
  sign(algorithm: string, data: Buffer): Buffer | Promise<Buffer> {
    if (!this.publicKey.algorithms.includes(algorithm))
      throw new KeyError('unsupported', 'The key does not sign with this algorithm')
    const onWire = (signature: Buffer) => new Writer().string(algorithm).string(signature).finish()
    const key = this.keyObject
    if (key.asymmetricKeyType === 'ed25519') return onWire(sign(null, data, key))
    if (key.asymmetricKeyType === 'rsa') return signInThread(rsaHash(algorithm), data, key).then(onWire)
    const curve = curveOf(algorithm)
    const input: SignKeyObjectInput = { key, dsaEncoding: 'ieee-p1363' }
    return onWire(writeSignature(sign(curve.hash, data, input), curve))
  }
}

/** RFC 4253, 6.6 of a public key, or of the public half of a private one. */
export function blobOf(key: KeyObject): Buffer {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key
  const writer = new Writer()
  if (key.asymmetricKeyType === 'ed25519')
    return writer
      .string('ssh-ed25519')
      .string(publicKey.export({ format: 'raw-public' }))
      .finish()
  if (key.asymmetricKeyType === 'ec') {
    const curve = curveOf(key.asymmetricKeyDetails?.namedCurve)
    const point = publicKey.export({ format: 'raw-public' })
    return writer.string(curve.type).string(curve.name).string(point).finish()
  }
  if (key.asymmetricKeyType !== 'rsa') throw new KeyError('unsupported', 'The key is of a type SSH has not')
  const { n = '', e = '' } = publicKey.export({ format: 'jwk' })
  const number = (value: string) => Buffer.from(value, 'base64url')
  return writer.string('ssh-rsa').mpint(number(e)).mpint(number(n)).finish()
}
