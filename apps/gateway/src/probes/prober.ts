import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import type { AccessKey } from '../api/signature.ts'
import type { Log } from '../log.ts'

const script = fileURLToPath(new URL('./program.ts', import.meta.url))
const heapMaxMb = 256
/** A program that has had nothing to do for so long ends. */
const idleMs = 60_000

/** What the program is told: where the server is, as whom it is called, and which batch waits. */
export const orderSchema = z.object({
  origin: z.string(),
  batch: z.string(),
  key: z.object({ id: z.string(), secret: z.string() }),
})
export type Order = z.output<typeof orderSchema>
/** What it tells: that a batch is done with; the text of what went wrong is for the log. */
const doneSchema = z.object({ batch: z.string(), error: z.string().optional() })
export type Done = z.output<typeof doneSchema>

/**
 * Tries targets for the server (docs/decisions/0020), in a program of its own: signing in costs processor time, and names that are not found
 * hold the threads that files are written with. Sessions wait for none of it.
 */
export class Prober {
  readonly #origin: URL
  readonly #key: () => AccessKey | undefined
  readonly #log: Log
  readonly #batches = new Set<string>()
  #program: ChildProcess | undefined
  #idle: NodeJS.Timeout | undefined

  constructor(origin: URL, key: () => AccessKey | undefined, log: Log) {
    this.#origin = origin
    this.#key = key
    this.#log = log
  }

  /** An order may come twice. */
  take(batch: string): void {
    const key = this.#key()
    if (key === undefined || this.#batches.has(batch)) return
    clearTimeout(this.#idle)
    this.#batches.add(batch)
    this.#program ??= this.#start()
    this.#program.send({ origin: this.#origin.href, batch, key } satisfies Order)
  }

  async stop(): Promise<void> {
    clearTimeout(this.#idle)
    const program = this.#program
    this.#program = undefined
    if (program === undefined || program.exitCode !== null || program.signalCode !== null) return
    const ended = once(program, 'exit')
    program.kill('SIGKILL')
    await ended
  }

  #start(): ChildProcess {
    const program = fork(script, { env: surroundings(), execArgv: [`--max-old-space-size=${heapMaxMb}`] })
    program.on('message', (message) => {
      const { batch, error } = doneSchema.parse(message)
      this.#batches.delete(batch)
      if (error !== undefined) this.#log.warn({ batch, err: error }, 'targets could not be tried')
      if (this.#batches.size === 0) this.#endSoon(program)
    })
    program.on('error', (error) => this.#log.error({ err: error }, 'the program that tries targets failed'))
    program.on('exit', (code, signal) => {
      if (this.#program !== program) return
      this.#log.error({ code, signal }, 'the program that tries targets ended')
      this.#program = undefined
      // What it had is the server's to give to somebody else.
      this.#batches.clear()
    })
    return program
  }

  #endSoon(program: ChildProcess): void {
    this.#idle = setTimeout(() => {
      this.#program = undefined
      program.kill()
    }, idleMs).unref()
  }
}

/** The environment without what is the gateway's alone: its token, and how its own node is run. */
const surroundings = () =>
  Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(SALLYPORT_.*|NODE_OPTIONS)$/.test(name)),
  )
