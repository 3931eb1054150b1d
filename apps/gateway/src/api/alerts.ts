import { shortened } from '@sallyport/contract/gateway/commands'
import { type CommandAlert, toldCommandMax, toldOfSession } from '@sallyport/contract/gateway/reviews'
import type { Log } from '../log.ts'

/**
 * Alerts of one session's commands: `keep` gets as many as the server tells people of, the others are left out, which the log has once. All
 * commands are on the books, whatever is told of them.
 */
export function boundedAlerts(
  keep: (alert: CommandAlert) => Promise<void>,
  log: Log,
): (alert: CommandAlert) => void {
  let count = 0
  let untilMs = 0
  let isSaid = false
  return (alert) => {
    const now = performance.now()
    if (now >= untilMs) {
      count = 0
      untilMs = now + toldOfSession.minutes * 60_000
    }
    if (++count <= toldOfSession.most) {
      keep({ ...alert, input: shortened(alert.input, toldCommandMax) }).catch((error: unknown) => {
        log.error({ err: error }, 'an alert of a command could not be kept')
      })
    } else if (!isSaid) {
      isSaid = true
      log.warn('people are not told of all commands of this session that filters are about: it is too many')
    }
  }
}
