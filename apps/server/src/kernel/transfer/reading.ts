/** Reads the file of an import, in a thread of its own: what somebody sent may be long, and may be anything. */
import { readCell, type Reading } from '@sallyport/contract/cell-values'
import { streamCsvRows } from 'hucre/csv'
import { streamXlsxRows } from 'hucre/xlsx'
import { checkArchive } from './archive.ts'
import { withoutGuard } from './cells.ts'
import { decoded } from './encoding.ts'

/** A field that may be filled in, with all it may be called at the head of a column: the likeliest first. */
export interface Fillable {
  name: string
  titles: readonly string[]
  reading: Reading
}
export interface Given {
  file: Uint8Array
  format: 'csv' | 'xlsx'
  language: string
  fillables: readonly Fillable[]
}
type Fault =
  | {
      fault:
        | 'empty'
        | 'unknown_titles'
        | 'encoding'
        | 'not_csv'
        | 'open_quote'
        | 'not_xlsx'
        | 'protected'
        | 'broken'
        | 'too_large'
    }
  | { fault: 'doubled_title'; title: string }
  | { fault: 'too_wide' | 'too_long'; max: number }
/**
 * `title` pairs the titles of known columns with their fields, `unknown` are those of the others that hold something; `data` is the text of
 * a JSON list with an object for each row.
 */
export type Read = { title: [string, string][]; unknown: string[]; data: Uint8Array } | Fault

const bounds = {
  rows: 50_000,
  columns: 500,
  /** Of all cells together. */
  characters: 60_000_000,
  archive: { parts: 1000, bytes: 150_000_000 },
}

class Unreadable extends Error {
  readonly why: Fault
  constructor(why: Fault) {
    super(why.fault)
    this.why = why
  }
}
const stop = (why: Fault): never => {
  throw new Unreadable(why)
}

export async function readTable(given: Given): Promise<Read> {
  try {
    const table = createTable(given.fillables)
    for await (const row of given.format === 'csv' ? csvRows(given) : sheetRows(given.file)) table.take(row)
    return table.end()
  } catch (error) {
    if (error instanceof Unreadable) return error.why
    // What a broken workbook makes the library throw.
    if (given.format === 'xlsx') return { fault: 'broken' }
    throw error
  }
}

const begins = (file: Uint8Array, ...bytes: number[]) => bytes.every((byte, at) => file[at] === byte)
const isArchive = (file: Uint8Array) => begins(file, 0x50, 0x4b)
/** Of workbooks before xlsx, and of those behind a password. */
const isCompound = (file: Uint8Array) => begins(file, 0xd0, 0xcf, 0x11, 0xe0)

function* csvRows({ file, language }: Given): Generator<string[]> {
  if (isArchive(file) || isCompound(file)) stop({ fault: 'not_csv' })
  const text = decoded(file, language) ?? stop({ fault: 'encoding' })
  // A quote that is never closed takes all that follows into its cell, this last row, too.
  let last: string[] | undefined
  for (const row of streamCsvRows(`${text}\n${lastRow}`)) {
    if (last) yield last
    last = row.map((cell) => withoutGuard(String(cell ?? '')))
  }
  if (last?.[0] !== lastRow) stop({ fault: 'open_quote' })
}
const lastRow = 'the end of the table'

async function* sheetRows(file: Uint8Array): AsyncGenerator<string[]> {
  if (isCompound(file)) stop({ fault: 'protected' })
  if (!isArchive(file)) stop({ fault: 'not_xlsx' })
  const problem = checkArchive(file, bounds.archive)
  if (problem) stop({ fault: problem === 'broken' ? 'broken' : 'too_large' })
  for await (const { values } of streamXlsxRows(file)) yield values.map((cell) => textOf(cell))
}

/** People leave numbers and dates to the spreadsheet; a date is meant in their own zone. */
function textOf(cell: string | number | boolean | Date | null): string {
  if (cell === null) return ''
  if (cell instanceof Date)
    return Number.isNaN(cell.getTime())
      ? ''
      : cell.toISOString().slice(0, 19).replace('T', ' ').replaceAll('-', '/')
  return String(cell)
}

type Known = (Fillable & { title: string }) | undefined
const longestTitle = 100

function createTable(fillables: readonly Fillable[]) {
  let columns: Known[] | undefined
  let titles: readonly string[] = []
  const unknown = new Set<string>()
  let characters = 0
  let rows = 0
  let lines: string[] = []
  const pieces: Buffer[] = []
  const flush = () => {
    if (lines.length === 0) return
    pieces.push(Buffer.from(`${pieces.length === 0 ? '[' : ','}${lines.join(',')}`))
    lines = []
  }
  return {
    take(cells: string[]): void {
      if (cells.length > bounds.columns && cells.slice(bounds.columns).some((cell) => cell !== ''))
        stop({ fault: 'too_wide', max: bounds.columns })
      if (cells.every((cell) => cell.trim() === '')) return
      if (columns === undefined) {
        columns = columnsOf(cells, fillables)
        titles = cells
        return
      }
      for (const [at, cell] of cells.entries())
        if (columns[at] === undefined && cell !== '')
          unknown.add(titles[at]?.trim().slice(0, longestTitle) ?? '')
      rows += 1
      if (rows > bounds.rows) stop({ fault: 'too_long', max: bounds.rows })
      const line = JSON.stringify(rowOf(cells, columns))
      characters += line.length
      if (characters > bounds.characters) stop({ fault: 'too_large' })
      lines.push(line)
      if (lines.length === 1000) flush()
    },
    end(): Read {
      if (rows === 0) return { fault: 'empty' }
      flush()
      const title = (columns ?? []).flatMap((column) =>
        column ? [[column.title, column.name] as [string, string]] : [],
      )
      return { title, unknown: [...unknown], data: Buffer.concat([...pieces, Buffer.from(']')]) }
    },
  }
}

/** Whatever stands before another in the list of one field's titles goes before what stands there in another's. */
function columnsOf(cells: readonly string[], fillables: readonly Fillable[]): Known[] {
  const fields = new Map<string, Fillable>()
  const most = Math.max(0, ...fillables.map(({ titles }) => titles.length))
  for (let rank = 0; rank < most; rank += 1)
    for (const fillable of fillables) {
      const title = fillable.titles[rank]
      if (title !== undefined && !fields.has(title)) fields.set(title, fillable)
    }
  const seen = new Set<string>()
  const columns = cells.map((cell): Known => {
    const title = cell.trim()
    const fillable = fields.get(title.replace(/^\*+|\*+$/g, '').trim())
    if (fillable === undefined) return undefined
    if (seen.has(fillable.name)) stop({ fault: 'doubled_title', title: title.slice(0, longestTitle) })
    seen.add(fillable.name)
    return { ...fillable, title }
  })
  if (seen.size === 0) stop({ fault: 'unknown_titles' })
  return columns
}

/** What stands in columns nobody knows is kept under no name, as clients of the wire expect. */
function rowOf(cells: readonly string[], columns: readonly Known[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (const [at, cell] of cells.entries()) {
    const column = columns[at]
    if (column !== undefined) row[column.name] = readCell(cell, column.reading)
    else if (cell !== '') row[''] = cell
  }
  return row
}
