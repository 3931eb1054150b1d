import { Worker } from 'node:worker_threads'
import type { Log } from '../log.ts'
import type { Found, Pattern, PatternAnswer, PatternOrder } from './pattern-messages.ts'

/** Of patterns nobody uses at the moment so much text stays compiled for who comes next. */
const spareChars = 4 * 1024 * 1024
/** A worker that answers nothing for so long is replaced; the question it had is not answered. */
const stalledMs = 10_000
const heapMaxMb = 512

interface Known {
  id: number
  pattern: Pattern
  users: number
}
interface Question {
  order: Extract<PatternOrder, { kind: 'find' }>
  resolve: (found: Found | undefined) => void
  reject: (error: Error) => void
}

export interface PatternsOptions {
  /** What the thread runs. */
  script?: URL
  stalledMs?: number
}

/** The patterns of one session, in order. */
export interface PatternSet {
  /** The first one from that index on that is in one of the texts. Rejects where that cannot be told in time. */
  find(texts: readonly string[], from?: number): Promise<Found | undefined>
  release(): void
}

/**
 * The patterns of all sessions, each compiled once however many use it, in a thread beside the data path: ten thousand commands take their
 * time. The thread starts with the first of them.
 */
export class Patterns {
  readonly #log: Log
  readonly #options: PatternsOptions
  /** By what they say; those used last come last. */
  readonly #known = new Map<string, Known>()
  #nextId = 1
  #worker: Worker | undefined
  /** What the worker was asked, in order. */
  #questions: Question[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(log: Log, options: PatternsOptions = {}) {
    this.#log = log
    this.#options = options
  }

  hold(patterns: readonly Pattern[]): PatternSet {
    const held = patterns.map((pattern) => this.#know(pattern))
    const ids = held.map(({ id }) => id)
    let isHeld = true
    return {
      find: (texts, from = 0) => this.#ask({ kind: 'find', ids, from, texts }),
      release: () => {
        if (!isHeld) return
        isHeld = false
        for (const known of held) known.users--
        this.#forgetUnused()
      },
    }
  }

  async stop(): Promise<void> {
    const worker = this.#worker
    this.#worker = undefined
    this.#watch()
    await worker?.terminate()
    for (const { reject } of this.#questions.splice(0)) reject(new Error('the gateway stops'))
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
      ids.push(id)
    }
    if (ids.length > 0) this.#worker?.postMessage({ kind: 'forget', ids } satisfies PatternOrder)
  }

  #ask(order: Question['order']): Promise<Found | undefined> {
    return new Promise((resolve, reject) => {
      this.#questions.push({ order, resolve, reject })
      this.#worker?.postMessage(order)
      if (this.#questions.length === 1) this.#watch()
    })
  }

  #start(): Worker {
    const { script = new URL('./pattern-worker.ts', import.meta.url) } = this.#options
    const worker = new Worker(script, {
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: heapMaxMb },
    })
    worker.unref()
    worker.on('message', ({ found }: PatternAnswer) => {
      this.#questions.shift()?.resolve(found)
      this.#watch()
    })
    worker.on('error', (error) => this.#log.error({ err: error }, 'the pattern worker failed'))
    worker.on('exit', () => this.#replace(worker))
    worker.postMessage(learning([...this.#known.values()]))
    for (const { order } of this.#questions) worker.postMessage(order)
    return worker
  }

  #watch(): void {
    clearTimeout(this.#timer)
    const worker = this.#worker
    if (!worker || this.#questions.length === 0) return
    this.#timer = setTimeout(() => {
      this.#log.error('the pattern worker does not answer and is replaced')
      void worker.terminate()
    }, this.#options.stalledMs ?? stalledMs)
  }

  /** The first question is what it was busy with. */
  #replace(worker: Worker): void {
    if (worker !== this.#worker) return
    this.#questions.shift()?.reject(new Error('the patterns could not be searched for in time'))
    this.#worker = this.#start()
    this.#watch()
  }
}

const learning = (known: Known[]): PatternOrder => ({
  kind: 'learn',
  patterns: known.map(({ id, pattern }) => [id, pattern]),
})
