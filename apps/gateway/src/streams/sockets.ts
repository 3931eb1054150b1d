import { Socket, type SocketConstructorOpts } from 'node:net'

/** The high-water mark sockets of SSH connections are made with. */
export const SOCKET_BUFFER_BYTES = 1024 * 1024

/** All sockets read into this one place, one after the other: each read is dealt with before the next begins. */
const workspace = Buffer.allocUnsafeSlow(64 * 1024)

/** A socket that has more waits for the others after each read: the loop alone would read up to 32 times from it first. */
const TURN_BYTES = 64 * 1024

/**
 * A socket that reads without a new buffer for each piece: the collector has much less to do in bulk, and idle sockets hold
 * nothing. Listeners of `data` must be done with the bytes when they return.
 */
export function sharedReadSocket(): Socket {
  let turnBytes = 0
  const options: SocketConstructorOpts & { highWaterMark: number } = {
    highWaterMark: SOCKET_BUFFER_BYTES,
    onread: {
      buffer: workspace,
      callback(length) {
        socket.emit('data', workspace.subarray(0, length))
        turnBytes += length
        if (turnBytes < TURN_BYTES) return true
        turnBytes = 0
        setImmediate(() => {
          if (!socket.isPaused()) socket.resume()
        })
        return false
      },
    },
  }
  const socket = new Socket(options)
  return socket
}
