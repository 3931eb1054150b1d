import { setTimeout as sleep } from 'node:timers/promises'
import type { Recording } from '../recorder/recording.ts'
import type { NextInput } from '../session/gate.ts'
import { pump, type Pump, type PumpGate } from '../session/pump.ts'
import type { TargetConnection, TrafficSession } from '../session/traffic.ts'
import { release } from '@sallyport/ssh'
import type { Client, ExitResult, ShellConnection, TargetChannel, Terminal, TerminalSize } from './ports.ts'

/** Each sees what flows before it goes on. */
export interface Taps {
  input(chunk: Buffer): void
  output(chunk: Buffer): void
  errorOutput(chunk: Buffer): void
}

/** Makes what stands between the person and the program, where something does. */
export type MakeGate = (next: NextInput) => PumpGate | undefined

/** What ends most programs, and one that does not run yet. */
const endingSignals = new Set(['HUP', 'INT', 'KILL', 'QUIT', 'TERM'])

/** A program on the target and the person it runs for, on a terminal or not. */
export class Program {
  /** How it ended, for the person; as long as it has not, that it was cut off. */
  exit: ExitResult = { kind: 'status', code: 255 }
  readonly #client: Client
  #connection: ShellConnection | undefined
  #channel: TargetChannel | undefined
  /** As the target knows it. */
  #size: TerminalSize | undefined
  #pumps: Pump[] = []
  #isReadNoMore = false
  #isEnded = false
  /** That came before it ran. */
  readonly #signals = new Set<string>()
  readonly #cancelled = Promise.withResolvers<void>()

  constructor(client: Client) {
    this.#client = client
    client.onSignal?.((name) => this.#signal(name))
    client.onEndOfReading?.(() => {
      this.#isReadNoMore = true
      this.#channel?.endReading()
    })
  }

  /** Calls back when the person is gone for good, or has cancelled it before it ran. */
  onLeave(listener: () => void): void {
    this.#client.onClose(listener)
    void this.#cancelled.promise.then(listener)
  }

  #signal(name: string): void {
    if (this.#channel) return this.#channel.signal(name)
    this.#signals.add(name)
    if (!endingSignals.has(name)) return
    this.exit = { kind: 'signal', name }
    this.#cancelled.resolve()
  }

  /** What is given of the terminal, where there is one, is what the target is told of it; without a command it is a shell. */
  async open(
    connection: TargetConnection,
    { cols, rows, ...told }: TerminalSize & Partial<Pick<Terminal, 'term'>>,
    command: string | undefined,
  ): Promise<void> {
    const { terminal, locale } = this.#client
    if (!runsPrograms(connection)) throw new Error('the target runs no programs')
    if (this.#isEnded) throw new Error('it was ended before it began')
    const size = { cols, rows }
    const sized = terminal && { ...terminal, ...told, ...size }
    const channel =
      command !== undefined
        ? await connection.exec(command, { terminal: sized, locale })
        : await connection.shell(sized, { locale })
    this.#connection = connection
    this.#channel = channel
    this.#size = size
    for (const name of this.#signals) channel.signal(name)
    if (this.#isReadNoMore) channel.endReading()
    if (this.#isEnded) channel.destroy()
  }

  resize(size: TerminalSize): void {
    if (size.cols === this.#size?.cols && size.rows === this.#size.rows) return
    if (this.#channel) this.#size = size
    this.#channel?.resize(size)
  }

  /** Resolves when the target's side has ended and the person's has all of it, with the cause where it was lost. */
  async relay(
    session: TrafficSession,
    recording: Recording,
    taps: Taps,
    makeGate?: MakeGate,
  ): Promise<Error | undefined> {
    const client = this.#client
    const channel = this.#channel
    const connection = this.#connection
    if (!channel || !connection) throw new Error('not open')
    for (const stream of [client.stdin, client.stdout, client.stderr, channel.stdin, channel.stdout]) {
      stream?.on('error', (error: Error) =>
        session.log.debug({ err: error }, 'a stream of the session broke'),
      )
    }
    const common = {
      room: () => (recording.congested ? recording.ready() : undefined),
      spent: release,
    }
    const seen = (tap: (chunk: Buffer) => void) => (chunk: Buffer) => {
      session.lastActivityMs = performance.now()
      tap(chunk)
    }
    const gate = makeGate?.(async (signal) => await input.next(signal))
    const input: Pump = pump(client.stdin, channel.stdin, {
      ...common,
      tap: seen((chunk) => taps.input(chunk)),
      gate,
    })
    const inputFailed = async (): Promise<never> => {
      await input.ended
      channel.stdin.end()
      return await new Promise(() => {})
    }
    const outputs = [
      pump(channel.stdout, client.stdout, { ...common, tap: seen((chunk) => taps.output(chunk)) }),
    ]
    if (channel.stderr) {
      const sink = client.stderr ?? client.stdout
      outputs.push(pump(channel.stderr, sink, { ...common, tap: seen((chunk) => taps.errorOutput(chunk)) }))
    }
    this.#pumps = [input, ...outputs]
    const drained = Promise.all(outputs.map(({ ended }) => ended))
    return await Promise.race([
      inputFailed(),
      this.#outputEnded(channel, drained),
      this.#ended(connection, channel, drained),
    ])
  }

  /** As `ShellConnection` says. */
  async roundTrip(): Promise<void> {
    await this.#connection?.roundTrip()
  }

  /** What it was sent so far is all. */
  endInput(): void {
    this.#channel?.stdin.end()
  }

  /** Cuts it off, and tells the person's side how it ended. */
  end(): void {
    this.#isEnded = true
    for (const pump of this.#pumps) pump.stop()
    this.#client.exit(this.exit)
    this.#channel?.destroy()
  }

  /** A program may end its outputs and read on. */
  async #outputEnded(channel: TargetChannel, drained: Promise<unknown>): Promise<never> {
    await drained
    const exit = await settled(channel.exited)
    if (!exit) this.#client.endOutput?.()
    return await new Promise(() => {})
  }

  /** Not before the person's side took everything, however slowly: what ends them sooner are the limits of the session. */
  async #ended(
    connection: TargetConnection,
    channel: TargetChannel,
    drained: Promise<unknown>,
  ): Promise<Error | undefined> {
    const [exit] = await Promise.all([channel.exited, drained])
    if (exit.kind === 'lost') return exit.cause ?? (await settled(connection.closed))
    this.exit = exit
    return undefined
  }
}

const runsPrograms = (connection: TargetConnection): connection is ShellConnection => 'shell' in connection

/** The value of a promise that has settled already, else undefined. */
async function settled<T>(promise: Promise<T>): Promise<T | undefined> {
  return Promise.race([promise, sleep(0, undefined)])
}
