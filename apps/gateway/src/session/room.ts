import { setTimeout as sleep } from 'node:timers/promises'
import type { Profile } from '@sallyport/contract/gateway/grants'
import type { RecordingMark } from '@sallyport/contract/recording'
import { reattachWithinMs } from '@sallyport/contract/terminal-socket'
import type { Recording, TakeSnapshot } from '../recorder/recording.ts'

const paintWithinMs = 3000

/** What somebody may do in a session: see what flows, and send something. */
export interface Rights {
  read: boolean
  write: boolean
}

export interface Participant {
  user: Profile
  rights: Rights
}

/** The session as its room sees it. */
export interface RoomSession {
  recording(): Recording | undefined
  mark(mark: RecordingMark): void
  /** The one it belongs to is gone for good. */
  leave(): void
  paint: TakeSnapshot
}

/**
 * Those who take part in a session: the one it belongs to, whose connection may be lost and come back, and those who watch. Who comes and
 * goes is in the recording.
 */
export class Room {
  readonly #session: RoomSession
  readonly #watchers = new Set<Participant>()
  #owner: Participant | undefined
  #lostTimer: NodeJS.Timeout | undefined

  constructor(session: RoomSession) {
    this.#session = session
  }

  /** The owner first. */
  get participants(): Participant[] {
    return [...(this.#owner ? [this.#owner] : []), ...this.#watchers]
  }

  /** It was granted to somebody. */
  open(user: Profile): void {
    this.#owner = { user, rights: { read: true, write: true } }
  }

  isOwner(userId: string): boolean {
    return this.#owner?.user.id === userId
  }

  /** The owner's connection is lost, or back. The session goes on unseen for a while. */
  setPresent(isPresent: boolean): void {
    clearTimeout(this.#lostTimer)
    this.#session.mark({ kind: isPresent ? 'attached' : 'detached' })
    if (!isPresent) this.#lostTimer = setTimeout(() => this.#session.leave(), reattachWithinMs)
  }

  /** What the owner sees now, where there is something to see and it is known in time. */
  async paint(): ReturnType<TakeSnapshot> {
    return await Promise.race([this.#session.paint(), sleep(paintWithinMs, undefined, { ref: false })])
  }

  /** Frames from the beginning of the recording, then as they come; undefined before there is one. Until then the watcher is in the room. */
  watch(user: Profile, signal: AbortSignal): ReturnType<Recording['read']> | undefined {
    const recording = this.#session.recording()
    return recording && this.#follow({ user, rights: { read: true, write: false } }, recording, signal)
  }

  async *#follow(
    watcher: Participant,
    recording: Recording,
    signal: AbortSignal,
  ): ReturnType<Recording['read']> {
    const { id, name, username } = watcher.user
    const who = { user_id: id, user: `${name}(${username})`, rights: watcher.rights }
    this.#watchers.add(watcher)
    this.#session.mark({ kind: 'joined', ...who })
    try {
      yield* recording.read(signal)
    } finally {
      this.#watchers.delete(watcher)
      this.#session.mark({ kind: 'left', ...who })
    }
  }

  /** The session has ended. */
  close(): void {
    clearTimeout(this.#lostTimer)
  }
}
