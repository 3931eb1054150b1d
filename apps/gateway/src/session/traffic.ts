/** What a session and the traffic that flows in it ask of each other. */
import type { NewSession } from '@sallyport/contract/gateway/books'
import type { Language } from '@sallyport/contract/messages/language'
import type { RecordingKind } from '@sallyport/contract/recording'
import type { Log } from '../log.ts'
import type { Recording, TakeSnapshot } from '../recorder/recording.ts'
import type { FoundCommand } from './books.ts'
import type { InputGate } from './gate.ts'
import type { AskPerson } from './questions.ts'

/** A connection to a target. What can be opened on it depends on what the target speaks. */
export interface TargetConnection {
  /** Settles when the connection is gone, with the cause where there is one. */
  closed: Promise<Error | undefined>
  /** The fingerprint of the key the target has proven to be itself with, where what it speaks knows such keys. */
  hostKey?: string
  end(): void
}

/**
 * One kind of traffic between a person and a target, and everything that is particular to it: how it is opened, carried, recorded and
 * watched, and what its commands are. The session calls `prepare`, perhaps `ask`, `open`, `relay` and `close` in this order, each at most once but `open`, which is called again where it failed on
 * a connection others use; `end` once at any time, `tell` until then.
 */
export interface Traffic {
  /** How the books call such a session. */
  readonly sessionType: NewSession['type']
  /** How it is recorded, first of all. */
  readonly recordingKind: RecordingKind
  /** Calls back when the person's side is gone for good, or wants nothing of it any more. */
  onLeave(listener: () => void): void
  /** Calls back when it is lost and may come back, and when it is back. */
  onPresence?(listener: (isPresent: boolean) => void): void
  /** Begins the recording: nothing has been asked of the target yet. */
  prepare(session: TrafficSession, recording: Recording): void
  /** Asks the person what the target wants to know before it lets them in; absent where there is no terminal to ask on. */
  ask?: AskPerson
  /** Opens on the connection what the person asked for. Rejects with what `describeFailure` knows. */
  open(connection: TargetConnection): Promise<void>
  /** Carries everything both ways. Resolves when the target's side has ended, with the cause where it was lost. */
  relay(): Promise<Error | undefined>
  /** What the person sees now, for one who comes back; absent where there is nothing to see. */
  paint?: TakeSnapshot
  /** A sentence for the person, recorded where the person's screen is. */
  tell(sentence: string): void
  /** Text for the person's screen as it is, recorded; absent where there is none. */
  show?(text: string): void
  /** Ends both sides at once; what was written to the person before still arrives. */
  end(): void
  /** Puts on record what is not yet, in bounded time: the recording is closed next. */
  close(): Promise<void>
}

/** The session as its traffic sees it. */
export interface TrafficSession {
  readonly language: Language
  readonly log: Log
  /** Judges what the person sends; undefined: all of it passes. */
  readonly gate: InputGate | undefined
  /** Aborts when the session ends. */
  readonly signal: AbortSignal
  /** `performance.now()` of the last traffic in either direction; the traffic sets it. */
  lastActivityMs: number
  /**
   * Opens another recording, for what flows beside what the first one holds; it ends with the session. Rejects when it cannot be written:
   * the session ends.
   */
  record(kind: RecordingKind): Promise<Recording>
  /** Puts a command on the books. */
  reportCommand(found: FoundCommand): void
}
