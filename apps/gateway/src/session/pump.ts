import type { Readable, Writable } from 'node:stream'

/** Stands before the sink; see `InputGate` for what it decides. */
export interface PumpGate {
  /**
   * Undefined lets the chunk pass at once. Otherwise it is held: what goes on instead comes piece by piece, in memory of its own, and
   * nothing more is taken from the source until the last piece.
   */
  take(chunk: Buffer): AsyncIterable<Buffer> | undefined
  /** What goes on when the source has ended. */
  end(): AsyncIterable<Buffer> | undefined
}

export interface PumpOptions {
  /** Sees each chunk before it goes on. */
  tap: (chunk: Buffer) => void
  /** While what it returns is pending the source is paused, so nothing piles up here. */
  room: () => Promise<void> | undefined
  /** Gets each chunk back when the sink is done with it. */
  spent: (chunk: Buffer) => void
  gate?: PumpGate
}

export interface Pump {
  /** Settles when the source has ended and the sink took everything; never when stopped. Rejects when the gate failed. */
  ended: Promise<void>
  /** The next chunk of the source, which does not go on; undefined when there is none any more. For a gate that asks while it holds. */
  next(): Promise<Buffer | undefined>
  stop(): void
}

/** Carries bytes from source to sink; while the sink is not ready the source is paused. */
export function pump(source: Readable, sink: Writable, { tap, room, spent, gate }: PumpOptions): Pump {
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>()
  let stopped = false
  let held = Promise.resolve()
  let asked: ((chunk: Buffer | undefined) => void) | undefined
  const onData = (chunk: Buffer) => {
    if (asked) return answer(chunk)
    const pieces = gate?.take(chunk)
    if (pieces) return hold(chunk, pieces)
    const wait = deliver(chunk, () => spent(chunk))
    if (!wait) return
    source.pause()
    void resumeAfter(wait)
  }
  /** Undefined: more can follow at once. */
  const deliver = (chunk: Buffer, done?: () => void): Promise<unknown> | undefined => {
    tap(chunk)
    const isRoom = sink.write(chunk, done)
    const wait = room()
    return isRoom && !wait ? undefined : Promise.all([isRoom ? undefined : drained(sink), wait])
  }
  const resumeAfter = async (wait: Promise<unknown>) => {
    await wait
    if (!stopped) source.resume()
  }
  const hold = (chunk: Buffer, pieces: AsyncIterable<Buffer>) => {
    source.pause()
    const letThrough = async () => {
      await deliverAll(pieces)
      spent(chunk)
      if (!stopped) source.resume()
    }
    held = letThrough()
    held.catch(reject)
  }
  const deliverAll = async (pieces: AsyncIterable<Buffer>) => {
    for await (const piece of pieces) {
      if (stopped) return
      await deliver(piece)
    }
  }
  const answer = (chunk: Buffer | undefined) => {
    const give = asked
    asked = undefined
    source.pause()
    give?.(chunk && Buffer.from(chunk))
    if (chunk) spent(chunk)
  }
  const onEnd = () => {
    answer(undefined)
    const finish = async () => {
      await held
      const pieces = gate?.end()
      if (pieces) await deliverAll(pieces)
    }
    finish().then(resolve, reject)
  }
  source.on('data', onData)
  source.once('end', onEnd)
  if (source.readableEnded) onEnd()
  source.resume()
  return {
    ended,
    next() {
      if (stopped || source.readableEnded) return Promise.resolve(undefined)
      return new Promise((give) => {
        asked = give
        source.resume()
      })
    },
    stop() {
      stopped = true
      source.off('data', onData)
      source.off('end', onEnd)
      asked?.(undefined)
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
