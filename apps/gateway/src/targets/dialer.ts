import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import { sharedReadSocket } from '../streams/sockets.ts'
import { Names } from './names.ts'
import type { TargetError } from './ssh/errors.ts'

/** The way to a target: straight to it, or through something that stands between. */
export interface Dialer {
  /**
   * Resolves with a connected stream from which nothing has been read yet; what it reads is used up when its `data` event is over. Rejects with the system's error (`ECONNREFUSED` …) or a
   * TargetError, and when the signal aborts, which closes what was begun. Keeps time limits of its own.
   */
  dial(address: string, port: number, signal: AbortSignal | undefined): Promise<Duplex>
  /** What was dialed last led to nothing, and the way may be why. Answers whether `dial` has another one to try, or to say that none is left. */
  passOver?(why: TargetError): boolean
}

const names = new Names()

/** From this machine, by TCP, within so much time. Names are looked up on account of `who`: a person, by their id, or what else connects. */
export const straightWithin = (timeoutMs: number, who: string): Dialer => ({
  async dial(address, port, signal) {
    const expired = AbortSignal.timeout(timeoutMs)
    const ended = signal ? AbortSignal.any([signal, expired]) : expired
    const socket = sharedReadSocket()
    // Reads begin with the reader: what the target says first would be lost.
    socket.pause()
    socket.connect({ host: address, port, lookup: names.lookupFor(who, ended) })
    try {
      await once(socket, 'connect', { signal: ended })
    } catch (error) {
      socket.destroy()
      throw error
    }
    return socket.setNoDelay(true)
  },
})

export const direct = (who: string): Dialer => straightWithin(15_000, who)
