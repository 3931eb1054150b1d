/** RFC 4253, 6.6 with the hashes of RFC 8332. */
import { createPrivateKey, createPublicKey, verify } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { KeyError } from './key.ts'
import type { KeyKind, KeyOptions } from './key.ts'

const hashes: Readonly<Record<string, string>> = {
  'rsa-sha2-512': 'sha512',
  'rsa-sha2-256': 'sha256',
  'ssh-rsa': 'sha1',
}
const safe = ['rsa-sha2-512', 'rsa-sha2-256']
const withLegacy = [...safe, 'ssh-rsa']

const minBits = 2048
const minLegacyBits = 1024
const maxBits = 16_384
/** What OpenSSL allows for large moduli; a longer exponent costs whoever verifies. */
const maxExponentBytes = 8

export const rsa: KeyKind = {
  types: ['ssh-rsa'],
  read(reader, _type, options) {
    const e = reader.mpint(1 + maxExponentBytes)
    const n = reader.mpint()
    checkSize(n, e, options)
    const key = createPublicKey({
      key: { kty: 'RSA', n: n.toString('base64url'), e: e.toString('base64url') },
      format: 'jwk',
    })
    return {
      algorithms: options.legacy ? withLegacy : safe,
      verify(algorithm, data, signature) {
        const bytes = signature.string(n.length)
        signature.end()
        // Some send it without its leading zeros.
        const whole = Buffer.concat([Buffer.alloc(n.length - bytes.length), bytes])
        return verify(rsaHash(algorithm), data, key, whole)
      },
    }
  },
}

export const rsaHash = (algorithm: string): string => hashes[algorithm] ?? ''

function checkSize(n: Buffer, e: Buffer, { legacy = false }: KeyOptions): void {
  const bits = n.length * 8 - Math.clz32(n[0] ?? 0) + 24
  if (bits < (legacy ? minLegacyBits : minBits)) throw new KeyError('weak', 'The RSA key is too short')
  const isOdd = (number: Buffer) => (number.at(-1) ?? 0) % 2 === 1
  const isExponent = isOdd(e) && e.length <= maxExponentBytes && !(e.length === 1 && e[0] === 1)
  if (bits > maxBits || !isOdd(n) || !isExponent)
    throw new KeyError('malformed', 'The RSA key has numbers that are not allowed')
}

export interface RsaNumbers {
  n: Buffer
  e: Buffer
  d: Buffer
  p: Buffer
  q: Buffer
  /** The inverse of q modulo p. */
  qi: Buffer
}

export function rsaPrivateKey({ n, e, d, p, q, qi }: RsaNumbers, options: KeyOptions): KeyObject {
  checkSize(n, e, options)
  const url = (number: Buffer) => number.toString('base64url')
  const key = {
    kty: 'RSA',
    n: url(n),
    e: url(e),
    d: url(d),
    p: url(p),
    q: url(q),
    dp: url(modPrevious(d, p)),
    dq: url(modPrevious(d, q)),
    qi: url(qi),
  }
  return createPrivateKey({ key, format: 'jwk' })
}

/** d mod (prime − 1), which files of keys leave out. */
function modPrevious(d: Buffer, prime: Buffer): Buffer {
  const rest = (bigint(d) % (bigint(prime) - 1n)).toString(16)
  return Buffer.from(rest.padStart(prime.length * 2, '0'), 'hex')
}

/** Whether the numbers of a private key belong to each other; what others sign could give the secret away. */
export function isWholeRsa(key: KeyObject): boolean {
  const numbers = key.export({ format: 'jwk' })
  const [n, e, d, p, q, dp, dq, qi] = (['n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi'] as const).map((name) =>
    bigint(Buffer.from(numbers[name] ?? '', 'base64url')),
  )
  if (!n || !e || !d || !p || !q || !dp || !dq || !qi || p === 1n || q === 1n) return false
  const isInverse = (prime: bigint, rest: bigint) =>
    d % (prime - 1n) === rest && (d * e) % (prime - 1n) === 1n
  return p * q === n && isInverse(p, dp) && isInverse(q, dq) && (q * qi) % p === 1n
}

const bigint = (bytes: Buffer) => BigInt(`0x${bytes.toString('hex') || '0'}`)
