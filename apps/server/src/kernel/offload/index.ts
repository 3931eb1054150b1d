/**
 * Work that takes long by itself (key derivation, parsing what somebody sent, zips, spreadsheets) runs in threads of its own, behind a
 * gate: it holds up neither the event loop nor the thread pool that files and addresses are read with.
 */
import { Worker } from 'node:worker_threads'
import { ApiError } from '../errors.ts'
import { RoundRobinQueue } from './round-robin-queue.ts'

export interface OffloadBounds {
  threads: number
  /** Calls that wait for a thread, and as many that go first; more are refused with 503 `overloaded`. */
  maxWaiting: number
  /** A call that runs longer is ended, its thread with it; starting a thread does not count. */
  budgetMs: number
  memoryMiB: number
}

/** The call ran over its budget, or threw; of what it threw only the name is kept, because messages may quote what was parsed. */
export class OffloadFailure extends Error {
  override name = 'OffloadFailure'
  readonly isLate: boolean
  constructor(call: string, reason: string) {
    super(`${call}: ${reason}`)
    this.isLate = reason === late
  }
}

export interface Request {
  name: string
  input: unknown
}
export type Answer = { ready: true } | { ok: true; output: unknown } | { ok: false; error: string }

interface Job {
  request: Request
  resolve: (output: unknown) => void
  reject: (error: Error) => void
}

const late = 'it took too long'
const startMs = 30_000

/** How a call waits for a thread. */
interface Waiting {
  /** Before everybody who does not. */
  first?: boolean
  /** Whom it comes from: one call of each in turn. */
  from?: string
}

type Functions = Readonly<Record<string, (input: never) => unknown>>
type Offloaded<M extends Functions> = <Name extends keyof M & string>(
  name: Name,
  input: Parameters<M[Name]>[0],
  options?: Waiting,
) => Promise<Awaited<ReturnType<M[Name]>>>

/**
 * The functions of a module, called in other threads; what goes in and comes out is copied. Threads start when first needed.
 * @throws ApiError 503 when too many wait already, most of them from where this comes from
 */
export function offload<M extends Functions>(module: URL, bounds: OffloadBounds): Offloaded<M> {
  const first = new RoundRobinQueue<Job>(bounds.maxWaiting)
  const others = new RoundRobinQueue<Job>(bounds.maxWaiting)
  const idle: Worker[] = []
  let started = 0

  function start(): Worker {
    started += 1
    return new Worker(new URL('worker.ts', import.meta.url), {
      workerData: module.href,
      resourceLimits: { maxOldGenerationSizeMb: bounds.memoryMiB },
      execArgv: [],
      env: {},
    })
  }

  function next(): void {
    if (idle.length === 0 && started >= bounds.threads) return
    const job = first.shift() ?? others.shift()
    if (job === undefined) return
    const worker = idle.pop()
    work(worker ?? start(), job, worker !== undefined)
  }

  function work(worker: Worker, { request, resolve, reject }: Job, isReady: boolean): void {
    let timer = setTimeout(fail, isReady ? bounds.budgetMs : startMs, late)
    const listening = { error: failed, exit: ended, message: answered }
    for (const [event, listener] of Object.entries(listening)) worker.on(event, listener)
    worker.ref()
    worker.postMessage(request)

    function answered(answer: Answer): void {
      if ('ready' in answer) {
        clearTimeout(timer)
        timer = setTimeout(fail, bounds.budgetMs, late)
        return
      }
      over()
      // Nobody waits for it: it must not keep the process from ending.
      worker.unref()
      idle.push(worker)
      if (answer.ok) resolve(answer.output)
      else reject(new OffloadFailure(request.name, answer.error))
      next()
    }
    function failed(error: Error): void {
      fail(error.name)
    }
    function ended(): void {
      fail('its thread ended')
    }
    function fail(reason: string): void {
      over()
      started -= 1
      worker.on('error', () => {})
      void worker.terminate()
      reject(new OffloadFailure(request.name, reason))
      next()
    }
    function over(): void {
      clearTimeout(timer)
      for (const [event, listener] of Object.entries(listening)) worker.off(event, listener)
    }
  }

  return (name, input, { first: isFirst = false, from = '' } = {}) => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    const job: Job = { request: { name, input }, resolve, reject }
    ;(isFirst ? first : others).push(from, job)?.reject(new ApiError(503, 'overloaded'))
    next()
    return promise as Promise<never>
  }
}
