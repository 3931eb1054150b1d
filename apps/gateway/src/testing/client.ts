import { PassThrough, Transform } from 'node:stream'
import type { Client, ExitResult, Terminal, TerminalSize } from '../traffic/ports.ts'

/** As each sink must: it is done with a chunk when it has taken it. */
const copies = () =>
  new Transform({ transform: (chunk: Buffer, _encoding, done) => done(null, Buffer.from(chunk)) })

/** A person's end of a channel in memory, as the listeners make them. */
export class TestClient implements Client {
  readonly kind: 'shell' | 'exec'
  readonly command: string | undefined
  readonly terminal: Terminal | undefined
  readonly locale = { LANG: 'C.UTF-8' }
  readonly stdin = new PassThrough()
  readonly stdout = copies()
  readonly stderr = copies()
  readonly notices: string[] = []
  readonly exited: Promise<ExitResult>
  outputBytes = 0
  #parts: Buffer[] = []
  errorOutput = ''
  #settle: (result: ExitResult) => void
  #resize: ((size: TerminalSize) => void)[] = []
  #signal: ((name: string) => void)[] = []
  #close: (() => void)[] = []

  constructor(what: { command?: string; terminal?: Terminal }) {
    this.kind = what.command === undefined ? 'shell' : 'exec'
    this.command = what.command
    this.terminal = what.terminal
    const { promise, resolve } = Promise.withResolvers<ExitResult>()
    this.exited = promise
    this.#settle = resolve
  }

  /** Reads everything into `output` and `errorOutput`; without it nothing is read. */
  collect(): this {
    this.stdout.on('data', (data: Buffer) => {
      this.#parts.push(data)
      this.outputBytes += data.byteLength
    })
    this.stderr.on('data', (data: Buffer) => (this.errorOutput += data.toString()))
    return this
  }

  get output(): Buffer {
    const whole = Buffer.concat(this.#parts)
    this.#parts = [whole]
    return whole
  }

  /** The last part of the output. */
  get tail(): string {
    return this.#parts
      .slice(-20)
      .map((part) => part.subarray(-2000).toString('utf8'))
      .join('')
  }

  get text(): string {
    return this.output.toString('utf8')
  }

  type(text: string): void {
    this.stdin.write(text)
  }

  resizeTo(size: TerminalSize): void {
    for (const listener of this.#resize) listener(size)
  }

  send(signal: string): void {
    for (const listener of this.#signal) listener(signal)
  }

  leave(): void {
    for (const listener of this.#close.splice(0)) listener()
  }

  onResize(listener: (size: TerminalSize) => void): void {
    this.#resize.push(listener)
  }

  onSignal(listener: (name: string) => void): void {
    this.#signal.push(listener)
  }

  onClose(listener: () => void): void {
    this.#close.push(listener)
  }

  notice(text: string): void {
    this.notices.push(text)
  }

  exit(result: ExitResult): void {
    this.stdout.end()
    this.stderr.end()
    this.#settle(result)
  }
}

export const shell = (cols = 80, rows = 24) => new TestClient({ terminal: { term: 'xterm', cols, rows } })
export const exec = (command: string) => new TestClient({ command })
