/** Tables as files, written while they are read. */
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { writeCsv } from 'hucre/csv'
import { writeXlsxStream } from 'hucre/xlsx'
import { guarded } from './cells.ts'

/** Rows of cells, some at once. */
export type Batches = AsyncIterable<readonly string[][]>

export interface Table {
  name: string
  titles: readonly string[]
  batches: Batches
}
const byteOrderMark = '\uFEFF'
const lines = (rows: readonly string[][]) =>
  `${writeCsv(rows.map((row) => row.map((cell) => guarded(cell))))}\r\n`

async function* csvOf({ titles, batches }: Table): AsyncGenerator<Buffer> {
  yield Buffer.from(byteOrderMark + lines([[...titles]]))
  for await (const rows of batches) if (rows.length > 0) yield Buffer.from(lines(rows))
}

/** What Excel takes of a text; it calls a file with a longer one broken. */
const maxCell = 32_767
/** An escape of the format that a text has by chance is escaped itself. */
const literal = (cell: string) =>
  (cell.length > maxCell ? `${cell.slice(0, maxCell - 1)}…` : cell).replaceAll(
    /_(?=x[\da-f]{4}_)/gi,
    '_x005F_',
  )

/** So many rows are written before others have a turn. */
const atOnce = 100

async function* sheetRows(titles: readonly string[], batches: Batches): AsyncGenerator<string[]> {
  yield titles.map((title) => literal(title))
  for await (const rows of batches)
    for (const [at, row] of rows.entries()) {
      if (at % atOnce === 0) await setImmediate()
      yield row.map((cell) => literal(cell))
    }
}

const widths = { least: 8, most: 50 }
const forbiddenInSheetNames = /[[\]:*?/\\']/g

/** All cells are texts, and stay texts when somebody edits them: nothing in them is ever a formula. */
const xlsxOf = ({ name, titles, batches }: Table) =>
  writeXlsxStream(sheetRows(titles, batches), {
    name: name.replaceAll(forbiddenInSheetNames, ' ').slice(0, 31),
    freezePane: { rows: 1 },
    columns: titles.map((title) => ({
      numFmt: '@',
      width: Math.min(widths.most, Math.max(widths.least, title.length * 2)),
    })),
  })

export const writeTable = (table: Table, format: string): Readable =>
  format === 'csv' ? Readable.from(csvOf(table)) : Readable.fromWeb(xlsxOf(table) as never)
