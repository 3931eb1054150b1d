import { randomUUID } from 'node:crypto'
import { lineDiscardOf } from '@sallyport/contract/assets/line-discard'
import { sessionFacts, type NewSession } from '@sallyport/contract/gateway/books'
import type { Grant } from '@sallyport/contract/gateway/grants'
import { gatewayMessage } from '@sallyport/contract/messages/gateway'
import type { Language } from '@sallyport/contract/messages/language'
import { ServerRefusedError } from '../api/errors.ts'
import type { Log } from '../log.ts'
import type { RecordingKind } from '@sallyport/contract/recording'
import type { Recording } from '../recorder/recording.ts'
import type { Uploader } from '../recorder/uploader.ts'
import { Books, type BooksServices, type FoundCommand } from './books.ts'
import { closeSession } from './closing.ts'
import { InputGate, type Judge } from './gate.ts'
import type { Connections, Granted, Lease } from './connections.ts'
import { CommandRefusedError, outcomeOf, RefusedError, TargetFailure, UnopenedError } from './failures.ts'
import { Recordings } from './recordings.ts'
import { Room } from './room.ts'
import { outcomeSentence, type Outcome } from './outcome.ts'
import type { Traffic, TrafficSession } from './traffic.ts'

export type SessionState = 'asking' | 'granted' | 'connecting' | 'live' | 'ended'

export interface SessionServices extends BooksServices {
  log: Log
  uploader: Uploader
  /** Who judges what is sent in a session of that grant; undefined: nobody. */
  judgeOf: (grant: Grant, session: JudgedSession) => Judge | undefined
  /** A sentence in the person's language for what connecting, or opening anything on the connection, rejected with. */
  describeFailure: (error: unknown, language: Language) => string
}

/** A session as those who judge what is sent in it see it. `signal` aborts when it ends. */
export interface JudgedSession {
  readonly id: string
  readonly language: Language
  readonly signal: AbortSignal
  readonly log: Log
}

/** What is known of a session before it is granted; `isOnBooks` of what is answered: the same call put it there. */
export type Opening = Pick<NewSession, 'id' | 'type' | 'login_from' | 'remote_addr' | 'date_start'>

export interface SessionPlan {
  traffic: Traffic
  /** Of the person's connection: its sessions share them. */
  connections: Connections
  /** Exchanges who, what and how for a grant; rights are checked by this. The signal aborts when the session ends. */
  ask: (opening: Opening, signal: AbortSignal) => Promise<Granted & { isOnBooks?: boolean }>
  /** Whose it is. */
  user_id: string
  login_from: NewSession['login_from']
  remote_addr: string
  language: Language
}

/**
 * One session, one life: asking → granted → connecting → live → ended. Whatever happens it ends once, with its reason, on the server's
 * books too. What flows in it is its traffic's matter.
 */
export class Session implements TrafficSession {
  readonly id = randomUUID()
  readonly plan: SessionPlan
  readonly log: Log
  /** Settles when everything is closed and on disk. */
  readonly done: Promise<Outcome>
  state: SessionState = 'asking'
  outcome: Outcome | undefined
  readonly room = new Room({
    recording: () => this.recording,
    mark: (mark) => this.recording?.mark(mark),
    leave: () => this.#leave(),
    paint: async () => await this.plan.traffic.paint?.(),
  })
  /** Set once granted. */
  grant: Grant | undefined
  gate: InputGate | undefined
  lastActivityMs = performance.now()
  readonly createdMs = performance.now()
  /** Called when the session is live. */
  onLive: (() => void) | undefined

  readonly #services: SessionServices
  readonly #recordings: Recordings
  readonly #abort = new AbortController()
  readonly #ended = Promise.withResolvers<void>()
  #books: Books | undefined
  #lease: Lease | undefined
  #wasOpen = false

  constructor(services: SessionServices, plan: SessionPlan) {
    this.#services = services
    this.plan = plan
    this.log = services.log.child({ session: this.id })
    this.#recordings = new Recordings(services.uploader, (error) =>
      this.#failRecording(error, 'recording failed'),
    )
    this.done = this.#run()
  }

  get language(): Language {
    return this.plan.language
  }

  get signal(): AbortSignal {
    return this.#abort.signal
  }

  /** The first of its recordings. */
  get recording(): Recording | undefined {
    return this.#recordings.first
  }

  /** As the books have it; undefined before it was granted. */
  get facts(): NewSession | undefined {
    return this.#books?.facts
  }

  /** On the server's books and not ended. */
  get isOnline(): boolean {
    return this.#books?.isOpen === true && this.state !== 'ended'
  }

  /** The fingerprint of what its target has proven to be itself with; undefined before. */
  get hostKey(): string | undefined {
    return this.#lease?.connection.hostKey
  }

  /** Ends the session at once; only the first call counts. */
  end(outcome: Outcome): void {
    if (this.outcome) return
    this.outcome = outcome
    this.state = 'ended'
    const sentence = outcomeSentence(outcome, this.language, this.id)
    const steps = [
      () => this.#abort.abort(),
      () => sentence && this.tell(sentence),
      () => this.plan.traffic.end(),
      () => this.#lease?.release(),
      () => this.room.close(),
      () => this.#ended.resolve(),
    ]
    // Whatever fails of it: nothing of an ended session goes on.
    for (const step of steps) {
      try {
        step()
      } catch (error) {
        this.log.error({ err: error }, 'a part of the session did not end cleanly')
      }
    }
  }

  /** A sentence for the person. */
  tell(sentence: string): void {
    this.plan.traffic.tell(sentence)
  }

  async record(kind: RecordingKind): Promise<Recording> {
    try {
      return await this.#recordings.openBeside(kind)
    } catch (error) {
      this.#failRecording(error, 'another recording could not begin')
      throw error
    }
  }

  reportCommand(found: FoundCommand): void {
    this.#books?.addCommand(found)
  }

  #leave(): void {
    this.end({ reason: 'client_left', detail: '' })
  }

  async #run(): Promise<Outcome> {
    const { traffic } = this.plan
    traffic.onLeave(() => this.#leave())
    traffic.onPresence?.((isPresent) => this.room.setPresent(isPresent))
    const life = this.#live().catch((error: unknown) => this.#fail(error))
    await this.#ended.promise
    await life
    const outcome = this.outcome ?? { reason: 'internal_error', detail: '' }
    try {
      this.outcome = await closeSession({
        outcome,
        traffic,
        wasOpen: this.#wasOpen,
        books: this.#books,
        recordings: this.#recordings,
        log: this.log,
      })
    } catch (error) {
      this.log.error({ err: error }, 'the session did not close cleanly')
    }
    const known = this.outcome ?? outcome
    this.log.info({ reason: known.reason, detail: known.detail }, 'session ended')
    return known
  }

  /** Returns early when the session has ended meanwhile. */
  async #live(): Promise<void> {
    const { traffic } = this.plan
    const { login_from, remote_addr } = this.plan
    const date_start = new Date().toISOString()
    const opening = { id: this.id, type: traffic.sessionType, login_from, remote_addr, date_start }
    const { isOnBooks = false, ...granted } = await this.#ask(opening)
    const { grant } = granted
    const books = this.#keepBooks(sessionFacts(grant, opening), isOnBooks)
    if (this.outcome) return
    if (!grant.actions.includes('connect'))
      throw new RefusedError(
        gatewayMessage(this.language, 'connect_not_allowed', { asset: grant.asset.name }),
      )
    this.grant = grant
    this.room.open(grant.user)
    this.gate = this.#gateOf(grant)
    this.state = 'granted'
    if (!isOnBooks) await books.open(grant.from_ticket ?? undefined)
    if (this.outcome) return
    await this.#startRecording(date_start)
    if (this.outcome) return
    this.state = 'connecting'
    await this.#openTarget(granted)
    if (this.outcome) return
    this.state = 'live'
    this.lastActivityMs = performance.now()
    this.#watch(traffic.relay()).catch((error: unknown) => this.#fail(error))
    this.onLive?.()
  }

  async #ask(opening: Opening): ReturnType<SessionPlan['ask']> {
    try {
      return await this.plan.ask(opening, this.signal)
    } catch (error) {
      if (!(error instanceof ServerRefusedError) || error.status >= 500) throw error
      throw new RefusedError(error.detail || error.code, { cause: error })
    }
  }

  #gateOf(grant: Grant): InputGate | undefined {
    const judge = this.#services.judgeOf(grant, this)
    const { signal, language, log } = this
    const tell = (sentence: string) => this.tell(sentence)
    const show = (text: string) => this.plan.traffic.show?.(text)
    const discard = lineDiscardOf({ category: grant.asset.category, name: grant.platform.name })
    return judge && new InputGate(judge, { discard, signal, tell, show, language, log })
  }

  #keepBooks(facts: NewSession, isOnBooks: boolean): Books {
    const books = new Books(this.#services, facts, isOnBooks)
    books.onFailure = (error) => this.#failRecording(error, 'a command could not be kept')
    this.#books = books
    return books
  }

  async #startRecording(date_start: string): Promise<void> {
    const { traffic } = this.plan
    try {
      const recording = await this.#recordings.open({ id: this.id, date_start }, traffic.recordingKind)
      traffic.prepare(this, recording)
      // on disk before the target is even asked
      await recording.flush()
    } catch (error) {
      this.#failRecording(error, 'recording could not begin')
    }
  }

  #failRecording(error: unknown, what: string): void {
    this.log.error({ err: error }, what)
    this.end({ reason: 'recording_failed', detail: '' })
  }

  async #openTarget(granted: Granted): Promise<void> {
    try {
      let left = granted.grant.gateways.length - 1
      while (!this.#wasOpen && !this.outcome) await this.#openOn(granted, () => left-- > 0)
    } catch (error) {
      if (error instanceof CommandRefusedError) throw error
      throw new TargetFailure(this.#services.describeFailure(error, this.language), { cause: error })
    }
  }

  /** `mayDetour`: whether there is another way to try, where this one breaks. */
  async #openOn(granted: Granted, mayDetour: () => boolean): Promise<void> {
    const { connections, traffic } = this.plan
    const lease = await connections.lease(granted, this.signal, {
      ask: traffic.ask,
      detour: (why) => this.#tellDetour(why),
    })
    this.#lease = lease
    if (this.outcome) return lease.release()
    try {
      await traffic.open(lease.connection)
      this.#wasOpen = true
    } catch (error) {
      const why = error instanceof UnopenedError ? error.cause : error
      const isOnDetour = error instanceof UnopenedError && lease.isFresh && mayDetour()
      if (error instanceof CommandRefusedError || (lease.isFresh && !isOnDetour)) throw why
      if (isOnDetour) this.#tellDetour(why)
      // Targets bound how much is open on one connection, and one that others use may be on its way out.
      this.log.info({ err: error }, 'nothing more on a shared connection')
      lease.giveUp()
    }
  }

  #tellDetour(why: unknown): void {
    if (this.outcome) return
    this.log.info({ err: why }, 'on another way to the target')
    const reason = this.#services.describeFailure(why, this.language)
    this.tell(gatewayMessage(this.language, 'detour', { reason }))
  }

  async #watch(relayed: Promise<Error | undefined>): Promise<void> {
    const cause = await relayed
    if (cause) {
      this.log.info({ err: cause }, 'lost the target')
      const detail = this.#services.describeFailure(cause, this.language)
      this.end({ reason: 'target_lost', detail })
    } else this.end({ reason: 'target_closed', detail: '' })
  }

  #fail(error: unknown): void {
    if (this.outcome) return
    const outcome = outcomeOf(error, this.#books?.isOpen === true, this.language)
    if (outcome.reason === 'internal_error') this.log.error({ err: error }, 'the session failed')
    else this.log.info({ err: error }, 'the session could not be opened')
    this.end(outcome)
  }
}
