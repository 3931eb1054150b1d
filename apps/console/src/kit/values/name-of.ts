import type { Row } from '../api/resource.ts'

/** What a row is called in titles and messages. */
export function nameOf(row: Row): string {
  for (const key of ['name', 'hostname', 'username', 'display_name']) {
    const value = row[key]
    if (typeof value === 'string' && value) {
      return value
    }
  }
  return String(row.id)
}
