import { Socket, type SocketConstructorOpts } from 'node:net'

/** All sockets read into this one place, one after the other: each read is dealt with before the next begins. */
const workspace = Buffer.allocUnsafeSlow(64 * 1024)

/** A socket that has more waits for the others after each read: the loop alone would read up to 32 times from it first. */
const TURN_BYTES = 64 * 1024

const trusting = new WeakMap<object, () => void>()

/**
 * From now on listeners of `data` get the shared bytes themselves and must be done with them when they return. Before, each gets a
 * copy of its own. Does nothing with streams that are no shared-read sockets.
 */
export function trustReads(stream: object): void {
  trusting.get(stream)?.()
}

/**
 * A socket that reads without a new buffer for each piece: the collector has much less to do in bulk, and idle sockets hold
 * nothing. `highWaterMark` is that of its writes.
 */
export function sharedReadSocket(highWaterMark: number): Socket {
  let isTrusted = false
  let turnBytes = 0
  const options: SocketConstructorOpts & { highWaterMark: number } = {
    highWaterMark,
    onread: {
      buffer: workspace,
      callback(length) {
        const bytes = workspace.subarray(0, length)
        socket.emit('data', isTrusted ? bytes : Buffer.from(bytes))
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
  trusting.set(socket, () => (isTrusted = true))
  return socket
}
