import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../log.ts'
import { markEnded } from '../recorder/folder.ts'
import type { Books } from './books.ts'
import type { Outcome } from './outcome.ts'
import type { Recordings } from './recordings.ts'
import type { Traffic } from './traffic.ts'

const closingMs = 10_000

export interface Closing {
  outcome: Outcome
  traffic: Traffic
  /** The target's side has been open. */
  wasOpen: boolean
  books: Books | undefined
  recordings: Recordings
  log: Log
}

/**
 * Puts the end of a session on record: in its recordings, then on the server's books. Resolves with how it ended there: what could not be
 * written is no recording, whatever the session ended by.
 */
export async function closeSession({
  outcome,
  traffic,
  wasOpen,
  books,
  recordings,
  log,
}: Closing): Promise<Outcome> {
  const { reason, detail } = outcome
  if (!books?.isOpen) return outcome
  // What is on the books was granted by the server: that it is refused here is nobody's end.
  const known = reason === 'refused' ? 'internal_error' : reason
  const date_end = new Date().toISOString()
  try {
    await traffic.close()
    await books.settled()
  } catch (error) {
    log.error({ err: error }, 'the traffic of the session did not close cleanly')
  }
  const ended = { end_reason: known, end_detail: detail }
  const closed = recordings.close({ kind: 'end', reason: known, detail })
  try {
    await withinTime(closed)
  } catch (error) {
    log.error({ err: error }, 'a recording could not be closed')
    Object.assign(ended, { end_reason: 'recording_failed', end_detail: '' })
  }
  try {
    const is_success = wasOpen && ended.end_reason !== 'recording_failed'
    await books.close({ is_success, ...ended, date_end })
    if (recordings.first) await markEnded(recordings.first.folder)
  } finally {
    // The upload ends after the end is on its way.
    void closed.catch(() => undefined).then(() => recordings.finish())
  }
  return ended.end_reason === reason ? outcome : { reason: ended.end_reason, detail: ended.end_detail }
}

async function withinTime(closed: Promise<void>): Promise<void> {
  const late = sleep(closingMs, undefined, { ref: false }).then(() => {
    throw new Error(`the recordings were not closed within ${closingMs} ms`)
  })
  await Promise.race([closed, late])
}
