import { Reader } from '../wire/reader.ts'
import { ecdsa } from './ecdsa.ts'
import { ed25519 } from './ed25519.ts'
import { fingerprintOf } from './fingerprint.ts'
import { KeyError } from './key.ts'
import type { KeyKind, KeyOptions, PublicKey, Verifier } from './key.ts'
import { rsa } from './rsa.ts'
import { skEcdsa, skEd25519 } from './security-key.ts'

const kinds = new Map<string, KeyKind>(
  [ed25519, ecdsa, rsa, skEd25519, skEcdsa].flatMap((kind) =>
    kind.types.map((type) => [type, kind] as const),
  ),
)

/** Of a signature of RSA with 16,384 bits and the name of its algorithm, with room. */
const maxSignatureBytes = 4096

/** @throws KeyError, MalformedError; also for certificates */
export function parsePlainKey(blob: Buffer, options: KeyOptions): PublicKey {
  const reader = new Reader(blob)
  const type = reader.name()
  const verifier = readPlainKey(reader, type, options)
  reader.end()
  return new PlainKey(type, blob, verifier)
}

/** What comes behind the type. */
export function readPlainKey(reader: Reader, type: string, options: KeyOptions): Verifier {
  const kind = kinds.get(type)
  if (!kind) throw new KeyError('unsupported', 'The key is of a type that is not known')
  return kind.read(reader, type, options)
}

class PlainKey implements PublicKey {
  readonly type: string
  readonly blob: Buffer
  readonly #verifier: Verifier

  constructor(type: string, blob: Buffer, verifier: Verifier) {
    this.type = type
    this.blob = blob
    this.#verifier = verifier
  }

  get algorithms(): readonly string[] {
    return this.#verifier.algorithms
  }

  get fingerprint(): string {
    return fingerprintOf(this.blob)
  }

  verify(algorithm: string, data: Buffer, signature: Buffer): boolean {
    if (!this.algorithms.includes(algorithm) || signature.length > maxSignatureBytes) return false
    try {
      const reader = new Reader(signature)
      return reader.name() === algorithm && this.#verifier.verify(algorithm, data, reader)
    } catch {
      return false
    }
  }
}
