import { cronNumber, type CronPart } from '@sallyport/contract/cron'
import type { KitText } from '../../../text.ts'

/** How one part of a schedule is chosen. */
export type PartChoice =
  | { mode: 'every' }
  | { mode: 'range'; from: number; to: number }
  /** Null while no number is typed. */
  | { mode: 'step'; every: number | null }
  | { mode: 'list'; values: readonly number[] }
  /** Written by hand, in a way that is none of the others. */
  | { mode: 'other' }
export type ChoiceMode = PartChoice['mode']

/** What a part of a schedule says; an empty one is a list of nothing yet. */
export function readPart(text: string, part: CronPart): PartChoice {
  if (text === '*') return { mode: 'every' }
  const step = /^\*\/(-?[\d.]*)$/u.exec(text)
  if (step) return { mode: 'step', every: step[1] ? Number(step[1]) : null }
  const ends = text.split('-').map((one) => cronNumber(one, part))
  const [from, to] = ends
  if (ends.length === 2 && from !== undefined && to !== undefined && from <= to)
    return { mode: 'range', from, to }
  const values = text === '' ? [] : text.split(',').map((one) => cronNumber(one, part))
  return values.every((one) => one !== undefined) ? { mode: 'list', values } : { mode: 'other' }
}

export function writePart(choice: Exclude<PartChoice, { mode: 'other' }>): string {
  switch (choice.mode) {
    case 'every':
      return '*'
    case 'range':
      return `${choice.from}-${Math.max(choice.from, choice.to)}`
    case 'step':
      return `*/${choice.every ?? ''}`
    default:
      return choice.values.toSorted((a, b) => a - b).join(',')
  }
}

/** Of the days of a week 0 and 7 are the same: only a range ends with the latter. */
export const lastOf = ({ name, most }: CronPart) => (name === 'week' ? 6 : most)

/** What is wrong with the number of a part that comes every so many times; undefined: nothing. */
export function stepProblem(text: string, part: CronPart, t: KitText): string | undefined {
  const choice = readPart(text, part)
  if (choice.mode !== 'step') return undefined
  const { every } = choice
  if (every === null) return t('required')
  if (!Number.isInteger(every)) return t('notWhole')
  if (every < 1) return t('tooLittle', { min: 1 })
  return every > lastOf(part) ? t('tooMuch', { max: lastOf(part) }) : undefined
}

/** What a part says first when it is chosen in another way. */
export function firstChoice(mode: Exclude<ChoiceMode, 'other'>, part: CronPart): PartChoice {
  const { least } = part
  switch (mode) {
    case 'every':
      return { mode }
    case 'range':
      return { mode, from: least, to: lastOf(part) }
    case 'step':
      return { mode, every: 2 }
    default:
      return { mode, values: [least] }
  }
}
