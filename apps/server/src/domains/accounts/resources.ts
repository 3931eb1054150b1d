/** Accounts on assets, as they are listed, written, and opened. */
import { Account, AccountSecret, isUuid } from '@sallyport/contract'
import { eq, sql, type SQL } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { type Binding, serve, type Served } from '../../kernel/resource/binding.ts'
import { org } from '../../kernel/resource/rows.ts'
import type { Secrets } from '../../kernel/secrets/index.ts'
import { assetRelation, assets, labelAsset, platforms, underNodes, withReason } from '../assets/index.ts'
import { accountCalls, secretCalls } from './calls.ts'
import { keepHistory } from './histories.ts'
import { openKey, prepareAccount } from './preparing.ts'
import type { CheckConfirmed } from './seen.ts'
import { checkSwitches } from './switching.ts'
import { accountCounts, accounts } from './tables.ts'

const ofAssets = (condition: SQL) =>
  sql`${accounts.asset_id} in (select ${assets.id} from ${assets} where ${condition})`
const ofPlatforms = (condition: SQL) =>
  ofAssets(sql`${assets.platform_id} in (select ${platforms.id} from ${platforms} where ${condition})`)

/** A list of ids, below whichever of these nodes an account's asset is. */
const ofNodes =
  (name: string) =>
  (value: string): SQL => {
    const wanted = value.split(',', 100)
    if (!wanted.every((id) => isUuid(id))) throw invalid(name, 'not_uuid')
    return ofAssets(underNodes(wanted))
  }

const accountFilters = {
  asset_id: (value: string) => eq(accounts.asset_id, value),
  asset: (value: string) => eq(accounts.asset_id, value),
  assets: (value: string) => eq(accounts.asset_id, value),
  hostname: (value: string) => eq(accounts.name, value),
  has_secret: (value: string) => sql`(${accounts.secret} is not null) = ${value.toLowerCase() === 'true'}`,
  nodes: ofNodes('nodes'),
  node_id: ofNodes('node_id'),
  address: (value: string) => ofAssets(eq(assets.address, value)),
  ip: (value: string) => ofAssets(eq(assets.address, value)),
  platform: (value: string) => ofAssets(eq(assets.platform_id, Number(value))),
  category: (value: string) => ofPlatforms(sql`${platforms.category} = ${value}`),
  type: (value: string) => ofPlatforms(eq(platforms.type, value)),
} as const

/** By name, username or the asset's address. Each part on its own index; joined by `or` they would read the whole table. */
const found = (pattern: string) =>
  sql`${accounts.id} in (
    select own.id
    from ${accounts} as own
    where own.name ilike ${pattern}
    union all
    select own.id
    from ${accounts} as own
    where own.username ilike ${pattern}
    union all
    select own.id
    from ${accounts} as own
    join ${assets} on ${assets.id} = own.asset_id
    where ${assets.address} ilike ${pattern})`

const shared = {
  table: accounts,
  rows: org(accounts.org_id),
  counts: accountCounts,
  relations: { asset: assetRelation, su_from: { table: accounts, rows: org(accounts.org_id) } },
  computed: { has_secret: sql`(${accounts.secret} is not null)` },
  filters: accountFilters,
  searches: [found],
  present: (ctx: Context, row: Record<string, unknown>) => {
    const asset = row['asset'] as Record<string, unknown> | undefined
    const shown = withReason(ctx, row)
    return asset ? { ...shown, asset: labelAsset(asset, ctx.language) } : shown
  },
} satisfies Binding

/** Accounts as they are listed, and never written. */
export const accountsRead: Served = serve({ ...Account, actions: ['list'], calls: {} }, shared)

export const accountServed = (secrets: Secrets, checkConfirmed: CheckConfirmed): Served =>
  serve(Account, {
    ...shared,
    together: [
      ['username', 'asset', 'secret_type'],
      ['name', 'asset'],
    ],
    calls: accountCalls(secrets),
    ahead: openKey,
    prepare: prepareAccount(secrets, checkConfirmed),
    saved: async (ctx, rows) => {
      await checkSwitches(ctx, rows)
      await keepHistory(ctx, rows)
    },
  })

export const secretServed = (secrets: Secrets): Served =>
  serve(AccountSecret, {
    ...shared,
    calls: secretCalls(secrets),
    present: (ctx, row) => {
      const sealed = row['secret']
      return {
        ...shared.present(ctx, row),
        ...('secret' in row && { secret: typeof sealed === 'string' ? secrets.unseal(sealed) : null }),
      }
    },
  })
