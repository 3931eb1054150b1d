/** The second half of a request's way, once it is admitted: body → handler (in a transaction when it writes) → answer. */
import { Readable } from 'node:stream'
import { sql } from 'drizzle-orm'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../context.ts'
import { type Executor, type Transaction, workForCaller } from '../database/index.ts'
import type { Services } from '../services.ts'
import { sendsTable } from '../transfer/import.ts'
import { formBytesOf, formOf, formRead, sendsForm, sendsTexts, textsBytes, textsOf } from './forms.ts'
import { asSent } from './json.ts'
import type { MetadataRoute } from './metadata.ts'
import { bodyOf, paramsOf, queryOf } from './parse.ts'
import { readInTurn } from './reading.ts'
import { type File, FileAnswer, Reply, type Route } from './route.ts'
import { aheadOfWrite, type WriteBounds, writeForCaller } from './writing.ts'

/** `person`: whose share of the connections it takes. */
export async function carryOut(
  services: Services,
  route: Route | MetadataRoute,
  request: FastifyRequest,
  reply: FastifyReply,
  writes: WriteBounds,
  person: string | undefined,
): Promise<unknown> {
  const { context } = request
  if (context === undefined) throw new Error('a request reached its handler unadmitted')
  reply.header('Content-Language', context.language)
  const gone = whoGoes(reply)
  const body = await bodySent(route, context, request)
  const sent = {
    params: paramsOf(route, request),
    query: queryOf(route, request),
    body: route.opened ? await route.opened(body) : body,
    request,
    reply,
  }
  const ahead = async () => await route.ahead?.(context, sent)
  const { made, left } = route.isAheadTimed
    ? await aheadOfWrite(gone, writes, ahead)
    : { made: await ahead(), left: writes }
  const call = { ...sent, ahead: made }
  const isList = 'lists' in route && route.lists === true
  const write = async (tx: Transaction) => {
    const answered = await route.handler(context.within(tx), call)
    if (route.records === 'changes') await refuseUnrecorded(context, tx, route.path)
    return answered
  }
  const result = route.transaction
    ? await writeForCaller(services.database, person, gone, left, write, route.inTurn?.(context, call))
    : isList
      ? await workForCaller(gone, () => route.handler(context, call))
      : await route.handler(context, call)
  // A file that breaks off is answered, too: its headers are with the caller.
  if (reply.sent || reply.raw.headersSent) return reply
  if (result instanceof FileAnswer) {
    const content = request.method === 'HEAD' ? Readable.from([]) : await result.open(context)
    return asDownload(result.file, content, reply)
  }
  if (result instanceof Reply) return reply.code(result.status).send(await asSent(result.body, reply))
  return result === undefined ? reply.code(204).send() : await asSent(result, reply)
}

async function bodySent(
  route: Route | MetadataRoute,
  ctx: Context,
  request: FastifyRequest,
): Promise<unknown> {
  if (route.table && sendsTable(request)) return await route.table(ctx, request)
  const { fields = {} } = route
  const isNew = request.method === 'POST'
  // Sent in chunks it may be as long as any.
  const length = Number(request.headers['content-length'] ?? Infinity)
  const read = (form: object) => readInTurn(request, length, () => formRead(fields, form, isNew))
  if (!route.raw && sendsTexts(request)) return bodyOf(route, request, await read(request.body ?? {}))
  if (route.raw || !sendsForm(request)) return bodyOf(route, request)
  const formBytes = formBytesOf(fields)
  if (formBytes !== undefined) return await read(await formOf(request, formBytes))
  const maxBytes = Math.min(textsBytes, request.routeOptions.bodyLimit ?? textsBytes)
  return bodyOf(route, request, await read(await textsOf(request, maxBytes)))
}

/** Aborted when the caller closes the connection before there is an answer. */
function whoGoes({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort()
  })
  return gone.signal
}

/** No change without its record: what has written something the books know nothing of is undone. */
async function refuseUnrecorded({ told }: Context, tx: Executor, path: string): Promise<void> {
  if (told.booked > 0 || told.kept) return
  const found = await tx.execute<{ written: boolean }>(
    sql`select pg_current_xact_id_if_assigned() is not null as written`,
  )
  if (found.rows[0]?.written === true) throw new Error(`${path} changed something and left no record`)
}

/** Read as fast as it is taken. What breaks on the way breaks the connection: half a file must not pass for a whole one. */
function asDownload({ type, name }: File, content: Readable, reply: FastifyReply): FastifyReply {
  return reply.type(type).header('content-disposition', `attachment; filename="${name}"`).send(content)
}
