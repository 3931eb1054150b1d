import { isRecord } from '../api/errors.ts'

/** What could not be stored because storage is switched off or full: it lasts as long as the page. */
const pageOnly = new Map<string, unknown>()

/** A value kept in this browser as JSON; undefined when there is none or it is not ours to read. */
export function readStored(key: string): unknown {
  if (pageOnly.has(key)) {
    return pageOnly.get(key)
  }
  try {
    return JSON.parse(localStorage.getItem(key) ?? 'null') ?? undefined
  } catch {
    // Storage is switched off, or holds what another program wrote.
    return undefined
  }
}

/** Keeps a value in this browser. */
export function writeStored(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value))
    pageOnly.delete(key)
  } catch {
    pageOnly.set(key, value)
  }
}

/** A stored object, or an empty one. */
export function readStoredRecord(key: string): Record<string, unknown> {
  const value = readStored(key)
  return isRecord(value) ? { ...value } : {}
}
