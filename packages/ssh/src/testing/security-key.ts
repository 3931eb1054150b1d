import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { nistp256, writeSignature } from '../keys/ecdsa.ts'
import { Writer } from '../wire/writer.ts'

const application = 'ssh:'
const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest()
const raw = { format: 'raw-public' } as const

/** Signs as a security key does; `flags`: 1 it was touched, 4 it knows its user. */
export function securityKey(type: string) {
  const ed = generateKeyPairSync('ed25519')
  const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const isEd = type === 'sk-ssh-ed25519@openssh.com'
  const writer = new Writer().string(type)
  if (!isEd) writer.string('nistp256')
  const blob = writer
    .string((isEd ? ed : ec).publicKey.export(raw))
    .string(application)
    .finish()
  return {
    blob,
    signature: (data: Buffer, flags: number) => {
      const use = Buffer.from([flags, 0, 0, 1, 2])
      const signed = Buffer.concat([sha256(application), use, sha256(data)])
      const bytes = isEd
        ? sign(null, signed, ed.privateKey)
        : writeSignature(sign('sha256', signed, { key: ec.privateKey, dsaEncoding: 'ieee-p1363' }), nistp256)
      return new Writer().string(type).string(bytes).bytes(use).finish()
    },
  }
}
