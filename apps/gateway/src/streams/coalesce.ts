import type { Socket } from 'node:net'

/** More unsent bytes than this and the peer has stopped reading what it asked for. */
const MAX_UNSENT_BYTES = 32 * 1024 * 1024

/** The high-water mark sockets of SSH connections are made with: below some dozen packets a cork would block at once. */
export const SOCKET_BUFFER_BYTES = 1024 * 1024

/**
 * Makes many small writes of one turn of the event loop leave in one system call, at once: ssh2 writes three pieces for each packet.
 * Backpressure stays true, for a corked socket counts what it holds. A peer that never reads is cut off at 32 MiB.
 */
export function coalesceWrites(socket: Socket): Socket {
  socket.setNoDelay(true)
  const write = socket.write.bind(socket)
  let isCorked = false
  const flush = () => {
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
    if (socket.writableLength > MAX_UNSENT_BYTES) socket.destroy(new Error('The peer does not read'))
    return hasRoom
  }
  return Object.assign(socket, { write: coalesced })
}
