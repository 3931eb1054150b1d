import { Worker } from 'node:worker_threads'
import type { Log } from '../log.ts'
import { FairQueue, type Asker } from './fair-queue.ts'
import type { Found, Pattern, PatternAnswer, PatternOrder, Place } from './pattern-messages.ts'

/** Of patterns nobody uses at the moment so much text stays compiled for who comes next. */
const spareChars = 4 * 1024 * 1024
/** A worker that takes so long over one pattern and one text is replaced; the question it had is not answered … */
const textMs = 2000
/** … and so is one that takes so long to start, or to make a pattern ready. A question has no more time in all. */
const stalledMs = 10_000
const heapMaxMb = 512

interface Known {
  id: number
  pattern: Pattern
  users: number
}
interface Question {
  id: number
  /** The worker that has it. */
  worker: Worker | undefined
  asker: Asker
  ids: number[]
  texts: readonly string[]
  from: Place
  usedMs: number
  resolve: (found: Found | undefined) => void
  reject: (error: Error) => void
}

export interface PatternsOptions {
  /** What the thread runs. */
  script?: URL
  stalledMs?: number
  textMs?: number
}

/** The patterns of one session, in order. */
export interface PatternSet {
  /** The first one from that index on that is in one of the texts. Rejects where that cannot be told in time. */
  find(texts: readonly string[], from?: number): Promise<Found | undefined>
  release(): void
}

/**
 * The patterns of all sessions, each compiled once however many use it, in a thread beside the data path: ten thousand commands take their
 * time. The thread starts with the first of them. It has one question at a time, of whom has used it least, and gives it back after a short
 * while: whose questions are costly waits, and nobody else does.
 */
export class Patterns {
  readonly #log: Log
  readonly #options: PatternsOptions
  /** By what they say; those used last come last. */
  readonly #known = new Map<string, Known>()
  #nextId = 1
  #nextQuestion = 1
  #worker: Worker | undefined
  readonly #waiting = new FairQueue<Question>()
  /** What the worker is busy with, and since when. */
  #asked: { question: Question; sinceMs: number } | undefined
  /** Patterns the worker has made ready. */
  readonly #ready = new Set<number>()
  #timer: NodeJS.Timeout | undefined

  constructor(log: Log, options: PatternsOptions = {}) {
    this.#log = log
    this.#options = options
  }

  /** Organizations have equal shares of the thread, and so have those who hold patterns in each. */
  hold(patterns: readonly Pattern[], organization: string): PatternSet {
    const asker = this.#waiting.asker(organization)
    const held = patterns.map((pattern) => this.#know(pattern))
    const ids = held.map(({ id }) => id)
    let isHeld = true
    return {
      find: (texts, from = 0) =>
        new Promise((resolve, reject) => {
          const own = { id: this.#nextQuestion++, worker: undefined, asker, usedMs: 0 }
          const place = { index: from, text: 0 }
          this.#waiting.add(asker, { ...own, ids, texts, from: place, resolve, reject })
          this.#next()
        }),
      release: () => {
        if (!isHeld) return
        isHeld = false
        for (const known of held) known.users--
        this.#waiting.leave(asker)
        this.#forgetUnused()
      },
    }
  }

  async stop(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    clearTimeout(this.#timer)
    await worker?.terminate()
    const rest = [this.#asked?.question, ...this.#waiting.clear()]
    this.#asked = undefined
    for (const question of rest) question?.reject(new Error('the gateway stops'))
  }

  #know(pattern: Pattern): Known {
    const key = `${pattern.ignore_case ? 'i' : ' '}${pattern.source}`
    const known = this.#known.get(key) ?? { id: this.#nextId++, pattern, users: 0 }
    const isNew = !this.#known.delete(key)
    this.#known.set(key, known)
    known.users++
    if (isNew) this.#worker?.postMessage(learning([known]))
    this.#worker ??= this.#start()
    return known
  }

  #forgetUnused(): void {
    const unused = [...this.#known].filter(([, { users }]) => users === 0)
    let chars = unused.reduce((sum, [key]) => sum + key.length, 0)
    const ids: number[] = []
    for (const [key, { id }] of unused) {
      if (chars <= spareChars) break
      chars -= key.length
      this.#known.delete(key)
      this.#ready.delete(id)
      ids.push(id)
    }
    if (ids.length > 0) this.#worker?.postMessage({ kind: 'forget', ids } satisfies PatternOrder)
  }

  #next(): void {
    if (this.#asked || !this.#worker) return
    const question = this.#waiting.take()
    if (!question) return
    const { id, ids, texts, from } = question
    const { stalledMs: preparingMs = stalledMs, textMs: searchingMs = textMs } = this.#options
    const isReady = this.#ready.has(ids[from.index] ?? 0)
    this.#asked = { question, sinceMs: performance.now() }
    if (question.worker !== this.#worker)
      this.#worker.postMessage({ kind: 'ask', question: id, ids, texts } satisfies PatternOrder)
    question.worker = this.#worker
    this.#worker.postMessage({ kind: 'find', question: id, from } satisfies PatternOrder)
    this.#watch(isReady ? searchingMs : preparingMs)
  }

  #answered(answer: PatternAnswer): void {
    const question = this.#free()
    if (!question) return
    if ('found' in answer) question.resolve(answer.found)
    else if (question.usedMs > (this.#options.stalledMs ?? stalledMs)) {
      this.#worker?.postMessage({ kind: 'give_up', question: question.id } satisfies PatternOrder)
      question.reject(late())
    } else {
      this.#ready.add(question.ids[answer.next.index] ?? 0)
      question.from = answer.next
      this.#waiting.add(question.asker, question)
    }
    this.#next()
  }

  /** The worker has no question any more; whose it was has used it. */
  #free(): Question | undefined {
    clearTimeout(this.#timer)
    if (!this.#asked) return undefined
    const { question, sinceMs } = this.#asked
    const usedMs = performance.now() - sinceMs
    this.#asked = undefined
    question.usedMs += usedMs
    this.#waiting.used(question.asker, usedMs)
    return question
  }

  #start(): Worker {
    const { script = new URL('./pattern-worker.ts', import.meta.url) } = this.#options
    const worker = new Worker(script, {
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: heapMaxMb },
    })
    worker.unref()
    worker.on('message', (answer: PatternAnswer) => {
      if (worker === this.#worker) this.#answered(answer)
    })
    worker.on('error', (error) => this.#log.error({ err: error }, 'the pattern worker failed'))
    worker.on('exit', () => this.#replace(worker))
    worker.postMessage(learning([...this.#known.values()]))
    return worker
  }

  #watch(ms: number): void {
    const worker = this.#worker
    this.#timer = setTimeout(() => {
      this.#log.error('the pattern worker does not answer and is replaced')
      void worker?.terminate()
    }, ms)
  }

  #replace(worker: Worker): void {
    if (worker !== this.#worker) return
    this.#free()?.reject(late())
    this.#ready.clear()
    this.#worker = this.#start()
    this.#next()
  }
}

const late = () => new Error('the patterns could not be searched for in time')

const learning = (known: Known[]): PatternOrder => ({
  kind: 'learn',
  patterns: known.map(({ id, pattern }) => [id, pattern]),
})
