import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FinishedRecording } from '@sallyport/contract/gateway/books'
import type { ApiClient, RecordingName } from '../api/client.ts'
import { isFinal, ServerAwayError, ServerRefusedError } from '../api/errors.ts'
import { Overdue } from '../api/overdue.ts'
import { offerAgain } from '../api/refused.ts'
import type { Log } from '../log.ts'
import {
  folderOfRecording,
  isMarkedEnded,
  listChunks,
  listRecordings,
  loadChunk,
  markEnded,
  readSessionFile,
  sealJournal,
  type StoredChunk,
} from './folder.ts'
import type { Recording } from './recording.ts'

const concurrentUploads = 4
const retryMinMs = 500
const retryMaxMs = 10_000
/** A watcher may read a finished recording from here for so long. */
const readersWaitMs = 60_000

/** One recording on its way. */
interface Upload extends RecordingName {
  folder: string
  /** Absent for what an earlier process left. */
  recording: Recording | undefined
  wake: () => void
}

/** What was recorded of one session. */
interface Job {
  sessionId: string
  folder: string
  first: Recording | undefined
  /** Settles when nothing is written into the folder any more, and no recording is opened. */
  written: Promise<void>
  /** Resolves when the gateway stops. */
  stopped: Promise<void>
  /** Each settles with whether the server has all of it. */
  uploads: Promise<boolean>[]
}

/**
 * Brings recordings to the server, each chunk in its turn, as often as needed; the disk is the queue. A session's folder goes away when
 * the server has all recordings in it. What the server refuses for good is kept in `refused`.
 */
export class Uploader {
  readonly #api: ApiClient
  readonly #log: Log
  readonly #overdue: Overdue
  readonly #folder: string
  readonly #stop = new AbortController()
  readonly #jobs = new Map<string, { job: Job; done: Promise<void> }>()
  #free = concurrentUploads
  #queue: (() => void)[] = []

  constructor(folder: string, api: ApiClient, log: Log) {
    this.#folder = join(folder, 'recordings')
    this.#api = api
    this.#log = log
    this.#overdue = new Overdue(log, 'recordings')
  }

  get #refused(): string {
    return join(this.#folder, '..', 'refused')
  }

  folderOf(sessionId: string): string {
    return join(this.#folder, sessionId)
  }

  /** Uploads while the session runs: its first recording, then any other; the first is to be finished last. */
  follow(recording: Recording): void {
    const { sessionId, number, folder } = recording
    const upload: Upload = { sessionId, number, folder, recording, wake: () => {} }
    const { promise: written, resolve } = Promise.withResolvers<void>()
    recording.onStored = () => {
      upload.wake()
      if (recording.isComplete) resolve()
    }
    if (number === 1) this.#run(sessionId, folder, recording, written)
    // Without a job the gateway stops: the next start takes it up.
    const { job } = this.#jobs.get(sessionId) ?? {}
    job?.uploads.push(this.#bring(upload, job))
  }

  /**
   * Takes up what an earlier process left. `onLost` is told of sessions whose end had not been reported, with their last moment.
   */
  async recover(onLost: (session: { id: string; date_end: string }) => Promise<void>): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 })
    await offerAgain(this.#log, this.#refused, this.#folder, (file) => file.replace(/-\d+$/, ''))
    for (const sessionId of await readdir(this.#folder)) {
      if (this.#jobs.has(sessionId)) continue
      const folder = this.folderOf(sessionId)
      try {
        const session = await readSessionFile(folder)
        const left: Upload[] = []
        let lastMs = 0
        for (const number of await listRecordings(folder)) {
          const place = folderOfRecording(folder, number)
          await sealJournal(place)
          lastMs = Math.max(lastMs, (await listChunks(place)).at(-1)?.end_ms ?? 0)
          left.push({ sessionId, number, folder: place, recording: undefined, wake: () => {} })
        }
        if (!(await isMarkedEnded(folder))) {
          const end = new Date(Date.parse(session.date_start) + lastMs)
          await onLost({ id: session.id, date_end: end.toISOString() })
          await markEnded(folder)
        }
        const job = this.#run(sessionId, folder)
        job.uploads.push(...left.map((upload) => this.#bring(upload, job)))
      } catch (error) {
        this.#log.error({ err: error, session: sessionId }, 'a recording on disk cannot be read, set aside')
        await this.#setAside(sessionId, folder)
      }
    }
  }

  /** Waits until everything closed is with the server, at most so long; the rest stays on disk for the next start. */
  async drain(timeoutMs: number): Promise<void> {
    const all = Promise.all([...this.#jobs.values()].map((entry) => entry.done))
    const timeout = new AbortController()
    await Promise.race([all, sleep(timeoutMs, undefined, { signal: timeout.signal }).catch(() => undefined)])
    timeout.abort()
    this.#stop.abort()
    await Promise.all([...this.#jobs.values()].map((entry) => entry.done))
  }

  #run(sessionId: string, folder: string, first?: Recording, written = Promise.resolve()): Job {
    const job = { sessionId, folder, first, written, stopped: aborted(this.#stop.signal), uploads: [] }
    const done = this.#clear(job)
      .catch((error: unknown) => {
        if (!this.#stop.signal.aborted)
          this.#log.error({ err: error, session: sessionId }, 'a folder of recordings stays')
      })
      .finally(() => this.#jobs.delete(sessionId))
    this.#jobs.set(sessionId, { job, done })
    return job
  }

  /** Waits until nothing more comes, and takes the folder away, or aside. */
  async #clear({ sessionId, folder, first, written, stopped, uploads }: Job): Promise<void> {
    await Promise.race([written, stopped])
    const areThere = (await Promise.all(uploads)).every(Boolean)
    if (areThere) {
      if (first) await this.#waitForReaders(first)
      await this.#onceWritable({ folder }, () => rm(folder, { recursive: true, force: true }))
    } else if (!this.#stop.signal.aborted) await this.#setAside(sessionId, folder)
  }

  /** Whether all of it is with the server; where not, it was refused for good, or the gateway stops. */
  async #bring(upload: Upload, { stopped }: Job): Promise<boolean> {
    try {
      await this.#upload(upload, stopped)
      return true
    } catch (error) {
      if (!this.#stop.signal.aborted) {
        const { sessionId: session, number: recording } = upload
        const facts = { err: error, session, recording, folder: this.#refused }
        this.#log.error(facts, 'a recording cannot be uploaded, set aside')
      }
      return false
    } finally {
      this.#overdue.over(upload.folder)
    }
  }

  async #upload(upload: Upload, stopped: Promise<void>): Promise<void> {
    const signal = this.#stop.signal
    const { recording } = upload
    let sent = 0
    let isFinished = false
    for (;;) {
      const more = new Promise<void>((resolve) => (upload.wake = resolve))
      const isComplete = recording?.isComplete ?? true
      if (recording && isComplete) await this.#onceWritable(upload, () => recording.storeRest())
      const chunks = recording ? recording.storedChunks : await listChunks(upload.folder)
      for (; sent < chunks.length; sent++) {
        const chunk = chunks[sent]
        const whole = isComplete && sent === chunks.length - 1 ? factsOf(chunks) : undefined
        if (chunk)
          await this.#persist(upload.folder, async () => {
            isFinished = await this.#send(upload, chunk, whole)
          })
      }
      if (isComplete && sent === chunks.length) break
      await Promise.race([more, stopped])
      signal.throwIfAborted()
    }
    if (!isFinished)
      await this.#finish(upload, recording ? recording.storedChunks : await listChunks(upload.folder))
  }

  async #waitForReaders(recording: Recording): Promise<void> {
    for (let waitedMs = 0; recording.readerCount > 0 && waitedMs < readersWaitMs; waitedMs += 250) {
      await sleep(250, undefined, { signal: this.#stop.signal })
    }
  }

  async #finish(upload: Upload, chunks: readonly StoredChunk[]): Promise<void> {
    const facts = factsOf(chunks)
    for (;;) {
      let missing: number[] = []
      await this.#persist(upload.folder, async () => {
        missing = await this.#api.finishRecording(upload, facts, this.#stop.signal)
      })
      if (missing.length === 0) return
      this.#log.warn(
        { session: upload.sessionId, recording: upload.number, missing },
        'the server lacks chunks, sending them again',
      )
      for (const number of missing) {
        const chunk = chunks.find((candidate) => candidate.number === number)
        if (!chunk) throw new Error(`the server lacks chunk ${number}, and so does the gateway`)
        await this.#persist(upload.folder, async () => void (await this.#send(upload, chunk)))
      }
    }
  }

  /** Answers whether the recording is complete at the server. */
  async #send(upload: Upload, chunk: StoredChunk, whole?: FinishedRecording): Promise<boolean> {
    await this.#slot()
    try {
      const bytes = await loadChunk(upload.folder, chunk)
      return await this.#api.putChunk(upload, { ...chunk, bytes }, whole, this.#stop.signal)
    } finally {
      this.#free++
      this.#queue.shift()?.()
    }
  }

  async #slot(): Promise<void> {
    while (this.#free === 0) await new Promise<void>((resolve) => this.#queue.push(resolve))
    this.#free--
  }

  /** Tries until it works, the server refuses for good, or the gateway stops. */
  async #persist(key: string, work: () => Promise<void>): Promise<void> {
    const signal = this.#stop.signal
    for (let delayMs = retryMinMs; ; delayMs = Math.min(retryMaxMs, delayMs * 2)) {
      try {
        await work()
        this.#overdue.over(key)
        return
      } catch (error) {
        const later = error instanceof ServerAwayError || error instanceof ServerRefusedError
        if (!later || isFinal(error)) throw error
        this.#overdue.failed(key, error)
        await sleep(delayMs, undefined, { signal })
      }
    }
  }

  /** Tries until the disk takes it, or the gateway stops: then the next start takes up what is left. */
  async #onceWritable({ folder }: { folder: string }, work: () => Promise<void>): Promise<void> {
    const { signal } = this.#stop
    for (let delayMs = retryMinMs; ; delayMs = Math.min(retryMaxMs, delayMs * 2)) {
      try {
        await work()
        if (delayMs > retryMinMs) this.#log.warn({ folder }, 'the folder of a recording can be written again')
        return
      } catch (error) {
        if (delayMs === retryMinMs)
          this.#log.error({ err: error, folder }, 'the folder of a recording cannot be written, tried on')
        await sleep(delayMs, undefined, { signal })
      }
    }
  }

  async #setAside(sessionId: string, folder: string): Promise<void> {
    const refused = this.#refused
    await mkdir(refused, { recursive: true, mode: 0o700 })
    await rename(folder, join(refused, `${sessionId}-${Date.now()}`))
  }
}

const factsOf = (chunks: readonly StoredChunk[]): FinishedRecording => ({
  chunks: chunks.length,
  duration_ms: chunks.at(-1)?.end_ms ?? 0,
  bytes: chunks.reduce((sum, chunk) => sum + chunk.size, 0),
})

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
