import { commandInputMax, shortened } from '@sallyport/contract/gateway/commands'
import { gatewayMessage } from '@sallyport/contract/messages/gateway'
import type { Recording, TakeSnapshot } from '../../recorder/recording.ts'
import { readingsOf } from '../../policy/readings.ts'
import type { FoundCommand } from '../../session/books.ts'
import type { NextInput, RiskLevel } from '../../session/gate.ts'
import { type AskPerson, NoAnswerError } from '../../session/questions.ts'
import type { TargetConnection, Traffic, TrafficSession } from '../../session/traffic.ts'
import type { Client, TerminalSize } from '../ports.ts'
import { judgedCommand } from '../judged-command.ts'
import { askOnTerminal } from './ask-person.ts'
import { Program } from '../program.ts'
import type { Command, Unread } from './screen/messages.ts'
import { Answers } from './answers.ts'
import type { Screen } from './screen/screen.ts'
import type { Emulations } from './screen/workers.ts'
import { readableTerm } from './term.ts'
import { TerminalGate, type TerminalGateOptions } from './terminal-gate.ts'
import { width } from './width.ts'
import { boundedWindow } from './window.ts'

/** A window that is being dragged has so many sizes a second at most. */
const resizeEveryMs = 40
const passedMax = 1000
const red = '\u001b[31m'
const plain = '\u001b[0m'

/**
 * A terminal: a shell, or a command that was given one. All that is shown is recorded, of what is typed its size alone; a screen is kept
 * for those who come later, and the commands are read off it.
 */
export class TerminalTraffic implements Traffic {
  readonly sessionType = 'normal'
  readonly recordingKind = 'terminal'
  readonly #client: Client
  readonly #emulations: Emulations
  readonly #program: Program
  #session: TrafficSession | undefined
  #command: ReturnType<typeof judgedCommand> | undefined
  #recording: Recording | undefined
  #screen: Screen | undefined
  #size: TerminalSize
  #wantedSize: TerminalSize
  #resizeTimer: NodeJS.Timeout | undefined
  /** ms since the epoch */
  #liveSince: number | undefined
  /** Lines a gate let through, until they are on the books. */
  readonly #passed: { input: string; risk_level: RiskLevel }[] = []
  #reported = Promise.resolve()
  #commandRisk: RiskLevel = 0

  constructor(client: Client, size: TerminalSize, emulations: Emulations) {
    this.#client = client
    this.#emulations = emulations
    this.#program = new Program(client)
    this.#size = boundedWindow(size)
    this.#wantedSize = this.#size
    client.onResize((size) => this.#resizeSoon(size))
  }

  onLeave(listener: () => void): void {
    this.#program.onLeave(listener)
  }

  onPresence(listener: (isPresent: boolean) => void): void {
    this.#client.onPresence?.(listener)
  }

  prepare(session: TrafficSession, recording: Recording): void {
    const { language } = session
    this.#session = session
    this.#recording = recording
    const screen = this.#emulations.open({
      size: this.#size,
      lostNotice: gatewayMessage(language, 'screen_lost'),
      onFound: (found) => this.#found(commandOf(found, session), !('unread' in found)),
    })
    this.#screen = screen
    recording.takeSnapshot = () => screen.keyframe()
    recording.resize(this.#size)
  }

  /** What is asked is on record, and what is typed where it is shown; else nothing of it, not even how much it is. */
  readonly ask: AskPerson = async (asked, until) => {
    const session = this.#session
    if (!session) throw new NoAnswerError('nobody')
    const { stdin } = this.#client
    const write = (text: string) => this.show(text)
    const signal = AbortSignal.any([session.signal, until])
    return await askOnTerminal({ stdin, write, language: session.language, signal }, asked)
  }

  async open(connection: TargetConnection): Promise<void> {
    this.#command ??= judgedCommand(this.#client, this.#session)
    const { command, risk_level = 0 } = await this.#command
    this.#commandRisk = risk_level
    const { terminal } = this.#client
    const term = terminal && this.#session?.gate ? { term: readableTerm(terminal.term) } : {}
    await this.#program.open(connection, { ...this.#size, ...term }, command)
  }

  async relay(): Promise<Error | undefined> {
    const session = this.#session
    const recording = this.#recording
    const screen = this.#screen
    if (!session || !recording || !screen) throw new Error('not prepared')
    this.#liveSince = Date.now()
    // it may have changed while the channel was being opened
    this.#program.resize(this.#size)
    const answers = new Answers()
    const output = (chunk: Buffer) => {
      answers.came()
      recording.output(chunk)
      screen.feed(chunk)
    }
    const taps = {
      input(chunk: Buffer) {
        answers.sent()
        screen.input(chunk)
        recording.input(chunk.byteLength)
      },
      output,
      errorOutput: output,
    }
    const { gate, language } = session
    const abandoned = Promise.withResolvers<undefined>()
    const failed = gatewayMessage(language, 'not_judged')
    const makeGate = (next: NextInput) =>
      gate &&
      new TerminalGate({
        gate,
        next,
        screen,
        answers,
        roundTrip: () => this.#program.roundTrip(),
        language,
        onPassed: this.#onPassed,
        onRefused: this.#onRefused,
        onAbandoned: () => abandoned.resolve(undefined),
        failed,
      })
    const relayed = this.#program.relay(session, recording, taps, makeGate)
    return await Promise.race([relayed, abandoned.promise])
  }

  readonly #onPassed: TerminalGateOptions['onPassed'] = ({ text }, { risk_level }) => {
    const input = text === undefined ? undefined : shortened(text, commandInputMax)
    if (input !== undefined) this.#passed.push({ input, risk_level: risk_level ?? 0 })
    if (this.#passed.length > passedMax) this.#passed.shift()
  }

  readonly #onRefused: TerminalGateOptions['onRefused'] = (
    { text },
    { sentence, risk_level },
    isFullScreen,
  ) => {
    const session = this.#session
    if (!session) return
    this.#client.lineRefused?.()
    this.show(isFullScreen ? overlay(sentence, this.#size) : `\r\n${red}${sentence}${plain}\r\n`)
    const input = text ?? gatewayMessage(session.language, 'unread_not_shown', { lines: 1 })
    this.#report({ input, output: sentence, time: Date.now(), risk_level: risk_level ?? 0 })
  }

  /** What a gate never saw (a key that runs a command, say) is judged now. In order. */
  #found(command: Command, isRead: boolean): void {
    const { gate } = this.#session ?? {}
    const at = this.#passed.findIndex(({ input }) => input === command.input)
    const [passed] = at === -1 ? [] : this.#passed.splice(0, at + 1).slice(-1)
    if (!gate || passed || !isRead) return this.#report({ ...command, risk_level: passed?.risk_level ?? 0 })
    const attempt = { text: command.input, readings: readingsOf(command.input) }
    this.#report({ ...command, risk_level: 0 }, gate.riskOf(attempt))
  }

  /** In order; the risk may take its time. */
  #report(command: FoundCommand, risk?: Promise<RiskLevel>): void {
    const before = this.#reported
    const report = async () => {
      await before
      const risk_level = risk ? await risk : command.risk_level
      this.#session?.reportCommand({ ...command, risk_level })
    }
    this.#reported = report()
  }

  tell(sentence: string): void {
    this.#client.notice(sentence)
    this.#record(Buffer.from(`\r\n${sentence}\r\n`))
  }

  show(text: string): void {
    const bytes = Buffer.from(text)
    if (this.#client.stdout.writable) this.#client.stdout.write(bytes)
    this.#record(bytes)
  }

  end(): void {
    clearTimeout(this.#resizeTimer)
    this.#program.end()
  }

  async close(): Promise<void> {
    const session = this.#session
    const screen = this.#screen
    if (!session || !screen) return
    if (this.#recording) this.#recording.takeSnapshot = undefined
    const output = await screen.close()
    const { command } = this.#client
    if (command && this.#liveSince)
      this.#report({ input: command, output, time: this.#liveSince, risk_level: this.#commandRisk })
    await this.#reported
  }

  paint: TakeSnapshot = async () => await this.#screen?.paintAll()

  #record(bytes: Buffer): void {
    this.#recording?.output(bytes)
    this.#screen?.tell(bytes)
  }

  /** The first of many sizes at once, then the last of each while. */
  #resizeSoon(size: TerminalSize): void {
    this.#wantedSize = boundedWindow(size)
    if (this.#resizeTimer) return
    this.#resize(this.#wantedSize)
    this.#resizeTimer = setTimeout(() => {
      this.#resizeTimer = undefined
      this.#resize(this.#wantedSize)
    }, resizeEveryMs)
  }

  #resize({ cols, rows }: TerminalSize): void {
    if (cols === this.#size.cols && rows === this.#size.rows) return
    this.#size = { cols, rows }
    const session = this.#session
    if (session) session.lastActivityMs = performance.now()
    this.#recording?.resize(this.#size)
    this.#screen?.resize(this.#size)
    this.#program.resize(this.#size)
  }
}

/** On the last rows, with the cursor back where the program has it: nothing of its screen moves, and it writes over this as it goes on. */
function overlay(sentence: string, { cols, rows }: TerminalSize): string {
  const taken = Math.ceil(width(sentence) / (cols - 1))
  return `\u001b7\u001b[${Math.max(1, rows - taken + 1)};1H${red}${sentence}${plain}\u001b[K\u001b8`
}

/** A line that could not be read is a row that says so. */
function commandOf(found: Command | Unread, { language }: TrafficSession): Command {
  if (!('unread' in found)) return found
  const { unread, lines, time } = found
  return { input: gatewayMessage(language, `unread_${unread}`, { lines }), output: '', time }
}
