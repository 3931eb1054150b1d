import type { TerminalSize } from '../../ports.ts'
import { Backlog } from './backlog.ts'
import type { Batch, Command, Painting, Report, TypedLine, Unread } from './messages.ts'

/** While output comes faster than it is emulated, emulation rests so long after each batch and leaves the processor to the stream. */
const floodRestMs = 50
/** A batch that took longer rests its screen for so many times as long: no screen has more than a quarter of a worker. */
const dearMs = 5
const dearRest = 3
/** Output is over when none came for so long. */
const quietMs = 100
/** The end of the output may take so long to be emulated for the last command, on a busy machine the start of a worker included. */
const closingMs = 10_000
/** A screen that cost so many workers is not emulated any more. */
const strikesMax = 2

export interface ScreenOptions {
  size: TerminalSize
  /** Stands on the screen that begins anew when it was lost. */
  lostNotice: string
  onFound: (found: Command | Unread) => void
}

interface Wish {
  resolve: (painting: Painting | undefined) => void
  /** Of the backlog when it was asked for, where a painting of anything else is no use. */
  gaps: number | undefined
}

/**
 * What a person sees, kept by an emulation in a worker, and the commands read off it. Nothing here waits: the screen may fall behind, leave
 * output of a flood out, or be lost altogether (which `onFound` is told); the session goes on.
 */
export class Screen {
  readonly id: number
  readonly #options: ScreenOptions
  readonly #wake: (screen: Screen) => void
  readonly #backlog = new Backlog()
  #size: TerminalSize
  #fedMs = 0
  /** A batch is with the worker, or the screen rests. */
  #isBusy = false
  #isLost = false
  #strikes = 0
  #wishes: Wish[] = []
  #questions: ((line: TypedLine | undefined) => void)[] = []
  #closing: ((head: string) => void) | undefined
  #isClosed = false

  /** `wake` is called when there may be something to `take`. */
  constructor(id: number, options: ScreenOptions, wake: (screen: Screen) => void) {
    this.id = id
    this.#options = options
    this.#wake = wake
    this.#size = options.size
    this.#backlog.add({ kind: 'open', size: this.#size, notice: '', isAgain: false })
    wake(this)
  }

  /** The bytes are copied. */
  feed(bytes: Buffer): void {
    if (this.#isOver) return
    this.#fedMs = performance.now()
    this.#backlog.output(bytes)
    this.#ready()
  }

  /** What the gateway itself has to say. */
  tell(bytes: Buffer): void {
    if (this.#isOver) return
    this.#backlog.add({ kind: 'told', bytes: Uint8Array.from(bytes) })
    this.#ready()
  }

  /** What the person sent; it means what the screen shows when all output before has been emulated. */
  input(bytes: Buffer): void {
    if (this.#isOver) return
    this.#backlog.input(bytes)
    this.#ready()
  }

  resize(size: TerminalSize): void {
    this.#size = size
    if (this.#isOver) return
    this.#backlog.resize(size)
    this.#ready()
  }

  /** The screen after all that was fed before; with what scrolled out of view. Undefined when it was lost. */
  paintAll(): Promise<Painting | undefined> {
    return this.#paint(true)
  }

  /** The screen as it is exactly here; undefined when that is not known. */
  keyframe(): Promise<Painting | undefined> {
    return this.#backlog.isFlooded ? Promise.resolve(undefined) : this.#paint(false, this.#backlog.gaps)
  }

  /** The line that is being typed, as it stands after all that was fed and typed before; undefined where it can't be read. */
  line(): Promise<TypedLine | undefined> {
    if (this.#isOver) return Promise.resolve(undefined)
    this.#backlog.add({ kind: 'line' })
    this.#ready()
    return new Promise((resolve) => this.#questions.push(resolve))
  }

  /** Reads the last commands. Resolves with the beginning of what is kept, within a bounded time. */
  async close(): Promise<string> {
    if (this.#isOver) return ''
    const { promise, resolve } = Promise.withResolvers<string>()
    this.#closing = resolve
    this.#backlog.add({ kind: 'close' })
    this.#ready()
    const timer = setTimeout(() => {
      this.#tellLost()
      this.#backlog.clear()
      this.#backlog.add({ kind: 'close' })
      this.#ready()
      resolve('')
    }, closingMs)
    const head = await promise
    clearTimeout(timer)
    this.#isClosed = true
    this.#refuseWishes()
    return head
  }

  /** No worker keeps it any more. */
  get isLost(): boolean {
    return this.#isLost
  }

  /** For the worker's link: the next batch, where there is one. */
  take(): Batch | undefined {
    if (this.#isBusy || this.#backlog.isEmpty) return undefined
    this.#isBusy = true
    return { screen: this.id, steps: this.#backlog.next() }
  }

  /** For the worker's link. */
  settle({ tookMs, found, paintings, lines, head }: Report): void {
    if (!this.#isClosed) for (const one of found) this.#options.onFound(one)
    for (const painting of paintings) {
      const wish = this.#wishes.shift()
      const isUseless = wish?.gaps !== undefined && wish.gaps !== this.#backlog.gaps
      wish?.resolve(isUseless ? undefined : painting)
    }
    for (const line of lines) this.#questions.shift()?.(line)
    if (head !== undefined) this.#closing?.(head)
    if (tookMs !== undefined) this.#rest(tookMs)
  }

  /** For the worker's link: the worker has gone, and this screen is what it was busy with (`isCause`) or not. */
  lost(isCause: boolean): void {
    if (!this.#isClosed) this.#tellLost()
    this.#isBusy = false
    if (isCause) this.#strikes++
    this.#refuseWishes()
    this.#backlog.clear()
    this.#isLost = this.#strikes >= strikesMax || this.#closing !== undefined
    this.#closing?.('')
    if (this.#isLost) return
    const notice = this.#options.lostNotice
    this.#backlog.add({ kind: 'open', size: this.#size, notice, isAgain: true })
    this.#ready()
  }

  get #isOver(): boolean {
    return this.#isLost || this.#closing !== undefined
  }

  #ready(): void {
    if (!this.#isBusy && !this.#backlog.isEmpty) this.#wake(this)
  }

  #paint(isWhole: boolean, gaps?: number): Promise<Painting | undefined> {
    if (this.#isOver) return Promise.resolve(undefined)
    this.#backlog.add({ kind: 'paint', isWhole })
    this.#ready()
    return new Promise((resolve) => this.#wishes.push({ resolve, gaps }))
  }

  #rest(tookMs: number): void {
    const isFlood = this.#backlog.isFlooded && performance.now() - this.#fedMs < quietMs
    const restMs = Math.max(isFlood ? floodRestMs : 0, tookMs > dearMs ? tookMs * dearRest : 0)
    const go = () => {
      this.#isBusy = false
      this.#ready()
    }
    if (restMs === 0) go()
    else setTimeout(go, restMs)
  }

  #tellLost(): void {
    this.#options.onFound({ unread: 'screen_lost', lines: 0, time: Date.now() })
  }

  #refuseWishes(): void {
    for (const { resolve } of this.#wishes.splice(0)) resolve(undefined)
    for (const resolve of this.#questions.splice(0)) resolve(undefined)
  }
}
