/** Whoever sees a secret, or takes it elsewhere, may do so, has just said who they are, and is on the books. */
import { listUrl, maxPageSize } from '@sallyport/contract'
import { and, eq, inArray, isNotNull, type SQL } from 'drizzle-orm'
import type { PgColumn } from 'drizzle-orm/pg-core'
import type { Context } from '../../kernel/context.ts'
import { forbidden } from '../../kernel/errors.ts'
import type { Served } from '../../kernel/resource/binding.ts'
import { narrows } from '../../kernel/resource/bulk.ts'
import type { Query } from '../../kernel/resource/query.ts'
import { organizationsListed } from '../../kernel/resource/read.ts'
import { selectedIds } from '../../kernel/resource/selection.ts'
import { assets } from '../assets/index.ts'
import { accounts } from './tables.ts'

type Taken = Pick<typeof accounts.$inferSelect, 'id' | 'name' | 'asset_id' | 'org_id' | 'secret'>

/** Says whether this person has just confirmed who they are. @throws ApiError 400 with the code `mfa` when not. */
export type CheckConfirmed = (ctx: Context) => Promise<void>

interface Seen {
  resource_type: 'accounts.account' | 'accounts.accounttemplate'
  /** What the books call it. */
  resource: string
  org_id: string
  /** Of a row; of a list there is none. */
  id?: string
}

/** Recorded in the transaction of the reading: no secret is shown, or taken elsewhere, without its record. */
export const recordSeen = (ctx: Context, ...all: readonly Seen[]) =>
  ctx.emit(
    ...all.map(({ id, ...of }) => ({
      type: 'happened' as const,
      name: 'operated' as const,
      data: { action: 'view' as const, ...of, ...(id === undefined ? {} : { resource_id: id }) },
    })),
  )

/** Records that a list of secrets is told; answers it for the kernel to present. */
export async function listSeen(
  ctx: Context,
  { served, sent }: { served: Served; sent: Query },
  { type, org }: { type: Seen['resource_type']; org: PgColumn },
) {
  const selected = await selectedIds(ctx, sent['spm'], listUrl(served.resource))
  // What all organizations' view shows of an organization is in that one's books, too.
  const listed = { selected, maxLimit: maxPageSize }
  const orgs = ctx.org.is_root ? await organizationsListed(served, org, ctx, sent, listed) : []
  const resource = whatWasListed(served, sent)
  for (const org_id of [ctx.org.id, ...orgs]) await recordSeen(ctx, { resource_type: type, resource, org_id })
  return { served, selected }
}

/** What the operate log calls a list of secrets. Nobody writes there what was not asked of the list. */
function whatWasListed(served: Served, query: Query): string {
  if (query['spm'] !== undefined) return 'Export only selected items'
  const named = Object.entries(query).flatMap(([name, value]) =>
    narrows(served, name) ? [`${name}=${value}`] : [],
  )
  return named.length === 0 ? 'Export all' : `Export filtered: ${named.join(',')}`
}

/** Whoever takes a secret to another machine can read it there: it needs what seeing it needs, and is recorded as that. */
export async function takeAlong(
  ctx: Context,
  checkConfirmed: CheckConfirmed,
  from: readonly Taken[],
): Promise<void> {
  const open = from.filter(({ secret }) => secret !== null)
  if (open.length === 0) return
  if (!ctx.can('accounts.view_accountsecret')) throw forbidden('secret_copy_denied')
  await checkConfirmed(ctx)
  const held = await ctx.db
    .select({ id: assets.id, name: assets.name })
    .from(assets)
    .where(inArray(assets.id, [...new Set(open.map(({ asset_id }) => asset_id))]))
  const names = new Map(held.map(({ id, name }) => [id, name]))
  await recordSeen(
    ctx,
    ...open.map(({ id, name, asset_id, org_id }) => ({
      resource_type: 'accounts.account' as const,
      resource: `${name}@${names.get(asset_id) ?? ''}`,
      org_id,
      id,
    })),
  )
}

/** The same for every account of these assets, which are about to be reached at another place. */
export async function takeWithAssets(
  ctx: Context,
  checkConfirmed: CheckConfirmed,
  assetIds: readonly string[],
): Promise<void> {
  if (assetIds.length === 0) return
  const held = await ctx.db
    .select()
    .from(accounts)
    .where(and(inArray(accounts.asset_id, [...assetIds]), isNotNull(accounts.secret)))
  await takeAlong(ctx, checkConfirmed, held)
}

/** Many assets at once, as a condition on the table `assets`, and what the books call them. */
export interface Moved {
  assets: SQL
  /** Only the secrets of accounts that are become from another one. */
  isSwitching?: boolean
  called: string
}

/**
 * The same where a whole network zone or platform is concerned: one record in each organization tells of all. Who changes what organizations
 * share needs to be allowed to see the secrets of all of them.
 */
export async function takeAllAlong(
  ctx: Context,
  checkConfirmed: CheckConfirmed,
  { assets: moved, isSwitching = false, called }: Moved,
): Promise<void> {
  const held = await ctx.db
    .selectDistinct({ org_id: accounts.org_id })
    .from(accounts)
    .innerJoin(assets, eq(assets.id, accounts.asset_id))
    .where(and(isNotNull(accounts.secret), isSwitching ? isNotNull(accounts.su_from_id) : undefined, moved))
  if (held.length === 0) return
  const isElsewhere = !ctx.org.is_root && held.some(({ org_id }) => org_id !== ctx.org.id)
  if (!ctx.can('accounts.view_accountsecret') || (isElsewhere && ctx.identity?.isSuperAdmin !== true))
    throw forbidden('secret_copy_denied')
  await checkConfirmed(ctx)
  await recordSeen(
    ctx,
    ...held.map(({ org_id }) => ({ resource_type: 'accounts.account' as const, resource: called, org_id })),
  )
}

/** Rows of these ids that are in the caller's organization. */
export const inOrgOf = (ctx: Context, column: PgColumn) =>
  ctx.org.is_root ? undefined : eq(column, ctx.org.id)
