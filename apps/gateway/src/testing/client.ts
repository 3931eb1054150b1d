import { PassThrough } from 'node:stream'
import type { Client, ExitResult, Terminal, TerminalSize } from '../session/ports.ts'

/** A person's end of a channel in memory, as the listeners make them. */
export class TestClient implements Client {
  readonly kind: 'shell' | 'exec'
  readonly command: string | undefined
  readonly terminal: Terminal | undefined
  readonly stdin = new PassThrough()
  readonly stdout = new PassThrough()
  readonly stderr = new PassThrough()
  readonly notices: string[] = []
  readonly exited: Promise<ExitResult>
  output = Buffer.alloc(0)
  errorOutput = ''
  #settle: (result: ExitResult) => void
  #resize: ((size: TerminalSize) => void)[] = []
  #close: (() => void)[] = []

  constructor(what: { command: string } | { terminal: Terminal }) {
    this.kind = 'command' in what ? 'exec' : 'shell'
    this.command = 'command' in what ? what.command : undefined
    this.terminal = 'terminal' in what ? what.terminal : undefined
    const { promise, resolve } = Promise.withResolvers<ExitResult>()
    this.exited = promise
    this.#settle = resolve
  }

  /** Reads everything into `output` and `errorOutput`; without it nothing is read. */
  collect(): this {
    this.stdout.on('data', (data: Buffer) => (this.output = Buffer.concat([this.output, data])))
    this.stderr.on('data', (data: Buffer) => (this.errorOutput += data.toString()))
    return this
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

  leave(): void {
    for (const listener of this.#close.splice(0)) listener()
  }

  onResize(listener: (size: TerminalSize) => void): void {
    this.#resize.push(listener)
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
