import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import type { Log } from '../log.ts'
import { Overdue } from './overdue.ts'
import { offerAgain } from './refused.ts'
import { isFinal } from './errors.ts'

const retryMinMs = 250
const retryMaxMs = 5000

export interface DiskQueueOptions<Item> {
  folder: string
  /** The items, in the plural, as the log calls them. */
  what: string
  schema: z.ZodType<Item>
  /** At most so many go together. */
  batch: number
  send: (items: Item[]) => Promise<void>
  log: Log
}

/** They go in order, so that they wait as one. */
const queued = 'queue'

interface Entry<Item> {
  file: string
  item: Item
}

/**
 * Things the server has to be told, kept on disk until it took them, in order. A restart of either side loses none; an item may arrive
 * twice when an answer was lost. What the server refuses for good is set aside in the folder `refused`.
 */
export class DiskQueue<Item> {
  readonly #options: DiskQueueOptions<Item>
  readonly #stop = new AbortController()
  readonly #overdue: Overdue
  /** Names of files, oldest first; the items stay on disk. */
  #files: string[] = []
  #next = 0
  #wake: () => void = () => {}
  #running: Promise<void> | undefined
  #idle: (() => void)[] = []
  #writing: Promise<void> = Promise.resolve()

  constructor(options: DiskQueueOptions<Item>) {
    this.#options = options
    this.#overdue = new Overdue(options.log, options.what)
  }

  /** Takes up what an earlier process left, and begins to send. */
  async start(): Promise<void> {
    await mkdir(this.#options.folder, { recursive: true, mode: 0o700 })
    await offerAgain(this.#options.log, this.#refused, this.#options.folder)
    const names = (await readdir(this.#options.folder)).filter((name) => /^\d{12,}\.json$/.test(name)).sort()
    this.#files = [...names, ...this.#files]
    this.#next = Math.max(this.#next, ...names.map((name) => Number(name.slice(0, -5)) + 1))
    this.#running = this.#run()
  }

  get #refused(): string {
    return join(this.#options.folder, 'refused')
  }

  get length(): number {
    return this.#files.length
  }

  /** Resolves when the item is on disk; from then on it will be sent. */
  push(item: Item): Promise<void> {
    const pushed = this.#push(this.#writing, item)
    this.#writing = pushed.catch(() => undefined)
    return pushed
  }

  async #push(before: Promise<void>, item: Item): Promise<void> {
    await before
    const name = `${String(this.#next++).padStart(12, '0')}.json`
    const file = join(this.#options.folder, name)
    await writeFile(`${file}.new`, JSON.stringify(item), { mode: 0o600 })
    await rename(`${file}.new`, file)
    this.#files.push(name)
    this.#wake()
  }

  /** Waits until all is sent, at most so long. */
  async stop(timeoutMs: number): Promise<void> {
    await this.#writing
    if (this.#files.length > 0 && timeoutMs > 0) {
      const emptied = new Promise<void>((resolve) => this.#idle.push(resolve))
      const timeout = new AbortController()
      await Promise.race([
        emptied,
        sleep(timeoutMs, undefined, { signal: timeout.signal }).catch(() => undefined),
      ])
      timeout.abort()
    }
    this.#stop.abort()
    this.#wake()
    await this.#running
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop
    let delayMs = retryMinMs
    let size = this.#options.batch
    while (!signal.aborted) {
      if (this.#files.length === 0) {
        for (const resolve of this.#idle.splice(0)) resolve()
        await new Promise<void>((resolve) => (this.#wake = resolve))
        continue
      }
      const names = this.#files.slice(0, size)
      try {
        const entries = await this.#load(names)
        if (entries.length > 0) await this.#options.send(entries.map((entry) => entry.item))
        for (const { file } of entries) await rm(file, { force: true })
        this.#files.splice(0, names.length)
        this.#overdue.over(queued)
        delayMs = retryMinMs
        size = this.#options.batch
      } catch (error) {
        if (isFinal(error) && names.length === 1) await this.#setAside(names[0] ?? '', error)
        else if (isFinal(error)) size = 1
        else {
          this.#overdue.failed(queued, error)
          await sleep(delayMs, undefined, { signal }).catch(() => undefined)
          delayMs = Math.min(retryMaxMs, delayMs * 2)
        }
      }
    }
  }

  async #load(names: string[]): Promise<Entry<Item>[]> {
    const entries: Entry<Item>[] = []
    for (const name of names) {
      const file = join(this.#options.folder, name)
      const parsed = this.#options.schema.safeParse(parseJson(await readFile(file, 'utf8')))
      if (parsed.success) entries.push({ file, item: parsed.data })
      else await this.#moveAside(name, parsed.error)
    }
    return entries
  }

  async #setAside(name: string, error: unknown): Promise<void> {
    await this.#moveAside(name, error)
    this.#files.shift()
    this.#overdue.over(queued)
  }

  async #moveAside(name: string, error: unknown): Promise<void> {
    this.#options.log.error(
      { err: error, file: join(this.#refused, name) },
      'the server will not take this, set aside',
    )
    const refused = this.#refused
    await mkdir(refused, { recursive: true, mode: 0o700 })
    await rename(join(this.#options.folder, name), join(refused, name))
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
