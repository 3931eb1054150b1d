import type { Socket } from 'node:net'

/** The high-water mark sockets of SSH connections are made with: below some dozen packets a cork would block at once. */
export const SOCKET_BUFFER_BYTES = 1024 * 1024

/** Data stops at the high-water mark. What goes beyond it are answers to a peer that keeps asking and does not read. */
const MAX_UNSENT_BYTES = 2 * SOCKET_BUFFER_BYTES

/** So much is not held until the turn is over: the peer can begin with it. */
const FLUSH_BYTES = 256 * 1024

/**
 * Makes many small writes of one turn of the event loop leave in one system call, at once: ssh2 writes three pieces for each packet.
 * Backpressure stays true, for a corked socket counts what it holds; a peer that asks without reading the answers is not read either. To be called after `connect`, which takes wrappers away.
 */
export function coalesceWrites(socket: Socket): Socket {
  socket.setNoDelay(true)
  const write = socket.write.bind(socket)
  let isCorked = false
  let isUnread = false
  const flush = () => {
    if (!isCorked) return
    isCorked = false
    socket.uncork()
  }
  const coalesced = (...args: Parameters<Socket['write']>): boolean => {
    if (!isCorked) {
      isCorked = true
      socket.cork()
      setImmediate(flush)
    }
    const hasRoom = write(...args)
    if (socket.writableLength >= FLUSH_BYTES) flush()
    if (socket.writableLength > MAX_UNSENT_BYTES && !isUnread) {
      isUnread = true
      socket.pause()
      socket.once('drain', () => {
        isUnread = false
        socket.resume()
      })
    }
    return hasRoom
  }
  return Object.assign(socket, { write: coalesced })
}
