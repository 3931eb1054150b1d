/** Assets: one table, a list for all of them and one for each category. */
import {
  Asset,
  choiceLabel,
  gatewayPlatformName,
  maxAccountsSent,
  maxObjects,
  Cloud,
  type Category,
  Database,
  Device,
  Gateway,
  Host,
  type Problems,
  protocolChoices,
  type ResourceMetadata,
  typesOf,
  Web,
} from '@sallyport/contract'
import { and, eq, sql, type SQL } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import { ApiError, ValidationError } from '../../kernel/errors.ts'
import { type Mode, serve, type SavedOf, type SavingOf, type Served } from '../../kernel/resource/binding.ts'
import { isRecord } from '../../kernel/resource/nested.ts'
import { org } from '../../kernel/resource/rows.ts'
import { assetCalls, hostCalls, sharedCalls } from './calls.ts'
import { withReason } from './connectivity.ts'
import { describeDatabase } from './databases.ts'
import { assetFilters } from './filters.ts'
import { setLabels } from './labelling.ts'
import { assetReading, domainRelation, isGateway, nodesOfAsset, platformRelation } from './reading.ts'
import { assetCounts, assets, domains, platforms } from './tables.ts'
import { type AssetKind, defaultProtocols, isMoved, platformOf, prepareAsset } from './writing.ts'

/** What the domain of accounts does for assets; it stands on this one, so it is handed in. */
export interface AccountsOfAssets {
  /** Makes the accounts sent along with new assets. */
  make(
    ctx: Context,
    given: readonly { assetId: string; account: Readonly<Record<string, unknown>> }[],
  ): Promise<void>
  /**
   * Before assets are reached at another place: the secrets of their accounts go along.
   * @throws ApiError 403 without the right to see these secrets, 400 with the code `mfa` when the caller has not just confirmed who they are
   */
  checkMayMove(ctx: Context, assetIds: readonly string[]): Promise<void>
  /**
   * The same before something that many assets share changes: `assets` says which, as a condition on that table, `isSwitching` leaves it at
   * accounts that are become from another one, and the books call it `called`.
   */
  checkMayMoveAll(ctx: Context, moved: { assets: SQL; isSwitching?: boolean; called: string }): Promise<void>
  /** JSON list of the accounts of an asset, correlated to the table `assets`. */
  listed: SQL
  /** Number of accounts of an asset, correlated to the table `assets`. */
  amount: SQL
}

type Saved = SavedOf<typeof Host, typeof assets>

const inCategory = (category: Category): SQL =>
  sql`${assets.platform_id} = any(array(select ${platforms.id} from ${platforms} where ${eq(platforms.category, category)}))`

/** In a domain of a name like that. */
const inDomainCalled = (pattern: string): SQL =>
  sql`${assets.domain_id} in (select ${domains.id} from ${domains} where ${domains.name} ilike ${pattern})`

function binding(kind: AssetKind | undefined, accountsOf: AccountsOfAssets) {
  const { platform: _platform, ...reading } = assetReading
  return {
    table: assets,
    rows: org(assets.org_id),
    counts: assetCounts,
    held: { statistic: 'assets_amount' },
    ...(kind && {
      visible: () => and(inCategory(kind.category), kind.isGateway ? isGateway : undefined),
    }),
    relations: { platform: platformRelation, domain: domainRelation, nodes: nodesOfAsset },
    computed: { ...reading, accounts: accountsOf.listed },
    filters: assetFilters,
    checkSent,
    prepare: async (ctx: Context, saving: SavingOf<typeof Host, typeof assets>) => {
      const prepared = await prepareAsset(ctx, saving, kind)
      const { before } = saving
      const platform = await platformOf(ctx, saving, kind)
      const moved = before !== undefined && isMoved(before, prepared, platform)
      if (moved) await accountsOf.checkMayMove(ctx, [before.id])
      // What is sent to the assets of a zone goes through whoever runs a gateway of it.
      const zone = prepared.domain === undefined ? before?.domain_id : prepared.domain
      if (platform.name === gatewayPlatformName && zone && (moved || before === undefined))
        await accountsOf.checkMayMoveAll(ctx, {
          assets: sql`${assets.domain_id} = ${zone} and not ${isGateway}`,
          called: `Gateway of a domain: ${prepared.name ?? before?.name ?? ''}`,
        })
      return prepared
    },
    saved: async (ctx: Context, rows: readonly Saved[]) => {
      await setLabels(
        ctx,
        rows.map(({ mode, input, id, after }) => ({
          id,
          org_id: after.org_id,
          isNew: mode === 'create',
          given: input.labels,
        })),
      )
      const given = rows.flatMap(({ mode, input, id }) =>
        mode === 'create' ? (input.accounts ?? []).map((account) => ({ assetId: id, account })) : [],
      )
      try {
        await accountsOf.make(ctx, given)
      } catch (error) {
        throw ofAssets(error, rows, given)
      }
    },
    present: withReason,
    describe: (ctx: Context, metadata: ResourceMetadata, query: Readonly<Record<string, string>>) =>
      describe(ctx, metadata, query, kind?.category),
  }
}

/**
 * Each account is a row of its own. Those of assets that are there are not looked at, and of too many for one asset the parser tells.
 * @throws ApiError 413
 */
function checkSent(rows: readonly unknown[], mode: Mode): void {
  if (mode !== 'create') return
  const amountOf = (row: unknown) => {
    const accounts = isRecord(row) ? row['accounts'] : undefined
    return Array.isArray(accounts) && accounts.length <= maxObjects ? accounts.length : 0
  }
  if (rows.reduce<number>((sum, row) => sum + amountOf(row), 0) > maxAccountsSent)
    throw new ApiError(413, 'too_many_accounts', { params: { max: maxAccountsSent } })
}

/** What is wrong with accounts sent along, told under the asset they came with. */
function ofAssets(error: unknown, rows: readonly Saved[], given: readonly { assetId: string }[]): unknown {
  if (!(error instanceof ValidationError) || !Array.isArray(error.problems)) return error
  const byAsset = Map.groupBy(error.problems, (_row, at) => given[at]?.assetId)
  return new ValidationError(
    rows.map(({ id }): Problems => {
      const own = byAsset.get(id) ?? []
      return own.some((row) => Object.keys(row).length > 0) ? { accounts: own } : {}
    }),
  )
}

export interface AssetsServed {
  all: Served
  hosts: Served
  gateways: Served
  /** Of the other categories. */
  others: readonly Served[]
}
export function assetsServed(accountsOf: AccountsOfAssets): AssetsServed {
  const gateways: Served = serve(Gateway, {
    ...binding({ category: 'host', isGateway: true }, accountsOf),
    searches: [inDomainCalled],
    calls: hostCalls(() => gateways),
  })
  const calls = sharedCalls(() => gateways)
  return {
    all: serve(Asset, { ...binding(undefined, accountsOf), calls: assetCalls(() => gateways) }),
    hosts: serve(Host, { ...binding({ category: 'host' }, accountsOf), calls: hostCalls(() => gateways) }),
    others: [
      serve(Device, { ...binding({ category: 'device' }, accountsOf), calls }),
      serve(Database, { ...binding({ category: 'database' }, accountsOf), calls }),
      serve(Web, { ...binding({ category: 'web' }, accountsOf), calls }),
      serve(Cloud, { ...binding({ category: 'cloud' }, accountsOf), calls }),
    ],
    gateways,
  }
}

/** Narrows the choices to the category, and with `?platform=` (id) to what that platform can do. */
async function describe(
  ctx: Context,
  metadata: ResourceMetadata,
  query: Readonly<Record<string, string>>,
  category: Category | undefined,
): Promise<void> {
  const all = Object.values(metadata.actions)
  const keep = (name: string, values: readonly string[]) => {
    for (const fields of all) {
      const field = fields[name]
      if (field?.choices) field.choices = field.choices.filter(({ value }) => values.includes(String(value)))
    }
  }
  if (category) {
    keep('category', [category])
    keep('type', typesOf[category])
  }
  const id = query['platform'] ?? ''
  if (!/^\d{1,9}$/.test(id)) return
  const [platform] = await ctx.db
    .select()
    .from(platforms)
    .where(eq(platforms.id, Number(id)))
  if (platform === undefined) return
  keep('type', [platform.type])
  for (const fields of all) {
    const name = fields['protocols']?.child?.children?.['name']
    if (name)
      name.choices = platform.protocols.map((protocol) => ({
        value: protocol.name,
        label: choiceLabel(protocolChoices, protocol.name, ctx.language),
      }))
    const defaults = fields['protocols']
    if (defaults) defaults.default = defaultProtocols(platform)
    if (!platform.domain_enabled) delete fields['domain']
    if (category === 'database') describeDatabase(fields, platform.type)
  }
}

/** All assets as a list for other domains to narrow and show; not for writing. */
export const allAssets: Served = assetsServed({
  make: () => Promise.reject(new Error('assets are not made through this list')),
  checkMayMove: () => Promise.reject(new Error('assets are not moved through this list')),
  checkMayMoveAll: () => Promise.reject(new Error('assets are not moved through this list')),
  listed: sql`'[]'::json`,
  amount: sql`0`,
}).all
