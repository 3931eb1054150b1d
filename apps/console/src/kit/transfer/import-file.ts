import { readFilePath } from '@sallyport/contract/addresses'
import { emptyOf, readCell, type Reading } from '@sallyport/contract/cell-values'
import { maxImportBytes } from '@sallyport/contract/constants'
import { api } from '../api/client.ts'
import { isRecord } from '../api/errors.ts'
import type { RowId } from '../api/resource.ts'
import { sealSecret, secretFields } from '../secrets/secrets.ts'
import type { ImportValues } from './import-task.ts'

export type ImportMode = 'create' | 'update'

/** A column of the preview: the title of the file, the field it fills. */
export interface ImportColumn {
  name: string
  title: string
  isSecret: boolean
  reading: Reading
}
export interface ImportTable {
  columns: readonly ImportColumn[]
  /** Titles of columns that fill no field. */
  unknown: readonly string[]
  rows: readonly ImportValues[]
}

const types: Readonly<Record<string, string>> = { csv: 'text/csv', xlsx: 'text/xlsx' }
const typeOf = (file: File) => types[/\.(csv|xlsx)$/iu.exec(file.name)?.[1]?.toLowerCase() ?? '']

/** What is wrong with a file before it is sent. */
export function problemOf(file: File): 'importFormat' | 'importSize' | undefined {
  if (typeOf(file) === undefined) return 'importFormat'
  return file.size > maxImportBytes ? 'importSize' : undefined
}

interface Rendered {
  title: [title: string, field: string][]
  unknown: string[]
  readings: Record<string, Reading>
  data: Record<string, unknown>[]
}

/** The rows of a file as the server reads it for that list path. Columns nobody filled in are left out. Rejects with ApiError. */
export async function readTable(path: string, file: File): Promise<ImportTable> {
  const { title, unknown, readings, data } = await api.post<Rendered>(readFilePath(path), file, {
    headers: { 'Content-Type': typeOf(file) ?? '' },
  })
  const isFilled = (name: string) => data.some((row) => !isEmpty(row[name]))
  return {
    columns: title.flatMap(([titled, name]) => {
      const reading = readings[name]
      if (reading === undefined || !isFilled(name)) return []
      return [{ name, title: titled.replace(/^\*/u, ''), isSecret: secretFields.includes(name), reading }]
    }),
    unknown: unknown.filter((one) => one !== ''),
    // What stood in columns nobody knows.
    rows: data.map(({ '': _unknown, ...row }) => row),
  }
}
const isEmpty = (value: unknown) => value === undefined || value === null || value === ''

/** Writes one row: POST to create, PUT to update, with its secrets sealed. */
export async function sendRow(path: string, mode: ImportMode, values: ImportValues): Promise<unknown> {
  const sealed = await Promise.all(
    Object.entries(values).map(async ([name, value]) => [
      name,
      secretFields.includes(name) && typeof value === 'string' ? await sealSecret(value) : value,
    ]),
  )
  const payload = Object.fromEntries(sealed) as ImportValues
  if (mode === 'create') return await api.post(path, payload)
  const id = values['id'] as RowId | undefined
  return await api.put(`${path}${encodeURIComponent(String(id ?? ''))}`, payload)
}

/** A cell as it is shown. */
export function shownValue(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string')
    return String(value)
  if (Array.isArray(value)) return value.map((item) => shownValue(item)).join(', ')
  if (isRecord(value) && typeof value['name'] === 'string') {
    const { pk: _pk, id: _id, name, ...others } = value
    return [name, ...Object.values(others).map((other) => shownValue(other))].join('/')
  }
  return JSON.stringify(value)
}

/** The value of a cell somebody has edited. Of a new row an emptied one says nothing; of one that is there it takes away what was. */
export function editedValue(text: string, mode: ImportMode, reading: Reading): unknown {
  const value = readCell(text, reading)
  return value === undefined && mode === 'update' && !reading.isHidden ? emptyOf(reading) : value
}
