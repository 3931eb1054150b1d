import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

const tokenBytes = 32

/** A secret that stands for a sign-in; 43 characters. */
export const newToken = () => randomBytes(tokenBytes).toString('base64url')

/** How a token is kept: it is random, so a fast hash is enough, and the table alone signs nobody in. */
export const hashOf = (token: string) => createHash('sha256').update(token).digest('hex')

/** Compares without telling by the time taken how much is right. */
export function isSame(given: string, expected: string): boolean {
  const [one, other] = [given, expected].map((text) => createHash('sha256').update(text).digest())
  return one !== undefined && other !== undefined && timingSafeEqual(one, other)
}
