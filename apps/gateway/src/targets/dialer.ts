import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import { sharedReadSocket } from '../streams/sockets.ts'

/** The way to a target: straight to it, or through something that stands between. */
export interface Dialer {
  /**
   * Resolves with a connected stream from which nothing has been read yet; what it reads is used up when its `data` event is over. Rejects with the system's error (`ECONNREFUSED` …) or a
   * TargetError, and when the signal aborts, which closes what was begun.
   */
  dial(address: string, port: number, signal: AbortSignal): Promise<Duplex>
}

/** From this machine, by TCP. */
export const direct: Dialer = {
  async dial(address, port, signal) {
    const socket = sharedReadSocket()
    // Reads begin with the reader: what the target says first would be lost.
    socket.pause()
    socket.connect({ host: address, port })
    try {
      await once(socket, 'connect', { signal })
    } catch (error) {
      socket.destroy()
      throw error
    }
    return socket.setNoDelay(true)
  },
}
