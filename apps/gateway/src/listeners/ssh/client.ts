import { EventEmitter } from 'node:events'
import type { Writable } from 'node:stream'
import { terminalColsMax, terminalRowsMax } from '@sallyport/contract/terminal-socket'
import type { Exit, ServerSession } from '@sallyport/ssh'
import type { Client, ExitResult, Locale, Terminal, TerminalSize } from '../../traffic/ports.ts'

/** How long the last output may take to leave when the person's side does not read. */
const FLUSH_MS = 10_000
const SIGNALS = new Set([
  'ABRT',
  'ALRM',
  'FPE',
  'HUP',
  'ILL',
  'INT',
  'KILL',
  'PIPE',
  'QUIT',
  'SEGV',
  'TERM',
  'USR1',
  'USR2',
])

/** A size any program can bear, whatever the client sent; 0 is what one without a window of its own sends. */
export function boundedSize(cols: number, rows: number): TerminalSize {
  const bound = (value: number, max: number, unknown: number) =>
    value > 0 ? Math.min(Math.ceil(value), max) : unknown
  return { cols: bound(cols, terminalColsMax, 80), rows: bound(rows, terminalRowsMax, 24) }
}

export interface ChannelRequest {
  kind: 'shell' | 'exec'
  command?: string
  terminal?: Terminal
  locale: Locale
}

/** The person's end of one SSH channel. The listener feeds it resizes and signals. */
export class SshChannelClient implements Client {
  readonly kind: 'shell' | 'exec'
  readonly command: string | undefined
  #terminal: Terminal | undefined
  readonly locale: Locale
  readonly stdin: ServerSession
  readonly stdout: ServerSession
  readonly stderr: Writable | undefined
  readonly #channel: ServerSession
  /** What the person's side does besides typing; `gone` comes once. */
  readonly events = new EventEmitter<{ resize: [TerminalSize]; signal: [string]; gone: [] }>()
  /** That nobody has heard of yet. */
  readonly #signals = new Set<string>()
  #isGone = false

  constructor(channel: ServerSession, { kind, command, terminal, locale }: ChannelRequest) {
    this.kind = kind
    this.command = command
    this.#terminal = terminal
    this.locale = locale
    this.#channel = channel
    this.stdin = channel
    this.stdout = channel
    if (!terminal) this.stderr = channel.stderr
    // A write behind the end.
    for (const stream of [channel, this.stderr]) stream?.on('error', () => this.#gone())
    void channel.gone.then(() => this.#gone())
  }

  /** As it is now: a session that begins after a resize begins with that size. */
  get terminal(): Terminal | undefined {
    return this.#terminal
  }

  onResize(listener: (size: TerminalSize) => void): void {
    this.events.on('resize', listener)
  }

  onSignal(listener: (name: string) => void): void {
    this.events.on('signal', listener)
    for (const name of this.#signals) listener(name)
    this.#signals.clear()
  }

  onEndOfReading(listener: () => void): void {
    this.#channel.on('eow', listener)
  }

  onClose(listener: () => void): void {
    if (this.#isGone) queueMicrotask(listener)
    else this.events.once('gone', listener)
  }

  notice(text: string): void {
    if (!this.#channel.writable || !this.#channel.isOpen) return
    if (this.terminal) this.#channel.write(`\r\n${text}\r\n`)
    else this.#channel.stderr.write(`${text}\n`)
  }

  endOutput(): void {
    if (this.#terminal) return
    this.stderr?.end()
    this.stdout.end()
  }

  exit(result: ExitResult): void {
    this.#channel.exit(exitOf(result), FLUSH_MS)
  }

  /** For the listener: a new window size. */
  resize(size: TerminalSize): void {
    if (!this.#terminal) return
    this.#terminal = { ...this.#terminal, ...size }
    this.events.emit('resize', size)
  }

  /** For the listener: a signal of the person. */
  signal(name: string): void {
    const known = name.replace(/^SIG/, '')
    if (SIGNALS.has(known) && !this.events.emit('signal', known)) this.#signals.add(known)
  }

  get isGone(): boolean {
    return this.#isGone
  }

  #gone(): void {
    if (this.#isGone) return
    this.#isGone = true
    this.events.emit('gone')
    // Nobody may be reading; without that the channel never comes to its end.
    this.#channel.resume()
  }
}

function exitOf(result: ExitResult): Exit {
  if (result.kind === 'status') return result
  if (result.kind === 'signal' && SIGNALS.has(result.name)) return result
  return { kind: 'status', code: 255 }
}
