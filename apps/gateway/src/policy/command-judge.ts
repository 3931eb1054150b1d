import type { CommandFilter } from '@sallyport/contract/gateway/grants'
import type { CommandAlert } from '@sallyport/contract/gateway/reviews'
import { gatewayMessage } from '@sallyport/contract/messages/gateway'
import { filterMessage } from '@sallyport/contract/messages/gateway-filters'
import { type Attempt, type Hold, type Judge, passes, type Verdict } from '../session/gate.ts'
import { type CommandReviewServices, reviewCommand } from './command-review.ts'
import type { Patterns, PatternSet } from './patterns.ts'
import { refusal } from './refusal.ts'

export interface CommandJudgeServices extends CommandReviewServices {
  patterns: Patterns
  /** Of the session; it has its share of the time the patterns take. */
  organization: string
  /** Aborts when the session ends. */
  signal: AbortSignal
  /** Tells people of a command a filter is about, sooner or later. */
  alert: (alert: CommandAlert) => void
}

/** So much of a command stands in a sentence. */
const namedMax = 128

/**
 * Judges commands by the filters of a grant: the first one with a group that is found in a reading of the command decides, without one it
 * passes. What nobody can read, and what a filter that cannot be used is about, is refused. Undefined where no filter could do anything.
 */
export function commandJudge(
  filters: readonly CommandFilter[],
  services: CommandJudgeServices,
): Judge | undefined {
  const { patterns, organization, signal } = services
  const asked = filters
    .filter(({ is_active }) => is_active)
    .flatMap((filter) => filter.command_groups.map((group) => ({ filter, group })))
    .filter(({ group }) => group.pattern !== '')
  if (asked.every(({ filter }) => filter.action === 'accept')) return undefined
  const held = asked.map(({ group }) => ({ ...group, source: group.pattern }))
  const set = patterns.hold(held, organization)
  signal.addEventListener('abort', () => set.release(), { once: true })
  return async (attempt, hold) => {
    const { language } = services
    if (attempt.readings.length === 0)
      return hold.isPast ? passes : refusal(filterMessage(language, 'line_unread'))
    const found = await firstOf(asked, set, attempt.readings)
    if (!found) return passes
    const { filter, text } = found
    if (text === undefined) return refusal(filterMessage(language, 'filter_broken', { rule: filter.name }))
    // Of what is not shown nothing is said, not even to the one who typed it.
    const command = attempt.text === undefined ? undefined : (text || attempt.text).slice(0, namedMax)
    const verdict = hold.isPast ? outcomeOf(filter) : await decide(filter, command, attempt, hold, services)
    if (verdict.kind !== 'replace' && verdict.risk_level === 5) {
      const input = attempt.text ?? gatewayMessage(language, 'unread_not_shown', { lines: 1 })
      services.alert({ session: services.session, risk_level: 5, input, cmd_filter_acl: filter.id })
    }
    return verdict
  }
}

type Asked = { filter: CommandFilter; group: { pattern: string } }

/** The filter that decides, and what it found; undefined for what: it cannot be used, and whether it would accept is not known. */
async function firstOf(
  asked: readonly Asked[],
  set: PatternSet,
  readings: readonly string[],
): Promise<{ filter: CommandFilter; text: string | undefined } | undefined> {
  let from = 0
  for (;;) {
    const found = await set.find(readings, from)
    const filter = found && asked[found.index]?.filter
    if (!found || !filter) return undefined
    // One that would let pass and cannot be used lets nothing pass.
    if (found.text !== undefined || filter.action !== 'accept') return { filter, text: found.text }
    from = found.index + 1
  }
}

/** Of what was not held. */
const outcomeOf = ({ action }: CommandFilter): Verdict =>
  action === 'accept' ? passes : { kind: 'pass', risk_level: 5 }

async function decide(
  filter: CommandFilter,
  command: string | undefined,
  attempt: Attempt,
  hold: Hold,
  services: CommandJudgeServices,
): Promise<Verdict> {
  const { language } = services
  if (filter.action === 'accept') return passes
  if (filter.action === 'reject')
    return refusal(
      command === undefined
        ? filterMessage(language, 'line_forbidden')
        : filterMessage(language, 'command_forbidden', { command }),
    )
  if (filter.action === 'review')
    return command === undefined || attempt.text === undefined
      ? refusal(filterMessage(language, 'review_hidden'))
      : await reviewCommand(filter, { command, whole: (attempt.before ?? '') + attempt.text }, hold, services)
  if (filter.action === 'warning' && command !== undefined)
    hold.tell(filterMessage(language, 'command_warned', { command }))
  return { kind: 'pass', risk_level: 5 }
}
