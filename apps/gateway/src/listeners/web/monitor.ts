import { FrameDecoder, decodeSize, frameType } from '@sallyport/contract/recording'
import type { Recording } from '../../recorder/recording.ts'
import type { TerminalSocket } from './socket.ts'

const positionEveryMs = 500

/**
 * Sends a watcher the frames of a recording from its beginning and then as it grows. The watcher holds a position in the recording, nothing is queued
 * for it, so a slow one never holds the session up. Resolves at the recording's end, or when the watcher is gone.
 */
export async function watch(frames: ReturnType<Recording['read']>, socket: TerminalSocket): Promise<void> {
  let wasLive = false
  let toldMs = -Infinity
  for await (const { frames: bytes, isLive } of frames) {
    let output: Uint8Array[] = []
    let timeMs = 0
    const flush = async () => {
      if (output.length > 0) await socket.sendBytes(Buffer.concat(output))
      output = []
    }
    for (const frame of new FrameDecoder().push(bytes)) {
      timeMs = frame.timeMs
      if (frame.type === frameType.output || frame.type === frameType.errorOutput) output.push(frame.payload)
      if (frame.type === frameType.resize) {
        await flush()
        const { cols, rows } = decodeSize(frame.payload)
        socket.send('TERMINAL_RESIZE', { Width: cols, Height: rows })
      }
    }
    await flush()
    if (isLive !== wasLive || performance.now() - toldMs >= positionEveryMs) {
      wasLive = isLive
      toldMs = performance.now()
      socket.send('MONITOR_POSITION', { time_ms: timeMs, is_live: isLive })
    }
  }
}
