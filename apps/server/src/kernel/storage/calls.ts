import { type FileHandle, open } from 'node:fs/promises'
import { ApiError } from '../errors.ts'
import type { Logger } from '../log.ts'

/** Shorter than a gateway waits for an answer (15 s): it hears why its chunk was not taken. */
const answersWithinMs = 5000
/** While the folder does not answer, one call in so long is tried all the same. */
const triedEveryMs = 5000
/** Each call holds one of the threads all files and compression of this process share: half of them, of which Node has four where nobody says more. */
const atOnce = Math.max(1, Math.floor(Number(process.env['UV_THREADPOOL_SIZE'] ?? 4) / 2) || 2)

interface Waiting {
  begin: () => void
  refuse: () => void
}

/**
 * The calls of the system on one folder, as many at a time as half of the threads. A folder that hangs (a mount whose machine is gone) keeps the threads that asked it, so
 * no more than these are ever lost to it: once one call has had no answer for `answersWithinMs` (5 s), it and all others are refused with
 * 503 `storage_away`, until one is answered.
 */
export class FolderCalls {
  readonly #place: string
  readonly #log: Pick<Logger, 'error' | 'info'>
  readonly #answersWithinMs: number
  #running = 0
  #isSilent = false
  /** By `performance.now`. */
  #triedAtMs = 0
  readonly #waiting = new Set<Waiting>()
  /** Files nobody reads any more, of a folder that did not answer. */
  #leftOpen: FileHandle[] = []

  constructor(place: string, log: Pick<Logger, 'error' | 'info'>, limits = { answersWithinMs }) {
    this.#place = place
    this.#log = log
    this.#answersWithinMs = limits.answersWithinMs
  }

  /**
   * Carries out work that makes one call of the system at a time. `late` is given what came when nobody waited for it any more.
   * @throws ApiError 503 `storage_away` when the folder does not answer
   */
  async run<T>(work: () => Promise<T>, late?: (answer: T) => Promise<unknown>): Promise<T> {
    if (this.#isSilent && !this.#mayTry()) throw away()
    this.#triedAtMs = performance.now()
    return await new Promise<T>((resolve, reject) => {
      const refuse = () => reject(away())
      const begin = () => void this.#carryOut(work, { resolve, reject, refuse, late })
      if (this.#running < atOnce) begin()
      else this.#waiting.add({ begin, refuse })
    })
  }

  open(path: string, flags?: string, mode?: number): Promise<FileHandle> {
    return this.run(
      () => open(path, flags, mode),
      (file) => file.close(),
    )
  }

  /** Resolves when the file is closed, or will be as soon as the folder answers. */
  async close(file: FileHandle): Promise<void> {
    let isBegun = false
    const close = () => {
      isBegun = true
      return file.close()
    }
    await this.run(close).catch(() => {
      if (!isBegun) this.#leftOpen.push(file)
    })
  }

  async #carryOut<T>(
    work: () => Promise<T>,
    asked: {
      resolve: (answer: T) => void
      reject: (error: unknown) => void
      refuse: () => void
      late: ((answer: T) => Promise<unknown>) | undefined
    },
  ): Promise<void> {
    this.#running += 1
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      asked.refuse()
      this.#fallSilent()
    }, this.#answersWithinMs)
    try {
      const answer = await work()
      this.#answered()
      if (isLate) await asked.late?.(answer)
      else asked.resolve(answer)
    } catch (error) {
      // What the system gave up after long is no sign that the next call is answered.
      if (!isLate) this.#answered()
      asked.reject(error)
    } finally {
      clearTimeout(timer)
      this.#running -= 1
      this.#beginNext()
    }
  }

  #mayTry(): boolean {
    return this.#running < atOnce && performance.now() - this.#triedAtMs > triedEveryMs
  }

  #beginNext(): void {
    const [next] = this.#waiting
    if (next === undefined || this.#running >= atOnce) return
    this.#waiting.delete(next)
    next.begin()
  }

  #fallSilent(): void {
    for (const { refuse } of this.#waiting) refuse()
    this.#waiting.clear()
    if (this.#isSilent) return
    this.#isSilent = true
    this.#log.error(
      { place: this.#place, afterMs: this.#answersWithinMs },
      'the storage does not answer: see that what is mounted there can be reached',
    )
    process.on('exit', endAtOnce)
  }

  #answered(): void {
    if (!this.#isSilent) return
    this.#isSilent = false
    this.#log.info({ place: this.#place }, 'the storage answers again')
    process.off('exit', endAtOnce)
    const files = this.#leftOpen.splice(0)
    for (const file of files) void this.close(file)
  }
}

const away = () => new ApiError(503, 'storage_away')

/** Whether it is the storage that cannot be reached. */
export const isAway = (error: unknown): error is ApiError =>
  error instanceof ApiError && error.code === 'storage_away'

/** Node waits for its threads when it ends, and one of them may never be done. */
const endAtOnce = () => process.kill(process.pid, 'SIGKILL')
