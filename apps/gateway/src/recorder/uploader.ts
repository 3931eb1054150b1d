import { mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FinishedRecording } from '@sallyport/contract/gateway/books'
import type { ApiClient } from '../api/client.ts'
import { isFinal, ServerAwayError, ServerRefusedError } from '../api/errors.ts'
import { Overdue } from '../api/overdue.ts'
import { offerAgain } from '../api/refused.ts'
import type { Log } from '../log.ts'
import {
  isMarkedEnded,
  listChunks,
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

interface Job {
  sessionId: string
  folder: string
  /** Absent for what an earlier process left. */
  recording: Recording | undefined
  wake: () => void
}

/**
 * Brings recordings to the server, each chunk in its turn, as often as needed; the disk is the queue. A recording's folder goes away when
 * the server has all of it. What the server refuses for good is kept in `refused`.
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

  /** Uploads while the session runs. */
  follow(recording: Recording): void {
    const job: Job = {
      sessionId: recording.sessionId,
      folder: recording.folder,
      recording,
      wake: () => {},
    }
    recording.onStored = () => job.wake()
    this.#run(job)
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
        await sealJournal(folder)
        if (!(await isMarkedEnded(folder))) {
          const last = (await listChunks(folder)).at(-1)
          const end = new Date(Date.parse(session.date_start) + (last?.end_ms ?? 0))
          await onLost({ id: session.id, date_end: end.toISOString() })
          await markEnded(folder)
        }
        this.#run({ sessionId, folder, recording: undefined, wake: () => {} })
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

  #run(job: Job): void {
    const done = this.#upload(job)
      .catch(async (error: unknown) => {
        if (this.#stop.signal.aborted) return
        this.#log.error(
          { err: error, session: job.sessionId, folder: this.#refused },
          'a recording cannot be uploaded, set aside',
        )
        if (await this.#isWritten(job)) await this.#setAside(job.sessionId, job.folder)
      })
      .catch((error: unknown) =>
        this.#log.error({ err: error, session: job.sessionId }, 'setting aside failed'),
      )
      .finally(() => {
        this.#jobs.delete(job.sessionId)
        this.#overdue.over(job.sessionId)
      })
    this.#jobs.set(job.sessionId, { job, done })
  }

  async #upload(job: Job): Promise<void> {
    const signal = this.#stop.signal
    const { recording } = job
    const stopped = aborted(signal)
    let sent = 0
    let isFinished = false
    for (;;) {
      const more = new Promise<void>((resolve) => (job.wake = resolve))
      const isComplete = recording?.isComplete ?? true
      const chunks = recording ? recording.storedChunks : await listChunks(job.folder)
      for (; sent < chunks.length; sent++) {
        const chunk = chunks[sent]
        const whole = isComplete && sent === chunks.length - 1 ? factsOf(chunks) : undefined
        if (chunk)
          await this.#persist(job.sessionId, async () => {
            isFinished = await this.#send(job, chunk, whole)
          })
      }
      if (isComplete && sent === chunks.length) break
      await Promise.race([more, stopped])
      signal.throwIfAborted()
    }
    if (!isFinished)
      await this.#finish(job, recording ? recording.storedChunks : await listChunks(job.folder))
    if (recording) await this.#waitForReaders(recording)
    await rm(job.folder, { recursive: true, force: true })
  }

  /** Waits until its recorder needs the folder no more. @returns false when the gateway stops before: the next start takes it up */
  async #isWritten(job: Job): Promise<boolean> {
    const stopped = aborted(this.#stop.signal)
    while (job.recording?.isComplete === false && !this.#stop.signal.aborted) {
      const more = new Promise<void>((resolve) => (job.wake = resolve))
      if (!job.recording.isComplete) await Promise.race([more, stopped])
    }
    return !this.#stop.signal.aborted
  }

  async #waitForReaders(recording: Recording): Promise<void> {
    for (let waitedMs = 0; recording.readerCount > 0 && waitedMs < readersWaitMs; waitedMs += 250) {
      await sleep(250, undefined, { signal: this.#stop.signal })
    }
  }

  async #finish(job: Job, chunks: readonly StoredChunk[]): Promise<void> {
    const facts = factsOf(chunks)
    for (;;) {
      let missing: number[] = []
      await this.#persist(job.sessionId, async () => {
        missing = await this.#api.finishRecording(job.sessionId, facts, this.#stop.signal)
      })
      if (missing.length === 0) return
      this.#log.warn({ session: job.sessionId, missing }, 'the server lacks chunks, sending them again')
      for (const number of missing) {
        const chunk = chunks.find((candidate) => candidate.number === number)
        if (!chunk) throw new Error(`the server lacks chunk ${number}, and so does the gateway`)
        await this.#persist(job.sessionId, async () => void (await this.#send(job, chunk)))
      }
    }
  }

  /** Answers whether the recording is complete at the server. */
  async #send(job: Job, chunk: StoredChunk, whole?: FinishedRecording): Promise<boolean> {
    await this.#slot()
    try {
      const bytes = await loadChunk(job.folder, chunk)
      return await this.#api.putChunk(job.sessionId, { ...chunk, bytes }, whole, this.#stop.signal)
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
  async #persist(sessionId: string, work: () => Promise<void>): Promise<void> {
    const signal = this.#stop.signal
    for (let delayMs = retryMinMs; ; delayMs = Math.min(retryMaxMs, delayMs * 2)) {
      try {
        await work()
        this.#overdue.over(sessionId)
        return
      } catch (error) {
        const later = error instanceof ServerAwayError || error instanceof ServerRefusedError
        if (!later || isFinal(error)) throw error
        this.#overdue.failed(sessionId, error)
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
