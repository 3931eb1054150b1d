/** One-time passwords by the clock (RFC 6238, on RFC 4226): SHA-1, six digits, steps of 30 seconds, as every authenticator app has them. */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const stepMs = 30_000
const digits = 6
// RFC 4226 section 4 asks for 160 bits.
const secretBytes = 20
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Base32 (RFC 4648) without padding. */
export function base32(bytes: Uint8Array): string {
  let bits = ''
  for (const byte of bytes) bits += byte.toString(2).padStart(8, '0')
  return (bits.match(/.{1,5}/g) ?? [])
    .map((group) => alphabet.charAt(Number.parseInt(group.padEnd(5, '0'), 2)))
    .join('')
}

function bytesOf(text: string): Buffer {
  let bits = ''
  for (const letter of text) bits += alphabet.indexOf(letter).toString(2).padStart(5, '0')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

export const newTotpSecret = () => base32(randomBytes(secretBytes))

export const stepAt = (timeMs: number) => Math.floor(timeMs / stepMs)

/** The code of one step. */
export function codeOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', bytesOf(secret)).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0xf
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits).padStart(digits, '0')
}

export const isCode = (text: string) => /^\d{6}$/.test(text)

/** The newest step within `window` steps of now whose code this is; undefined for a wrong one. */
export function stepOf(secret: string, code: string, window: number, nowMs = Date.now()): number | undefined {
  let found: number | undefined
  const now = stepAt(nowMs)
  for (let step = now - window; step <= now + window; step += 1)
    if (timingSafeEqual(Buffer.from(codeOf(secret, step)), Buffer.from(code))) found = step
  return found
}

/** What the QR code says. */
export function totpUri(secret: string, issuer: string, username: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(username)}`
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`
}
