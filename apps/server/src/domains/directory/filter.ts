/** Search filters, with a username in them (RFC 4515). */
import { FilterParser } from 'ldapts'

/** Where the username stands in a filter. */
export const place = '%(user)s'

/** A value that means nothing but itself in a filter. */
export const escaped = (value: string) =>
  value.replaceAll(/[\\*()\0]/g, (one) => `\\${(one.codePointAt(0) ?? 0).toString(16).padStart(2, '0')}`)

export const filterOf = (template: string, username: string) =>
  template.replaceAll(place, () => escaped(username))
export const filterOfAll = (template: string) => template.replaceAll(place, '*')

export function isFilter(template: string): boolean {
  if (!template.includes(place)) return false
  try {
    FilterParser.parseString(filterOf(template, 'a'))
    FilterParser.parseString(filterOfAll(template))
    return true
  } catch {
    return false
  }
}
