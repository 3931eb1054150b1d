import { gatewayMessage } from '@sallyport/contract/messages/gateway'
import type { Recording } from '../../recorder/recording.ts'
import type { TargetConnection, Traffic, TrafficSession } from '../../session/traffic.ts'
import type { Client } from '../ports.ts'
import { judgedCommand } from '../judged-command.ts'
import { Program } from '../program.ts'
import type { RiskLevel } from '../../session/gate.ts'
import { ownTurn } from '../../turns.ts'
import { LineGate, type LineGateOptions } from './line-gate.ts'
import { readsCommands } from './shells.ts'
import { ExecAudit } from './exec-audit.ts'

/** What those who replay it are shown it in. */
const size = { cols: 80, rows: 24 }

export interface CommandLimits {
  /** Bytes of content that are kept of each direction. */
  recordBytes: number
  /** Whether what a command is sent is kept at all. */
  keepsInput: () => boolean
}

/**
 * A command without a terminal, or a shell without one, which runs what it reads. Sizes and hashes of everything are recorded, and
 * content up to a bound.
 */
export class CommandTraffic implements Traffic {
  readonly sessionType = 'command'
  readonly recordingKind = 'command'
  readonly #client: Client
  readonly #limits: CommandLimits
  readonly #program: Program
  #session: TrafficSession | undefined
  #command: ReturnType<typeof judgedCommand> | undefined
  #recording: Recording | undefined
  #audit: ExecAudit | undefined
  /** ms since the epoch */
  #liveSince = 0
  #commandRisk: RiskLevel = 0
  /** What the command was judged by. */
  #readings: readonly string[] = []
  /** A line of its input was. */
  #isRefused = false

  constructor(client: Client, limits: CommandLimits) {
    this.#client = client
    this.#limits = limits
    this.#program = new Program(client)
  }

  onLeave(listener: () => void): void {
    this.#program.onLeave(listener)
  }

  prepare(session: TrafficSession, recording: Recording): void {
    this.#session = session
    this.#recording = recording
    recording.resize(size)
  }

  async open(connection: TargetConnection): Promise<void> {
    this.#command ??= judgedCommand(this.#client, this.#session)
    const { command, risk_level = 0, readings = [] } = await this.#command
    this.#commandRisk = risk_level
    this.#readings = readings
    await this.#program.open(connection, size, command)
  }

  async relay(): Promise<Error | undefined> {
    const session = this.#session
    const recording = this.#recording
    if (!session || !recording) throw new Error('not prepared')
    this.#liveSince = Date.now()
    const { command } = this.#client
    const { recordBytes, keepsInput } = this.#limits
    const audit = new ExecAudit(recording, command ?? '', {
      output: recordBytes,
      // What is fed to a shell without a terminal are its commands: they are kept.
      input: command === undefined || keepsInput() ? recordBytes : 0,
    })
    this.#audit = audit
    const { gate } = session
    const readings = this.#readings
    if (gate) await ownTurn()
    const makeGate = () =>
      // What any other command is sent are no commands.
      gate && (command === undefined || readsCommands(readings))
        ? new LineGate({
            gate,
            readings,
            language: session.language,
            onPassed: this.#onPassed,
            onRefused: this.#onRefused,
          })
        : undefined
    return await this.#program.relay(session, recording, audit, makeGate)
  }

  readonly #onPassed: LineGateOptions['onPassed'] = (line, risk_level) => {
    this.#session?.reportCommand({ input: line, output: '', time: Date.now(), risk_level })
  }

  readonly #onRefused: LineGateOptions['onRefused'] = (line, { sentence, risk_level }) => {
    const session = this.#session
    if (!session) return
    this.tell(sentence)
    const input = line ?? gatewayMessage(session.language, 'unread_no_terminal')
    session.reportCommand({ input, output: sentence, time: Date.now(), risk_level })
    this.#isRefused = true
    this.#program.endInput()
  }

  tell(sentence: string): void {
    this.#client.notice(sentence)
  }

  end(): void {
    if (this.#isRefused) this.#program.exit = { kind: 'status', code: 255 }
    this.#program.end()
  }

  async close(): Promise<void> {
    const session = this.#session
    const audit = this.#audit
    if (!session || !audit) return
    // A shell without a terminal takes its commands from its input, which nobody reads here.
    const input = this.#client.command ?? gatewayMessage(session.language, 'unread_no_terminal')
    if (input)
      session.reportCommand({
        input,
        output: audit.head,
        time: this.#liveSince,
        risk_level: this.#commandRisk,
      })
    audit.close(this.#program.exit)
  }
}
