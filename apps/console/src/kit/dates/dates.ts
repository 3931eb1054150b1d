import dayjs, { type Dayjs } from 'dayjs'
import localizedFormat from 'dayjs/plugin/localizedFormat'

dayjs.extend(localizedFormat)

/**
 * Reads a date of the server: `2023/03/20 10:11:12 +0800` or ISO-8601. Undefined for null, empty and unreadable
 * text. Browsers do not agree about the first form, so it is turned into the second.
 */
export function parseDate(value: unknown): Dayjs | undefined {
  if (typeof value !== 'string' || !value) {
    return undefined
  }
  const match =
    /^(\d{4})[/-](\d{2})[/-](\d{2})[ T](\d{2}:\d{2}:\d{2}(?:\.\d+)?)(?: ?([+-]\d{2}):?(\d{2})|(Z))?$/u.exec(
      value,
    )
  const iso = match
    ? `${match[1]}-${match[2]}-${match[3]}T${match[4]}${match[7] ?? (match[5] ? `${match[5]}:${match[6]}` : '')}`
    : value
  const date = dayjs(iso)
  return date.isValid() ? date : undefined
}

/** How the person's language writes a day, with its time unless `dateOnly`. */
export const dateFormat = (dateOnly: boolean) => (dateOnly ? 'L' : 'L LTS')

/** Date and time as the person's language writes them, in this browser's zone; `-` when there is none. */
export function showDateTime(value: unknown): string {
  return parseDate(value)?.format(dateFormat(false)) ?? '-'
}

/** A text of the server: dates in it as the person's language writes them, anything else as it is. */
export function withLocalTimes(text: string): string {
  return text.replaceAll(/\d{4}\/\d{2}\/\d{2} \d{2}:\d{2}:\d{2} [+-]\d{4}/gu, showDateTime)
}

/** How a date travels to the server. */
export function sendDate(date: Dayjs): string {
  return date.toISOString()
}
