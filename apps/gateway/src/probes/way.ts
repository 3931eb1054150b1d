import type { Duplex } from 'node:stream'
import type { Dialer } from '../targets/dialer.ts'

/** How a target is reached while it is tried. */
export interface Way {
  dialer: Dialer
  /** `host:port`, for sentences. */
  where: string
  timeoutMs: number
  /** Aborts when it took too long, or nobody wants to know any more. */
  signal: AbortSignal
}

/** A connection whose errors nobody has to hear of beside the conversation on it: what reads or writes fails with them. */
export async function dialed({ dialer, signal }: Way, address: string, port: number): Promise<Duplex> {
  const stream = await dialer.dial(address, port, signal)
  return stream.on('error', () => undefined)
}
