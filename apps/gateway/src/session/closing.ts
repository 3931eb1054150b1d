import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../log.ts'
import { markEnded } from '../recorder/folder.ts'
import type { Recording } from '../recorder/recording.ts'
import type { Books } from './books.ts'
import type { Outcome } from './outcome.ts'
import type { Traffic } from './traffic.ts'

const closingMs = 10_000

export interface Closing {
  outcome: Outcome
  traffic: Traffic
  /** The target's side has been open. */
  wasOpen: boolean
  books: Books | undefined
  recording: Recording | undefined
  log: Log
}

/**
 * Puts the end of a session on record: in its recording, then on the server's books. Resolves with how it ended there: what could not be
 * written is no recording, whatever the session ended by.
 */
export async function closeSession({
  outcome,
  traffic,
  wasOpen,
  books,
  recording,
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
  recording?.mark({ kind: 'end', reason: known, detail })
  const ended = { end_reason: known, end_detail: detail }
  const closed = recording?.close()
  try {
    await withinTime(closed)
  } catch (error) {
    log.error({ err: error }, 'the recording could not be closed')
    Object.assign(ended, { end_reason: 'recording_failed', end_detail: '' })
  }
  try {
    const is_success = wasOpen && ended.end_reason !== 'recording_failed'
    await books.close({ is_success, ...ended, date_end })
    if (recording) await markEnded(recording.folder)
  } finally {
    // The upload ends after the end is on its way.
    void closed?.catch(() => undefined).then(() => recording?.finish())
  }
  return ended.end_reason === reason ? outcome : { reason: ended.end_reason, detail: ended.end_detail }
}

async function withinTime(closed: Promise<void> | undefined): Promise<void> {
  const late = sleep(closingMs, undefined, { ref: false }).then(() => {
    throw new Error(`the recording was not closed within ${closingMs} ms`)
  })
  await Promise.race([closed, late])
}
