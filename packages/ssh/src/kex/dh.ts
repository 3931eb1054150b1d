import {
  createPublicKey,
  diffieHellman,
  generateKeyPair,
  getDiffieHellman,
  type KeyObject,
} from 'node:crypto'
import { promisify } from 'node:util'
import { elements } from '../keys/der.ts'
import { MalformedError } from '../wire/errors.ts'
import type { TwoValues } from './method.ts'
import { inTurn } from './turns.ts'

const generate = promisify(generateKeyPair)
const agree = promisify(diffieHellman)

/** A group of numbers modulo a prime. */
export interface Group {
  prime: Buffer
  generator: number
}

/** Of RFC 2409 and RFC 3526, with the names OpenSSL has for them. */
export function knownGroup(name: 'modp2' | 'modp14' | 'modp15' | 'modp16' | 'modp17' | 'modp18'): Group {
  let prime: Buffer | undefined
  return {
    // OpenSSL checks a group when it is made, which takes as long as all else at start.
    get prime() {
      return (prime ??= getDiffieHellman(name).getPrime())
    },
    generator: 2,
  }
}

/** Diffie-Hellman as in RFC 4253, 8. It is computed in other threads, and in a few only: big groups take long. */
export function diffieHellmanIn(group: Group): TwoValues {
  return {
    async begin() {
      const { privateKey, value } = await generateIn(group)
      return { value, finish: (answer) => agreeIn(group, privateKey, answer) }
    },

    async answer(begun) {
      checkValue(group, begun)
      const { privateKey, value } = await generateIn(group)
      return { value, secret: await agreeIn(group, privateKey, begun) }
    },
  }
}

export async function generateIn({
  prime,
  generator,
}: Group): Promise<{ privateKey: KeyObject; value: Buffer }> {
  const { privateKey, publicKey } = await inTurn(() => generate('dh', { prime, generator }))
  return { privateKey, value: valueOf(publicKey) }
}

export async function agreeIn(group: Group, privateKey: KeyObject, value: Buffer): Promise<Buffer> {
  checkValue(group, value)
  const publicKey = publicKeyOf(group, value)
  return inTurn(() => agree({ privateKey, publicKey }))
}

/** Neither 0 nor 1 nor -1, which lead to secrets anybody knows (RFC 4253, 8), nor outside of the group. */
function checkValue({ prime }: Group, value: Buffer): void {
  const number = BigInt(`0x0${value.toString('hex')}`)
  if (number < 2n || number > BigInt(`0x${prime.toString('hex')}`) - 2n)
    throw new MalformedError('A value of the key exchange is not allowed')
}

/** PKCS #3's dhKeyAgreement, 1.2.840.113549.1.3.1. */
const algorithm = Buffer.from('06092a864886f70d010301', 'hex')

/** OpenSSL takes and gives values in the form of X.509 only (RFC 5280, 4.1). */
function publicKeyOf({ prime, generator }: Group, value: Buffer): KeyObject {
  const parameters = der(0x30, integer(prime), integer(Buffer.from([generator])))
  const key = der(0x30, der(0x30, algorithm, parameters), der(0x03, Buffer.from([0]), integer(value)))
  return createPublicKey({ key, format: 'der', type: 'spki' })
}

function valueOf(publicKey: KeyObject): Buffer {
  const [whole] = elements(publicKey.export({ format: 'der', type: 'spki' }))
  const bits = elements(whole?.body ?? Buffer.alloc(0))[1]
  const [value] = elements(bits?.body.subarray(1) ?? Buffer.alloc(0))
  return value?.body ?? Buffer.alloc(0)
}

function integer(value: Buffer): Buffer {
  return (value[0] ?? 0) >= 0x80 ? der(0x02, Buffer.from([0]), value) : der(0x02, value)
}

/** Lengths below 65,536 (ITU-T X.690, 8.1). */
function der(tag: number, ...bodies: Buffer[]): Buffer {
  const body = Buffer.concat(bodies)
  const head = body.length < 0x80 ? [tag, body.length] : [tag, 0x82, body.length >> 8, body.length & 0xff]
  return Buffer.concat([Buffer.from(head), body])
}
