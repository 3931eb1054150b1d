import { Reader } from '../wire/reader.ts'
import { isCertificateName } from './certificate-names.ts'
import { parseCertificate } from './certificate.ts'
import { KeyError, readingKey } from './key.ts'
import type { KeyOptions, PublicKey } from './key.ts'
import { parsePlainKey } from './plain-key.ts'

const maxBytes = 65_536

/**
 * A public key or `Certificate` of a peer's or a file's bytes (RFC 4253, 6.6), which are copied. That a certificate was signed by the
 * authority it names is checked, and nothing else of it: `checkCertificate` does that.
 * @throws KeyError when it is malformed, weak, or of a type that is not known
 */
export const parsePublicKey = (blob: Buffer, options: KeyOptions = {}): PublicKey =>
  readingKey(() => {
    if (blob.length > maxBytes) throw new KeyError('malformed', 'The key is too long')
    const own = Buffer.from(blob)
    return isCertificateName(new Reader(own).name())
      ? parseCertificate(own, options)
      : parsePlainKey(own, options)
  })
