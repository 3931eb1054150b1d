import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Log } from '../../../log.ts'
import type { Report } from './messages.ts'
import { Screen, type ScreenOptions } from './screen.ts'

const workersMax = Math.max(2, Math.min(4, availableParallelism() - 1))
/** Beyond this the worker is replaced, and with it what filled it. */
const heapMaxMb = 512
const watchEveryMs = 500
/** A worker that has work and finishes none of it for so long is replaced … */
const stalledMs = 4000
/** … and one that does not even start. */
const startMs = 30_000
const restartAfterMs = 250

/** The emulation workers of a gateway: a few threads that keep the screens of all sessions. One starts at once, others when needed. */
export class Emulations {
  readonly #log: Log
  readonly #script: URL
  readonly #links: Link[] = []
  #nextId = 1

  /** `script` is what the threads run. */
  constructor(log: Log, script = new URL('./worker.ts', import.meta.url)) {
    this.#log = log
    this.#script = script
    this.#add()
  }

  open(options: ScreenOptions): Screen {
    const [idlest] = [...this.#links].sort((a, b) => a.size - b.size)
    const isFull = this.#links.length === workersMax
    const link = idlest && (idlest.size === 0 || isFull) ? idlest : this.#add()
    return link.open(this.#nextId++, options)
  }

  #add(): Link {
    const link = new Link(this.#script, this.#log)
    this.#links.push(link)
    return link
  }

  async stop(): Promise<void> {
    await Promise.all(this.#links.splice(0).map((link) => link.stop()))
  }
}

/** One worker after the other, and the screens that are with it. */
class Link {
  readonly #script: URL
  readonly #log: Log
  readonly #screens = new Map<number, Screen>()
  readonly #waiting = new Set<Screen>()
  readonly #watch: NodeJS.Timeout
  #worker: Worker
  #isReady = false
  #isFlushing = false
  #isStopped = false
  /** Whose batches the worker has, the first being the one it is busy with. */
  #busyWith: Screen[] = []
  /** How often the watch found the worker busy since it last reported: this process may have stood still itself. */
  #seenBusy = 0

  constructor(script: URL, log: Log) {
    this.#script = script
    this.#log = log
    this.#worker = this.#start()
    this.#watch = setInterval(() => this.#look(), watchEveryMs).unref()
  }

  get size(): number {
    return this.#screens.size
  }

  open(id: number, options: ScreenOptions): Screen {
    const screen = new Screen(id, options, (screen) => this.#wake(screen))
    this.#screens.set(id, screen)
    return screen
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearInterval(this.#watch)
    await this.#worker.terminate()
  }

  #start(): Worker {
    const worker = new Worker(this.#script, {
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: heapMaxMb },
    })
    worker.unref()
    worker.on('message', (report: Report | 'ready') => {
      if (report === 'ready') this.#isReady = true
      else this.#onReport(report)
      this.#flushSoon()
    })
    worker.on('error', (error) => this.#log.error({ err: error }, 'an emulation worker failed'))
    worker.on('exit', () => this.#replace(worker))
    return worker
  }

  #onReport(report: Report): void {
    if (report.tookMs !== undefined) {
      this.#busyWith.shift()
      this.#seenBusy = 0
    }
    const screen = this.#screens.get(report.screen)
    screen?.settle(report)
    if (report.head !== undefined) this.#screens.delete(report.screen)
  }

  #wake(screen: Screen): void {
    this.#waiting.add(screen)
    this.#flushSoon()
  }

  /** One message for all screens that have something in this turn of the event loop. */
  #flushSoon(): void {
    if (this.#isFlushing || !this.#isReady || this.#waiting.size === 0) return
    this.#isFlushing = true
    setImmediate(() => {
      this.#isFlushing = false
      if (!this.#isReady) return
      const batches = [...this.#waiting].map((screen) => ({ screen, batch: screen.take() }))
      this.#waiting.clear()
      const sent = batches.flatMap(({ batch }) => batch ?? [])
      if (sent.length === 0) return
      for (const { screen, batch } of batches) if (batch) this.#busyWith.push(screen)
      this.#worker.postMessage(sent)
    })
  }

  #look(): void {
    const isIdle = this.#isReady && this.#busyWith.length === 0
    this.#seenBusy = isIdle ? 0 : this.#seenBusy + 1
    if (this.#seenBusy * watchEveryMs <= (this.#isReady ? stalledMs : startMs)) return
    this.#log.error('an emulation worker does not answer and is replaced')
    void this.#worker.terminate()
  }

  #replace(worker: Worker): void {
    if (this.#isStopped || worker !== this.#worker) return
    const [cause] = this.#busyWith
    this.#isReady = false
    this.#busyWith = []
    this.#seenBusy = 0
    this.#waiting.clear()
    setTimeout(() => {
      if (!this.#isStopped) this.#worker = this.#start()
    }, restartAfterMs).unref()
    for (const [id, screen] of this.#screens) {
      screen.lost(screen === cause)
      if (screen.isLost) this.#screens.delete(id)
    }
  }
}
