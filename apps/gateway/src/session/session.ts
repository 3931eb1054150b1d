import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CommandRecord, NewSession } from '@sallyport/contract/gateway/books'
import type { TokenSecret } from '@sallyport/contract/gateway/grants'
import type { TerminalConfig } from '@sallyport/contract/gateway/registration'
import type { Language } from '@sallyport/contract/messages/language'
import type { RecordingMark } from '@sallyport/contract/recording'
import { gatewayMessage } from '@sallyport/contract/messages/gateway'
import type { ApiClient, SessionEnd } from '../api/client.ts'
import { ServerAwayError, ServerRefusedError } from '../api/errors.ts'
import type { Log } from '../log.ts'
import { markEnded } from '../recorder/folder.ts'
import { Recording } from '../recorder/recording.ts'
import type { Uploader } from '../recorder/uploader.ts'
import type { Command, Unread } from '../terminal/messages.ts'
import type { Screen } from '../terminal/screen.ts'
import { boundedWindow } from '../terminal/window.ts'
import type { Emulations } from '../terminal/workers.ts'
import { ExecAudit } from './exec-audit.ts'
import { outcomeSentence, type Outcome } from './outcome.ts'
import type { Client, ExitResult, TargetChannel, TargetConnection, TerminalSize } from './ports.ts'
import { release } from '../streams/owned.ts'
import { pump, type Pump } from './pump.ts'

export type SessionState = 'asking' | 'granted' | 'connecting' | 'live' | 'ended'

/** Opens the connection an exchanged token allows. Rejects with an error whose message is for the log; see `describeFailure`. */
export type ConnectTarget = (grant: TokenSecret, signal: AbortSignal) => Promise<TargetConnection>

export interface SessionServices {
  api: ApiClient
  log: Log
  uploader: Uploader
  emulations: Emulations
  connect: ConnectTarget
  /** A sentence in the person's language for what `connect` rejected with. */
  describeFailure: (error: unknown, language: Language) => string
  /** Puts the end on the disk queue. */
  reportEnd: (id: string, end: SessionEnd) => Promise<void>
  /** Puts a command on the disk queue. */
  reportCommand: (record: CommandRecord) => Promise<void>
  execRecordBytes: number
  settings: () => Pick<TerminalConfig, 'TERMINAL_RECORD_EXEC_INPUT'>
}

export interface SessionPlan {
  client: Client
  /** Exchanges who, what and how for a grant; rights are checked by this. */
  ask: (signal: AbortSignal) => Promise<TokenSecret>
  /** Whose it is. */
  user_id: string
  login_from: 'ST' | 'WT'
  remote_addr: string
  language: Language
}

const exitFailure: ExitResult = { kind: 'status', code: 255 }
/** How long the rest of the output may take once the target said it has ended, while none comes. */
const lastWordsMs = 10_000
const closingMs = 10_000
/** A window that is being dragged has so many sizes a second at most. */
const resizeEveryMs = 40

/** Refuses before there is a session; the message is a sentence for the person. */
export class RefusedError extends Error {
  override name = 'RefusedError'
}

/**
 * One session, one life: asking → granted → connecting → live → ended. Whatever happens it ends once, with its reason, on the server's
 * books too.
 */
export class Session {
  readonly id = randomUUID()
  readonly plan: SessionPlan
  /** Settles when everything is closed and on disk. */
  readonly done: Promise<Outcome>
  state: SessionState = 'asking'
  /** Set once granted. */
  grant: TokenSecret | undefined
  facts: NewSession | undefined
  recording: Recording | undefined
  /** What the person sees; only where there is a terminal. */
  screen: Screen | undefined
  /** `performance.now()` of the last traffic in either direction. */
  lastActivityMs = performance.now()
  readonly createdMs = performance.now()
  /** Called when the session is live. */
  onLive: (() => void) | undefined
  outcome: Outcome | undefined

  readonly #services: SessionServices
  readonly #log: Log
  readonly #abort = new AbortController()
  readonly #ended = Promise.withResolvers<void>()
  #isOnBooks = false
  #exit: ExitResult = exitFailure
  #size: TerminalSize
  #wantedSize: TerminalSize
  #connection: TargetConnection | undefined
  #channel: TargetChannel | undefined
  #exec: ExecAudit | undefined
  #pumps: Pump[] = []
  #resizeTimer: NodeJS.Timeout | undefined
  readonly #reports = new Set<Promise<void>>()
  #commandCount = 0
  #liveSince = 0

  constructor(services: SessionServices, plan: SessionPlan) {
    this.#services = services
    this.plan = plan
    this.#size = boundedWindow(plan.client.terminal ?? { cols: 80, rows: 24 })
    this.#wantedSize = this.#size
    this.#log = services.log.child({ session: this.id })
    this.done = this.#run()
  }

  /** On the server's books and not ended. */
  get isOnline(): boolean {
    return this.#isOnBooks && this.state !== 'ended'
  }

  get size(): TerminalSize {
    return this.#size
  }

  /** Ends the session at once; only the first call counts. */
  end(outcome: Outcome, exit: ExitResult = exitFailure): void {
    if (this.outcome) return
    this.outcome = outcome
    this.#exit = exit
    this.state = 'ended'
    this.#abort.abort()
    for (const pump of this.#pumps) pump.stop()
    clearTimeout(this.#resizeTimer)
    const sentence = outcomeSentence(outcome, this.plan.language, this.id)
    if (sentence) this.tell(sentence)
    this.plan.client.exit(exit)
    this.#channel?.destroy()
    this.#connection?.end()
    this.#ended.resolve()
  }

  /** A sentence for the person; in a shell it is part of the recording. */
  tell(sentence: string): void {
    this.plan.client.notice(sentence)
    if (!this.#isWhole) return
    const bytes = Buffer.from(`\r\n${sentence}\r\n`)
    this.recording?.output(bytes)
    this.screen?.feed(bytes)
  }

  mark(mark: RecordingMark): void {
    this.recording?.mark(mark)
  }

  /** A terminal is recorded whole; a command or shell without one up to a bound. */
  get #isWhole(): boolean {
    return this.plan.client.terminal !== undefined
  }

  async #run(): Promise<Outcome> {
    const { client } = this.plan
    client.onClose(() => this.end({ reason: 'client_left', detail: '' }))
    client.onResize((size) => this.#resizeSoon(size))
    client.onSignal?.((name) => this.#channel?.signal(name))
    const life = this.#live().catch((error: unknown) => this.#fail(error))
    await this.#ended.promise
    await life
    try {
      await this.#close()
    } catch (error) {
      this.#log.error({ err: error }, 'the session did not close cleanly')
    }
    const outcome = this.outcome ?? { reason: 'internal_error', detail: '' }
    this.#log.info({ reason: outcome.reason, detail: outcome.detail }, 'session ended')
    return outcome
  }

  async #live(): Promise<void> {
    const { signal } = this.#abort
    const grant = await this.#ask()
    if (this.outcome) return
    this.grant = grant
    this.state = 'granted'
    const date_start = new Date().toISOString()
    this.facts = this.#describe(grant, date_start)
    await this.#putOnBooks(this.facts)
    if (this.outcome) return
    await this.#startRecording(date_start)
    if (this.outcome) return
    this.state = 'connecting'
    const connection = await this.#connect(grant, signal)
    this.#connection = connection
    if (this.outcome) return connection.end()
    const channel = await this.#openChannel(connection)
    this.#channel = channel
    if (this.outcome) return channel.destroy()
    this.#relay(connection, channel)
  }

  async #putOnBooks(facts: NewSession): Promise<void> {
    try {
      await this.#services.api.createSession(facts)
      this.#isOnBooks = true
    } catch (error) {
      // without an answer the server may have it all the same: then it must not stay open there
      if (error instanceof ServerAwayError) {
        await this.#services.reportEnd(this.id, {
          is_success: false,
          end_reason: 'internal_error',
          end_detail: 'the server did not answer',
          date_end: new Date().toISOString(),
        })
      }
      throw error
    }
  }

  async #ask(): Promise<TokenSecret> {
    try {
      const grant = await this.plan.ask(this.#abort.signal)
      if (!grant.actions.includes('connect')) {
        throw new RefusedError(
          gatewayMessage(this.plan.language, 'connect_not_allowed', { asset: grant.asset.name }),
        )
      }
      return grant
    } catch (error) {
      if (!(error instanceof ServerRefusedError) || error.status >= 500) throw error
      throw new RefusedError(error.detail || error.code, { cause: error })
    }
  }

  async #startRecording(date_start: string): Promise<void> {
    const { uploader } = this.#services
    try {
      const recording = await Recording.open(uploader.folderOf(this.id), { id: this.id, date_start })
      recording.onFailure = (error) => {
        this.#log.error({ err: error }, 'recording failed')
        this.end({ reason: 'recording_failed', detail: '' })
      }
      this.recording = recording
      uploader.follow(recording)
      if (this.#isWhole) {
        const screen = this.#services.emulations.open({
          size: this.#size,
          lostNotice: gatewayMessage(this.plan.language, 'screen_lost'),
          onFound: (found) => this.#onFound(found),
        })
        this.screen = screen
        recording.takeSnapshot = () => screen.keyframe()
      }
      // on disk before the target is even asked
      recording.resize(this.#size)
      await recording.flush()
    } catch (error) {
      this.#log.error({ err: error }, 'recording could not begin')
      this.end({ reason: 'recording_failed', detail: '' })
    }
  }

  async #connect(grant: TokenSecret, signal: AbortSignal): Promise<TargetConnection> {
    try {
      return await this.#services.connect(grant, signal)
    } catch (error) {
      throw new TargetFailure(this.#services.describeFailure(error, this.plan.language), { cause: error })
    }
  }

  async #openChannel(connection: TargetConnection): Promise<TargetChannel> {
    const { kind, command = '', terminal, lang } = this.plan.client
    const sized = terminal && { ...terminal, ...this.#size }
    try {
      if (kind === 'exec') return await connection.exec(command, { terminal: sized, lang })
      return await connection.shell(sized, { lang })
    } catch (error) {
      throw new TargetFailure(this.#services.describeFailure(error, this.plan.language), { cause: error })
    }
  }

  #relay(connection: TargetConnection, channel: TargetChannel): void {
    const { client } = this.plan
    const { recording } = this
    if (!recording) throw new Error('not recording')
    // it may have changed while the channel was being opened
    channel.resize(this.#size)
    this.state = 'live'
    this.#liveSince = Date.now()
    this.lastActivityMs = performance.now()
    if (!this.#isWhole)
      this.#exec = new ExecAudit(recording, client.command ?? '', {
        output: this.#services.execRecordBytes,
        // What is fed to a shell without a terminal are its commands: they are kept.
        input:
          client.command === undefined || this.#services.settings().TERMINAL_RECORD_EXEC_INPUT
            ? this.#services.execRecordBytes
            : 0,
      })
    for (const stream of [client.stdin, client.stdout, client.stderr, channel.stdin, channel.stdout]) {
      stream?.on('error', (error: Error) => this.#log.debug({ err: error }, 'a stream of the session broke'))
    }
    const room = () => (recording.congested ? recording.ready() : undefined)
    const input = pump(client.stdin, channel.stdin, {
      tap: (chunk) => this.#onInput(chunk),
      room,
      spent: release,
    })
    void input.ended.then(() => channel.stdin.end())
    const output = pump(channel.stdout, client.stdout, {
      tap: (chunk) => this.#onOutput(chunk),
      room,
      spent: release,
    })
    this.#pumps = [input, output]
    const outputs = [output.ended]
    if (channel.stderr) {
      const sink = client.stderr ?? client.stdout
      const errors = pump(channel.stderr, sink, {
        tap: (chunk) => this.#onErrorOutput(chunk),
        room,
        spent: release,
      })
      this.#pumps.push(errors)
      outputs.push(errors.ended)
    }
    this.onLive?.()
    this.#watchEnd(connection, channel, Promise.all(outputs)).catch((error: unknown) => this.#fail(error))
  }

  async #watchEnd(
    connection: TargetConnection,
    channel: TargetChannel,
    drained: Promise<unknown>,
  ): Promise<void> {
    let said: ExitResult | undefined
    const finished = Promise.all([channel.exited.then((exit) => (said = exit)), drained])
    const broken = async () => {
      const cause = await connection.closed
      await this.#quiet()
      said ??= { kind: 'lost', cause }
    }
    await Promise.race([finished, broken()])
    const exit: ExitResult = said ?? { kind: 'lost' }
    const cause = exit.kind === 'lost' ? (exit.cause ?? (await settled(connection.closed))) : undefined
    if (cause) {
      this.#log.info({ err: cause }, 'lost the target')
      const detail = this.#services.describeFailure(cause, this.plan.language)
      this.end({ reason: 'target_failed', detail }, exitFailure)
    } else {
      this.end({ reason: 'target_closed', detail: '' }, exit.kind === 'lost' ? exitFailure : exit)
    }
  }

  /** Resolves when no traffic has come for a while, so that what is on its way still arrives. */
  async #quiet(): Promise<void> {
    while (!this.outcome && performance.now() - this.lastActivityMs < lastWordsMs) {
      const waiting = this.#channel?.stdout.readableLength ?? 0
      if (waiting === 0) return
      await sleep(20)
    }
  }

  #onInput(chunk: Buffer): void {
    this.lastActivityMs = performance.now()
    this.screen?.input(chunk)
    if (this.#exec) this.#exec.input(chunk)
    else this.recording?.input(chunk.byteLength)
  }

  #onOutput(chunk: Buffer): void {
    this.lastActivityMs = performance.now()
    if (this.#exec) this.#exec.output(chunk)
    else this.recording?.output(chunk)
    this.screen?.feed(chunk)
  }

  #onErrorOutput(chunk: Buffer): void {
    this.lastActivityMs = performance.now()
    if (this.#exec) this.#exec.errorOutput(chunk)
    else this.recording?.output(chunk)
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

  #resize(size: TerminalSize): void {
    if (size.cols === this.#size.cols && size.rows === this.#size.rows) return
    this.#size = { cols: size.cols, rows: size.rows }
    this.lastActivityMs = performance.now()
    this.recording?.resize(this.#size)
    this.screen?.resize(this.#size)
    this.#channel?.resize(this.#size)
  }

  #fail(error: unknown): void {
    if (this.outcome) return
    if (error instanceof RefusedError) {
      this.#log.info({ err: error }, 'refused')
      this.end({ reason: 'refused', detail: error.message })
    } else if (error instanceof TargetFailure) {
      this.#log.info({ err: error.cause }, 'connecting failed')
      this.end({ reason: 'target_failed', detail: error.message })
    } else if (!this.#isOnBooks) {
      this.#log.warn({ err: error }, 'could not ask the server')
      this.end({ reason: 'refused', detail: gatewayMessage(this.plan.language, 'server_away') })
    } else {
      this.#log.error({ err: error }, 'the session failed')
      this.end({ reason: 'internal_error', detail: '' })
    }
  }

  async #close(): Promise<void> {
    const { recording, outcome } = this
    const isBooked = this.#isOnBooks && outcome?.reason !== 'refused'
    const date_end = new Date().toISOString()
    try {
      await this.#finishCommands()
      this.#exec?.close(this.#exit)
      if (outcome && outcome.reason !== 'refused') {
        recording?.mark({ kind: 'end', reason: outcome.reason, detail: outcome.detail })
      }
    } finally {
      await this.#closeRecording(async () => {
        if (isBooked) await this.#reportEnd(date_end)
        if (isBooked && recording) await markEnded(recording.folder)
      })
    }
  }

  /** What could not be written is no recording, whatever the session ended by. `report` comes between its end and its upload's. */
  async #closeRecording(report: () => Promise<void>): Promise<void> {
    const { recording } = this
    const closing = recording?.close()
    try {
      const late = sleep(closingMs, undefined, { ref: false }).then(() => {
        throw new Error(`the recording was not closed within ${closingMs} ms`)
      })
      await Promise.race([closing, late])
    } catch (error) {
      this.#log.error({ err: error }, 'the recording could not be closed')
      this.outcome = { reason: 'recording_failed', detail: '' }
    }
    try {
      await report()
    } finally {
      void closing?.catch(() => undefined).then(() => recording?.finish())
    }
  }

  async #reportEnd(date_end: string): Promise<void> {
    const { reason, detail } = this.outcome ?? { reason: 'internal_error', detail: '' }
    if (reason === 'refused') return
    await this.#services.reportEnd(this.id, {
      is_success: this.#channel !== undefined && reason !== 'recording_failed',
      end_reason: reason,
      end_detail: detail.slice(0, 1024),
      date_end,
    })
  }

  async #finishCommands(): Promise<void> {
    const { screen, plan } = this
    let output = this.#exec?.head ?? ''
    if (screen) {
      if (this.recording) this.recording.takeSnapshot = undefined
      output = await screen.close()
    }
    // A shell without a terminal takes its commands from its input, which nobody reads here.
    const input = plan.client.command ?? (this.#exec && gatewayMessage(plan.language, 'unread_no_terminal'))
    if (input && this.#liveSince > 0) {
      this.#reportCommand({ input, output, time: this.#liveSince })
    }
    await Promise.all(this.#reports)
  }

  #onFound(found: Command | Unread): void {
    if (!('unread' in found)) return this.#reportCommand(found)
    const { unread, lines, time } = found
    const input = gatewayMessage(this.plan.language, `unread_${unread}`, { lines })
    this.#reportCommand({ input, output: '', time })
  }

  #reportCommand({ input, output, time }: Command): void {
    const { facts } = this
    if (!facts) return
    const report = this.#services
      .reportCommand({
        id: randomUUID(),
        session: this.id,
        user: facts.user,
        asset: facts.asset,
        account: facts.account,
        input: input.slice(0, 2048),
        output,
        risk_level: 0,
        org_id: facts.org_id,
        timestamp: Math.floor(time / 1000),
        millisecond: time % 1000,
        sequence: ++this.#commandCount,
      })
      .catch((error: unknown) => {
        this.#log.error({ err: error }, 'a command could not be kept')
        this.end({ reason: 'recording_failed', detail: '' })
      })
    this.#reports.add(report)
    void report.then(() => this.#reports.delete(report))
  }

  #describe(grant: TokenSecret, date_start: string): NewSession {
    const { user, asset, account } = grant
    return {
      id: this.id,
      user: `${user.name}(${user.username})`.slice(0, 128),
      user_id: user.id,
      asset: `${asset.name}(${asset.address})`.slice(0, 128),
      asset_id: asset.id,
      account: `${account.name}(${account.username})`.slice(0, 128),
      account_id: account.id || account.name,
      protocol: grant.protocol,
      type: this.#isWhole ? 'normal' : 'command',
      login_from: this.plan.login_from,
      remote_addr: this.plan.remote_addr,
      org_id: grant.org_id || asset.org_id,
      date_start,
    }
  }
}

/** The message is a sentence for the person. */
class TargetFailure extends Error {
  override name = 'TargetFailure'
}

/** The value of a promise that has settled already, else undefined. */
async function settled<T>(promise: Promise<T>): Promise<T | undefined> {
  return Promise.race([promise, sleep(0, undefined)])
}
