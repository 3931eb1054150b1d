import type { Readable, Writable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'

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

/**
 * What arrives together goes on as one, up to the largest packet of SSH: a terminal gives its output in pieces of 4 KiB, and each piece
 * that goes on alone is encrypted and recorded alone. The first piece goes on at once; while more keeps coming it waits for the next.
 */
const stageBytes = 32 * 1024
const gatherMs = 1
/** Not worth a copy. */
const largeBytes = stageBytes / 2
const spareStages: Buffer[] = []
const spareStagesMax = 16

export interface Pump {
  /** Settles when the source has ended and the sink took everything; never when stopped. Rejects when anything on the way failed. */
  ended: Promise<void>
  /**
   * The next chunk of the source, which does not go on; undefined when there is none any more, or the signal aborts first. For a gate that
   * asks while it holds.
   */
  next(signal?: AbortSignal): Promise<Buffer | undefined>
  stop(): void
}

/** Carries bytes from source to sink; while the sink is not ready the source is paused. */
export function pump(source: Readable, sink: Writable, { tap, room, spent, gate }: PumpOptions): Pump {
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>()
  let stopped = false
  let held = Promise.resolve()
  let asked: ((chunk: Buffer | undefined) => void) | undefined
  /** Pieces the sink is not done with. */
  let untaken = 0
  let allTaken: (() => void) | undefined
  let stage: Buffer | undefined
  let staged = 0
  let lastMs = 0
  let gathering: NodeJS.Timeout | undefined
  /** Nothing goes on that was not seen or judged, and what is wrong with one source ends no other's. */
  const fail = (error: unknown) => {
    stop()
    reject(error)
  }
  const onData = (chunk: Buffer) => {
    try {
      take(chunk)
    } catch (error) {
      fail(error)
    }
  }
  const take = (chunk: Buffer) => {
    if (asked) return answer(chunk)
    const pieces = gate?.take(chunk)
    if (pieces) return hold(chunk, pieces)
    if (staged + chunk.byteLength > stageBytes) flush()
    if (!stage && chunk.byteLength >= largeBytes) return carry(chunk, () => spent(chunk))
    if (!stage) {
      stage = spareStages.pop() ?? Buffer.allocUnsafeSlow(stageBytes)
      queueMicrotask(settle)
    }
    chunk.copy(stage, staged)
    staged += chunk.byteLength
    spent(chunk)
  }
  const settle = () => {
    if (performance.now() - lastMs < gatherMs) gathering ??= setTimeout(flush, gatherMs)
    else flush()
  }
  const flush = () => {
    clearTimeout(gathering)
    gathering = undefined
    if (!stage || stopped) return
    lastMs = performance.now()
    const full = stage
    const bytes = stage.subarray(0, staged)
    stage = undefined
    staged = 0
    const done = () => {
      if (spareStages.length < spareStagesMax) spareStages.push(full)
    }
    try {
      carry(bytes, done)
    } catch (error) {
      fail(error)
    }
  }
  const carry = (bytes: Buffer, done: () => void) => {
    const wait = deliver(bytes, done)
    if (!wait) return
    source.pause()
    resumeAfter(wait).catch(fail)
  }
  /** Undefined: more can follow at once. */
  const deliver = (chunk: Buffer, done?: () => void): Promise<unknown> | undefined => {
    tap(chunk)
    untaken++
    const isRoom = sink.write(chunk, () => {
      done?.()
      if (--untaken === 0) allTaken?.()
    })
    const wait = room()
    return isRoom && !wait ? undefined : Promise.all([isRoom ? undefined : drained(sink), wait])
  }
  const resumeAfter = async (wait: Promise<unknown>) => {
    await wait
    if (!stopped) source.resume()
  }
  const hold = (chunk: Buffer, pieces: AsyncIterable<Buffer>) => {
    flush()
    source.pause()
    const letThrough = async () => {
      await deliverAll(pieces)
      spent(chunk)
      if (!stopped) source.resume()
    }
    held = letThrough()
    held.catch(fail)
  }
  const deliverAll = async (pieces: AsyncIterable<Buffer>) => {
    for await (const piece of pieces) {
      if (stopped) return
      await deliver(piece)
      // A gate may have thousands of pieces in one chunk, and nothing to wait for.
      await nextTurn()
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
    flush()
    answer(undefined)
    const finish = async () => {
      await held
      const pieces = gate?.end()
      if (pieces) await deliverAll(pieces)
      if (untaken > 0) await new Promise<void>((taken) => (allTaken = taken))
    }
    finish().then(resolve, fail)
  }
  const stop = () => {
    stopped = true
    clearTimeout(gathering)
    source.off('data', onData)
    source.off('end', onEnd)
    asked?.(undefined)
  }
  source.on('data', onData)
  source.once('end', onEnd)
  if (source.readableEnded) onEnd()
  source.resume()
  return {
    ended,
    next(signal) {
      if (stopped || source.readableEnded || signal?.aborted) return Promise.resolve(undefined)
      return new Promise((give) => {
        const giveUp = () => answer(undefined)
        asked = (chunk) => {
          signal?.removeEventListener('abort', giveUp)
          give(chunk)
        }
        signal?.addEventListener('abort', giveUp, { once: true })
        source.resume()
      })
    },
    stop,
  }
}

/** Resolves when the sink takes more, or is closed. */
export function drained(sink: Writable): Promise<void> {
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
