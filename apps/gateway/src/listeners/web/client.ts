import { Readable, Writable } from 'node:stream'
import {
  terminalInputWaitingMaxBytes,
  terminalSizeSchema,
  type TerminalEnd,
  type TerminalInputAck,
  type TerminalMessage,
  type TerminalSession,
} from '@sallyport/contract/terminal-socket'
import type { Client, ExitResult, Terminal, TerminalSize } from '../../traffic/ports.ts'
import { parseJson, type TerminalSocket } from './socket.ts'

export interface WebClientHooks {
  /** How the session ended, for the browser. */
  describeEnd: () => TerminalEnd
  describeSession: () => TerminalSession | undefined
}

/** So much of what is typed goes on in a turn of the event loop: a message may hold thirty times as much, and reading keys takes its time. */
const pieceBytes = 16 * 1024
/** A waiting key counts as this much: what keeps it takes memory, too. */
const pieceLeastBytes = 256
/** Typed text that was given on since the page was last told. */
const acknowledgeEvery = 16 * 1024

/**
 * A person at a browser terminal, with or without a socket: when it is lost the session goes on unseen (recorded, and its screen kept)
 * for as long as its room waits.
 */
export class WebClient implements Client {
  readonly kind = 'shell'
  /** A browser's terminal speaks UTF-8 whatever the target's default is; this locale needs no language to be installed. */
  readonly locale = { LANG: 'C.UTF-8' }
  readonly terminal: Terminal
  readonly stdin: Readable
  readonly stdout: Writable
  readonly #hooks: WebClientHooks
  #socket: TerminalSocket | undefined
  #resize: ((size: TerminalSize) => void)[] = []
  #close: (() => void)[] = []
  #presence: ((isPresent: boolean) => void)[] = []
  /** Pieces of what was typed that wait for their turn. */
  readonly #typed: Buffer[] = []
  #waitingBytes = 0
  #takenBytes = 0
  #givenBytes = 0
  #acknowledgedBytes = 0
  /** … that there have been, and lines that were not let through. */
  #sockets = 0
  #refused = 0
  #isTurnAwaited = false
  /** Nobody reads on for now. */
  #isFull = false
  /** Output waits while the screen is being restored. */
  #restoring: PromiseWithResolvers<void> | undefined
  /** Bytes that the restored screen shows already. */
  #skipBytes = 0
  #isEnded = false
  /** The page said that it closes. */
  #hasLeft = false

  constructor(size: TerminalSize, hooks: WebClientHooks) {
    this.terminal = { term: 'xterm-256color', cols: size.cols, rows: size.rows }
    this.#hooks = hooks
    const read = () => {
      this.#isFull = false
      this.#nextTurn()
    }
    this.stdin = new Readable({ highWaterMark: pieceBytes, read })
    this.stdout = new Writable({
      highWaterMark: 256 * 1024,
      write: (chunk: Buffer, _encoding, done) => void this.#deliver(chunk).finally(done),
    })
  }

  get isAttached(): boolean {
    return this.#socket !== undefined
  }

  onResize(listener: (size: TerminalSize) => void): void {
    this.#resize.push(listener)
  }

  /** Also where the page has left before. */
  onClose(listener: () => void): void {
    if (this.#hasLeft) listener()
    else this.#close.push(listener)
  }

  /** Told at once where the socket is lost already. */
  onPresence(listener: (isPresent: boolean) => void): void {
    this.#presence.push(listener)
    if (!this.#socket && !this.#hasLeft) listener(false)
  }

  notice(text: string): void {
    if (this.#isEnded) return
    this.#socket?.sendBytes(Buffer.from(`\r\n${text}\r\n`)).catch(() => undefined)
  }

  exit(_result: ExitResult): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#typed.length = 0
    this.#restoring?.resolve()
    const finish = () => {
      this.#socket?.end(this.#hooks.describeEnd())
      this.stdin.push(null)
    }
    if (this.#socket) this.stdout.end(finish)
    else finish()
  }

  /** A line was not let through: the page drops what it holds of what was typed along with it. */
  lineRefused(): void {
    this.#refused += 1
    this.#acknowledge()
  }

  /** The session is live: tells the page. */
  announce(): void {
    const session = this.#hooks.describeSession()
    if (session) this.#socket?.send('TERMINAL_SESSION', session)
  }

  /** The first socket. */
  attach(socket: TerminalSocket): void {
    this.#socket = socket
    this.#sockets += 1
    socket.onMessage = (message) => this.#onMessage(message)
    socket.onBytes = (bytes) => this.#type(bytes)
    socket.onClose = (isOrderly) => this.#onSocketClose(socket, isOrderly)
    this.#acknowledge()
    this.#holdBack()
    if (!socket.isOpen) this.#onSocketClose(socket, false)
  }

  /**
   * Another socket takes over and gets the screen back. `paint` gives it as it is after all output before the call; output that
   * comes meanwhile waits, what the painted screen shows is not sent again.
   */
  async reattach(
    socket: TerminalSocket,
    size: TerminalSize,
    replaced: TerminalEnd,
    paint: () => Promise<{ cols: number; rows: number; bytes: Uint8Array } | undefined>,
  ): Promise<void> {
    const former = this.#socket
    this.#socket = undefined
    if (former) {
      former.onClose = undefined
      former.onMessage = undefined
      former.onBytes = undefined
      former.end(replaced)
    }
    const restoring = Promise.withResolvers<void>()
    this.#restoring?.resolve()
    this.#restoring = restoring
    this.#setPresent(true)
    this.attach(socket)
    for (const listener of this.#resize) listener(size)
    const paintedBytes = this.stdout.writableLength
    const screen = await paint()
    if (this.#restoring !== restoring) return
    if (screen) {
      this.#skipBytes = paintedBytes
      socket.send('TERMINAL_RESTORE', { cols: screen.cols, rows: screen.rows })
      await socket.sendBytes(Buffer.from(screen.bytes))
    }
    this.#restoring = undefined
    restoring.resolve()
    this.announce()
  }

  async #deliver(chunk: Buffer): Promise<void> {
    while (this.#restoring && !this.#isEnded) await this.#restoring.promise
    const skipped = Math.min(this.#skipBytes, chunk.byteLength)
    this.#skipBytes -= skipped
    const rest = chunk.subarray(skipped)
    // a copy: the chunk's memory is used again before the socket is done with it
    if (rest.byteLength > 0) await this.#socket?.sendBytes(Buffer.from(rest))
  }

  #onMessage(message: TerminalMessage): void {
    if (message.type === 'TERMINAL_DATA') this.#type(Buffer.from(message.data))
    if (message.type === 'TERMINAL_RESIZE') {
      const size = terminalSizeSchema.safeParse(parseJson(message.data))
      if (size.success) for (const listener of this.#resize) listener(size.data)
    }
  }

  #type(bytes: Buffer): void {
    if (this.#isEnded || bytes.byteLength === 0) return
    this.#takenBytes += bytes.byteLength
    const isFirst = this.#typed.length === 0
    for (let at = 0; at < bytes.byteLength; at += pieceBytes) {
      const piece = bytes.subarray(at, at + pieceBytes)
      this.#typed.push(piece)
      this.#waitingBytes += weight(piece)
    }
    if (isFirst && !this.#isFull) this.#giveOn()
    this.#holdBack()
  }

  #giveOn(): void {
    const piece = this.#typed.shift()
    if (!piece || this.#isEnded) return
    this.#waitingBytes -= weight(piece)
    this.#isFull = !this.stdin.push(piece)
    this.#givenBytes += piece.byteLength
    if (this.#givenBytes - this.#acknowledgedBytes >= acknowledgeEvery) this.#acknowledge()
    this.#holdBack()
    if (!this.#isFull) this.#nextTurn()
  }

  #acknowledge(): void {
    this.#acknowledgedBytes = this.#givenBytes
    const ack: TerminalInputAck = {
      taken: this.#takenBytes,
      bytes: this.#givenBytes,
      sockets: this.#sockets,
      refused: this.#refused,
    }
    this.#socket?.send('TERMINAL_INPUT_ACK', ack)
  }

  /** Whoever types is read no further while too much waits: also a page that has only just come back. */
  #holdBack(): void {
    if (this.#waitingBytes > terminalInputWaitingMaxBytes) this.#socket?.pause()
    else this.#socket?.resume()
  }

  /** More is taken of what waits here. */
  #nextTurn(): void {
    if (this.#typed.length === 0 || this.#isTurnAwaited) return
    this.#isTurnAwaited = true
    setImmediate(() => {
      this.#isTurnAwaited = false
      this.#giveOn()
    })
  }

  #onSocketClose(socket: TerminalSocket, isOrderly: boolean): void {
    if (this.#socket !== socket) return
    this.#socket = undefined
    this.#restoring?.resolve()
    this.#restoring = undefined
    if (this.#isEnded) return
    if (!isOrderly) return this.#setPresent(false)
    this.#hasLeft = true
    for (const listener of this.#close.splice(0)) listener()
  }

  #setPresent(isPresent: boolean): void {
    for (const listener of this.#presence) listener(isPresent)
  }
}

const weight = (piece: Buffer) => Math.max(piece.byteLength, pieceLeastBytes)
