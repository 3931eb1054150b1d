import { Writable } from 'node:stream'
import { message } from '../wire/messages.ts'
import type { Reader } from '../wire/reader.ts'
import { Channel, type AfterAnswer, type ChannelEnds, type ChannelLink } from './channel.ts'
import type { Outlet } from './outlet.ts'
import {
  readSize,
  readTerminal,
  readText,
  stderrType,
  type Exit,
  type Terminal,
  type TerminalSize,
} from './session.ts'
import type { WindowBudget } from './window-budget.ts'

/**
 * What a client may ask of a session. What has no handler, and what returns false or nothing, is refused. At most one program is begun: by
 * what is returned, once the client has been told.
 */
export interface SessionHandlers {
  pty?(terminal: Terminal): boolean
  env?(name: string, value: string): boolean
  shell?(): AfterAnswer | undefined
  exec?(command: string): AfterAnswer | undefined
  subsystem?(name: string): AfterAnswer | undefined
  windowChange?(size: TerminalSize): void
  /** `name` without SIG. */
  signal?(name: string): void
}

export interface SessionWindow {
  /** Once something runs in it. */
  windowBytes: number
  /** What it shares with others; it keeps the window it was opened with when nothing is left of it. */
  budget?: WindowBudget
}

/**
 * The program's side of a session (RFC 4254, 6): what the client sends is read, what the program says is written. The client has as long
 * as for an answer to say what is to run, then the session closes.
 */
export class ServerSession extends Channel {
  /** To be set at once when the session is opened. */
  handlers: SessionHandlers = {}
  #stderr: Writable | undefined
  #isBegun = false
  #exit: Exit | undefined
  readonly #window: SessionWindow
  readonly #beginTimer: NodeJS.Timeout

  constructor(link: ChannelLink, ends: ChannelEnds, window: SessionWindow = ends) {
    super(link, ends)
    this.#window = { ...window, windowBytes: Math.max(window.windowBytes, ends.windowBytes) }
    this.#beginTimer = setTimeout(() => this.destroy(), link.replyMs)
    void this.gone.then(() => clearTimeout(this.#beginTimer))
  }

  get stderr(): Writable {
    this.#stderr ??= new StandardError(this.outlet(message.channelExtendedData, stderrType))
    return this.#stderr
  }

  /**
   * Closes the channel when everything written before has been sent, or after `flushMs`; the client is told how the program ended in any
   * case. Only the first counts.
   */
  exit(exit: Exit, flushMs: number): void {
    if (this.#exit) return
    this.#exit = exit
    const close = () => {
      this.#tellExit()
      this.destroy()
    }
    if (this.writableFinished) {
      close()
      return
    }
    const timer = setTimeout(close, flushMs)
    this.once('close', () => clearTimeout(timer))
    this.once('finish', () => this.destroy())
    this.end()
  }

  protected override beforeEof(done: () => void): void {
    if (this.#exit) this.#stderr?.end()
    const finish = () => {
      this.#tellExit()
      done()
    }
    if (!this.#stderr || this.#stderr.writableFinished || this.#stderr.destroyed) finish()
    else this.#stderr.once('close', finish)
  }

  protected override onDestroy(): void {
    this.#stderr?.destroy()
  }

  /** Whoever runs the program says when it has ended. */
  protected override get endsItself(): boolean {
    return false
  }

  /** OpenSSH closes what is at its end on one of several channels, and waits to hear how the program ended. */
  protected override get outlivesPeer(): boolean {
    return this.#isBegun && !this.#exit
  }

  protected override onRequest(name: string, body: Reader): boolean | AfterAnswer {
    const { handlers } = this
    switch (name) {
      case 'pty-req':
        return !this.#isBegun && (handlers.pty?.(readTerminal(body)) ?? false)
      case 'env':
        return !this.#isBegun && this.#env(body)
      case 'shell':
        return this.#begin(() => handlers.shell?.())
      case 'exec':
        return this.#begin(() => textTo(body, (command) => handlers.exec?.(command)))
      case 'subsystem':
        return this.#begin(() => textTo(body, (name) => handlers.subsystem?.(name)))
      case 'window-change':
        handlers.windowChange?.(readSize(body))
        return handlers.windowChange !== undefined
      case 'signal':
        handlers.signal?.(body.name())
        return handlers.signal !== undefined
      default:
        return false
    }
  }

  #begin(handle: () => AfterAnswer | undefined): false | AfterAnswer {
    const begin = this.#isBegun ? undefined : handle()
    if (!begin) return false
    this.#isBegun = true
    clearTimeout(this.#beginTimer)
    this.#openWindow()
    return begin
  }

  #openWindow(): void {
    const { windowBytes, budget } = this.#window
    if (budget) {
      if (!budget.take(windowBytes)) return
      void this.gone.then(() => budget.giveBack(windowBytes))
    }
    this.widen(windowBytes)
  }

  #env(body: Reader): boolean {
    const name = readText(body)
    const value = readText(body)
    if (name === undefined || value === undefined) return false
    return this.handlers.env?.(name, value) ?? false
  }

  #tellExit(): void {
    const exit = this.#exit
    if (exit?.kind === 'status') this.tell('exit-status', (body) => body.uint32(exit.code >>> 0))
    if (exit?.kind === 'signal') {
      this.tell('exit-signal', (body) => body.string(exit.name).boolean(false).string('').string(''))
    }
  }
}

/** A text that is no UTF-8 is none the program could be given as it is. */
function textTo(body: Reader, handle: (text: string) => AfterAnswer | undefined): AfterAnswer | undefined {
  const text = readText(body)
  return text === undefined ? undefined : handle(text)
}

class StandardError extends Writable {
  readonly #outlet: Outlet

  constructor(outlet: Outlet) {
    super()
    this.#outlet = outlet
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#outlet.write(chunk, done)
  }
}
