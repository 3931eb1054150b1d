import type { RowId } from '../api/resource.ts'

/** What a row is called by itself; undefined where it has no name. */
export function ownNameOf(row: { readonly id: RowId }): string | undefined {
  const fields: Readonly<Record<string, unknown>> = { ...row }
  for (const key of ['name', 'hostname', 'username', 'display_name']) {
    const value = fields[key]
    if (typeof value === 'string' && value) {
      return value
    }
  }
  return undefined
}

/** What a row is called in titles and messages. */
export const nameOf = (row: { readonly id: RowId }): string => ownNameOf(row) ?? String(row.id)
