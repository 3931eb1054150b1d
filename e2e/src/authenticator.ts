/** An authenticator app on somebody's phone (RFC 6238). */
import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const stepMs = 30_000

function keyOf(secret: string): Buffer {
  const bits = Array.from(secret, (letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

function codeOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeUInt32BE(step, 4)
  const mac = createHmac('sha1', keyOf(secret)).update(counter).digest()
  const at = (mac[19] ?? 0) & 15
  return String((mac.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

export interface Authenticator {
  /** A code that was not shown yet, of the step before this one or a later one: several come without waiting. */
  next(): Promise<string>
}

export function authenticator(secret: string): Authenticator {
  let shown = 0
  return {
    next: async () => {
      shown = Math.max(shown + 1, Math.floor(Date.now() / stepMs) - 1)
      while (shown > Math.floor(Date.now() / stepMs) + 2) await sleep(200)
      return codeOf(secret, shown)
    },
  }
}
