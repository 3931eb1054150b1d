import { Reader } from '../wire/reader.ts'
import { ecdsa } from './ecdsa.ts'
import { ed25519 } from './ed25519.ts'
import { fingerprintOf } from './fingerprint.ts'
import { KeyError, readingKey } from './key.ts'
import type { KeyKind, KeyOptions, PublicKey, Verifier } from './key.ts'
import { rsa } from './rsa.ts'
import { skEcdsa, skEd25519 } from './security-key.ts'

const kinds = new Map<string, KeyKind>(
  [ed25519, ecdsa, rsa, skEd25519, skEcdsa].flatMap((kind) =>
    kind.types.map((type) => [type, kind] as const),
  ),
)

const maxBlobBytes = 65_536
/** Of a signature of RSA with 16,384 bits and the name of its algorithm, with room. */
const maxSignatureBytes = 4096

/**
 * A public key of a peer's or a file's bytes (RFC 4253, 6.6), which are copied.
 * @throws KeyError when it is malformed, weak, or of a type that is not known
 */
export const parsePublicKey = (blob: Buffer, options: KeyOptions = {}): PublicKey =>
  readingKey(() => {
    if (blob.length > maxBlobBytes) throw new KeyError('malformed', 'The key is too long')
    const own = Buffer.from(blob)
    const reader = new Reader(own)
    const type = reader.name()
    const verifier = kindOf(type).read(reader, type, options)
    reader.end()
    return new PlainKey(type, own, verifier)
  })

function kindOf(type: string): KeyKind {
  const kind = kinds.get(type)
  if (!kind) throw new KeyError('unsupported', 'The key is of a type that is not known')
  return kind
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
