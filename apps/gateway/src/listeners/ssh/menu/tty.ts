import { Readable, Writable } from 'node:stream'
import type { Client, ExitResult, Terminal, TerminalSize } from '../../../traffic/ports.ts'
import type { SshChannelClient } from '../client.ts'
import { characters, width } from './width.ts'

/** What came of a line: its text, `^C`, the end of the input (`^D`, or the person is gone), or too long without a key. */
export type Line = { kind: 'text'; text: string } | { kind: 'cancel' } | { kind: 'end' } | { kind: 'idle' }

const MAX_LINE = 256
const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * A terminal with lines: the menu and the questions in front of a session are written and read here. Nothing is read while nothing is
 * asked: what is typed ahead, and the end of a script, wait for whoever reads next.
 */
export class Tty {
  readonly #client: SshChannelClient
  readonly #decoder = new TextDecoder()
  /** What came with a line, behind its end. */
  #ahead = ''
  #hasEnded = false
  #escape = ''
  #read: ((line: Line) => void) | undefined
  #line = ''
  #hidden = false
  #afterReturn = false
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

  get #isAsking(): boolean {
    return this.#read !== undefined
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
    this.#line = ''
    this.#hidden = hidden
    const { promise, resolve } = Promise.withResolvers<Line>()
    const timer =
      idleMs > 0 ? setTimeout(() => this.#done({ kind: 'idle' }), Math.min(idleMs, MAX_TIMER_MS)) : undefined
    this.#read = (line) => {
      clearTimeout(timer)
      resolve(line)
    }
    const ahead = this.#ahead
    this.#ahead = ''
    this.#type(ahead)
    if (this.#hasEnded) this.#done({ kind: 'end' })
    else if (this.#isAsking) this.#client.stdin.resume()
    return await promise
  }

  /** Lends the terminal to a session; settles when that gave it back and its output has been written. */
  async lend(run: (client: Client) => Promise<void>): Promise<void> {
    const client = new SessionClient(this.#client)
    this.#session = client
    if (this.#ahead !== '') client.feed(Buffer.from(this.#ahead))
    this.#ahead = ''
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
    else this.#type(this.#decoder.decode(data, { stream: true }))
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
    if (this.#ahead !== '') stdin.unshift(Buffer.from(this.#ahead))
    this.#ahead = ''
  }

  #done(line: Line): void {
    const read = this.#read
    if (!read) return
    this.#read = undefined
    this.#client.stdin.pause()
    read(line)
  }

  #type(text: string): void {
    const keys = Array.from(text)
    for (const [index, key] of keys.entries()) {
      if (!this.#read) {
        this.#ahead += keys.slice(index).join('')
        return
      }
      this.#key(key)
    }
  }

  #key(key: string): void {
    if (this.#skipEscape(key)) return
    const isSecondHalf = key === '\n' && this.#afterReturn
    this.#afterReturn = key === '\r'
    if (isSecondHalf) return
    switch (key) {
      case '\r':
      case '\n':
        this.#write('\r\n')
        this.#done({ kind: 'text', text: this.#line })
        break
      case '\u007f':
      case '\b':
        this.#erase(1)
        break
      case '\u0015':
        this.#erase(Infinity)
        break
      case '\u0017':
        this.#erase(lastWord(this.#line))
        break
      case '\u0003':
        this.#write('^C\r\n')
        this.#done({ kind: 'cancel' })
        break
      case '\u0004':
        if (this.#line === '') {
          this.#write('\r\n')
          this.#done({ kind: 'end' })
        }
        break
      default:
        this.#insert(key)
    }
  }

  #insert(key: string): void {
    if (/[\p{Cc}\ufffd]/u.test(key)) return
    if (this.#line.length >= MAX_LINE) {
      this.#write('\u0007')
      return
    }
    this.#line += key
    if (!this.#hidden) this.#write(key)
  }

  #erase(count: number): void {
    const parts = characters(this.#line)
    const removed = parts.splice(Math.max(parts.length - count, 0))
    this.#line = parts.join('')
    const columns = this.#hidden ? 0 : width(removed.join(''))
    if (columns > 0) this.#write('\b'.repeat(columns) + ' '.repeat(columns) + '\b'.repeat(columns))
  }

  /** Arrow and function keys do nothing here, and must not leave letters in the line. */
  #skipEscape(key: string): boolean {
    if (this.#escape === '') {
      if (key !== '\u001b') return false
      this.#escape = key
      return true
    }
    this.#escape += key
    const isOpen = /^(?:[[O][0-9;?]{0,16})?$/.test(this.#escape.slice(1))
    if (!isOpen) this.#escape = ''
    return true
  }
}

/** Characters from the end back over blanks and one word. */
function lastWord(line: string): number {
  const kept = line.replace(/\S*\s*$/u, '')
  return characters(line).length - characters(kept).length
}

/** A session's client on the menu's channel: its exit gives the terminal back instead of closing it. */
class SessionClient implements Client {
  readonly kind = 'shell'
  readonly terminal: Terminal | undefined
  readonly lang: string | undefined
  readonly stdin: Readable
  readonly stdout: Writable
  readonly #client: SshChannelClient
  readonly #listeners: (() => void)[] = []

  constructor(client: SshChannelClient) {
    this.#client = client
    this.terminal = client.terminal && { ...client.terminal }
    this.lang = client.lang
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
