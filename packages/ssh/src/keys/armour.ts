/** Bytes in base64 between two lines that say what they are (RFC 7468). */
export interface Armoured {
  label: string
  body: string
  /** From its first to its last line. */
  text: string
}

/** The first private key in the text; openssl writes the parameters of a curve, and certificates, into the same file. */
export function findPrivateKey(text: string): Armoured | undefined {
  const begin = /-----BEGIN ((?:[A-Z0-9]{1,16} ){0,3}PRIVATE KEY)-----/.exec(text)
  if (!begin) return undefined
  const [line, label = ''] = begin
  const end = `-----END ${label}-----`
  const from = begin.index + line.length
  const to = text.indexOf(end, from)
  return to < 0
    ? undefined
    : { label, body: text.slice(from, to), text: text.slice(begin.index, to + end.length) }
}

export function formatArmour(label: string, bytes: Buffer): string {
  const lines = bytes.toString('base64').replaceAll(/.{70}(?=.)/g, '$&\n')
  return `-----BEGIN ${label}-----\n${lines}\n-----END ${label}-----\n`
}

const form = /^[A-Za-z0-9+/]+={0,2}$/

/** @returns undefined for what is not base64; white space is passed over */
export function fromBase64(text: string): Buffer | undefined {
  const bare = text.replaceAll(/\s/g, '')
  return form.test(bare) && bare.length % 4 === 0 ? Buffer.from(bare, 'base64') : undefined
}
