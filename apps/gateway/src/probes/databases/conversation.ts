import type { Duplex } from 'node:stream'
import { TargetError } from '../../targets/ssh/errors.ts'
import { encrypted } from '../encrypted.ts'
import { dialed, type Way } from '../way.ts'
import type { Database } from './database.ts'

/** What a database says until somebody is signed in; one that says more is none. */
const heardMaxBytes = 64 * 1024

/** The beginning of a conversation with a database, by turns; whoever reads gets exactly what they asked for, or an error. */
export class Conversation {
  readonly where: string
  readonly #protocol: string
  readonly #host: string
  readonly #signal: AbortSignal
  #stream: Duplex
  #heard = Buffer.alloc(0)
  #heardBytes = 0
  #failure: Error | undefined
  #wake: (() => void) | undefined

  private constructor(stream: Duplex, { where, signal }: Way, { address }: Database, protocol: string) {
    this.#stream = stream
    this.where = where
    this.#signal = signal
    this.#host = address
    this.#protocol = protocol
    signal.addEventListener('abort', this.#onAbort, { once: true })
    this.#listen()
  }

  /** `protocol` is what is spoken, as people call it. */
  static async begin(way: Way, database: Database, protocol: string): Promise<Conversation> {
    return new Conversation(await dialed(way, database.address, database.port), way, database, protocol)
  }

  readonly #onAbort = () => this.#fail(this.#signal.reason as Error)
  // The memory of what came is used again.
  readonly #onData = (part: Buffer) => {
    this.#heardBytes += part.byteLength
    if (this.#heardBytes > heardMaxBytes) this.#fail(this.strange())
    else this.#heard = Buffer.concat([this.#heard, part])
    this.#wake?.()
  }
  readonly #onError = (error: Error) => this.#fail(error)
  readonly #onClose = () =>
    this.#fail(new TargetError('target_lost', `${this.where} closed the connection`, { where: this.where }))

  #listen(): void {
    this.#stream.on('data', this.#onData).on('error', this.#onError).on('end', this.#onClose)
    this.#stream.on('close', this.#onClose).resume()
  }

  #fail(error: Error): void {
    this.#failure ??= error
    this.#wake?.()
  }

  /** That it is not what was expected. */
  strange(): TargetError {
    const { where } = this
    const protocol = this.#protocol
    return new TargetError('target_other_protocol', `${where} does not speak ${protocol}`, {
      where,
      protocol,
    })
  }

  async read(bytes: number): Promise<Buffer> {
    return await this.#take(() => (this.#heard.byteLength >= bytes ? bytes : undefined))
  }

  /** Up to a line feed, without it. */
  async readLine(maxBytes: number): Promise<string> {
    const line = await this.#take(() => {
      const end = this.#heard.indexOf(0x0a)
      if (end < 0 && this.#heard.byteLength > maxBytes) throw this.strange()
      return end < 0 ? undefined : end + 1
    })
    return line.toString('utf8').trimEnd()
  }

  async #take(enough: () => number | undefined): Promise<Buffer> {
    for (;;) {
      const bytes = enough()
      if (bytes !== undefined) {
        const taken = this.#heard.subarray(0, bytes)
        this.#heard = this.#heard.subarray(bytes)
        return taken
      }
      if (this.#failure) throw this.#failure
      await new Promise<void>((resolve) => (this.#wake = resolve))
      this.#wake = undefined
    }
  }

  write(bytes: Uint8Array): void {
    this.#stream.write(bytes)
  }

  /** Goes on in TLS. What was said before is no part of it. */
  async encrypt(tls: NonNullable<Database['tls']>): Promise<void> {
    if (this.#heard.byteLength > 0) throw this.strange()
    const plain = this.#stream
    plain.pause()
    plain.off('data', this.#onData).off('end', this.#onClose).off('close', this.#onClose)
    const { where } = this
    this.#stream = await encrypted(plain, { host: this.#host, where, tls, signal: this.#signal })
    this.#listen()
  }

  end(): void {
    this.#signal.removeEventListener('abort', this.#onAbort)
    this.#stream.on('error', () => undefined).destroy()
  }
}
