import { recordingsMax, type RecordingKind, type RecordingMark } from '@sallyport/contract/recording'
import { Recording } from '../recorder/recording.ts'
import type { SessionFile } from '../recorder/folder.ts'
import type { Uploader } from '../recorder/uploader.ts'

type Uploading = Pick<Uploader, 'folderOf' | 'follow'>

/** Everything that is recorded of one session: the first recording, and those its traffic opens beside it. They end together. */
export class Recordings {
  first: Recording | undefined
  readonly #uploader: Uploading
  readonly #onFailure: (error: unknown) => void
  readonly #beside: Recording[] = []
  readonly #opening: Promise<Recording>[] = []
  #isClosed = false

  /** @param onFailure called when one of them cannot be written any more: the session has to end */
  constructor(uploader: Uploading, onFailure: (error: unknown) => void) {
    this.#uploader = uploader
    this.#onFailure = onFailure
  }

  /** Opens the first. Rejects when it cannot be written. */
  async open(session: SessionFile, kind: RecordingKind): Promise<Recording> {
    this.first = this.#follow(await Recording.open(this.#uploader.folderOf(session.id), session, kind))
    return this.first
  }

  /** Opens another one, on disk when it resolves. Rejects when it cannot be written, or may not be any more. */
  async openBeside(kind: RecordingKind): Promise<Recording> {
    const { first } = this
    const number = this.#opening.length + 2
    if (!first || this.#isClosed) throw new Error('nothing is recorded now')
    if (number > recordingsMax) throw new Error(`a session has ${recordingsMax} recordings at most`)
    const opening = first.openBeside(number, kind)
    this.#opening.push(opening)
    const recording = this.#follow(await opening)
    this.#beside.push(recording)
    await recording.flush()
    return recording
  }

  #follow(recording: Recording): Recording {
    recording.onFailure = this.#onFailure
    this.#uploader.follow(recording)
    return recording
  }

  /** Marks the end in all of them and seals them. Rejects when one could not be written. */
  async close(end: RecordingMark): Promise<void> {
    this.#isClosed = true
    await Promise.allSettled(this.#opening)
    const closed = await Promise.allSettled(
      this.#inOrder.map(async (recording) => {
        recording.mark(end)
        await recording.close()
      }),
    )
    for (const one of closed) if (one.status === 'rejected') throw one.reason
  }

  /** After `close`: their uploads come to their end. */
  finish(): void {
    for (const recording of this.#inOrder) recording.finish()
  }

  /** The first is the last to end. */
  get #inOrder(): Recording[] {
    return this.first ? [...this.#beside, this.first] : []
  }
}
