/**
 * The secret envelope: `base64(RSA-PKCS1v15(key)):base64(AES-ECB(text))`, where the text is padded with zero bytes. It adds
 * to TLS and replaces nothing. Here is its form; the ciphers live where they are used.
 */

export const envelopeBlockBytes = 16
export const envelopeRsaBits = 2048

export interface Envelope {
  /** base64 of the AES key, encrypted for the server. */
  keyCipher: string
  /** base64 of the text, encrypted with that key. */
  cipher: string
}

export function formatEnvelope({ keyCipher, cipher }: Envelope): string {
  return `${keyCipher}:${cipher}`
}

/** Undefined when the text is not two non-empty parts around one colon: then it is a plain value. */
export function parseEnvelope(text: string): Envelope | undefined {
  const [keyCipher, cipher, ...rest] = text.split(':')
  return keyCipher && cipher && rest.length === 0 ? { keyCipher, cipher } : undefined
}

/** The AES key a sender's key text stands for: zero-padded to 16 or 32 bytes, cut to 32. */
export function envelopeKey(key: Uint8Array): Uint8Array {
  const bytes = Math.min(32, Math.max(1, Math.ceil(key.length / envelopeBlockBytes)) * envelopeBlockBytes)
  const padded = new Uint8Array(bytes)
  padded.set(key.subarray(0, bytes))
  return padded
}

/** Text as whole blocks, filled up with zero bytes. */
export function padZeros(text: string): Uint8Array {
  const plain = new TextEncoder().encode(text)
  const padded = new Uint8Array(
    Math.max(1, Math.ceil(plain.length / envelopeBlockBytes)) * envelopeBlockBytes,
  )
  padded.set(plain)
  return padded
}

/** The text without the zero bytes behind it. Throws a TypeError when it is not UTF-8. */
export function unpadZeros(padded: Uint8Array): string {
  let end = padded.length
  while (end > 0 && padded[end - 1] === 0) end -= 1
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(padded.subarray(0, end))
}
