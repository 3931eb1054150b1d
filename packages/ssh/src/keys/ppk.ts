/** PuTTY's private keys, versions 2 and 3 (appendix C of its manual). */
import { argon2Sync, createDecipheriv, createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { Reader } from '../wire/reader.ts'
import { Writer } from '../wire/writer.ts'
import { fromBase64 } from './armour.ts'
import { curveOf, ecdsaPrivateKey } from './ecdsa.ts'
import { ed25519PrivateKey } from './ed25519.ts'
import { KeyError } from './key.ts'
import type { FoundKey, PrivateKeyOptions } from './key.ts'
import { rsaPrivateKey } from './rsa.ts'

const start = /^PuTTY-User-Key-File-([23]): (.*)$/
const maxLines = 1000
/** PuTTY takes 8 MiB, and as many passes as fill a tenth of a second: some 13. */
const maxMemoryKib = 65_536
const maxKibPasses = 2_097_152

interface Ppk {
  version: number
  fields: Map<string, string>
  publicBlob: Buffer
  sealed: Buffer
}
interface Secrets {
  cipherKey: Buffer
  iv: Buffer
  macKey: Buffer
}

export const isPpk = (text: string): boolean => start.test(text.split(/\r?\n/, 1)[0] ?? '')

/** @throws KeyError, MalformedError */
export function parsePpk(text: string, options: PrivateKeyOptions): FoundKey {
  const file = readFile(text)
  const { version, fields, publicBlob, sealed } = file
  const type = fields.get('type') ?? ''
  const encryption = fields.get('Encryption') ?? ''
  const isEncrypted = encryption !== 'none'
  if (isEncrypted && encryption !== 'aes256-cbc')
    throw new KeyError('unsupported', 'The cipher of the file is not known')
  if (isEncrypted && !options.passphrase)
    throw new KeyError('passphraseMissing', 'The key needs a passphrase')
  const secrets = deriveSecrets(file, isEncrypted ? (options.passphrase ?? '') : undefined)

  if (isEncrypted && sealed.length % 16 !== 0) throw new KeyError('malformed', 'The key is cut off')
  const secret = isEncrypted
    ? createDecipheriv('aes-256-cbc', secrets.cipherKey, secrets.iv).setAutoPadding(false).update(sealed)
    : sealed
  const signed = new Writer(4096)
    .string(type)
    .string(encryption)
    .string(fields.get('Comment') ?? '')
    .string(publicBlob)
    .string(secret)
    .finish()
  const mac = createHmac(version === 3 ? 'sha256' : 'sha1', secrets.macKey)
    .update(signed)
    .digest()
  const given = Buffer.from(fields.get('Private-MAC') ?? '', 'hex')
  if (given.length !== mac.length || !timingSafeEqual(given, mac))
    throw isEncrypted
      ? new KeyError('passphraseWrong', 'The passphrase is another, or the key is damaged')
      : new KeyError('malformed', 'The key is damaged')
  return {
    keyObject: readFields(type, new Reader(publicBlob), new Reader(secret), options),
    blob: publicBlob,
  }
}

function readFile(text: string): Ppk {
  const lines = text.trimEnd().split(/\r?\n/)
  const [, version = '', type = ''] = start.exec(lines.shift() ?? '') ?? []
  if (lines.length > maxLines) throw new KeyError('malformed', 'The key has too many lines')
  const fields = new Map([['type', type]])
  const bodies = new Map<string, Buffer>()
  while (lines.length > 0) {
    const [, name = '', value = ''] = /^([A-Za-z0-9-]{1,32}): (.*)$/.exec(lines.shift() ?? '') ?? []
    if (name === '' || fields.has(name)) throw new KeyError('malformed', 'A line is no field')
    fields.set(name, value)
    if (!name.endsWith('-Lines')) continue
    const count = Number(value)
    const body = /^\d{1,4}$/.test(value) ? fromBase64(lines.splice(0, count).join('')) : undefined
    if (!body) throw new KeyError('malformed', 'A part is not base64')
    bodies.set(name, body)
  }
  const publicBlob = bodies.get('Public-Lines')
  const sealed = bodies.get('Private-Lines')
  if (!publicBlob || !sealed) throw new KeyError('malformed', 'A part is missing')
  return { version: Number(version), fields, publicBlob, sealed }
}

function deriveSecrets({ version, fields }: Ppk, passphrase: string | undefined): Secrets {
  if (version === 2) return deriveByHash(passphrase ?? '')
  return passphrase === undefined
    ? { cipherKey: Buffer.alloc(0), iv: Buffer.alloc(0), macKey: Buffer.alloc(0) }
    : deriveByArgon2(fields, passphrase)
}

function deriveByHash(passphrase: string): Secrets {
  const sha1 = (prefix: Buffer) => createHash('sha1').update(prefix).update(passphrase).digest()
  return {
    cipherKey: Buffer.concat([sha1(Buffer.from([0, 0, 0, 0])), sha1(Buffer.from([0, 0, 0, 1]))]).subarray(
      0,
      32,
    ),
    iv: Buffer.alloc(16),
    macKey: sha1(Buffer.from('putty-private-key-file-mac-key')),
  }
}

function deriveByArgon2(fields: Map<string, string>, passphrase: string): Secrets {
  const variant = fields.get('Key-Derivation')?.toLowerCase()
  if (variant !== 'argon2id' && variant !== 'argon2i' && variant !== 'argon2d')
    throw new KeyError('unsupported', 'The key derivation of the file is not known')
  const number = (name: string) => {
    const value = fields.get(name) ?? ''
    if (!/^[1-9]\d{0,9}$/.test(value))
      throw new KeyError('malformed', 'A number of the key derivation is missing')
    return Number(value)
  }
  const [memory, passes, parallelism] = [
    number('Argon2-Memory'),
    number('Argon2-Passes'),
    number('Argon2-Parallelism'),
  ]
  if (memory > maxMemoryKib || memory * passes > maxKibPasses || parallelism > 64)
    throw new KeyError('tooCostly', 'The passphrase is stretched by too many passes')
  const nonce = Buffer.from(fields.get('Argon2-Salt') ?? '', 'hex')
  const bytes = argon2Sync(variant, {
    message: passphrase,
    nonce,
    parallelism,
    tagLength: 80,
    memory,
    passes,
  })
  return { cipherKey: bytes.subarray(0, 32), iv: bytes.subarray(32, 48), macKey: bytes.subarray(48) }
}

/** What is left behind them is the padding of the cipher. */
function readFields(type: string, blob: Reader, secret: Reader, options: PrivateKeyOptions): KeyObject {
  if (blob.name() !== type) throw new KeyError('malformed', 'The file names two types')
  if (type === 'ssh-ed25519') return ed25519PrivateKey(secret.string(32))
  if (type === 'ssh-rsa') {
    const [e, n] = [blob.mpint(), blob.mpint()]
    const [d, p, q, qi] = [secret.mpint(), secret.mpint(), secret.mpint(), secret.mpint()]
    return rsaPrivateKey({ n, e, d, p, q, qi }, options)
  }
  return ecdsaPrivateKey(secret.mpint(), curveOf(type))
}
