import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { z } from 'zod'
import type { Log } from '../log.ts'
import { Overdue } from './overdue.ts'
import { offerAgain } from './refused.ts'
import { isFinal } from './errors.ts'
import { Turns, type Waiting } from './turns.ts'

const retryMinMs = 250
const retryMaxMs = 5000
/** What cannot be read for now is read again after this. */
const readAgainMs = 1000

export interface DiskQueueOptions<Item> {
  folder: string
  /** The items, in the plural, as the log calls them. */
  what: string
  schema: z.ZodType<Item>
  /** The session it is of, by its id. */
  whose: (item: Item) => string
  /** At most so many go together. */
  batch: number
  send: (items: Item[]) => Promise<void>
  log: Log
}

/** One batch goes at a time, so that they wait as one. */
const queued = 'queue'
/** Of a file that is being written. */
const draftEnd = '.new'
/** A number that grows, and whose it is: those of earlier releases do not say. */
const fileName = /^\d{12,}(?:\.([\w-]+))?\.json$/

interface Entry<Item> {
  path: string
  item: Item
}

/**
 * Things the server has to be told, kept on disk until it took them: those of a session in order, sessions in turn, so that nobody waits
 * behind the thousands of another. A restart of either side loses none; an item may arrive twice when an answer was lost. What the server
 * refuses for good is set aside in the folder `refused`.
 */
export class DiskQueue<Item> {
  readonly #options: DiskQueueOptions<Item>
  readonly #stop = new AbortController()
  readonly #overdue: Overdue
  /** The items stay on disk. */
  readonly #turns = new Turns()
  #next = 0
  #wake: () => void = () => {}
  #running: Promise<void> | undefined
  #idle: (() => void)[] = []
  /** The last of each session that is being written. */
  readonly #writing = new Map<string, Promise<void>>()

  constructor(options: DiskQueueOptions<Item>) {
    this.#options = options
    this.#overdue = new Overdue(options.log, options.what)
  }

  /** Takes up what an earlier process left, and begins to send. */
  async start(): Promise<void> {
    await mkdir(this.#options.folder, { recursive: true, mode: 0o700 })
    await offerAgain(this.#options.log, this.#refused, this.#options.folder)
    await this.#finishDrafts()
    for (const file of (await readdir(this.#options.folder)).sort()) {
      const name = fileName.exec(file)
      if (!name) continue
      this.#turns.add({ whose: name[1] ?? '', file })
      this.#next = Number.parseInt(file, 10) + 1
    }
    this.#running = this.#run()
  }

  /** What was being written when the process was killed counts where it is whole. */
  async #finishDrafts(): Promise<void> {
    const { folder, schema } = this.#options
    for (const draft of (await readdir(folder)).filter((file) => file.endsWith(draftEnd))) {
      const path = join(folder, draft)
      const text = await readFile(path, 'utf8').catch(() => undefined)
      // What cannot be read is no draft any more: it is dealt with as an item that cannot.
      const isKept = text === undefined || schema.safeParse(parseJson(text)).success
      if (isKept) await rename(path, path.slice(0, -draftEnd.length))
      else await rm(path, { force: true })
    }
  }

  get #refused(): string {
    return join(this.#options.folder, 'refused')
  }

  /** Resolves when the item is on disk; from then on it will be sent. */
  push(item: Item): Promise<void> {
    const whose = this.#options.whose(item)
    const pushed = this.#push(this.#writing.get(whose), whose, item)
    const written = pushed
      .catch(() => undefined)
      .finally(() => {
        if (this.#writing.get(whose) === written) this.#writing.delete(whose)
      })
    this.#writing.set(whose, written)
    return pushed
  }

  async #push(before: Promise<void> | undefined, whose: string, item: Item): Promise<void> {
    await before
    const file = `${String(this.#next++).padStart(12, '0')}.${whose}.json`
    const path = join(this.#options.folder, file)
    await writeFile(`${path}${draftEnd}`, JSON.stringify(item), { mode: 0o600 })
    await rename(`${path}${draftEnd}`, path)
    this.#turns.add({ whose, file })
    this.#wake()
  }

  /** Waits until all is sent, at most so long. */
  async stop(timeoutMs: number): Promise<void> {
    await Promise.all(this.#writing.values())
    if (!this.#turns.isEmpty && timeoutMs > 0) {
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
      if (this.#turns.isEmpty) for (const resolve of this.#idle.splice(0)) resolve()
      if (!this.#turns.hasNext) {
        await new Promise<void>((resolve) => (this.#wake = resolve))
        continue
      }
      const next = this.#turns.next(size)
      try {
        this.#turns.over(await this.#deliver(next))
        this.#overdue.over(queued)
        delayMs = retryMinMs
        size = Math.min(size * 2, this.#options.batch)
      } catch (error) {
        // One of them alone: which it is has to be found out.
        if (isFinal(error)) size = 1
        else {
          // So many may take the server too long.
          size = Math.ceil(size / 2)
          this.#overdue.failed(queued, error)
          await sleep(delayMs, undefined, { signal }).catch(() => undefined)
          delayMs = Math.min(retryMaxMs, delayMs * 2)
        }
      }
    }
  }

  /** Sends them; one that the server refuses for good by itself is set aside. Answers those that wait no more. */
  async #deliver(files: readonly Waiting[]): Promise<Waiting[]> {
    const { entries, over } = await this.#load(files)
    try {
      if (entries.length > 0) await this.#options.send(entries.map((entry) => entry.item))
    } catch (error) {
      if (!isFinal(error) || files.length > 1) throw error
      for (const { file } of files) await this.#moveAside(file, error)
    }
    for (const { path } of entries) await rm(path, { force: true })
    return over
  }

  /** `over`: what waits no more once the entries are sent. A session of which something cannot be read for now waits from there on. */
  async #load(files: readonly Waiting[]): Promise<{ entries: Entry<Item>[]; over: Waiting[] }> {
    const entries: Entry<Item>[] = []
    const over: Waiting[] = []
    const unread = new Set<string>()
    for (const waiting of files) {
      const { whose, file } = waiting
      if (unread.has(whose)) continue
      const path = join(this.#options.folder, file)
      const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => error)
      const isGone = text instanceof Error && text.code === 'ENOENT'
      if (text instanceof Error && !isGone && (await mayBeFile(path))) {
        unread.add(whose)
        this.#readLater(whose, text)
        continue
      }
      over.push(waiting)
      // Set aside in a try before, whose others the server did not take.
      if (isGone) continue
      this.#overdue.over(whose)
      const parsed = text instanceof Error ? text : this.#options.schema.safeParse(parseJson(text))
      if (parsed instanceof Error) await this.#moveAside(file, parsed)
      else if (parsed.success) entries.push({ path, item: parsed.data })
      else await this.#moveAside(file, parsed.error)
    }
    return { entries, over }
  }

  /** An error that may pass (EMFILE, EIO): the others go on meanwhile. */
  #readLater(whose: string, error: unknown): void {
    this.#overdue.failed(whose, error)
    this.#turns.rest(whose)
    const again = () => {
      this.#turns.goOn(whose)
      this.#wake()
    }
    setTimeout(again, readAgainMs).unref()
  }

  async #moveAside(file: string, error: unknown): Promise<void> {
    this.#options.log.error(
      { err: error, file: join(this.#refused, file) },
      'the server will not take this, set aside',
    )
    const refused = this.#refused
    await mkdir(refused, { recursive: true, mode: 0o700 })
    await rename(join(this.#options.folder, file), join(refused, file))
  }
}

/** Whether what cannot be read may be a file all the same. */
async function mayBeFile(path: string): Promise<boolean> {
  const found = await lstat(path).catch(() => undefined)
  return found?.isFile() ?? true
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
