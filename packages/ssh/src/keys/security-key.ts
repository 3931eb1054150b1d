/** Keys in security keys, which say how they were used each time they sign (OpenSSH's PROTOCOL.u2f). */
import { createHash, verify } from 'node:crypto'
import type { Reader } from '../wire/reader.ts'
import { nistp256, readPoint, readSignature } from './ecdsa.ts'
import { ed25519PublicKey } from './ed25519.ts'
import type { KeyKind, KeyOptions, Verifier } from './key.ts'

const maxApplicationBytes = 1024
const touched = 0x01
const verified = 0x04

export const skEd25519: KeyKind = {
  types: ['sk-ssh-ed25519@openssh.com'],
  read(reader, type, options) {
    const key = ed25519PublicKey(reader.string(32))
    return used(type, reader.string(maxApplicationBytes), options, (signature) => {
      const bytes = signature.string(64)
      return (data) => verify(null, data, key, bytes)
    })
  },
}

export const skEcdsa: KeyKind = {
  types: ['sk-ecdsa-sha2-nistp256@openssh.com'],
  read(reader, type, options) {
    const key = readPoint(reader, nistp256)
    return used(type, reader.string(maxApplicationBytes), options, (signature) => {
      const both = readSignature(signature, nistp256)
      return (data) => verify(nistp256.hash, data, { key, dsaEncoding: 'ieee-p1363' }, both)
    })
  },
}

/** What is signed is the application, how the key was used, its counter, and the data. */
function used(
  type: string,
  application: Buffer,
  { withoutTouch = false, withVerification = false }: KeyOptions,
  readSignature: (signature: Reader) => (data: Buffer) => boolean,
): Verifier {
  return {
    algorithms: [type],
    verify(_algorithm, data, signature) {
      const verifies = readSignature(signature)
      const use = signature.bytes(1 + 4)
      signature.end()
      const flags = use[0] ?? 0
      if (!withoutTouch && (flags & touched) === 0) return false
      if (withVerification && (flags & verified) === 0) return false
      return verifies(Buffer.concat([sha256(application), use, sha256(data)]))
    },
  }
}

const sha256 = (data: Buffer) => createHash('sha256').update(data).digest()
