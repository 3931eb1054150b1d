import { randomBytes } from 'node:crypto'
import { Writer } from '../wire/writer.ts'
import { certificateName } from './certificate-names.ts'
import { certificateKinds, parseCertificate } from './certificate.ts'
import type { Certificate, CertificateFacts } from './certificate.ts'
import { KeyError, readingKey } from './key.ts'
import type { PrivateKey, PublicKey } from './key.ts'

/**
 * A certificate for a key, signed by an authority, which may be a key of an agent.
 * @throws KeyError when it would be valid for nobody or never, or the key is a certificate
 */
export async function signCertificate(
  authority: PrivateKey,
  key: PublicKey,
  facts: CertificateFacts,
): Promise<Certificate> {
  if (facts.principals.length === 0) throw new KeyError('malformed', 'The certificate names nobody')
  const fields = key.blob.subarray(4 + Buffer.byteLength(key.type))
  const names = new Writer()
  for (const principal of facts.principals) names.string(principal)
  const signed = new Writer(1024)
    .string(certificateName(key.type))
    .string(randomBytes(32))
    .bytes(fields)
    .uint64(facts.serial)
    .uint32(certificateKinds[facts.kind])
    .string(facts.keyId)
    .string(names.finish())
    .uint64(seconds(facts.validAfter))
    .uint64(seconds(facts.validBefore))
    .string(options(facts.criticalOptions))
    .string(options(facts.extensions))
    .string('')
    .string(authority.publicKey.blob)
    .finish()
  const [algorithm = ''] = authority.publicKey.algorithms
  const signature = await authority.sign(algorithm, signed)
  const blob = new Writer(2048).bytes(signed).string(signature).finish()
  return readingKey(() => parseCertificate(blob, {}))
}

const seconds = (value: number) =>
  value === Number.POSITIVE_INFINITY ? 2n ** 64n - 1n : BigInt(Math.floor(value))

/** In the order of their names, as the standard wants it. */
function options(entries: ReadonlyMap<string, string>): Buffer {
  const writer = new Writer()
  const inOrder = [...entries].sort(([one], [other]) => (one < other ? -1 : 1))
  for (const [name, value] of inOrder)
    writer.string(name).string(value === '' ? '' : new Writer().string(value).finish())
  return writer.finish()
}
