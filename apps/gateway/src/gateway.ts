import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { CommandRecord, SessionWanted } from '@sallyport/contract/gateway/books'
import type { Grant } from '@sallyport/contract/gateway/grants'
import { alertsAtOnce, type CommandAlert } from '@sallyport/contract/gateway/reviews'
import { terminalConfigSchema, type TerminalConfig } from '@sallyport/contract/gateway/registration'
import type { TerminalTask } from '@sallyport/contract/gateway/reports'
import type { Language } from '@sallyport/contract/messages/language'
import { endReasonSchema } from '@sallyport/contract/recording'
import { bodySchema } from '@sallyport/contract/resource/schema'
import { commandRecord } from '@sallyport/contract/resources/terminal'
import { boundedAlerts } from './api/alerts.ts'
import { ApiClient, type SessionEnd } from './api/client.ts'
import { isFinal, ServerRefusedError } from './api/errors.ts'
import { DiskQueue } from './api/disk-queue.ts'
import { Registration } from './api/registration.ts'
import { Statements } from './api/statements.ts'
import { TaskSocket } from './api/task-socket.ts'
import { Transport } from './api/transport.ts'
import { ConfigError, type Config } from './config.ts'
import { FolderLock } from './folder-lock.ts'
import type { Log } from './log.ts'
import { commandJudge } from './policy/command-judge.ts'
import { DecidedReviews } from './policy/decided-reviews.ts'
import { Patterns } from './policy/patterns.ts'
import { Prober } from './probes/prober.ts'
import { Uploader } from './recorder/uploader.ts'
import { orEnded } from './session/books.ts'
import { Connections, type Granted } from './session/connections.ts'
import type { Judge } from './session/gate.ts'
import type { JudgedSession, Session, SessionPlan } from './session/session.ts'
import { Sessions } from './session/sessions.ts'
import { trafficOf } from './traffic/kinds.ts'
import type { Client } from './traffic/ports.ts'
import { Emulations } from './traffic/terminal/screen/workers.ts'
import { connectTarget, describeFailure } from './targets/connect.ts'
import { hostKeyRefused, toldHostKeys } from './targets/ssh/host-keys.ts'
import { placeOf } from './targets/ssh/login.ts'
import { Zones } from './targets/zones/zones.ts'

const configEveryMs = 60_000
const configRetryMs = 5000
const hostKeysRetryMs = 1000
/** After the sessions have ended, what is left to tell the server may take so long; the rest waits on disk. */
const farewellMs = 4000

const endItemSchema = z.object({
  id: z.uuid(),
  is_success: z.boolean(),
  end_reason: endReasonSchema,
  end_detail: z.string(),
  date_end: z.string(),
})
type EndItem = z.infer<typeof endItemSchema>

const queuedCommandSchema = bodySchema(commandRecord) as z.ZodType<CommandRecord>
const queuedAlertSchema: z.ZodType<CommandAlert> = z.object({
  session: z.uuid(),
  risk_level: z.number().int(),
  input: z.string(),
  cmd_filter_acl: z.uuid(),
})

export interface OpenPlan extends Omit<SessionPlan, 'traffic' | 'connections'> {
  client: Client
  origin?: object
}

/** Everything of a gateway but its listeners. */
export class Gateway {
  readonly config: Config
  readonly log: Log
  readonly api: ApiClient
  readonly sessions: Sessions
  readonly decidedReviews = new DecidedReviews()
  readonly #registration: Registration
  readonly #uploader: Uploader
  readonly #emulations: Emulations
  readonly #patterns: Patterns
  readonly #prober: Prober
  readonly #zones: Zones
  readonly #ends: DiskQueue<EndItem>
  readonly #commands: DiskQueue<CommandRecord>
  readonly #alerts: DiskQueue<CommandAlert>
  readonly #connections = new WeakMap<object, Connections>()
  readonly #stop = new AbortController()
  #settings: TerminalConfig = terminalConfigSchema.parse({})
  #link: TaskSocket | undefined
  #following: Promise<void> | undefined
  #lock: FolderLock | undefined

  constructor(config: Config, log: Log) {
    this.config = config
    this.log = log
    this.api = new ApiClient(new Transport(config.api))
    this.#registration = new Registration(config, this.api, log)
    this.#uploader = new Uploader(config.folder, this.api, log)
    this.#emulations = new Emulations(log)
    this.#patterns = new Patterns(log)
    this.#prober = new Prober(config.api, () => this.api.transport.key, log)
    this.#zones = new Zones(this.api, log)
    this.#ends = new DiskQueue({
      folder: join(config.folder, 'ends'),
      what: 'ends of sessions',
      schema: endItemSchema,
      whose: ({ id }) => id,
      batch: 1,
      send: async (items) => {
        for (const { id, ...end } of items) await this.#endOnBooks(id, end)
      },
      log,
    })
    this.#commands = new DiskQueue({
      folder: join(config.folder, 'commands'),
      what: 'commands',
      schema: queuedCommandSchema,
      whose: ({ session }) => session,
      batch: 100,
      send: (items) => this.api.addCommands(items),
      log,
    })
    this.#alerts = new DiskQueue({
      folder: join(config.folder, 'alerts'),
      what: 'alerts of commands',
      schema: queuedAlertSchema,
      whose: ({ session }) => session,
      batch: alertsAtOnce,
      send: (items) => this.api.alertOfCommands(items),
      log,
    })
    this.sessions = new Sessions(
      {
        api: this.api,
        log,
        uploader: this.#uploader,
        describeFailure,
        judgeOf: (grant, session) => this.judgeOf(grant, session),
        reportCommand: (record) => this.#commands.push(record),
        reportEnd: (id, end) => this.#reportEnd(id, end),
      },
      () => this.#settings,
    )
  }

  /** Commands are judged by the filters that come with the grant. */
  judgeOf: (grant: Grant, session: JudgedSession) => Judge | undefined = (
    { command_filter_acls, org_id },
    { id, language, signal, log },
  ) =>
    commandJudge(command_filter_acls, {
      api: this.api,
      decidedReviews: this.decidedReviews,
      patterns: this.#patterns,
      organization: org_id,
      session: id,
      language,
      signal,
      log,
      alert: boundedAlerts((alert) => this.#alerts.push(alert), log),
    })

  /** Ends what a person opened with a sign-in from before that moment, by the server's clock: the listeners' own. */
  disconnectUser: (userId: string, beforeMs: number) => void = () => {}

  readonly statements = new Statements(() => this.#settings)

  get settings(): TerminalConfig {
    return this.#settings
  }

  /** Begins a session on what a person's side asked for; those with the same `origin`, a connection of the person's, share targets. */
  openSession({ client, origin = client, ...plan }: OpenPlan): Session {
    const limits = {
      recordBytes: this.config.execRecordBytes,
      keepsInput: () => this.#settings.TERMINAL_RECORD_EXEC_INPUT,
    }
    const traffic = trafficOf(client, this.#emulations, limits)
    return this.sessions.open({ ...plan, traffic, connections: this.#connectionsOf(origin) })
  }

  /** Asks for a person's session, and puts it on the books, in one call. */
  async beginSession(wanted: SessionWanted, language: Language): Promise<Granted & { isOnBooks: true }> {
    const asked = this.api.beginSession(wanted, language)
    const { grant, host_keys } = await orEnded(asked, wanted.id, (id, end) => this.#reportEnd(id, end))
    return { grant, hostKeys: { ...host_keys, atMs: performance.now() }, isOnBooks: true }
  }

  #connectionsOf(origin: object): Connections {
    const known = this.#connections.get(origin)
    if (known) return known
    const connections = new Connections(({ grant, hostKeys }, signal, { ask, detour }) =>
      connectTarget(grant, {
        dialer: this.#zones.dialerOf(grant, grant.user.id),
        hostKeys: toldHostKeys(this.api, hostKeys),
        signal,
        ask,
        detour,
      }),
    )
    this.#connections.set(origin, connections)
    return connections
  }

  /** Throws ConfigError when the data folder cannot be used, or is by another gateway. */
  async open(): Promise<void> {
    try {
      await mkdir(this.config.folder, { recursive: true, mode: 0o700 })
      this.#lock = await FolderLock.take(this.config.folder)
      await this.#ends.start()
      await this.#commands.start()
      await this.#alerts.start()
    } catch (error) {
      if (error instanceof ConfigError) throw error
      throw new ConfigError(
        `SALLYPORT_DATA: ${this.config.folder} cannot be written: make it writable for this account or name another folder`,
        { cause: error },
      )
    }
  }

  /** Registers, takes up what was left and links up. `http` is where servers reach the browser listener. */
  async start(http: string): Promise<void> {
    this.#registration.onRegistered = async () => void (await this.#readSettings())
    await this.#registration.establish(this.#stop.signal)
    await this.#uploader.recover(({ id, date_end }) =>
      this.#ends.push({ id, is_success: true, end_reason: 'gateway_lost', end_detail: '', date_end }),
    )
    await this.#readSettings()
    this.sessions.start()
    this.#link = new TaskSocket({
      transport: this.api.transport,
      log: this.log,
      folder: this.config.folder,
      sessions: () => this.sessions.onlineIds,
      http: () => http,
      onTask: (task) => this.#onTask(task),
      onRefused: () => void this.#readSettings(),
    })
    this.#link.start()
    this.#following = this.#followSettings()
  }

  /** The face all gateways show; waits for a server that is away or busy as long as it takes. @throws when the server refuses */
  async ownHostKeys(offered: string[]): Promise<string[]> {
    let isTold = false
    for (;;) {
      try {
        return await this.api.ownHostKeys(offered)
      } catch (error) {
        if (isFinal(error)) throw error
        if (!isTold) this.log.warn({ err: error }, 'waiting for the host keys of the gateways')
        isTold = true
        await sleep(hostKeysRetryMs, undefined, { signal: this.#stop.signal })
      }
    }
  }

  /** Ends the sessions after a grace, tells the server, and closes. */
  async stop(graceMs: number): Promise<void> {
    await this.sessions.drain(graceMs)
    await Promise.all([
      this.#ends.stop(farewellMs),
      this.#commands.stop(farewellMs),
      this.#alerts.stop(farewellMs),
      this.#uploader.drain(farewellMs),
    ])
    this.#stop.abort()
    this.#link?.stop()
    await this.#following
    this.#zones.stop()
    await this.#emulations.stop()
    await this.#patterns.stop()
    await this.#prober.stop()
    this.api.transport.close()
    this.#lock?.release()
  }

  /** A full disk must not leave a session open on the books. */
  async #reportEnd(id: string, end: SessionEnd): Promise<void> {
    try {
      await this.#ends.push({ id, ...end })
    } catch (error) {
      this.log.error({ err: error, session: id }, 'the end of a session could not be kept on disk')
      await this.api.endSession(id, end)
    }
  }

  async #endOnBooks(id: string, end: SessionEnd): Promise<void> {
    try {
      await this.api.endSession(id, end)
    } catch (error) {
      if (!(error instanceof ServerRefusedError) || error.status !== 404) throw error
      this.log.info({ session: id }, 'the server does not know this session')
    }
  }

  #onTask(task: TerminalTask): void {
    if (task.name === 'kill_session') this.sessions.kill(task.args, task.kwargs)
    else if (task.name === 'probe') this.#prober.take(task.args)
    else if (task.name === 'review_decided') this.decidedReviews.tell(task.args)
    else if (task.name === 'host_key_refused') this.#refuseHostKey(task.kwargs.asset ?? '', task.args)
    else if (task.name === 'disconnect_user')
      this.disconnectUser(task.args, task.kwargs.before_ms ?? Number.POSITIVE_INFINITY)
    else {
      this.log.warn({ task: task.name }, 'the server asked for something unknown')
      return
    }
    this.api
      .finishTask(task.id)
      .catch((error: unknown) => this.log.warn({ err: error }, 'could not report a finished task'))
  }

  #refuseHostKey(asset: string, fingerprint: string): void {
    this.#zones.refuseHostKey(asset, fingerprint)
    this.sessions.refuseHostKey(
      asset,
      fingerprint,
      ({ asset: { address, protocols }, protocol }, language) => {
        const port = protocols.find(({ name }) => name === protocol)?.port ?? 0
        return hostKeyRefused(placeOf({ address, port }), fingerprint).sentence(language)
      },
    )
  }

  async #readSettings(): Promise<boolean> {
    try {
      this.#settings = await this.api.terminalConfig()
      return true
    } catch (error) {
      this.log.warn({ err: error }, 'could not read the settings, keeping the last ones')
      return false
    }
  }

  async #followSettings(): Promise<void> {
    const { signal } = this.#stop
    let isRead = true
    while (!signal.aborted) {
      await sleep(isRead ? configEveryMs : configRetryMs, undefined, { signal }).catch(() => undefined)
      if (!signal.aborted) isRead = await this.#readSettings()
    }
  }
}
