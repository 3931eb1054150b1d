import type { RowId } from '../api/resource.ts'

/** What a row is called in titles and messages. */
export function nameOf(row: { readonly id: RowId }): string {
  const fields: Readonly<Record<string, unknown>> = { ...row }
  for (const key of ['name', 'hostname', 'username', 'display_name']) {
    const value = fields[key]
    if (typeof value === 'string' && value) {
      return value
    }
  }
  return String(row.id)
}
