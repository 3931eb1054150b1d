/** What people fill in and send back: a file as rows to look at, or instead of a body in JSON. */
import { labelOf, languages, maxImportBytes, type Resource } from '@sallyport/contract'
import { readingOf } from '@sallyport/contract/cell-values'
import { type JsonSize, measureJson } from '@sallyport/contract/json-values'
import type { FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { bodyBounds } from '../http/bodies.ts'
import { ApiError, refusedAs } from '../errors.ts'
import { mediaTypeOf, received } from '../http/received.ts'
import { WrittenJson } from '../http/route.ts'
import { offload, OffloadFailure } from '../offload/index.ts'
import { inPieces } from '../pieces.ts'
import { createTurns } from '../turns.ts'
import { titled, writableFields } from './columns.ts'
import type * as Reading from './reading.ts'

/**
 * How long a file waits for its turn, and is read: with what follows, where its rows are written, less than a connection is kept on which
 * nothing comes or goes, so that there is an answer.
 */
export const importBounds = { waitMs: 20_000, budgetMs: 35_000 }

const reading = offload<typeof Reading>(new URL('reading.ts', import.meta.url), {
  threads: 2,
  maxWaiting: 20,
  budgetMs: importBounds.budgetMs,
  memoryMiB: 1024,
})
/** Each holds its file until it is read. */
const inTurn = createTurns({
  atOnce: 2,
  atOnceOfOne: 1,
  waiting: 20,
  waitingOfOne: 3,
  waitMs: importBounds.waitMs,
})

const formats: ReadonlyMap<string, 'csv' | 'xlsx'> = new Map([
  ['text/csv', 'csv'],
  ['text/xlsx', 'xlsx'],
  ['application/xlsx', 'xlsx'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
])
export const sendsTable = (request: FastifyRequest): boolean => formats.has(mediaTypeOf(request))

/**
 * `{title, data, readings, unknown}`: the titles that are known here with their fields, an object for each row, how the cells of each field
 * are read, for who corrects them, and the titles nobody knows.
 */
export async function renderedTable(
  resource: Resource,
  ctx: Context,
  request: FastifyRequest,
): Promise<WrittenJson> {
  const { title, unknown, data } = await tableSent(resource, ctx, request)
  const named = new Set(title.map(([, name]) => name))
  const readings = Object.fromEntries(
    fillablesOf(resource, ctx).flatMap(({ name, reading }) => (named.has(name) ? [[name, reading]] : [])),
  )
  return new WrittenJson([
    Buffer.from(
      `{"title":${JSON.stringify(title)},"unknown":${JSON.stringify(unknown)},"readings":${JSON.stringify(readings)},"data":`,
    ),
    Buffer.from(data),
    Buffer.from('}'),
  ])
}

/** Of the rows of a file, with what cells hold in JSON. */
const rowsMaxValues = 100_000

/** Looked at in one piece: a file of megabytes takes a while. */
const partBytes = 64 << 10
function* partsOf(data: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < data.byteLength; at += partBytes) yield data.subarray(at, at + partBytes)
}

/** The rows of a file that was sent to be written as they are. */
export async function rowsSent(resource: Resource, ctx: Context, request: FastifyRequest): Promise<unknown> {
  const { data } = await tableSent(resource, ctx, request)
  const measure = measureJson()
  let size: JsonSize = { values: 0, names: 0 }
  for await (const part of inPieces(partsOf(data))) size = measure(part)
  const { values, names } = size
  if (values > rowsMaxValues) throw new ApiError(413, 'too_many_values', { params: { max: rowsMaxValues } })
  if (names > bodyBounds.names)
    throw new ApiError(413, 'too_many_field_names', { params: { max: bodyBounds.names } })
  return JSON.parse(Buffer.from(data).toString()) as unknown
}

type Rows = Extract<Awaited<ReturnType<typeof Reading.readTable>>, { data: unknown }>

async function tableSent(resource: Resource, ctx: Context, request: FastifyRequest): Promise<Rows> {
  const format = formats.get(mediaTypeOf(request))
  if (format === undefined)
    throw new ApiError(415, 'unsupported_media_type', {
      params: { type: mediaTypeOf(request).slice(0, 100) },
    })
  const read = await inTurn(ctx.identity?.id ?? '', async () => {
    const file = await received(request, maxImportBytes, overflowed)
    const given = { file, format, language: ctx.language, fillables: fillablesOf(resource, ctx) }
    return await reading('readTable', given).catch((error: unknown) => {
      // A thread that needed too long, or too much memory.
      if (error instanceof OffloadFailure) return { fault: 'too_large' as const }
      throw error
    })
  })
  if ('data' in read) return read
  throw refusalOf(read)
}

const overflowed = () => new ApiError(400, 'file_content_overflowed', { params: { max: maxImportBytes } })

/** What a field is called where no resource calls it otherwise. */
const anyOther = { app: '', model: '' }

/**
 * What a caller may fill in, under every name a column may have: in their language, on the wire, in other languages, and in lists of other
 * resources that show the same rows.
 */
function fillablesOf(resource: Resource, ctx: Context): Reading.Fillable[] {
  const fields = new Map([
    ...writableFields(resource, ctx, 'update'),
    ...writableFields(resource, ctx, 'import'),
  ])
  const own = titled(resource, [...fields], ctx.language)
  return own.map(({ name, title, field }) => ({
    name,
    titles: [
      title.replace(/^\*/, ''),
      name,
      ...[resource, anyOther].flatMap((of) =>
        languages.map((language) => labelOf(of, name, field, language)),
      ),
    ],
    reading: readingOf(field),
  }))
}

function refusalOf(read: Exclude<Awaited<ReturnType<typeof Reading.readTable>>, Rows>): ApiError {
  const known = { knownAs: 'parse_error' } as const
  switch (read.fault) {
    case 'empty':
      return refusedAs('error', 400, 'table_empty')
    case 'unknown_titles':
      return refusedAs('error', 400, 'table_unknown_titles')
    case 'doubled_title':
      return new ApiError(400, 'table_doubled_title', { ...known, params: { title: read.title } })
    case 'too_wide':
    case 'too_long':
      return new ApiError(400, `table_${read.fault}`, { ...known, params: { max: read.max } })
    default:
      return new ApiError(400, `table_${read.fault}`, known)
  }
}
