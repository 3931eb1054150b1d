/** Serves declared calls: parses, finds and locks the row, runs what the domain says, records, presents. */
import {
  type AnswerOf,
  bodySchema,
  type BodyOf,
  type Callable,
  type CallBody,
  callPath,
  type Calls,
  type CallSpec,
  type Confirmation,
  type Fields,
  isSingleField,
  isSingleton,
  isWrite,
  type ListAnswer,
  maxPageSize,
  methodsOf,
  modelOf,
  type OperateAction,
  type Own,
  type ParametersOf,
  type QueryOf,
  querySchema,
  type RowAnswer,
  type RowsAnswer,
  type Service,
} from '@sallyport/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { StoredRow } from '../events.ts'
import { inText, invalid, ValidationError } from '../errors.ts'
import { checked, valuesOf } from '../http/parse.ts'
import { accessOf, type Call, Reply, type Route } from '../http/route.ts'
import { asksForTable, exportRows } from '../transfer/export.ts'
import type { Secrets } from '../secrets/index.ts'
import { selectedIds } from './selection.ts'
import { type Input, type Served, shownBy } from './binding.ts'
import { checkLicensed } from './licensed.ts'
import { openSecrets } from './opening.ts'
import { checkMay } from './policy.ts'
import { maxSize, pagedAnswer, pagedQuery } from './paging.ts'
import { isFilter, pageOf, type Query } from './query.ts'
import { identifiedBy, listRows, missing, pageLinks, presentFor, storedRow } from './read.ts'
import { idOf, presentOne, type ServedOne } from './singleton.ts'
import { defaultsOf, wholeInput } from './whole.ts'

interface Cut {
  limit: number
  offset: number
}

/** What an implementation gets. */
export interface Called<C = CallSpec, S = unknown, Row = StoredRow> {
  /** The row the call is about with all its columns, locked when the call writes. */
  row: C extends { on: 'row' | 'one' } ? Row : undefined
  parameters: ParametersOf<C> & ParametersOf<S>
  /** The binding of the resource that declares the call. */
  served: C extends { on: 'one' } ? ServedOne : Served
  body: BodyOf<C>
  query: QueryOf<C>
  /** The whole query as it was sent, for lists. */
  sent: Query
  /** The page of a list that was asked for; undefined where all of it is, and of a file. */
  page: Cut | undefined
  /**
   * Names the rows a call on a list changes, as they are before it (columns are enough), so that each gets its record.
   * A call on a row is about its row, unless it says here that it is about others, or about none: it changed nothing.
   */
  readonly about: (rows: readonly StoredRow[]) => void
  request: FastifyRequest
  reply: FastifyReply
}

/**
 * A list to answer: the rows of `served` (see `narrowed`), asked for with `query` instead of what was sent. Of either, the call's own
 * parameters chose the rows already and filter no more; links to other pages repeat all that was sent.
 */
export interface RowList {
  served: Served
  query?: Query
  /** Only these, by their ids: a selection (`selectedIds`). */
  selected?: readonly string[] | undefined
  /** As seen by this context (another organization's), instead of the caller's. */
  ctx?: Context
  /** Only the first few, which are paged as a list of any other length. */
  atMost?: number
}
/** A page of a list which the call has cut itself, as it was asked to (`page`); another list is answered whole, and cut by the kernel. */
export class CutList<T> {
  readonly rows: readonly T[]
  /** Of the whole list. */
  readonly count: number
  constructor(rows: readonly T[], count: number) {
    this.rows = rows
    this.count = count
  }
}
/** A row to answer, of another resource. */
export interface OtherRow {
  served: Served
  row: StoredRow
}
type ResultOf<C> = C extends { answer: infer A }
  ? A extends RowsAnswer<unknown>
    ? RowList
    : A extends RowAnswer<infer T>
      ? [T] extends [Own]
        ? // A call on a row answers that one, unless it says which it made.
          StoredRow | (C extends { on: 'row' | 'one' } ? void : never)
        : OtherRow
      : A extends ListAnswer<infer T>
        ? readonly T[] | CutList<T>
        : AnswerOf<C>
  : void

/** What is known of a call before its transaction begins. */
export type Asked<C = CallSpec, S = unknown> = Omit<Called<C, S>, 'row' | 'about' | 'reply'>
type CarryOut<C, S, Row> = (ctx: Context, called: Called<C, S, Row>) => Promise<ResultOf<C>>
/**
 * A call with slow work (hashing, opening keys), which must not hold a connection: it is done before the transaction begins, and answers
 * what is done inside. What it writes itself stays, even when the call fails.
 */
interface WithAhead<C, S, Row> {
  ahead: (ctx: Context, asked: Asked<C, S>) => Promise<CarryOut<C, S, Row>>
}

/** One implementation for each declared call; `Row` is what the stored rows of its resource are. */
export type Implementations<C extends Calls, S = unknown, Row = StoredRow> = {
  readonly [N in keyof C]: CarryOut<C[N], S, Row> | WithAhead<C[N], S, Row>
}
type Implementation =
  | ((ctx: Context, called: Called) => Promise<unknown>)
  | { ahead: (ctx: Context, asked: Asked) => Promise<(ctx: Context, called: Called) => Promise<unknown>> }

export interface Serving {
  secrets: Secrets
  /** The binding of a resource (`app.model`). */
  bound: (model: string) => Served | undefined
  /** @throws ApiError 400 with the code of the confirmation unless the caller has confirmed who they are. */
  confirmed: (ctx: Context, needed: Confirmation) => Promise<void>
}

/** A service with what its calls do. */
export interface Provided {
  service: Callable
  implementations: Readonly<Record<string, Implementation>>
}
export const provide = <C extends Calls, P extends string>(
  service: Service<C, P>,
  implementations: Implementations<C, { path: P }>,
): Provided => ({ service, implementations })

/** The declared calls of a resource or service as routes. `served` is the resource's binding; services have none. */
export function callRoutes(
  of: Callable,
  implementations: Readonly<Record<string, Implementation>>,
  served: Served | ServedOne | undefined,
  serving: Serving,
): Route[] {
  return Object.entries(of.calls).map(([name, call]) => {
    const carryOut = implementations[name]
    const inTurn = served && 'inTurn' in served.binding ? served.binding.inTurn : undefined
    const where = `${of.app}.${of.model}.${name}`
    if (carryOut === undefined) throw new Error(`${where} is declared, but nothing carries it out`)
    if (isWrite(call) && call.records === undefined)
      throw new Error(`${where} writes, but does not say what it leaves in the books`)
    if (served?.resource.audited === false && typeof call.records === 'string' && call.records !== 'changes')
      throw new Error(`${where} says what it leaves in the books, but its resource is not recorded`)
    const path = callPath(of, call).replaceAll(/\{(\w+)\}/g, ':$1')
    return {
      method: methodsOf(call),
      path,
      takesSeveral: (parameter: string) => {
        const listed = listOf(of, call, serving)
        return listed !== undefined && isFilter(listed, parameter)
      },
      access: accessOf(call.access),
      transaction: writes(call),
      ...(writes(call) && inTurn ? { inTurn: (ctx) => inTurn(ctx) } : {}),
      ...(call.reads ? { reads: true } : {}),
      ...(call.isUnsafe ? { isUnsafe: true } : {}),
      ...(call.answer?.kind === 'rows' || call.answer?.kind === 'list' ? { lists: true } : {}),
      ...(call.bodyLimit === undefined ? {} : { bodyLimit: call.bodyLimit }),
      fields: call.body && !isSingleField(call.body) ? call.body : undefined,
      ...recordsOf(call),
      ahead: (ctx: Context, sent: Call) => ask({ ctx, call, name, sent, served, carryOut, serving }),
      handler: (ctx: Context, sent: Call) =>
        serveCall({ ctx, of, call, name, sent, served, path, ready: sent.ahead as Ready }),
    }
  })
}

/** The list a call answers, or is about. */
const listOf = (of: Callable, { on, answer }: CallSpec, { bound }: Serving): Served | undefined =>
  answer?.kind === 'rows' ? bound(answer.of ?? modelOf(of)) : on === 'list' ? bound(modelOf(of)) : undefined

/** The kernel itself records calls on a row that name an action; of all others it sees to it that they did. */
const recordsOf = ({ records }: CallSpec): Pick<Route, 'records'> => {
  if (records === undefined) return {}
  return { records: typeof records === 'string' ? 'changes' : records }
}

interface Serve {
  ctx: Context
  call: CallSpec
  name: string
  sent: Call
  served: Served | ServedOne | undefined
}
/** A call that was parsed and confirmed, with its slow work done. */
interface Ready {
  asked: Asked
  carryOut: (ctx: Context, called: Called) => Promise<unknown>
}

/** Everything before the transaction. */
async function ask({
  ctx,
  call,
  name,
  sent,
  served,
  carryOut,
  serving,
}: Serve & { carryOut: Implementation; serving: Serving }): Promise<Ready> {
  if (served && isWrite(call)) checkLicensed(served.resource, ctx)
  await served?.binding.guard?.(ctx, name)
  const query = sent.query as Query
  const asked = {
    served,
    parameters: sent.params,
    body: call.body && bodyIn(call, await openSecrets(call.body, bodyOf(call, sent.body), serving.secrets)),
    query: call.query ? declaredQuery(call.query, query) : {},
    sent: query,
    page: call.answer?.kind === 'list' ? pageAsked(query) : undefined,
    request: sent.request,
  } as unknown as Asked
  if (call.confirm) await serving.confirmed(ctx, call.confirm)
  return { asked, carryOut: typeof carryOut === 'function' ? carryOut : await carryOut.ahead(ctx, asked) }
}

/** @throws ValidationError, or what is wrong as one text where the call says so */
function bodyIn(call: CallSpec, sent: unknown): unknown {
  try {
    return call.body && bodyRead(call.body, sent)
  } catch (error) {
    throw call.refusesInText && error instanceof ValidationError ? inText(error) : error
  }
}

/** A parsed body, with the defaults of what was not sent. */
function bodyRead(body: CallBody, sent: unknown): unknown {
  const read = checked(bodySchema(body), sent)
  if (!isSingleField(body)) return wholeInput(body, { ...defaultsOf(body), ...(read as Input) }, undefined)
  return wholeInput({ body }, { body: read }, undefined)['body']
}

/** A parameter that means one thing is not said twice. */
function declaredQuery(fields: Fields, query: Query): unknown {
  for (const name of Object.keys(fields))
    if (valuesOf(query, name).length > 1) throw invalid(name, 'given_twice')
  return checked(querySchema(fields), query)
}

async function serveCall({
  ctx,
  of,
  call,
  name,
  sent,
  served,
  path,
  ready: { asked, carryOut },
}: Serve & { of: Callable; path: string; ready: Ready }): Promise<unknown> {
  const row =
    call.on !== 'list' && served ? await rowOf(served, ctx, sent.params['id'] ?? '', writes(call)) : undefined
  let changed: readonly StoredRow[] = row ? [row] : []
  if (row && served) checkMay(served, ctx, row, name)
  const result = await carryOut(ctx, {
    ...asked,
    row,
    about: (rows: readonly StoredRow[]) => {
      if (served) for (const one of rows) checkMay(served, ctx, one, name)
      changed = rows
      // Locks count as writing: the handler says that no row is another than before.
      if (rows.length === 0) ctx.told.kept = true
    },
    reply: sent.reply,
  } as Called)
  if (served && typeof call.records === 'string' && call.records !== 'changes')
    for (const before of changed) await recordCall(ctx, served, name, call.records, before)
  const answersRow = call.answer?.kind === 'row' && result === undefined
  const after = row && served && answersRow ? await rowOf(served, ctx, String(row['id'])) : undefined
  return await answerOf({ ctx, of, call, path, served, result: after ?? result, sent })
}

const bodyOf = ({ listAs }: CallSpec, sent: unknown) =>
  listAs !== undefined && Array.isArray(sent) ? { [listAs]: sent as unknown } : (sent ?? {})

/** A call that says what it leaves in the books writes, whatever its method is. */
const writes = (call: CallSpec) => isWrite(call) || (call.records !== undefined && call.records !== 'view')

async function recordCall(
  ctx: Context,
  served: Served | ServedOne,
  call: string,
  action: OperateAction,
  before: StoredRow,
): Promise<void> {
  const id = isOne(served) ? idOf(before) : String(before['id'])
  const after = isOne(served)
    ? await served.binding.read(ctx, { lock: false })
    : await storedRow(served, ctx, identifiedBy(served, id))
  await ctx.emit({ type: 'called', action, call, resource: served.resource, id, before, after })
}

const isOne = (served: Served | ServedOne): served is ServedOne => isSingleton(served.resource)

async function rowOf(served: Served | ServedOne, ctx: Context, id: string, lock = false): Promise<StoredRow> {
  if (isOne(served)) return await served.binding.read(ctx, { lock })
  const row = await storedRow(served, ctx, identifiedBy(served, id), { lock })
  if (row === undefined) throw missing(served)
  return row
}

interface Answering extends Pick<Serve, 'ctx' | 'call' | 'served' | 'sent'> {
  of: Callable
  path: string
  result: unknown
}
async function answerOf({ ctx, of, call, path, served, result, sent }: Answering): Promise<unknown> {
  const status = call.status ?? (call.answer ? 200 : 204)
  switch (call.answer?.kind) {
    case undefined:
      return new Reply(status)
    case 'row': {
      const one = call.answer.of === undefined ? { served, row: result as StoredRow } : (result as OtherRow)
      if (one.served === undefined || one.row === undefined) throw new Error(`${path} has no row to answer`)
      return new Reply(
        status,
        isOne(one.served)
          ? await presentOne(one.served, ctx, one.row)
          : presentFor(one.served, ctx, one.row, 'detail', sent.query as Query),
      )
    }
    case 'rows': {
      return await answerRows(ctx, call, result as RowList, sent)
    }
    case 'list':
      if (asksForTable(sent.query as Query)) {
        const list = { fields: call.answer.fields, rows: result as readonly unknown[] }
        return exportRows(of, ctx, sent.query as Query, list)
      }
      return new Reply(status, paged(ctx, result as readonly unknown[] | CutList<unknown>, sent))
    default:
      return new Reply(status, result)
  }
}

const addressOf = ({ request }: Call) => request.url.split('?', 1)[0] ?? request.url

function pageAsked(sent: Query): Cut | undefined {
  const paged = pagedQuery(sent)
  const query = paged ?? sent
  const { limit, offset } = pageOf(query, paged ? maxSize : maxPageSize)
  return limit === undefined || asksForTable(query) ? undefined : { limit, offset }
}

/** A list that is in memory, paged as lists of rows are. */
function paged(ctx: Context, list: readonly unknown[] | CutList<unknown>, sent: Call) {
  const query = sent.query as Query
  const page = pageAsked(query)
  if (page === undefined) return list
  const { rows, count } =
    list instanceof CutList
      ? list
      : { rows: list.slice(page.offset, page.offset + page.limit), count: list.length }
  if (pagedQuery(query)) return pagedAnswer({ count, results: rows })
  return { ...pageLinks(ctx, addressOf(sent), query, { ...page, count }), results: rows }
}

async function answerRows(
  caller: Context,
  call: CallSpec,
  { served, query, selected, atMost, ctx = caller }: RowList,
  request: Call,
): Promise<unknown> {
  const sent = request.query as Query
  const asked = { ...(query ?? sent) }
  for (const name of Object.keys(call.query ?? {})) delete asked[name]
  const path = addressOf(request)
  const chosen = selected ?? (await selectedIds(caller, sent['spm'], path))
  const shown = call.answer?.kind === 'rows' ? shownBy(served, call.answer, caller) : served
  const paged = pagedQuery(asked)
  const maxLimit = paged ? maxSize : maxPageSize
  const rows = await listRows(shown, ctx, paged ?? asked, { selected: chosen, maxLimit, path, sent, atMost })
  return paged && 'count' in rows ? pagedAnswer(rows) : rows
}
