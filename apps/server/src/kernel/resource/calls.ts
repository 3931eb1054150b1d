/** Serves declared calls: parses, finds and locks the row, runs what the domain says, records, presents. */
import {
  type AnswerOf,
  bodySchema,
  type BodyOf,
  type Callable,
  callPath,
  type Calls,
  type CallSpec,
  type Confirmation,
  isWrite,
  maxPageSize,
  methodsOf,
  type ParametersOf,
  type QueryOf,
  querySchema,
  type RowAnswer,
  type RowsAnswer,
} from '@sallyport/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import type { StoredRow } from '../events.ts'
import { checked } from '../http/parse.ts'
import { type Access, type Call, Reply, type Route } from '../http/route.ts'
import type { Secrets } from '../secrets/index.ts'
import type { Served } from './binding.ts'
import { openSecrets } from './opening.ts'
import type { Query } from './query.ts'
import { identifiedBy, listRows, missing, presentFor, storedRow } from './read.ts'

/** What an implementation gets. */
export interface Called<C = CallSpec> {
  /** The row the call is about with all its columns, locked when the call writes. */
  row: C extends { on: 'row' } ? StoredRow : undefined
  parameters: ParametersOf<C>
  /** The binding of the resource that declares the call. */
  served: Served
  body: BodyOf<C>
  query: QueryOf<C>
  /** The whole query as it was sent, for lists. */
  sent: Query
  request: FastifyRequest
  reply: FastifyReply
}

/** A list to answer: the rows of `served` (see `narrowed`), asked for with `query` instead of what was sent. */
export interface RowList {
  served: Served
  query?: Query
}
type ResultOf<C> = C extends { answer: infer A }
  ? A extends RowsAnswer<unknown>
    ? RowList
    : A extends RowAnswer
      ? C extends { on: 'row' }
        ? void
        : StoredRow
      : AnswerOf<C>
  : void

/** One implementation for each declared call. */
export type Implementations<C extends Calls> = {
  readonly [N in keyof C]: (ctx: Context, called: Called<C[N]>) => Promise<ResultOf<C[N]>>
}
type Implementation = (ctx: Context, called: Called) => Promise<unknown>

export interface Serving {
  secrets: Secrets
  /** @throws ApiError 400 with the code of the confirmation unless the caller has confirmed who they are. */
  confirmed: (ctx: Context, needed: Confirmation) => Promise<void>
}

/** A service with what its calls do. */
export interface Provided {
  service: Callable
  implementations: Readonly<Record<string, Implementation>>
}
export const provide = <C extends Calls>(
  service: Callable & { calls: C },
  implementations: Implementations<C>,
): Provided => ({ service, implementations })

/** The declared calls of a resource or service as routes. `served` is the resource's binding; services have none. */
export function callRoutes(
  of: Callable,
  implementations: Readonly<Record<string, Implementation>>,
  served: Served | undefined,
  serving: Serving,
): Route[] {
  return Object.entries(of.calls).map(([name, call]) => {
    const carryOut = implementations[name]
    const where = `${of.app}.${of.model}.${name}`
    if (carryOut === undefined) throw new Error(`${where} is declared, but nothing carries it out`)
    if (isWrite(call) && call.records === undefined)
      throw new Error(`${where} writes, but does not say what it leaves in the books`)
    const path = callPath(of, call).replaceAll(/\{(\w+)\}/g, ':$1')
    return {
      method: methodsOf(call),
      path,
      access: accessOf(call),
      transaction: isWrite(call) || call.records !== undefined,
      ...(call.bodyLimit === undefined ? {} : { bodyLimit: call.bodyLimit }),
      ...recordsOf(call),
      handler: (ctx: Context, sent: Call) =>
        serveCall({ ctx, call, name, sent, served, carryOut, path, serving }),
    }
  })
}

const accessOf = ({ access }: CallSpec): Access =>
  access.includes('.') ? { permission: access } : (access as Access)

const recordsOf = ({ records }: CallSpec): Pick<Route, 'records'> =>
  records === undefined ? {} : { records: typeof records === 'string' ? 'changes' : records }

interface Serve {
  ctx: Context
  call: CallSpec
  name: string
  sent: Call
  served: Served | undefined
  carryOut: Implementation
  path: string
  serving: Serving
}

async function serveCall({
  ctx,
  call,
  name,
  sent,
  served,
  carryOut,
  path,
  serving,
}: Serve): Promise<unknown> {
  const query = sent.query as Query
  const body =
    call.body && checked(bodySchema(call.body), openSecrets(call.body, sent.body ?? {}, serving.secrets))
  if (call.confirm) await serving.confirmed(ctx, call.confirm)
  const before =
    call.on === 'row' && served ? await rowOf(served, ctx, sent.params['id'] ?? '', isWrite(call)) : undefined
  const result = await carryOut(ctx, {
    row: before,
    served,
    parameters: sent.params,
    body,
    query: call.query ? checked(querySchema(call.query), query) : {},
    sent: query,
    request: sent.request,
    reply: sent.reply,
  } as unknown as Called)
  const after = before && served ? await storedRow(served, ctx, byId(served, before)) : undefined
  if (before && served && typeof call.records === 'string' && call.records !== 'changes')
    await ctx.emit({
      type: 'called',
      action: call.records,
      call: name,
      resource: served.resource,
      id: String(before['id']),
      before,
      after,
    })
  return await answerOf({ ctx, call, path, served, after, result, sent })
}

const byId = (served: Served, row: StoredRow) => identifiedBy(served, String(row['id']))

async function rowOf(served: Served, ctx: Context, id: string, lock: boolean): Promise<StoredRow> {
  const row = await storedRow(served, ctx, identifiedBy(served, id), { lock })
  if (row === undefined) throw missing(served)
  return row
}

interface Answering extends Pick<Serve, 'ctx' | 'call' | 'path' | 'served' | 'sent'> {
  after: StoredRow | undefined
  result: unknown
}
async function answerOf({ ctx, call, path, served, after, result, sent }: Answering): Promise<unknown> {
  const status = call.status ?? (call.answer ? 200 : 204)
  switch (call.answer?.kind) {
    case undefined:
      return new Reply(status)
    case 'row': {
      const row = call.on === 'row' ? after : (result as StoredRow)
      if (served === undefined || row === undefined) throw new Error(`${path} has no row to answer`)
      return new Reply(status, presentFor(served, ctx, row, 'detail'))
    }
    case 'rows': {
      const rows = result as RowList
      const address = sent.request.url.split('?', 1)[0] ?? sent.request.url
      return await listRows(rows.served, ctx, rows.query ?? (sent.query as Query), {
        selected: undefined,
        maxLimit: maxPageSize,
        path: address,
      })
    }
    default:
      return new Reply(status, result)
  }
}
