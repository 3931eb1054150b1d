import { Worker } from 'node:worker_threads'
import type { AccessKey } from '../api/signature.ts'
import type { Log } from '../log.ts'

const heapMaxMb = 256
/** A thread that has had nothing to do for so long ends. */
const idleMs = 60_000

/** What the thread is told: whose it is, and which batch waits. */
export interface Order {
  batch: string
  key: AccessKey
}
/** What it tells: that a batch is done with; an error's text is for the log. */
export interface Done {
  batch: string
  error?: string
}

/**
 * Tries targets for the server (docs/decisions/0020), in a thread of its own: signing in costs processor time, and sessions wait for none of
 * it.
 */
export class Prober {
  readonly #origin: string
  readonly #key: () => AccessKey | undefined
  readonly #log: Log
  readonly #batches = new Set<string>()
  #worker: Worker | undefined
  #idle: NodeJS.Timeout | undefined

  constructor(origin: URL, key: () => AccessKey | undefined, log: Log) {
    this.#origin = origin.href
    this.#key = key
    this.#log = log
  }

  /** An order may come twice. */
  take(batch: string): void {
    const key = this.#key()
    if (key === undefined || this.#batches.has(batch)) return
    clearTimeout(this.#idle)
    this.#batches.add(batch)
    this.#worker ??= this.#start()
    this.#worker.postMessage({ batch, key } satisfies Order)
  }

  async stop(): Promise<void> {
    clearTimeout(this.#idle)
    await this.#worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      env: {},
      execArgv: [],
      workerData: this.#origin,
      resourceLimits: { maxOldGenerationSizeMb: heapMaxMb },
    })
    worker.unref()
    worker.on('message', ({ batch, error }: Done) => {
      this.#batches.delete(batch)
      if (error !== undefined) this.#log.warn({ batch, err: error }, 'targets could not be tried')
      if (this.#batches.size === 0) this.#endSoon(worker)
    })
    worker.on('error', (error) => this.#log.error({ err: error }, 'the thread that tries targets failed'))
    // What it had is the server's to give to somebody else.
    worker.on('exit', () => {
      if (this.#worker !== worker) return
      this.#worker = undefined
      this.#batches.clear()
    })
    return worker
  }

  #endSoon(worker: Worker): void {
    this.#idle = setTimeout(() => {
      this.#worker = undefined
      void worker.terminate()
    }, idleMs).unref()
  }
}
