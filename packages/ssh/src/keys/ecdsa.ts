/** RFC 5656, 3. */
import { createPrivateKey, createPublicKey, verify } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import type { Reader } from '../wire/reader.ts'
import { Writer } from '../wire/writer.ts'
import { KeyError } from './key.ts'
import type { KeyKind } from './key.ts'

export interface Curve {
  readonly type: string
  /** As SSH, node:crypto and OpenSSL call it. */
  readonly name: string
  readonly namedCurve: string
  readonly openssl: string
  readonly hash: string
  /** Of a coordinate, and of a number below the order. */
  readonly bytes: number
}

const curve = (name: string, namedCurve: string, openssl: string, hash: string, bytes: number): Curve => ({
  type: `ecdsa-sha2-${name}`,
  name,
  namedCurve,
  openssl,
  hash,
  bytes,
})
export const nistp256 = curve('nistp256', 'P-256', 'prime256v1', 'sha256', 32)
const curves = [
  nistp256,
  curve('nistp384', 'P-384', 'secp384r1', 'sha384', 48),
  curve('nistp521', 'P-521', 'secp521r1', 'sha512', 66),
]

export const ecdsa: KeyKind = {
  types: curves.map(({ type }) => type),
  read(reader, type) {
    const curve = curveOf(type)
    const key = readPoint(reader, curve)
    return {
      algorithms: [type],
      verify(_algorithm, data, signature) {
        const both = readSignature(signature, curve)
        signature.end()
        return verify(curve.hash, data, { key, dsaEncoding: 'ieee-p1363' }, both)
      },
    }
  },
}

/** Of a name of node:crypto's, or the type of a blob. */
export function curveOf(name: string | undefined): Curve {
  const found = curves.find((curve) => curve.type === name || curve.openssl === name)
  if (!found) throw new KeyError('unsupported', 'The key is on a curve that is not known')
  return found
}

/** The name of the curve and a point on it, which is uncompressed. */
export function readPoint(reader: Reader, curve: Curve): KeyObject {
  if (reader.name() !== curve.name) throw new KeyError('malformed', 'The key names two curves')
  const key = reader.string(1 + 2 * curve.bytes)
  if (key.length !== 1 + 2 * curve.bytes || key[0] !== 4)
    throw new KeyError('malformed', 'The point has another length')
  // OpenSSL refuses a point that is not on the curve; the order of these curves is prime.
  return createPublicKey({ key, format: 'raw-public', asymmetricKeyType: 'ec', namedCurve: curve.namedCurve })
}

export function ecdsaPrivateKey(number: Buffer, curve: Curve): KeyObject {
  if (number.length > curve.bytes) throw new KeyError('malformed', 'The secret has another length')
  const key = padded(number, curve.bytes)
  return createPrivateKey({
    key,
    format: 'raw-private',
    asymmetricKeyType: 'ec',
    namedCurve: curve.namedCurve,
  })
}

/** As two numbers in a string (RFC 5656, 3.1.2), to two numbers of full length. */
export function readSignature(signature: Reader, curve: Curve): Buffer {
  const numbers = signature.nested(2 * (4 + 1 + curve.bytes))
  const both = [numbers.mpint(1 + curve.bytes), numbers.mpint(1 + curve.bytes)]
  numbers.end()
  return Buffer.concat(both.map((number) => padded(number, curve.bytes)))
}
export const writeSignature = (both: Buffer, curve: Curve): Buffer =>
  new Writer().mpint(both.subarray(0, curve.bytes)).mpint(both.subarray(curve.bytes)).finish()

const padded = (number: Buffer, bytes: number): Buffer =>
  Buffer.concat([Buffer.alloc(bytes - number.length), number])
