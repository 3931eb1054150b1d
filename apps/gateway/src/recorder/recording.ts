import { mkdir, open, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import {
  chunkMaxBytes,
  chunkMaxMs,
  encodeCount,
  encodeFrame,
  encodeHeader,
  encodeMark,
  encodeSize,
  frameHeaderMaxBytes,
  frameType,
  outputFrameMaxBytes,
  writeFrameHeader,
  type FrameType,
  type RecordingKind,
  type RecordingMark,
} from '@sallyport/contract/recording'
import { isFull, releaseRoom, reserveRoom } from './disk.ts'
import {
  folderOfRecording,
  inflateFrames,
  journalHead,
  journalName,
  loadChunk,
  storeChunk,
  writeSessionFile,
  type StoredChunk,
} from './folder.ts'

/** Frames reach the journal this soon; what a killed gateway loses is at most this and the disk's delay. */
const journalEveryMs = 100
/** Sources are asked to pause while this much waits for the disk, or the disk has been busy for so long … */
const unsavedMaxBytes = 4 * 1024 * 1024
const unsavedMaxMs = 500
/** … and the recording has failed when the disk takes no byte for so long. */
const diskStallMaxMs = 10_000
/** An event loop that stood still hears of what the disk took only after its timers. */
const diskAnswerMs = 1000
const firstBufferBytes = 2048
const keyframeEveryMs = 5000
/** A screen that takes more to be painted is painted by playing. */
const keyframeMaxBytes = 512 * 1024

const largeBufferBytes = chunkMaxBytes + outputFrameMaxBytes + 1024
/** Buffers of stored chunks, used again: a flood would otherwise keep the garbage collector busy. */
const spareBuffers: Buffer[] = []
const spareBuffersMax = 8

interface OpenChunk {
  number: number
  bytes: Buffer
  used: number
  /** How much of `used` the journal has, or is being given. */
  journaled: number
  startMs: number
  endMs: number
  /** The frame of the screen as it was before this chunk; it may come at any time before the chunk is sealed. */
  keyframe: Uint8Array | undefined
}

/** The screen exactly as it is after all that was recorded before the call; undefined when that is not known. */
export type TakeSnapshot = () => Promise<{ cols: number; rows: number; bytes: Uint8Array } | undefined>

/**
 * Writes one recording of a session. Appending is synchronous and never refused; `congested` tells the source to wait for `ready()`.
 * When the disk fails, `onFailure` is called once and the session has to end: nothing flows unrecorded. When it is full, what has been
 * shown and the end still fit into the room that was reserved.
 */
export class Recording {
  readonly folder: string
  readonly sessionId: string
  /** Which of its session's it is; the first is 1. */
  readonly number: number
  takeSnapshot: TakeSnapshot | undefined
  /** Called after each sealed chunk and at the end. */
  onStored: (() => void) | undefined
  onFailure: ((error: Error) => void) | undefined

  /** The beginning of the session. */
  readonly #startedAt: number
  readonly #stored: StoredChunk[] = []
  /** Sealed, not yet on disk; without keyframes. */
  readonly #sealing = new Map<number, OpenChunk>()
  /** Bytes of the keyframe each chunk begins with. */
  readonly #keyframeBytes = new Map<number, number>()
  #sealingBytes = 0
  #chunk: OpenChunk | undefined
  #nextNumber = 1
  #lastKeyframeMs = 0
  #isTakingKeyframe = false
  #journal: FileHandle | undefined
  #disk: Promise<void> = Promise.resolve()
  #diskBusySince: number | undefined
  #diskWork = 0
  #stallTimer: NodeJS.Timeout | undefined
  #timer: NodeJS.Timeout | undefined
  #waiting: (() => void)[] = []
  #readers = new Set<() => void>()
  #closed = false
  #complete = false
  #failure: Error | undefined
  #isFull = false

  private constructor(folder: string, sessionId: string, number: number, startedAt: number) {
    this.folder = folder
    this.sessionId = sessionId
    this.number = number
    this.#startedAt = startedAt
  }

  /** A session's first. Throws when the folder cannot be written, or the disk has no room: then the session must not begin. */
  static async open(
    folder: string,
    session: { id: string; date_start: string },
    kind: RecordingKind,
  ): Promise<Recording> {
    const prepare = () => writeSessionFile(folder, session)
    return await Recording.#begin(new Recording(folder, session.id, 1, performance.now()), kind, prepare)
  }

  /** Another one of its session, in the folder of this one, which is the first, and counted in the same time. Throws as `open` does. */
  async openBeside(number: number, kind: RecordingKind): Promise<Recording> {
    const folder = folderOfRecording(this.folder, number)
    return await Recording.#begin(new Recording(folder, this.sessionId, number, this.#startedAt), kind)
  }

  static async #begin(
    recording: Recording,
    kind: RecordingKind,
    prepare?: () => Promise<void>,
  ): Promise<Recording> {
    const { folder } = recording
    await mkdir(folder, { recursive: true, mode: 0o700 })
    try {
      await reserveRoom(folder)
      await prepare?.()
      recording.#journal = await open(join(folder, journalName), 'w', 0o600)
      recording.#append(frameType.header, encodeHeader(kind))
      return recording
    } catch (error) {
      // What failed first says more than that this fails, too.
      await rm(folder, { recursive: true, force: true }).catch(() => undefined)
      throw recording.#unwritable(error)
    }
  }

  get elapsedMs(): number {
    return Math.floor(performance.now() - this.#startedAt)
  }

  get storedChunks(): readonly StoredChunk[] {
    return this.#stored
  }

  /** Everything that will ever be there is on disk. */
  get isComplete(): boolean {
    return this.#complete
  }

  get congested(): boolean {
    const busySince = this.#diskBusySince
    return (
      this.#sealingBytes > unsavedMaxBytes ||
      (busySince !== undefined && performance.now() - busySince > unsavedMaxMs)
    )
  }

  /** Resolves when the disk has caught up, or the recording has failed. */
  ready(): Promise<void> {
    if (!this.congested || this.#failure) return Promise.resolve()
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  output(bytes: Uint8Array): void {
    this.#content(frameType.output, bytes)
  }

  errorOutput(bytes: Uint8Array): void {
    this.#content(frameType.errorOutput, bytes)
  }

  inputContent(bytes: Uint8Array): void {
    this.#content(frameType.inputContent, bytes)
  }

  input(count: number): void {
    this.#append(frameType.input, encodeCount(count))
  }

  resize(size: { cols: number; rows: number }): void {
    this.#append(frameType.resize, encodeSize(size))
  }

  mark(mark: RecordingMark): void {
    this.#append(frameType.mark, encodeMark(mark))
  }

  /** Resolves when the journal has all that was recorded so far. Rejects when it could not be written. */
  async flush(): Promise<void> {
    this.#writeJournal()
    await this.#disk
    if (this.#failure) throw this.#failure
  }

  /** Seals the rest; resolves when all is on disk. Rejects when it could not be written. The journal is closed in any case. */
  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    clearTimeout(this.#timer)
    try {
      // Room that cannot be given back is no loss of what was recorded: it goes with the folder.
      await releaseRoom(this.folder).catch(() => undefined)
      this.#seal()
      await this.#disk
      if (this.#failure) throw this.#failure
    } finally {
      await this.#journal?.close()
    }
  }

  /** After `close`, when nothing is written into the folder any more: its reader and the upload come to their end. */
  finish(): void {
    this.#complete = true
    this.#wakeReaders()
    this.onStored?.()
  }

  #content(type: FrameType, bytes: Uint8Array): void {
    for (let at = 0; at < bytes.byteLength; at += outputFrameMaxBytes) {
      this.#append(type, bytes.subarray(at, at + outputFrameMaxBytes))
    }
  }

  #append(type: FrameType, payload: Uint8Array): void {
    if (this.#closed || this.#failure) return
    const timeMs = this.elapsedMs
    this.#chunk ??= this.#beginChunk(timeMs, payload.byteLength)
    this.#write(this.#chunk, type, timeMs, payload)
    if (this.#chunk.used >= chunkMaxBytes) this.#seal()
    else this.#timer ??= setTimeout(() => this.#tick(), journalEveryMs)
    this.#wakeReaders()
  }

  #beginChunk(timeMs: number, firstBytes: number): OpenChunk {
    const busy = firstBytes > firstBufferBytes
    const chunk: OpenChunk = {
      number: this.#nextNumber++,
      bytes: busy
        ? (spareBuffers.pop() ?? Buffer.allocUnsafe(largeBufferBytes))
        : Buffer.allocUnsafe(firstBufferBytes),
      used: 0,
      journaled: 0,
      startMs: timeMs,
      endMs: timeMs,
      keyframe: undefined,
    }
    if (timeMs - this.#lastKeyframeMs >= keyframeEveryMs && !this.#isTakingKeyframe) {
      void this.#takeKeyframe(chunk)
    }
    return chunk
  }

  async #takeKeyframe(chunk: OpenChunk): Promise<void> {
    this.#isTakingKeyframe = true
    const snapshot = await this.takeSnapshot?.()
    this.#isTakingKeyframe = false
    if (!snapshot || snapshot.bytes.byteLength > keyframeMaxBytes || this.#chunk !== chunk) return
    this.#lastKeyframeMs = chunk.startMs
    const payload = Buffer.concat([encodeSize(snapshot), snapshot.bytes])
    chunk.keyframe = encodeFrame(frameType.snapshot, chunk.startMs, payload)
    this.#keyframeBytes.set(chunk.number, chunk.keyframe.byteLength)
  }

  #write(chunk: OpenChunk, type: FrameType, timeMs: number, payload: Uint8Array): void {
    const needed = chunk.used + frameHeaderMaxBytes + payload.byteLength
    if (needed > chunk.bytes.byteLength) {
      const larger = Buffer.allocUnsafe(Math.max(needed, chunk.bytes.byteLength * 4))
      chunk.bytes.copy(larger, 0, 0, chunk.used)
      chunk.bytes = larger
    }
    const at = writeFrameHeader(chunk.bytes, chunk.used, type, timeMs, payload.byteLength)
    chunk.bytes.set(payload, at)
    chunk.used = at + payload.byteLength
    chunk.endMs = timeMs
  }

  #tick(): void {
    try {
      this.#journalOrSeal()
    } catch (error) {
      this.#fail(error)
    }
  }

  #journalOrSeal(): void {
    this.#timer = undefined
    const chunk = this.#chunk
    if (!chunk) return
    if (this.elapsedMs - chunk.startMs >= chunkMaxMs) {
      this.#seal()
      return
    }
    this.#timer = setTimeout(() => this.#tick(), journalEveryMs)
    this.#writeJournal()
  }

  #writeJournal(): void {
    const chunk = this.#chunk
    if (!chunk || chunk.journaled === chunk.used) return
    // a copy: the chunk's buffer may be replaced while the disk works
    const from = chunk.journaled
    const bytes = Buffer.from(chunk.bytes.subarray(from, chunk.used))
    chunk.journaled = chunk.used
    const head = journalHead(chunk.number)
    this.#onDisk(async (journal) => {
      if (from === 0) await journal.write(head, 0, head.byteLength, 0)
      await writeWhole(journal, bytes, head.byteLength + from)
    })
  }

  #seal(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const chunk = this.#chunk
    if (!chunk || chunk.used === 0) return
    this.#chunk = undefined
    this.#sealing.set(chunk.number, chunk)
    this.#sealingBytes += chunk.used
    this.#onDisk(async (journal) => {
      const stored = await this.#store(chunk)
      if (chunk.journaled > 0) await journal.truncate(0)
      this.#isStored(chunk, stored)
      this.onStored?.()
    })
  }

  async #store(chunk: OpenChunk): Promise<StoredChunk> {
    const frames = framesOf(chunk)
    return await storeChunk(
      this.folder,
      {
        number: chunk.number,
        start_ms: chunk.startMs,
        end_ms: chunk.endMs,
        is_keyframe: chunk.keyframe !== undefined,
      },
      chunk.keyframe ? Buffer.concat([chunk.keyframe, frames]) : frames,
    )
  }

  #isStored(chunk: OpenChunk, stored: StoredChunk): void {
    this.#stored.push(stored)
    this.#sealing.delete(chunk.number)
    this.#sealingBytes -= chunk.used
    if (chunk.bytes.byteLength === largeBufferBytes && spareBuffers.length < spareBuffersMax) {
      spareBuffers.push(chunk.bytes)
    }
  }

  /** After `close`, what the disk did not take then. Rejects where it still does not. */
  async storeRest(): Promise<void> {
    if (this.#sealing.size === 0) return
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
    for (const chunk of this.#sealing.values()) this.#isStored(chunk, await this.#store(chunk))
  }

  /** One thing after the other, so that journal and chunks are never out of step. */
  #onDisk(work: (journal: FileHandle) => Promise<void>): void {
    if (this.#diskWork++ === 0) this.#watchDisk()
    this.#disk = this.#work(this.#disk, work)
  }

  async #work(before: Promise<void>, work: (journal: FileHandle) => Promise<void>): Promise<void> {
    await before
    const journal = this.#journal
    if (this.#failure || !journal) return
    try {
      await work(journal).catch((error: unknown) => this.#useRoom(error, () => work(journal)))
    } catch (error) {
      this.#fail(error)
    }
    clearTimeout(this.#stallTimer)
    this.#diskBusySince = undefined
    if (--this.#diskWork > 0) this.#watchDisk()
    if (!this.congested) this.#release()
  }

  /** The disk is full: the work is done in the reserved room, and the session ends. */
  async #useRoom(error: unknown, again: () => Promise<void>): Promise<void> {
    if (!(error instanceof Error) || !isFull(error)) throw error
    await releaseRoom(this.folder)
    await again()
    if (this.#isFull) return
    this.#isFull = true
    this.onFailure?.(this.#unwritable(error))
  }

  #watchDisk(): void {
    this.#diskBusySince = performance.now()
    const fail = () => this.#fail(new Error(`the disk took nothing for ${diskStallMaxMs} ms`))
    this.#stallTimer = setTimeout(() => {
      this.#stallTimer = setTimeout(fail, diskAnswerMs)
    }, diskStallMaxMs)
  }

  #fail(cause: unknown): void {
    if (this.#failure) return
    const error = this.#unwritable(cause)
    this.#failure = error
    clearTimeout(this.#timer)
    clearTimeout(this.#stallTimer)
    this.#release()
    this.#wakeReaders()
    this.onFailure?.(error)
  }

  /** Where, too: a failed write does not say. */
  #unwritable(cause: unknown): Error {
    return new Error(`nothing can be recorded in ${this.folder}`, { cause })
  }

  #release(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const resolve of waiting) resolve()
  }

  #wakeReaders(): void {
    for (const wake of this.#readers) wake()
  }

  /**
   * Reads from the beginning and then follows: each step gives whole frames as bytes, nothing twice, nothing left out, however slow the
   * reader is, since it holds a position and no queue; keyframes are left out. Ends when the recording is closed and read, or the signal aborts.
   */
  async *read(signal: AbortSignal): AsyncGenerator<{ frames: Buffer; isLive: boolean }> {
    let number = 1
    let offset = 0
    let more = Promise.withResolvers<void>()
    const wake = () => more.resolve()
    this.#readers.add(wake)
    signal.addEventListener('abort', wake, { once: true })
    try {
      while (!signal.aborted) {
        more = Promise.withResolvers<void>()
        const open = this.#chunk
        if (open?.number === number) {
          if (open.used > offset) {
            const frames = Buffer.from(open.bytes.subarray(offset, open.used))
            offset = open.used
            yield { frames, isLive: true }
            continue
          }
        } else if (number < this.#nextNumber) {
          const frames = (await this.#sealed(number)).subarray(offset)
          number++
          offset = 0
          if (frames.byteLength > 0) yield { frames, isLive: number >= this.#nextNumber }
          continue
        } else if (this.#closed) return
        if (this.#failure) return
        await more.promise
      }
    } finally {
      this.#readers.delete(wake)
      signal.removeEventListener('abort', wake)
    }
  }

  get readerCount(): number {
    return this.#readers.size
  }

  async #sealed(number: number): Promise<Buffer> {
    const inMemory = this.#sealing.get(number)
    if (inMemory) return Buffer.from(framesOf(inMemory))
    const stored = this.#stored[number - 1]
    if (!stored) throw this.#failure ?? new Error(`chunk ${number} is missing`)
    const bytes = await inflateFrames(await loadChunk(this.folder, stored))
    return bytes.subarray(this.#keyframeBytes.get(number) ?? 0)
  }
}

const framesOf = ({ bytes, used }: OpenChunk): Buffer => bytes.subarray(0, used)

async function writeWhole(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let at = 0; at < bytes.byteLength;) {
    const { bytesWritten } = await file.write(bytes, at, bytes.byteLength - at, position + at)
    at += bytesWritten
  }
}
