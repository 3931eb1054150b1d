import type { Readable, Writable } from 'node:stream'

export interface Pump {
  /** Settles when the source has ended and the sink took everything; never when stopped. */
  ended: Promise<void>
  stop(): void
}

/**
 * Carries bytes from source to sink. `tap` sees each chunk before it goes on; while the sink or `room` is not ready the source is paused,
 * so nothing piles up here. `spent` gets each chunk back when the sink is done with it.
 */
export function pump(
  source: Readable,
  sink: Writable,
  tap: (chunk: Buffer) => void,
  room: () => Promise<void> | undefined,
  spent: (chunk: Buffer) => void = () => {},
): Pump {
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  let stopped = false
  const onData = (chunk: Buffer) => {
    tap(chunk)
    const isRoom = sink.write(chunk, () => spent(chunk))
    const wait = room()
    if (isRoom && !wait) return
    source.pause()
    void resumeAfter(isRoom ? Promise.resolve() : drained(sink), wait ?? Promise.resolve())
  }
  const resumeAfter = async (sinkReady: Promise<void>, roomReady: Promise<void>) => {
    await Promise.all([sinkReady, roomReady])
    if (!stopped) source.resume()
  }
  const onEnd = () => resolve()
  source.on('data', onData)
  source.once('end', onEnd)
  if (source.readableEnded) resolve()
  source.resume()
  return {
    ended,
    stop() {
      stopped = true
      source.off('data', onData)
      source.off('end', onEnd)
    },
  }
}

function drained(sink: Writable): Promise<void> {
  if (!sink.writableNeedDrain) return Promise.resolve()
  return new Promise((resolve) => {
    const done = () => {
      sink.off('drain', done)
      sink.off('close', done)
      resolve()
    }
    sink.on('drain', done)
    sink.on('close', done)
  })
}
