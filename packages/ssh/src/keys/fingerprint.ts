import { createHash } from 'node:crypto'

/** `SHA256:…`, as OpenSSH shows it. */
export const fingerprintOf = (blob: Buffer): string =>
  `SHA256:${createHash('sha256').update(blob).digest('base64').replaceAll('=', '')}`

/** As older clients show it: pairs of hexadecimal digits with colons between them. */
export const md5FingerprintOf = (blob: Buffer): string =>
  createHash('md5')
    .update(blob)
    .digest('hex')
    .replaceAll(/..(?=.)/g, '$&:')
