import { filterMessage } from '@sallyport/contract/messages/gateway-filters'
import type { Language } from '@sallyport/contract/messages/language'
import { type Attempt, type Hold, type Judge, passes, type Verdict } from '../session/gate.ts'
import { type CommandFilter, refusal } from './command-filter.ts'
import type { Review } from './command-review.ts'
import type { Patterns, PatternSet } from './patterns.ts'

export interface CommandJudgeServices {
  patterns: Patterns
  language: Language
  /** Aborts when the session ends. */
  signal: AbortSignal
  review: Review
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
  const { patterns, signal } = services
  const asked = filters
    .filter(({ is_active }) => is_active)
    .flatMap((filter) => filter.command_groups.map((group) => ({ filter, group })))
    .filter(({ group }) => group.pattern !== '')
  if (asked.every(({ filter }) => filter.action === 'accept')) return undefined
  const set = patterns.hold(asked.map(({ group }) => ({ ...group, source: group.pattern })))
  signal.addEventListener('abort', () => set.release(), { once: true })
  return async (attempt, hold) => {
    const { language } = services
    if (attempt.readings.length === 0) return refusal(filterMessage(language, 'line_unread'))
    const found = await firstOf(asked, set, attempt.readings)
    if (!found) return passes
    const { filter, text } = found
    if (text === undefined) return refusal(filterMessage(language, 'filter_broken', { rule: filter.name }))
    // Of what is not shown nothing is said, not even to the one who typed it.
    const command = attempt.text === undefined ? undefined : (text || attempt.text).slice(0, namedMax)
    return await decide(filter, command, attempt, hold, services)
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

async function decide(
  filter: CommandFilter,
  command: string | undefined,
  attempt: Attempt,
  hold: Hold,
  { language, review }: CommandJudgeServices,
): Promise<Verdict> {
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
      : await review(filter, { command, whole: attempt.text }, hold)
  if (filter.action === 'warning' && command !== undefined)
    hold.tell(filterMessage(language, 'command_warned', { command }))
  return { kind: 'pass', risk_level: 5 }
}
