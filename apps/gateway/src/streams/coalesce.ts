import type { Socket } from 'node:net'
import { release } from '@sallyport/ssh'

/** The high-water mark sockets of SSH connections are made with. */
export const SOCKET_BUFFER_BYTES = 1024 * 1024

/** Data stops at the high-water mark. What goes beyond it are answers to a peer that keeps asking and does not read. */
const MAX_UNSENT_BYTES = 2 * SOCKET_BUFFER_BYTES

/** So much is not held until the turn is over: the peer can begin with it. */
const FLUSH_BYTES = 256 * 1024

const STAGE_BYTES = FLUSH_BYTES + 64 * 1024
/** Less than this does not hold a stage while a peer is slow. */
const MIN_STAGED_BYTES = STAGE_BYTES / 4
const spareStages: Buffer[] = []
const MAX_SPARE_STAGES = 8

function giveBack(stage: Buffer): void {
  if (spareStages.length < MAX_SPARE_STAGES) spareStages.push(stage)
}

/**
 * Gathers the small writes of one turn of the event loop and writes them as one, at once: ssh2 writes three pieces for each packet. The
 * bytes are copied, so the writer has them back when `write` returns. At most `FLUSH_BYTES` are not yet counted by the socket, so
 * backpressure stays true; a peer that asks without reading the answers is not read either. To be called after `connect`, which takes
 * wrappers away.
 */
export function coalesceWrites(socket: Socket): Socket {
  socket.setNoDelay(true)
  const write = socket.write.bind(socket)
  const end = socket.end.bind(socket)
  let stage: Buffer | undefined
  let used = 0
  let isUnread = false
  const flush = () => {
    if (!stage) return
    const staged = stage
    const bytes = staged.subarray(0, used)
    stage = undefined
    if (!socket.writable) giveBack(staged)
    else if (socket.writableLength > 0 && bytes.byteLength < MIN_STAGED_BYTES) {
      write(Buffer.from(bytes))
      giveBack(staged)
    } else write(bytes, () => giveBack(staged))
    if (socket.writableLength > MAX_UNSENT_BYTES && !isUnread) {
      isUnread = true
      socket.pause()
      socket.once('drain', () => {
        isUnread = false
        socket.resume()
      })
    }
  }
  const coalesced = (data: string | Uint8Array): boolean => {
    const bytes = typeof data === 'string' ? Buffer.from(data) : data
    for (let at = 0; at < bytes.byteLength;) {
      if (!stage) {
        stage = spareStages.pop() ?? Buffer.allocUnsafeSlow(STAGE_BYTES)
        used = 0
        setImmediate(flush)
      }
      const part = bytes.subarray(at, at + STAGE_BYTES - used)
      stage.set(part, used)
      used += part.byteLength
      at += part.byteLength
      if (used >= FLUSH_BYTES) flush()
    }
    if (Buffer.isBuffer(bytes)) release(bytes)
    return !socket.writableNeedDrain
  }
  return Object.assign(socket, {
    write: coalesced,
    end() {
      flush()
      return end()
    },
  })
}
