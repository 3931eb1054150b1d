import { isRecord } from '../api/errors.ts'
import type { KitText } from '../text.ts'

/** What is shown for nothing. */
export const nothing = '-'

/** A field's value as a person reads it, without decoration. */
export function plainValue(value: unknown, t: KitText): string {
  if (value === null || value === undefined || value === '') {
    return nothing
  }
  if (typeof value === 'boolean') {
    return t(value ? 'yes' : 'no')
  }
  if (typeof value === 'string' || typeof value === 'number') {
    return String(value)
  }
  if (Array.isArray(value)) {
    return value.length > 0 ? value.map((item) => plainValue(item, t)).join(', ') : nothing
  }
  if (isRecord(value)) {
    // A role's name is its key; what it is called in the person's language is its display name.
    const named = [value['label'], value['display_name'], value['name'], value['value']]
    const text = named.find((candidate) => candidate !== undefined && candidate !== null && candidate !== '')
    return text === undefined ? JSON.stringify(value) : plainValue(text, t)
  }
  return nothing
}
