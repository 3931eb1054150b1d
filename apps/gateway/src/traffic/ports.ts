/**
 * The two sides of a terminal or a command. A listener turns whatever a person connects with into a `Client`; a target turns whatever is
 * connected to into a `TargetChannel`. The traffic stands between them and is the only one who knows both. Their sinks are done with a
 * chunk when they call back for it: its memory is used again.
 */
import type { Readable, Writable } from 'node:stream'
import type { TargetConnection } from '../session/traffic.ts'

export interface TerminalSize {
  cols: number
  rows: number
}

export interface Terminal extends TerminalSize {
  term: string
  /** As they are on the wire (RFC 4254, 8): of what the person's side asked for, what a target is told. */
  modes?: Buffer
}

/** `LANG` and `LC_*` by name. */
export type Locale = Readonly<Record<string, string>>

export type ExitResult =
  | { kind: 'status'; code: number }
  | { kind: 'signal'; name: string }
  | { kind: 'lost'; cause?: Error }

/** The person's end of one channel. */
export interface Client {
  kind: 'shell' | 'exec'
  /** The command line of an exec channel. */
  command?: string
  /** Of a shell or command that was given one; then standard error is part of the output. A shell without one runs what it reads. */
  terminal?: Terminal
  /** What the person's side sent of it. */
  locale: Locale
  stdin: Readable
  stdout: Writable
  /** Separate where there is no terminal. */
  stderr?: Writable
  onResize(listener: (size: TerminalSize) => void): void
  /** Signals of an SSH client (`INT`, `TERM` …), also those that came before; a browser sends none. */
  onSignal?(listener: (name: string) => void): void
  /** A line was not let through: what its side still holds of what was typed along with it is not to follow. */
  lineRefused?(): void
  /** Called when nobody reads the output any more, as behind `| head`; its errors are still read. */
  onEndOfReading?(listener: () => void): void
  /** Called when the person's connection is lost and may come back, and when it is back. */
  onPresence?(listener: (isPresent: boolean) => void): void
  /** Called once when the person's side is gone for good. */
  onClose(listener: () => void): void
  /** A sentence for the person, outside the target's output: on a terminal on a line of its own, otherwise on stderr. */
  notice(text: string): void
  /** No output comes any more; the person may still send. Where there is a terminal it goes on showing sentences. */
  endOutput?(): void
  /** Ends the channel; flushes what was written before. */
  exit(result: ExitResult): void
}

/** An open channel on the target. */
export interface TargetChannel {
  stdin: Writable
  stdout: Readable
  stderr?: Readable
  resize(size: TerminalSize): void
  signal(name: string): void
  /** Tells the program that nobody reads its output any more. What it writes all the same still comes. */
  endReading(): void
  exited: Promise<ExitResult>
  destroy(): void
}

/** A connection to a target that runs programs. */
export interface ShellConnection extends TargetConnection {
  shell(terminal: Terminal | undefined, options?: { locale?: Locale }): Promise<TargetChannel>
  exec(command: string, options?: { terminal?: Terminal; locale?: Locale }): Promise<TargetChannel>
  /** Ends when the target has had all that was sent before, and all it sent before that is here; never where it does not answer. */
  roundTrip(): Promise<void>
}
