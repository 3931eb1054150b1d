import { PassThrough, type Readable } from 'node:stream'
import { release } from '@sallyport/ssh'

/** So much is listened to at most. */
const mostChars = 64 * 1024

/** Listens to a stream for a while, and hands the rest of it on. */
export class Ear {
  /** What was heard and not forgotten, a character for each byte. */
  heard = ''
  isEnded = false
  readonly #source: Readable
  #isNew = false
  #wake: (() => void) | undefined

  constructor(source: Readable) {
    this.#source = source
    source.on('data', this.#onData)
    // How it broke is known to the connection.
    source.on('error', () => {})
    for (const end of ['end', 'close']) source.once(end, this.#onEnd)
  }

  /** Nothing more is listened to. */
  get isFull(): boolean {
    return this.heard.length > mostChars
  }

  /** Resolves with true when any of them has heard something since it was last asked, or has ended; with false after so long. */
  static async news(ears: readonly Ear[], ms: number): Promise<boolean> {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => resolve(false), ms)
    for (const ear of ears) {
      if (ear.#isNew) resolve(true)
      ear.#wake = () => resolve(true)
    }
    const isNews = await promise
    clearTimeout(timer)
    for (const ear of ears) {
      ear.#isNew = false
      ear.#wake = undefined
    }
    return isNews
  }

  /** Forgets everything up to the end of that text; answers whether it was there, now or before. */
  skipPast(text: string): boolean {
    if (this.#skipped === text) return true
    const at = this.heard.indexOf(text)
    if (at < 0) return false
    this.heard = this.heard.slice(at + text.length)
    this.#skipped = text
    return true
  }
  #skipped: string | undefined

  forget(): void {
    this.heard = ''
  }

  /** Takes every occurrence of a text out of what was heard, and line breaks at its beginning. */
  withhold(text: string): void {
    const hidden = Buffer.from(text).toString('latin1')
    if (hidden !== '') this.heard = this.heard.replaceAll(hidden, '')
    this.heard = this.heard.replace(/^[\r\n]+/, '')
  }

  /** What was heard, and everything that still comes. */
  handOn(): Readable {
    const rest = new PassThrough()
    this.stop()
    if (this.heard !== '') rest.write(Buffer.from(this.heard, 'latin1'))
    if (this.isEnded) rest.end()
    else this.#source.pipe(rest)
    return rest
  }

  stop(): void {
    this.#source.off('data', this.#onData).pause()
    for (const end of ['end', 'close']) this.#source.off(end, this.#onEnd)
  }

  readonly #onData = (chunk: Buffer) => {
    this.heard += chunk.toString('latin1')
    release(chunk)
    if (this.isFull) this.#source.pause()
    this.#tell()
  }

  readonly #onEnd = () => {
    this.isEnded = true
    this.#tell()
  }

  #tell(): void {
    this.#isNew = true
    this.#wake?.()
  }
}
