/** The standard calls of a resource, as routes. */
import { readFilePath } from '@sallyport/contract/addresses'
import {
  listUrl,
  metadataOf,
  type Action,
  maxPageSize,
  permissionFor,
  type Resource,
} from '@sallyport/contract'
import { or, sql, type SQL } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { ApiError, forbidden, ValidationError } from '../errors.ts'
import type { StoredRow } from '../events.ts'
import { valuesOf } from '../http/parse.ts'
import { type Call, type Method, Reply, type Route } from '../http/route.ts'
import type { Secrets } from '../secrets/index.ts'
import { renderedTable, rowsSent } from '../transfer/import.ts'
import type { Mode, Served } from './binding.ts'
import { createListed, deleteListed, keyOf as keyOfRow, maxRows, updateListed } from './bulk.ts'
import { findNames } from './by-name.ts'
import { sizeOf } from './fields.ts'
import { checkLicensed } from './licensed.ts'
import { openRows } from './opening.ts'
import { maxSize, pagedAnswer, pagedQuery } from './paging.ts'
import { toldOf } from './policy.ts'
import { isFilter, type Query, sortedBy } from './query.ts'
import { identifiedBy, listRows, missing, presentAll, presentFor, storedRow, storedRows } from './read.ts'
import { inTurnOf } from './references.ts'
import { selectedIds } from './selection.ts'
import { changedMeanwhile, isOutdated, tellVersion } from './version.ts'
import { createRow, deleteRows, type ReadAhead, readAhead, updateRow } from './write.ts'

/** Largest bodies, in bytes: of a list, and of a row. What people keep for themselves alone is short, and anybody may send it. */
const listLimit = 16 << 20
const rowLimit = 1 << 20

const queryOf = (call: Call): Query => call.query as Query

export function routesOf(served: Served, secrets: Secrets): Route[] {
  const { resource } = served
  const list = listUrl(resource)
  const detail = `${list}:id/`
  const writing = (ctx: Context, call?: Call) => ({
    served,
    ctx,
    secrets,
    ahead: call?.ahead as ReadAhead | undefined,
  })
  const may = (action: Action) => ({ oneOf: [permissionFor(resource, action)] })
  const routes: Route[] = []
  const guard = async (ctx: Context, action: Action) => {
    if (action !== 'list' && action !== 'retrieve') checkLicensed(resource, ctx)
    await served.binding.guard?.(ctx, action)
  }
  const on = (
    action: Action,
    method: Method,
    path: string,
    handler: (ctx: Context, call: Call) => Promise<unknown>,
    mode?: Mode,
  ) => {
    if (resource.actions.includes(action))
      routes.push({
        ...(mode && served.binding.ahead
          ? {
              isAheadTimed: true,
              ahead: async (ctx, call) => {
                await guard(ctx, action)
                await findNames(served, ctx, call.body)
                return await readAhead(writing(ctx), mode, rowsOf(call))
              },
            }
          : {}),
        method,
        path,
        ...(mode
          ? {
              fields: resource.fields,
              opened: (body: unknown) => {
                served.binding.checkSent?.(Array.isArray(body) ? body : [body], mode)
                return openRows(resource.fields, body, secrets)
              },
            }
          : {}),
        ...(path === list ? { takesSeveral: (name: string) => isFilter(served, name) } : {}),
        ...(action === 'list' ? { lists: true } : {}),
        ...(mode && resource.bulk && path === list
          ? { table: (ctx, request) => rowsSent(resource, ctx, request) }
          : {}),
        access:
          resource.scope === 'own' || (action === 'retrieve' && served.binding.readable)
            ? 'valid_user'
            : may(action),
        transaction: method !== 'GET',
        ...(method === 'GET'
          ? {}
          : {
              records: 'changes' as const,
              inTurn: (ctx: Context, { body }: Call) => inTurnOf(served, body)?.(ctx),
            }),
        bodyLimit: resource.bulk && path === list && resource.scope !== 'own' ? listLimit : rowLimit,
        handler: async (ctx, call) => {
          await guard(ctx, action)
          if (mode) await findNames(served, ctx, call.body)
          return await handler(ctx, call)
        },
      })
  }
  const selected = (ctx: Context, call: Call) => selectedIds(ctx, queryOf(call)['spm'], list)

  const writes = (['create', 'update'] as const).filter((action) => resource.actions.includes(action))
  if (writes.length > 0)
    routes.push({
      method: 'POST',
      path: readFilePath(list),
      access:
        resource.scope === 'own'
          ? 'valid_user'
          : { oneOf: writes.map((action) => permissionFor(resource, action)) },
      raw: true,
      reads: true,
      handler: async (ctx, call) => {
        await served.binding.guard?.(ctx, writes[0] ?? '')
        return await renderedTable(resource, ctx, call.request)
      },
    })

  on('list', 'GET', list, async (ctx, call) => {
    const paged = pagedQuery(queryOf(call))
    const rows = await listRows(served, ctx, paged ?? queryOf(call), {
      selected: await selected(ctx, call),
      maxLimit: paged ? maxSize : maxPageSize,
      path: list,
    })
    return paged && 'count' in rows ? pagedAnswer(rows) : rows
  })
  on(
    'create',
    'POST',
    list,
    async (ctx, call) => {
      if (Array.isArray(call.body)) {
        if (!resource.bulk) throw notAnObject()
        const bodies = (call.body as unknown[]).map((body) => withQuery(resource, body, queryOf(call)))
        const rows = await createListed(writing(ctx, call), bodies)
        return new Reply(201, await presentAll(served, ctx, rows))
      }
      const body = withQuery(resource, call.body, queryOf(call))
      return new Reply(201, presentFor(served, ctx, await createRow(writing(ctx, call), body), 'list'))
    },
    'create',
  )
  if (resource.bulk) {
    for (const [method, mode] of updates)
      on(
        'update',
        method,
        list,
        async (ctx, call) => {
          const rows = await updateListed(writing(ctx, call), mode, call.body, {
            query: queryOf(call),
            selected: await selected(ctx, call),
            check: unlessOutdated(served, ctx, call),
          })
          return await presentAll(served, ctx, rows)
        },
        mode,
      )
    on('delete', 'DELETE', list, async (ctx, call) =>
      deleteListed(writing(ctx), queryOf(call), await selected(ctx, call), unlessOutdated(served, ctx, call)),
    )
  }
  on('retrieve', 'GET', detail, async (ctx, call) => {
    const row = await retrieved(served, ctx, identifiedBy(served, keyOf(call)))
    tellVersion(call.reply, ctx, resource, row)
    const query = queryOf(call)
    return toldOf(served, ctx, presentFor(served, ctx, row, 'detail', query), row, query)
  })
  for (const [method, mode] of updates)
    on(
      'update',
      method,
      detail,
      async (ctx, call) => {
        const check = unlessOutdated(served, ctx, call)
        const after = await updateRow(writing(ctx, call), keyOf(call), mode, call.body, check)
        tellVersion(call.reply, ctx, resource, after)
        return presentFor(served, ctx, after, 'list')
      },
      mode,
    )
  on('delete', 'DELETE', detail, async (ctx, call) => {
    // The data table names several at once, all or none of which are deleted.
    const keys = resource.alsoBy === undefined ? [...new Set(keyOf(call).split(','))] : [keyOf(call)]
    const rows = await storedRows(
      served,
      ctx,
      or(...keys.map((key) => identifiedBy(served, key))) ?? sql`false`,
      {
        lock: true,
      },
    )
    if (rows.length < keys.length) throw missing(served)
    for (const row of rows) unlessOutdated(served, ctx, call)(row)
    await deleteRows(writing(ctx), rows)
  })
  return routes
}

/** @throws ApiError 404, and 403 to who lacks the permission where the row is none of the `readable` ones. */
async function retrieved(served: Served, ctx: Context, where: SQL): Promise<StoredRow> {
  const { readable } = served.binding
  if (!readable || ctx.can(permissionFor(served.resource, 'retrieve'))) {
    const row = await storedRow(served, ctx, where)
    if (row === undefined) throw missing(served)
    return row
  }
  const those = readable(ctx)
  const everywhere = ctx.inOrg({ ...ctx.org, is_root: true })
  const row = those && (await storedRow(served, everywhere, sql`${where} and ${those}`))
  if (row === undefined) throw forbidden()
  return row
}

/** @throws ApiError 409 on a row that is in none of the versions a request is about, where it says so. */
const unlessOutdated =
  (served: Served, ctx: Context, { request }: Call) =>
  (row: StoredRow): void => {
    if (isOutdated(request, ctx, served.resource, row))
      throw changedMeanwhile(presentFor(served, ctx, row, 'list'))
  }

const updates: readonly [Method, Mode][] = [
  ['PUT', 'replace'],
  ['PATCH', 'patch'],
]

/** A new row with what it leaves to the parameters of its address, unparsed as it is. */
function withQuery({ fields, fromQuery }: Resource, body: unknown, query: Query): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const left = Object.entries(fromQuery).flatMap(([name, parameter]) => {
    const values = Object.hasOwn(body, name) ? [] : valuesOf(query, parameter)
    return values.length === 0 ? [] : [[name, fields[name]?.kind.kind === 'many' ? values : values[0]]]
  })
  return left.length === 0 ? body : { ...body, ...Object.fromEntries(left) }
}
const keyOf = (call: Call) => call.params['id'] ?? ''
/** The rows of a write, each with the id it is about; none of too many, which are refused later. */
const rowsOf = ({ params, body }: Call) => {
  const rows: unknown[] = Array.isArray(body) ? body : [body]
  return rows.length > maxRows ? [] : rows.map((row) => ({ body: row, id: params['id'] ?? keyOfRow(row) }))
}
const notAnObject = () =>
  new ValidationError({ non_field_errors: [{ key: 'not_object', params: { type: 'list' } }] })

/** The answer to OPTIONS: for any signed-in person. */
export async function describe(served: Served, ctx: Context, query: Query, on: 'list' | 'detail') {
  if (ctx.identity === undefined) throw new ApiError(401, 'not_authenticated')
  const metadata = structuredClone(metadataOf(served.resource, ctx.language, on))
  for (const [name, field] of Object.entries(metadata.actions.GET ?? {}))
    if (sortedBy(served, name) === undefined) delete field.order
  const sized = sizeOf(served.resource, query['fields_size'])
  for (const name of sized ? Object.keys(metadata.actions.GET ?? {}) : [])
    if (!sized?.includes(name)) delete metadata.actions.GET?.[name]
  // What is neither shown to this caller nor taken from them is not described to them.
  for (const [method, described] of Object.entries(metadata.actions))
    for (const [name, { options }] of Object.entries(served.resource.fields)) {
      const needed = method === 'GET' ? options.readPermission : options.writePermission
      if (needed !== undefined && !ctx.can(needed)) delete described?.[name]
    }
  await served.binding.describe?.(ctx, metadata, query)
  return metadata
}
