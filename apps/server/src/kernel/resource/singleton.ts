/** Resources of exactly one row (the caller's own account, a page of settings): how they are kept, and their calls as routes. */
import { type Calls, type Fields, listUrl, type NoCalls, type Singleton } from '@sallyport/contract'
import type { SQL } from 'drizzle-orm'
import type { Context } from '../context.ts'
import { ApiError } from '../errors.ts'
import type { StoredRow } from '../events.ts'
import { accessOf, type Call, type Method, type Route } from '../http/route.ts'
import type { Secrets } from '../secrets/index.ts'
import type { Input, Mode, Served } from './binding.ts'
import type { Implementations, Provided } from './calls.ts'
import { openSecrets } from './opening.ts'
import { checkMay } from './policy.ts'
import { presentFor, storedRow } from './read.ts'
import { parsePayload, storeRow } from './write.ts'

/** One row of a write. */
interface Changing {
  mode: Mode
  /** Parsed: only what was sent, unless the whole row was. */
  input: Input
  /** The row as it is, locked. */
  before: StoredRow
}

interface KeptOne extends Pick<Served['binding'], 'guard' | 'may' | 'present'> {
  /** The row as it is now. `lock` keeps others from changing it until the transaction ends. */
  read: (ctx: Context, options: { lock: boolean }) => Promise<StoredRow>
  /** Stores what was sent; the kernel records what differs afterwards. */
  store?: (ctx: Context, changing: Changing) => Promise<void>
  /** What is shown besides what is stored. */
  shown?: (ctx: Context, row: StoredRow) => Promise<Record<string, unknown>>
}
export type OneBinding<C extends Calls = NoCalls> = KeptOne &
  ([keyof C] extends [never] ? { calls?: undefined } : { calls: Implementations<C> })

export interface ServedOne {
  resource: Singleton
  binding: KeptOne & { calls?: Provided['implementations'] | undefined }
}

/** Binds the declaration of a singleton to where its row is. */
export const serveOne = <F extends Fields, C extends Calls>(
  resource: Singleton<F, C>,
  binding: OneBinding<NoInfer<C>>,
): ServedOne => ({ resource, binding })

/** A row that is one of a table's. */
export const rowOfTable = (
  served: Served,
  secrets: Secrets,
  where: (ctx: Context) => SQL,
): Required<Pick<KeptOne, 'read' | 'store'>> => ({
  read: async (ctx, options) => {
    const row = await storedRow(served, ctx, where(ctx), options)
    if (row === undefined) throw new ApiError(404, 'not_found')
    return row
  },
  store: async (ctx, { before, input }) => storeRow({ served, ctx, secrets }, before, input),
})

export async function presentOne({ resource, binding }: ServedOne, ctx: Context, row: StoredRow) {
  const shown = await binding.shown?.(ctx, row)
  return presentFor({ resource, binding }, ctx, shown ? { ...row, ...shown } : row, 'detail')
}

/** Changes the row and records what differs, in the transaction of the context. */
export async function changeOne(
  { resource, binding }: ServedOne,
  ctx: Context,
  mode: Mode,
  input: Input,
): Promise<StoredRow> {
  if (binding.store === undefined) throw new Error(`${resource.model} is never changed`)
  const before = await binding.read(ctx, { lock: true })
  checkMay({ binding }, ctx, before, 'update')
  await binding.store(ctx, { mode, input, before })
  const after = await binding.read(ctx, { lock: false })
  const secrets = Object.entries(resource.fields)
    .filter(([name, { options }]) => options.writeOnly && input[name] && before[name] !== after[name])
    .map(([name]) => name)
  await ctx.emit({ type: 'updated', resource, id: idOf(after), before, after, secrets })
  return after
}
/** A page of settings has none. */
export const idOf = (row: StoredRow) => (typeof row['id'] === 'string' ? row['id'] : '')

const changes: readonly [Method, Mode][] = [
  ['PUT', 'replace'],
  ['PATCH', 'patch'],
]

export function routesOfOne(one: ServedOne, secrets: Secrets): Route[] {
  const { resource, binding } = one
  const path = listUrl(resource)
  const { read, update } = resource.access
  if ((update === undefined) !== (binding.store === undefined))
    throw new Error(`${path}: what is declared to be changed, and nothing else, has to be stored`)
  return [
    {
      method: 'GET',
      path,
      access: accessOf(read),
      handler: async (ctx) => {
        await binding.guard?.(ctx, 'retrieve')
        return await presentOne(one, ctx, await binding.read(ctx, { lock: false }))
      },
    },
    ...(update === undefined ? [] : changes).map(([method, mode]) => ({
      method,
      path,
      access: accessOf(update ?? read),
      transaction: true,
      records: 'changes' as const,
      ahead: async (ctx: Context, { body }: Pick<Call, 'body'>) => {
        await binding.guard?.(ctx, 'update')
        return parsePayload(resource, ctx, mode, await openSecrets(resource.fields, body, secrets))
      },
      handler: async (ctx: Context, call: Call) =>
        presentOne(one, ctx, await changeOne(one, ctx, mode, call.ahead as Input)),
    })),
  ]
}
