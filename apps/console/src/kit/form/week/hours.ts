import type { Rule } from '../form-spec.ts'

/** The hours of a week, as rules keep them: of each day texts like `08:00~12:00、13:00~18:00`. */
export interface DayHours {
  /** 0 is Sunday. */
  id: number
  value: string
}

/** Half hours of a day. */
export const slotsOfDay = 48
/** Monday first. */
export const days = [1, 2, 3, 4, 5, 6, 0] as const

const separator = '、'

const textOf = (slot: number) =>
  `${String(Math.floor(slot / 2)).padStart(2, '0')}:${slot % 2 === 0 ? '00' : '30'}`
/** A day ends at `00:00`. */
const endText = (slot: number) => textOf(slot % slotsOfDay)

function slotOf(text: string, isEnd: boolean): number | undefined {
  const [, hours, minutes] = /^(\d{2}):(\d{2})$/u.exec(text) ?? []
  if (hours === undefined || minutes === undefined) return undefined
  const exact = (Number(hours) * 60 + Number(minutes)) / 30
  const slot = isEnd ? Math.ceil(exact) : Math.floor(exact)
  return isEnd && slot === 0 ? slotsOfDay : slot
}

/** Which half hours a text covers, wholly or in part. */
export function slotsIn(value: string): boolean[] {
  const slots = Array.from({ length: slotsOfDay }, () => false)
  for (const range of value.split(separator)) {
    const [from = '', to = ''] = range.trim().split('~')
    const [first, end] = [slotOf(from, false), slotOf(to, true)]
    if (first !== undefined && end !== undefined) slots.fill(true, first, end)
  }
  return slots
}

/** The text of half hours; adjacent ones are one range. */
export function hoursOf(slots: readonly boolean[]): string {
  const ranges: string[] = []
  let from: number | undefined
  for (let slot = 0; slot <= slots.length; slot += 1) {
    const isOn = slots[slot] === true
    if (isOn && from === undefined) from = slot
    if (!isOn && from !== undefined) {
      ranges.push(`${textOf(from)}~${endText(slot)}`)
      from = undefined
    }
  }
  return ranges.join(separator)
}

/** All seven days of what a field holds. */
export function weekOf(value: unknown): DayHours[] {
  const given: unknown[] = Array.isArray(value) ? value : []
  return days.map((id) => {
    const day = given.find(
      (one): one is DayHours =>
        typeof one === 'object' && one !== null && 'id' in one && Number(one.id) === id && 'value' in one,
    )
    return { id, value: typeof day?.value === 'string' ? day.value : '' }
  })
}

/** All seven days with the same hours. */
export const everyDay = (value: string): DayHours[] => days.map((id) => ({ id, value }))

/** All hours of all days. */
export const wholeWeek = everyDay('00:00~00:00')

/** Hours are needed of one day at least. */
export const someHours: Rule = (value, _values, t) =>
  weekOf(value).every((day) => day.value.trim() === '') ? t('weekNever') : undefined
