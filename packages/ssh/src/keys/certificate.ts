/** Certificates of users and hosts (OpenSSH's PROTOCOL.certkeys). */
import { Reader } from '../wire/reader.ts'
import { Writer } from '../wire/writer.ts'
import { certificateName, plainName } from './certificate-names.ts'
import { KeyError } from './key.ts'
import type { KeyOptions, PrivateKey, PublicKey } from './key.ts'
import { parsePlainKey, readPlainKey } from './plain-key.ts'

export const certificateKinds = { user: 1, host: 2 } as const
export type CertificateKind = keyof typeof certificateKinds

/** What a certificate says of its key. */
export interface CertificateFacts {
  kind: CertificateKind
  /** The authority's number for it. */
  serial: bigint
  /** What the authority calls its holder; for logs. */
  keyId: string
  /** Names of users or hosts; without any it is valid for nobody. */
  principals: readonly string[]
  /** In seconds since 1970; valid from the first on, until before the second, which is `Infinity` for ever. */
  validAfter: number
  validBefore: number
  /** What everybody has to heed: force-command, source-address, verify-required. Flags have an empty value. */
  criticalOptions: ReadonlyMap<string, string>
  /** What whoever does not know it passes over: permit-pty, permit-port-forwarding, … */
  extensions: ReadonlyMap<string, string>
}

const maxSignedBytes = 65_536
const maxPrincipals = 256
const maxOptions = 64
const maxTextBytes = 8192
const forever = 2n ** 64n - 1n

/** Its authority has signed it; whether that authority is one to be trusted is for `checkCertificate`. */
export class Certificate implements PublicKey {
  readonly type: string
  readonly blob: Buffer
  readonly facts: CertificateFacts
  /** The key that is certified. */
  readonly key: PublicKey
  readonly authority: PublicKey

  constructor(blob: Buffer, facts: CertificateFacts, key: PublicKey, authority: PublicKey) {
    this.type = certificateName(key.type)
    this.blob = blob
    this.facts = facts
    this.key = key
    this.authority = authority
  }

  get algorithms(): readonly string[] {
    return this.key.algorithms.map(certificateName)
  }

  get fingerprint(): string {
    return this.key.fingerprint
  }

  /** Signatures are those of the key, with its names. */
  verify(algorithm: string, data: Buffer, signature: Buffer): boolean {
    return this.algorithms.includes(algorithm) && this.key.verify(plainName(algorithm), data, signature)
  }
}

/** A private key that shows a certificate. @throws KeyError when the certificate is another key's */
export function withCertificate(key: PrivateKey, certificate: Certificate): PrivateKey {
  if (!certificate.key.blob.equals(key.publicKey.blob))
    throw new KeyError('malformed', 'The certificate belongs to another key')
  return { publicKey: certificate, sign: (algorithm, data) => key.sign(plainName(algorithm), data) }
}

/** @throws KeyError, MalformedError when it is not of this form, or not signed by the authority it names */
export function parseCertificate(blob: Buffer, options: KeyOptions): Certificate {
  const reader = new Reader(blob)
  const type = plainName(reader.name())
  // A nonce.
  reader.string(256)
  const keyFrom = blob.length - reader.left
  readPlainKey(reader, type, options)
  const keyFields = blob.subarray(keyFrom, blob.length - reader.left)
  const facts = readFacts(reader)
  const authority = parsePlainKey(reader.string(maxTextBytes), {})
  const signed = blob.subarray(0, blob.length - reader.left)
  const signature = reader.string(maxTextBytes)
  reader.end()
  const algorithm = new Reader(signature).name()
  if (!authority.verify(algorithm, signed, signature))
    throw new KeyError('malformed', 'The certificate is not signed by its authority')
  const plain = Buffer.concat([new Writer().string(type).finish(), keyFields])
  const key = parsePlainKey(plain, {
    ...options,
    withoutTouch: options.withoutTouch === true || facts.extensions.has('no-touch-required'),
    withVerification: options.withVerification === true || facts.criticalOptions.has('verify-required'),
  })
  return new Certificate(blob, facts, key, authority)
}

function readFacts(reader: Reader): CertificateFacts {
  const serial = reader.uint64()
  const kind = kindOf(reader.uint32())
  const keyId = reader.text(maxTextBytes)
  const names = reader.nested(maxSignedBytes)
  const principals: string[] = []
  while (names.left > 0) {
    principals.push(names.text(maxTextBytes))
    if (principals.length > maxPrincipals) throw new KeyError('malformed', 'The certificate names too many')
  }
  const [validAfter, validBefore] = [seconds(reader.uint64()), seconds(reader.uint64())]
  if (validAfter >= validBefore) throw new KeyError('malformed', 'The certificate is never valid')
  const criticalOptions = readOptions(reader.nested(maxSignedBytes))
  const extensions = readOptions(reader.nested(maxSignedBytes))
  // Reserved.
  reader.string(maxTextBytes)
  return { kind, serial, keyId, principals, validAfter, validBefore, criticalOptions, extensions }
}

const seconds = (number: bigint) => (number === forever ? Number.POSITIVE_INFINITY : Number(number))

function kindOf(number: number): CertificateKind {
  if (number === certificateKinds.user) return 'user'
  if (number === certificateKinds.host) return 'host'
  throw new KeyError('malformed', 'The certificate is of a kind that is not known')
}

/** Each has a name, and a value within a string within a string, or an empty string. */
function readOptions(reader: Reader): Map<string, string> {
  const options = new Map<string, string>()
  while (reader.left > 0) {
    const name = reader.text(256)
    const value = reader.nested(maxTextBytes)
    if (options.has(name) || options.size === maxOptions)
      throw new KeyError('malformed', 'The certificate has an option twice, or too many')
    options.set(name, value.left === 0 ? '' : value.text(maxTextBytes))
    value.end()
  }
  return options
}
