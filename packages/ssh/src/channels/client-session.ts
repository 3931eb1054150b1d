import { Readable } from 'node:stream'
import type { Reader } from '../wire/reader.ts'
import { Channel, unstagedBytes, type ChannelEnds, type ChannelLink } from './channel.ts'
import { Inlet } from './inlet.ts'
import {
  stderrType,
  writeSize,
  writeTerminal,
  type Exit,
  type Terminal,
  type TerminalSize,
} from './session.ts'

/**
 * A program on the other side (RFC 4254, 6): its standard input and output as a stream, its standard error as another. Requests that are
 * made at once are sent at once and answered in order; each rejects with a `ChannelError` where it is refused.
 */
export class ClientSession extends Channel {
  /** As the peer says it; undefined when it closed without a word, or the connection is gone. */
  readonly exited: Promise<Exit | undefined>
  readonly #exit: (exit: Exit | undefined) => void
  #stderr: StandardError | undefined
  #isEof = false

  constructor(link: ChannelLink, ends: ChannelEnds) {
    super(link, ends)
    const { promise, resolve } = Promise.withResolvers<Exit | undefined>()
    this.exited = promise
    this.#exit = resolve
    void this.gone.then(() => resolve(undefined))
  }

  /** Shares the window with standard output: what waits here to be read holds that up too, in the end. */
  get stderr(): Readable {
    return this.#standardError
  }

  async pty(terminal: Terminal): Promise<void> {
    await this.ask('pty-req', (body) => writeTerminal(body, terminal))
  }

  /** Servers take few names, so nobody waits to hear of it. */
  env(name: string, value: string): void {
    this.tell('env', (body) => body.string(name).string(value))
  }

  async shell(): Promise<void> {
    await this.ask('shell')
  }

  async exec(command: string): Promise<void> {
    await this.ask('exec', (body) => body.string(command))
  }

  async subsystem(name: string): Promise<void> {
    await this.ask('subsystem', (body) => body.string(name))
  }

  windowChange(size: TerminalSize): void {
    this.tell('window-change', (body) => writeSize(body, size))
  }

  /** `name` without SIG. */
  signal(name: string): void {
    this.tell('signal', (body) => body.string(name))
  }

  protected override onDestroy(): void {
    // After the peer's end what is left there may still be read.
    if (!this.#isEof) this.#stderr?.destroy()
  }

  protected override get unreadBytes(): number {
    return super.unreadBytes + (this.#stderr?.inlet.unreadBytes ?? 0)
  }

  /** How the program ended may come behind the end of its output. */
  protected override get endsItself(): boolean {
    return false
  }

  protected override onExtendedData(type: number, bytes: Buffer): void {
    if (type === stderrType && !this.#standardError.destroyed) this.#standardError.inlet.take(bytes)
  }

  protected override onEof(): void {
    super.onEof()
    this.#isEof = true
    this.#stderr?.inlet.end()
  }

  protected override onRequest(name: string, body: Reader): boolean {
    if (name === 'exit-status') this.#exit({ kind: 'status', code: body.uint32() })
    else if (name === 'exit-signal') this.#exit({ kind: 'signal', name: body.name() })
    else return false
    return true
  }

  get #standardError(): StandardError {
    if (!this.#stderr) {
      this.#stderr = new StandardError(() => this.grant())
      if (this.#isEof) this.#stderr.inlet.end()
    }
    return this.#stderr
  }
}

class StandardError extends Readable {
  readonly inlet = new Inlet(this)
  readonly #onRead: () => void

  constructor(onRead: () => void) {
    super({ highWaterMark: unstagedBytes })
    this.#onRead = onRead
  }

  override _read(): void {
    this.inlet.flush()
  }

  override read(size?: number): unknown {
    const chunk: unknown = super.read(size)
    if (chunk !== null) this.#onRead()
    return chunk
  }
}
