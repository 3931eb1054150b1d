/** Lists as tables: `?format=csv`, `?format=xlsx`, and the templates of an import. */
import { finished, type Readable } from 'node:stream'
import { type Fields, modelLabel, type Resource } from '@sallyport/contract'
import type { Context } from '../context.ts'
import { shares } from '../database/index.ts'
import { invalid } from '../errors.ts'
import { FileAnswer } from '../http/route.ts'
import type { Served } from '../resource/binding.ts'
import { selectedFields } from '../resource/fields.ts'
import { pagedQuery } from '../resource/paging.ts'
import { pageOf, type Query } from '../resource/query.ts'
import { walkRows } from '../resource/walk.ts'
import { createTurns } from '../turns.ts'
import { cellWriter } from './cells.ts'
import { type Column, exportedFields, isTemplate, type Template, titled, writableFields } from './columns.ts'
import { tableTypes } from './formats.ts'
import { pulled } from './pulled.ts'
import { writeTable } from './writing.ts'

const inTurn = createTurns({
  atOnce: shares.exports.atOnce,
  atOnceOfOne: 1,
  waiting: 40,
  waitingOfOne: 5,
  waitMs: 30_000,
})
/** Whoever reads so slowly that the table is not there by then has the connection closed. */
const longestMs = 15 * 60_000

export const asksForTable = (query: Query): boolean => tableTypes.has(query['format'] ?? '')

export interface Exported {
  selected: readonly string[] | undefined
  /** The list ends after its first few rows. */
  atMost?: number | undefined
}

/** All rows of a filtered list; those of a page where one was asked for, however large, as a file has no count of what it leaves out; of the template of new rows the first alone. */
export function exportList(
  served: Served,
  ctx: Context,
  query: Query,
  { selected, atMost }: Exported,
): FileAnswer {
  const { resource } = served
  const template = templateOf(query)
  const { limit = Infinity, offset } = pageOf(query, Infinity)
  const most = Math.min(template === 'import' ? 1 : limit, Math.max(0, (atMost ?? Infinity) - offset))
  const columns = columnsOf(resource, ctx, query, template)
  // What is no column of an export is left empty where it is filled in.
  const fields = exportedFields(columns.map(({ name, field }) => [name, field]))
  return fileOf(resource, query, columns, (present, take) =>
    walkRows(served, ctx.within(present.db), query, { selected, offset, most, fields }, take),
  )
}

/** A list that is in memory already. */
export function exportRows(
  of: Pick<Resource, 'app' | 'model'>,
  ctx: Context,
  query: Query,
  { fields, rows }: { fields: Fields; rows: readonly unknown[] },
): FileAnswer {
  const { limit = Infinity, offset } = pageOf(pagedQuery(query) ?? query, Infinity)
  const columns = titled(of, exportedFields(Object.entries(fields)), ctx.language)
  return fileOf(of, query, columns, (_present, take) =>
    take(rows.slice(offset, offset + limit) as Record<string, unknown>[]),
  )
}

function templateOf(query: Query): Template {
  const asked = query['template'] ?? 'export'
  if (!isTemplate(asked)) throw invalid('template', 'not_choice', { value: asked.slice(0, 100) })
  return asked
}

function columnsOf(resource: Resource, ctx: Context, query: Query, template: Template): Column[] {
  const fields =
    template === 'export'
      ? exportedFields(selectedFields(resource, ctx, 'list', query))
      : writableFields(resource, ctx, template)
  return titled(resource, fields, ctx.language)
}

type Rows = Record<string, unknown>[]
/** Reads the rows with the context of then, some at once. */
type Read = (present: Context, take: (rows: Rows) => Promise<void>) => Promise<void>

function fileOf(
  of: Pick<Resource, 'app' | 'model'>,
  query: Query,
  columns: readonly Column[],
  read: Read,
): FileAnswer {
  const cells = columns.map(({ name, field }) => [name, cellWriter(field)] as const)
  const format = query['format'] ?? ''
  const file = {
    type: `${tableTypes.get(format) ?? ''}; charset=utf-8`,
    name: `${of.model}_${moment()}.${format}`,
  }
  return new FileAnswer(file, async (ctx) => {
    const batches = pulled<string[][]>((take) =>
      read(ctx, (rows) => take(rows.map((row) => cells.map(([name, write]) => write(row[name]))))),
    )
    const open = async () => {
      // What cannot be read is told instead of a file.
      const first = await batches.next()
      const table = { name: modelLabel(of, ctx.language), titles: columns.map(({ title }) => title) }
      return writeTable({ ...table, batches: resumed(first, batches) }, format)
    }
    // Where nothing of the file was read, nothing else ends the reading of the rows.
    const close = async () => void (await batches.return(undefined))
    return await inOneTurn(ctx, open, close)
  })
}

async function* resumed<T>(first: IteratorResult<T>, rest: AsyncGenerator<T>): AsyncGenerator<T> {
  if (first.done) return
  yield first.value
  yield* rest
}

/** The turn lasts until the file is read, or whoever reads it is gone; `close` is called then. */
function inOneTurn(
  ctx: Context,
  open: () => Promise<Readable>,
  close: () => Promise<void>,
): Promise<Readable> {
  const { promise, resolve, reject } = Promise.withResolvers<Readable>()
  const turn = inTurn(ctx.identity?.id ?? '', async () => {
    const content = await open()
    const late = setTimeout(() => content.destroy(new Error('a table was read too slowly')), longestMs)
    const over = new Promise<void>((done) => {
      finished(content, () => done())
    })
    resolve(content)
    await over
    clearTimeout(late)
    await close()
  })
  turn.catch(reject)
  return promise
}

/** `2023-03-20_10-11-12`, the server's time. */
function moment(): string {
  const now = new Date()
  const two = (value: number) => String(value).padStart(2, '0')
  const date = [now.getFullYear(), two(now.getMonth() + 1), two(now.getDate())].join('-')
  return `${date}_${[now.getHours(), now.getMinutes(), now.getSeconds()].map((part) => two(part)).join('-')}`
}
