import { Readable, Writable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { drained } from '../../../session/pump.ts'
import type { Client, ExitResult, Locale, Terminal, TerminalSize } from '../../../traffic/ports.ts'
import type { SshChannelClient } from '../client.ts'
import { type Line as TypedLine, LineEditor } from '../../../traffic/terminal/line-editor.ts'

/** What came of a line; the end is that of the person too. `idle`: too long without a key. */
export type Line = TypedLine | { kind: 'idle' }

const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * A terminal with lines: the menu and the questions in front of a session are written and read here. Nothing is read while nothing is
 * asked: what is typed ahead, and the end of a script, wait for whoever reads next.
 */
export class Tty {
  readonly #client: SshChannelClient
  readonly #decoder = new TextDecoder()
  #hasEnded = false
  readonly #editor = new LineEditor((text) => this.#write(text))
  #read: ((line: Line) => void) | undefined
  #session: SessionClient | undefined

  constructor(client: SshChannelClient) {
    this.#client = client
    client.stdin.pause()
    client.stdin.on('data', this.#onData)
    client.stdin.on('end', this.#onEnd)
    client.onClose(this.#onEnd)
  }

  get size(): TerminalSize {
    return this.#client.terminal ?? { cols: 80, rows: 24 }
  }

  get isGone(): boolean {
    return this.#client.isGone
  }

  /** Lines for the person; line ends become those of a terminal. */
  print(...lines: string[]): void {
    for (const line of lines) this.#write(`${line}\r\n`)
  }

  clear(): void {
    this.#write('\u001b[2J\u001b[H')
  }

  /** Asks for a line. `hidden`: nothing is shown while it is typed. `idleMs` 0: no limit. */
  async ask(prompt: string, { hidden = false, idleMs }: { hidden?: boolean; idleMs: number }): Promise<Line> {
    if (this.isGone) return { kind: 'end' }
    this.#write(prompt)
    this.#editor.begin(hidden)
    const { promise, resolve } = Promise.withResolvers<Line>()
    const timer =
      idleMs > 0 ? setTimeout(() => this.#done({ kind: 'idle' }), Math.min(idleMs, MAX_TIMER_MS)) : undefined
    const read = (line: Line) => {
      clearTimeout(timer)
      resolve(line)
    }
    this.#read = read
    // However much was typed ahead: others come in between, and no more is answered than is taken.
    await nextTurn()
    await Promise.race([drained(this.#client.stdout), promise])
    await this.#readOn(read)
    return await promise
  }

  /** Reads what was typed, some keys in each turn of the event loop; then the person may type on. */
  async #readOn(read: (line: Line) => void): Promise<void> {
    while (this.#read === read) {
      const line = this.#editor.readSome()
      if (line) return this.#done(line)
      if (this.#editor.isEmpty) break
      await nextTurn()
      await drained(this.#client.stdout)
    }
    if (this.#read !== read) return
    if (this.#hasEnded) this.#done({ kind: 'end' })
    else this.#client.stdin.resume()
  }

  /** Lends the terminal to a session; settles when that gave it back and its output has been written. */
  async lend(run: (client: Client) => Promise<void>): Promise<void> {
    const client = new SessionClient(this.#client)
    this.#session = client
    if (!this.#editor.isEmpty) client.feed(Buffer.from(this.#editor.rest()))
    if (this.#hasEnded) client.endInput()
    else this.#client.stdin.resume()
    try {
      await run(client)
      await client.flushed()
    } finally {
      this.#session = undefined
      client.detach()
      this.#client.stdin.pause()
    }
  }

  #write(text: string): void {
    if (this.#client.stdout.writable && !this.isGone) this.#client.stdout.write(text)
  }

  readonly #onData = (data: Buffer): void => {
    if (this.#session) this.#session.feed(data)
    else {
      this.#editor.add(this.#decoder.decode(data, { stream: true }))
      this.#client.stdin.pause()
      if (this.#read) void this.#readOn(this.#read)
    }
  }

  readonly #onEnd = (): void => {
    this.#hasEnded = true
    this.#session?.endInput()
    this.#done({ kind: 'end' })
  }

  /** The terminal is used for lines no more: what was typed ahead goes to the next reader. */
  release(): void {
    const { stdin } = this.#client
    stdin.off('data', this.#onData)
    stdin.off('end', this.#onEnd)
    if (!this.#editor.isEmpty) stdin.unshift(Buffer.from(this.#editor.rest()))
  }

  #done(line: Line): void {
    const read = this.#read
    if (!read) return
    this.#read = undefined
    this.#client.stdin.pause()
    read(line)
  }
}

/** A session's client on the menu's channel: its exit gives the terminal back instead of closing it. */
class SessionClient implements Client {
  readonly kind = 'shell'
  readonly terminal: Terminal | undefined
  readonly locale: Locale
  readonly stdin: Readable
  readonly stdout: Writable
  readonly #client: SshChannelClient
  readonly #listeners: (() => void)[] = []

  constructor(client: SshChannelClient) {
    this.#client = client
    this.terminal = client.terminal && { ...client.terminal }
    this.locale = client.locale
    this.stdin = new Readable({ read: () => client.stdin.resume() })
    this.stdout = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        if (client.isGone) done()
        else client.stdout.write(chunk, () => done())
      },
    })
  }

  /** What the person typed. */
  feed(data: Buffer): void {
    if (!this.stdin.push(data)) this.#client.stdin.pause()
  }

  endInput(): void {
    this.stdin.push(null)
  }

  async flushed(): Promise<void> {
    if (this.#client.isGone || !this.stdout.writable) return
    await new Promise<void>((resolve) => this.stdout.write(Buffer.alloc(0), () => resolve()))
  }

  detach(): void {
    for (const off of this.#listeners) off()
  }

  onResize(listener: (size: TerminalSize) => void): void {
    const { events } = this.#client
    events.on('resize', listener)
    this.#listeners.push(() => events.off('resize', listener))
  }

  onSignal(listener: (name: string) => void): void {
    const { events } = this.#client
    events.on('signal', listener)
    this.#listeners.push(() => events.off('signal', listener))
  }

  onClose(listener: () => void): void {
    this.#client.onClose(listener)
    this.#listeners.push(() => this.#client.events.off('gone', listener))
  }

  notice(text: string): void {
    if (this.stdout.writable) this.stdout.write(`\r\n${text}\r\n`)
  }

  /** The menu goes on when the session is over. */
  exit(_result: ExitResult): void {}
}
