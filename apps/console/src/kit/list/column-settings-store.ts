import { useState } from 'react'
import { isRecord } from '../api/errors.ts'
import { readStoredRecord, writeStored } from '../storage/storage.ts'

const storageKey = 'tableConfig'
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/giu

/** One table's name in the stored settings: where it is shown and what it lists, without ids. */
export function tableKey(route: string, path: string): string {
  return `${route}_${path.split('?', 1)[0] ?? path}`.replaceAll(uuid, '*')
}

/** The columns this browser's owner chose for a table; undefined means the default. */
export function useSavedColumns(key: string) {
  const [saved, setSaved] = useState(() => readSavedColumns(key))
  const save = (columns: string[] | undefined) => {
    const config = readStoredRecord(storageKey)
    if (columns) {
      config[key] = { showColumns: columns }
    } else {
      delete config[key]
    }
    writeStored(storageKey, config)
    setSaved(columns)
  }
  return [saved, save] as const
}

function readSavedColumns(key: string): string[] | undefined {
  const own = readStoredRecord(storageKey)[key]
  const columns = isRecord(own) ? own['showColumns'] : undefined
  return Array.isArray(columns) ? columns.filter((name) => typeof name === 'string') : undefined
}
