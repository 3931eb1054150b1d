/** OpenSSH's own form of private keys (PROTOCOL.key). */
import { randomBytes } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { Reader } from '../wire/reader.ts'
import { Writer } from '../wire/writer.ts'
import { formatArmour } from './armour.ts'
import { bcryptPbkdf } from './bcrypt-pbkdf.ts'
import { curveOf, ecdsaPrivateKey } from './ecdsa.ts'
import { ed25519PrivateKey } from './ed25519.ts'
import { KeyError } from './key.ts'
import type { FoundKey, KeyOptions, PrivateKeyOptions } from './key.ts'
import { fileCiphers } from './file-ciphers.ts'
import { rsaPrivateKey } from './rsa.ts'
import type { SoftwareKey } from './software-key.ts'

const magic = Buffer.from('openssh-key-v1\0')
/** Some 20 ms each; ssh-keygen's default is 24, cautious guides say 100. */
const maxRounds = 150
const maxBytes = 65_536
const blockBytes = 8

/** @throws KeyError, MalformedError */
export function parseOpenSshKey(bytes: Buffer, options: PrivateKeyOptions): FoundKey {
  const reader = new Reader(bytes)
  if (!reader.bytes(magic.length).equals(magic)) throw new KeyError('malformed', 'The key begins otherwise')
  const cipherName = reader.name()
  const kdf = reader.name()
  const kdfOptions = reader.nested(1024)
  if (reader.uint32() !== 1) throw new KeyError('unsupported', 'The file holds several keys')
  const blob = reader.string(maxBytes)
  const sealed = reader.string(maxBytes)
  const secret =
    cipherName === 'none'
      ? sealed
      : open(cipherName, kdf, kdfOptions, sealed, reader.rest(), options.passphrase)
  if (cipherName === 'none') reader.end()

  const fields = new Reader(secret)
  if (fields.uint32() !== fields.uint32()) {
    if (cipherName === 'none') throw new KeyError('malformed', 'The key has two numbers that differ')
    throw new KeyError('passphraseWrong', 'The passphrase is another')
  }
  const keyObject = readFields(fields, options)
  // A comment.
  fields.string(maxBytes)
  const padding = fields.rest()
  if (!padding.every((byte, at) => byte === ((at + 1) & 0xff)))
    throw new KeyError('malformed', 'The key is padded otherwise')
  return { keyObject, blob }
}

function open(
  cipherName: string,
  kdf: string,
  kdfOptions: Reader,
  sealed: Buffer,
  tag: Buffer,
  passphrase: string | undefined,
): Buffer {
  const cipher = fileCiphers.get(cipherName)
  if (!cipher || kdf !== 'bcrypt') throw new KeyError('unsupported', 'The cipher of the file is not known')
  const salt = kdfOptions.string(64)
  const rounds = kdfOptions.uint32()
  kdfOptions.end()
  if (salt.length === 0 || rounds === 0 || tag.length !== cipher.tagBytes)
    throw new KeyError('malformed', 'The key has no salt, no rounds or another tag')
  if (rounds > maxRounds) throw new KeyError('tooCostly', 'The passphrase is stretched by too many rounds')
  if (passphrase === undefined || passphrase === '')
    throw new KeyError('passphraseMissing', 'The key needs a passphrase')
  const derived = bcryptPbkdf(Buffer.from(passphrase), salt, rounds, cipher.keyBytes + cipher.ivBytes)
  const key = derived.subarray(0, cipher.keyBytes)
  try {
    return cipher.open(key, derived.subarray(cipher.keyBytes), sealed, tag)
  } catch {
    throw new KeyError('passphraseWrong', 'The passphrase is another')
  }
}

function readFields(reader: Reader, options: KeyOptions): KeyObject {
  const type = reader.name()
  if (type === 'ssh-ed25519') {
    reader.string(32)
    return ed25519PrivateKey(reader.string(64).subarray(0, 32))
  }
  if (type === 'ssh-rsa') {
    const [n, e, d, qi, p, q] = [1, 2, 3, 4, 5, 6].map(() => reader.mpint())
    if (!n || !e || !d || !qi || !p || !q) throw new KeyError('malformed', 'A number is missing')
    return rsaPrivateKey({ n, e, d, p, q, qi }, options)
  }
  if (!type.startsWith('ecdsa-sha2-'))
    throw new KeyError('unsupported', 'The key is of a type that is not known')
  const curve = curveOf(type)
  reader.name()
  reader.string(1 + 2 * curve.bytes)
  return ecdsaPrivateKey(reader.mpint(), curve)
}

/** The key as a file without a passphrase. */
export function formatOpenSshKey({ keyObject, publicKey }: SoftwareKey): string {
  const check = randomBytes(4)
  const fields = new Writer(1024).bytes(check).bytes(check)
  writeFields(fields, keyObject, publicKey.blob)
  const bare = fields.string('').finish()
  const padding = Array.from(
    { length: (blockBytes - (bare.length % blockBytes)) % blockBytes },
    (_, at) => at + 1,
  )
  const bytes = new Writer(2048)
    .bytes(magic)
    .string('none')
    .string('none')
    .string('')
    .uint32(1)
    .string(publicKey.blob)
    .string(Buffer.concat([bare, Buffer.from(padding)]))
    .finish()
  return formatArmour('OPENSSH PRIVATE KEY', bytes)
}

/** All but RSA: the public key as in its blob, and the secret. */
function writeFields(writer: Writer, key: KeyObject, blob: Buffer): void {
  const numbers = key.asymmetricKeyType === 'ed25519' ? undefined : key.export({ format: 'jwk' })
  const number = (value: string | undefined) => Buffer.from(value ?? '', 'base64url')
  if (!numbers) {
    const seed = key.export({ format: 'raw-private' })
    const point = blob.subarray(-32)
    writer.bytes(blob).string(Buffer.concat([seed, point]))
  } else if (numbers.kty === 'EC') writer.bytes(blob).mpint(number(numbers.d))
  else {
    writer.string('ssh-rsa').mpint(number(numbers.n)).mpint(number(numbers.e)).mpint(number(numbers.d))
    writer.mpint(number(numbers.qi)).mpint(number(numbers.p)).mpint(number(numbers.q))
  }
}
