/**
 * Datetimes on the wire: read as `2023/03/20 10:11:12 +0800` in the caller's zone; written in the same form, as
 * ISO-8601, or as `2023-03-20 10:11:12 +0800`; a row has it as `2023-03-20 02:11:12+00`. Without an offset the caller's zone is meant.
 */
const pattern =
  /^(\d{4})[-/](\d{2})[-/](\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?\s?(Z|[+-]\d{2}(?::?\d{2})?)?$/

/** Each by the one name of its zone, so that there are never more than there are zones; of each zone those of some quarters of hours. */
const offsets = new Map<string, Map<number, number>>()
const maxOffsets = 512
const formatters = new Map<string, Intl.DateTimeFormat>()
/** That name, by all others a zone has, in small letters. */
const zoneNames = new Map<string, string>()

/** The one name of a time zone, whatever letters and which of its names it was called by; undefined where there is none. */
export function timeZoneOf(text: string): string | undefined {
  // Distances from UTC are no names: there are thousands.
  if (text.length > 64 || !/^[a-z]/i.test(text)) return undefined
  const spelled = text.toLowerCase()
  const known = zoneNames.get(spelled)
  if (known !== undefined) return known
  try {
    const { timeZone } = new Intl.DateTimeFormat('en-US', { timeZone: spelled }).resolvedOptions()
    zoneNames.set(spelled, timeZone)
    return timeZone
  } catch {
    return undefined
  }
}
function formatterFor(zone: string) {
  const known = formatters.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  formatters.set(zone, made)
  return made
}

/** Minutes east of UTC in `zone` (`timeZoneOf`) at that moment. Remembered per zone and hour: offsets change on the hour at the earliest. */
export function offsetMinutes(zone: string, at: number): number {
  const hour = Math.floor(at / 900_000)
  const ofZone = offsets.get(zone) ?? new Map<number, number>()
  const known = ofZone.get(hour)
  if (known !== undefined) return known
  const name = formatterFor(zone)
    .formatToParts(at)
    .find((part) => part.type === 'timeZoneName')?.value
  const match = /GMT(?:([+-])(\d{2}):(\d{2}))?/.exec(name ?? '')
  const minutes = match?.[1] ? (match[1] === '-' ? -1 : 1) * (Number(match[2]) * 60 + Number(match[3])) : 0
  if (ofZone.size >= maxOffsets) ofZone.clear()
  offsets.set(zone, ofZone.set(hour, minutes))
  return minutes
}

const [earliest, latest] = [Date.parse('0001-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')]
const isWritable = (at: number) => at >= earliest && at <= latest
const writable = (at: number) => (isWritable(at) ? new Date(at) : undefined)

/** No clock was ever that far from UTC, nor does PostgreSQL take it. */
const tooFarMinutes = 16 * 60

const two = (value: number) => (value < 10 ? `0${value}` : String(value))

/** In `zone`, or in UTC where the year there would not have four digits: what is read can be written again. */
export function formatDatetime(date: Date, zone: string): string {
  const inZone = offsetMinutes(zone, date.getTime())
  const offset = isWritable(date.getTime() + inZone * 60_000) ? inZone : 0
  const local = new Date(date.getTime() + offset * 60_000)
  const sign = offset < 0 ? '-' : '+'
  const distance = Math.abs(offset)
  return (
    `${String(local.getUTCFullYear()).padStart(4, '0')}/${two(local.getUTCMonth() + 1)}/${two(local.getUTCDate())} ` +
    `${two(local.getUTCHours())}:${two(local.getUTCMinutes())}:${two(local.getUTCSeconds())} ` +
    `${sign}${two(Math.floor(distance / 60))}${two(distance % 60)}`
  )
}

/** Undefined when the text is not a datetime of one of the known forms, in the years 1 to 9999 of UTC. */
export function parseDatetime(text: string, zone: string): Date | undefined {
  const match = pattern.exec(text.trim())
  if (!match) return undefined
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '0', offset] = match
  // Set apart, since Date takes the years below 100 for those of the twentieth century.
  const checked = new Date(0)
  checked.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  const utc = checked.setUTCHours(
    Number(hour),
    Number(minute),
    Number(second),
    Number(fraction.padEnd(3, '0').slice(0, 3)),
  )
  if (checked.getUTCMonth() !== Number(month) - 1 || checked.getUTCDate() !== Number(day)) return undefined
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  if (offset === 'Z') return writable(utc)
  if (offset) {
    const sign = offset.startsWith('-') ? -1 : 1
    const digits = offset.replaceAll(/\D/g, '')
    const [hours, minutes] = [Number(digits.slice(0, 2)), Number(digits.slice(2))]
    const distance = hours * 60 + minutes
    if (minutes > 59 || distance >= tooFarMinutes) return undefined
    return writable(utc - sign * distance * 60_000)
  }
  const inZone = utc - offsetMinutes(zone, utc - offsetMinutes(zone, utc) * 60_000) * 60_000
  return isWritable(utc) ? new Date(Math.min(Math.max(inZone, earliest), latest)) : undefined
}
