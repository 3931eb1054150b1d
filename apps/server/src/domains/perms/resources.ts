/** Grants, and the pairs of a grant with what it names. */
import {
  allBits,
  AssetPermission,
  AssetPermissionAsset,
  AssetPermissionNode,
  AssetPermissionUser,
  AssetPermissionUserGroup,
  isUuid,
  permissionActions,
} from '@sallyport/contract'
import { eq, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Context } from '../../kernel/context.ts'
import { dateOf } from '../../kernel/datetimes.ts'
import { invalid } from '../../kernel/errors.ts'
import {
  type RelatedTable,
  type SavedOf,
  type SavingOf,
  serve,
  type Served,
} from '../../kernel/resource/binding.ts'
import { org, through } from '../../kernel/resource/rows.ts'
import type { AccountsByTemplate } from '../accounts/index.ts'
import { assetRelation, assets, nodePath, nodeRelation, nodes, nodeTree } from '../assets/index.ts'
import { person, userGroups, users } from '../users/index.ts'
import { coveredAssets, permissionCalls } from './calls.ts'
import { grantsNaming, isInForce } from './granted.ts'
import { type Pair, recordPairs } from './pairs.ts'
import {
  assetPermissions,
  permissionAssets,
  permissionNodes,
  permissionUserGroups,
  permissionUsers,
} from './tables.ts'

const own = assetPermissions.id
const within = (ids: SQL) => sql`${own} in (${ids})`
const isTrue = (value: string) => value.toLowerCase() === 'true'
type Query = Readonly<Record<string, string>>
/** `all` (default) widens a filter to groups and to what is above. */
const isWide = (query: Query) => !/^(false|0|no)$/i.test(query['all'] ?? '')

const byUser = (userId: string, query: Query) =>
  within(
    isWide(query)
      ? grantsNaming(userId)
      : sql`select ${permissionUsers.assetpermission} from ${permissionUsers} where ${permissionUsers.user} = ${userId}`,
  )
const byGroup = (condition: SQL) =>
  within(
    sql`select ${permissionUserGroups.assetpermission}
      from ${permissionUserGroups}
      join ${userGroups} on ${userGroups.id} = ${permissionUserGroups.usergroup}
      where ${condition}`,
  )
const inOrg = (ctx: Context, column: PgColumn) => (ctx.org.is_root ? sql`true` : eq(column, ctx.org.id))

function byNode(condition: SQL, ctx: Context, query: Query) {
  const named = sql`select ${nodes.id} from ${nodes} where ${condition} and ${inOrg(ctx, nodes.org_id)}`
  const wanted = isWide(query) ? nodeTree.aboveAny(named) : named
  return within(
    sql`select ${permissionNodes.assetpermission} from ${permissionNodes} where ${permissionNodes.node} in (${wanted})`,
  )
}
function byAsset(condition: SQL, ctx: Context, query: Query) {
  const named = sql`select ${assets.id} from ${assets} where ${condition} and ${inOrg(ctx, assets.org_id)}`
  const direct = sql`select ${permissionAssets.assetpermission} from ${permissionAssets} where ${permissionAssets.asset} in (${named})`
  if (!isWide(query)) return within(direct)
  return within(
    sql`${direct}
      union
      select ${permissionNodes.assetpermission}
      from ${permissionNodes}
      where ${permissionNodes.node} in (${nodeTree.aboveAny(sql`select node_id from asset_nodes where asset_id in (${named})`)})`,
  )
}

const names = (link: PgTable, column: PgColumn) =>
  sql`exists (select 1 from ${link} where ${column} = ${own})`
const isEffective = sql`(${isInForce}
  and ${assetPermissions.actions} > 0
  and (${names(permissionUsers, permissionUsers.assetpermission)}
    or ${names(permissionUserGroups, permissionUserGroups.assetpermission)})
  and (${names(permissionAssets, permissionAssets.assetpermission)}
    or ${names(permissionNodes, permissionNodes.assetpermission)}))`

const lifetimeMs = 70 * 365 * 24 * 3600 * 1000
const group: RelatedTable = { table: userGroups, rows: org(userGroups.org_id) }
const grant: RelatedTable = { table: assetPermissions, rows: org(assetPermissions.org_id) }

type Saving = SavingOf<typeof AssetPermission, typeof assetPermissions>

/** A grant ends after it begins, unless it is ended by an end that is past; and it names an account once. */
function prepare(ctx: Context, { input, before }: Saving): Saving['input'] {
  const { date_start, date_expired } = { ...before, ...input }
  const isDated = input.date_start !== undefined || input.date_expired !== undefined
  const [begin, end] = [dateOf(ctx, date_start), dateOf(ctx, date_expired)]
  if (isDated && begin && end) {
    const isEnded = before !== undefined && end <= new Date()
    if (!isEnded && begin >= end) throw invalid('date_expired', 'ends_before_it_begins')
  }
  return input.accounts === undefined ? input : { ...input, accounts: [...new Set(input.accounts)] }
}

const templateMark = '%'
const isTemplate = (entry: string) => entry.startsWith(templateMark)

/** Templates among the accounts become the names of their accounts, which are made where the grant covers assets without them. */
async function useTemplates(
  ctx: Context,
  rows: readonly SavedOf<typeof AssetPermission, typeof assetPermissions>[],
  accountsByTemplate: AccountsByTemplate,
): Promise<void> {
  for (const { id, input } of rows) {
    const given = input.accounts ?? []
    const templates = given.filter(isTemplate).map((entry) => entry.slice(templateMark.length).toLowerCase())
    if (templates.length === 0) continue
    if (!templates.every(isUuid)) throw invalid('accounts', 'template_not_here')
    const names = await accountsByTemplate(ctx, templates, coveredAssets(id))
    const named = [...given.filter((entry) => !isTemplate(entry)), ...names.values()]
    await ctx.db
      .update(assetPermissions)
      .set({ accounts: [...new Set(named)] })
      .where(eq(own, id))
  }
}

export const permissionServed = (accountsByTemplate: AccountsByTemplate): Served =>
  serve(AssetPermission, {
    table: assetPermissions,
    rows: org(assetPermissions.org_id),
    held: { statistic: 'asset_perms_amount' },
    relations: {
      users: {
        link: permissionUsers,
        from: permissionUsers.assetpermission,
        to: permissionUsers.user,
        target: person,
      },
      user_groups: {
        link: permissionUserGroups,
        from: permissionUserGroups.assetpermission,
        to: permissionUserGroups.usergroup,
        target: group,
      },
      assets: {
        link: permissionAssets,
        from: permissionAssets.assetpermission,
        to: permissionAssets.asset,
        target: assetRelation,
      },
      nodes: {
        link: permissionNodes,
        from: permissionNodes.assetpermission,
        to: permissionNodes.node,
        target: nodeRelation,
      },
    },
    computed: {
      is_expired: sql`not (${assetPermissions.date_start} <= statement_timestamp()
        and ${assetPermissions.date_expired} > statement_timestamp())`,
      is_valid: isInForce,
    },
    filters: {
      user_id: (value, _ctx, query) => byUser(value, query),
      username: (value, _ctx, query) =>
        isWide(query)
          ? within(
              sql`select ${permissionUsers.assetpermission}
                from ${permissionUsers}
                join ${users} on ${users.id} = ${permissionUsers.user}
                where ${users.username} = ${value}
                union
                select g.assetpermission
                from asset_permission_user_groups g
                join user_group_members m on m.usergroup_id = g.usergroup
                join ${users} on ${users.id} = m.user_id
                where ${users.username} = ${value}`,
            )
          : within(
              sql`select ${permissionUsers.assetpermission}
                from ${permissionUsers}
                join ${users} on ${users.id} = ${permissionUsers.user}
                where ${users.username} = ${value}`,
            ),
      user_group_id: (value) => byGroup(eq(userGroups.id, value)),
      user_group: (value) => byGroup(eq(userGroups.name, value)),
      node_id: (value, ctx, query) => byNode(eq(nodes.id, value), ctx, query),
      node_name: (value, ctx, query) => byNode(eq(nodes.value, value), ctx, query),
      asset_id: (value, ctx, query) => byAsset(eq(assets.id, value), ctx, query),
      asset_name: (value, ctx, query) => byAsset(eq(assets.name, value), ctx, query),
      address: (value, ctx, query) => byAsset(eq(assets.address, value), ctx, query),
      accounts: (value) => {
        const wanted = JSON.stringify(value.split(',', 100).filter((name) => name !== ''))
        return sql`(${assetPermissions.accounts} @> ${wanted}::jsonb or ${assetPermissions.accounts} @> '["@ALL"]')`
      },
      is_valid: (value) => sql`${isInForce} = ${isTrue(value)}`,
      is_effective: (value) => sql`${isEffective} = ${isTrue(value)}`,
    },
    calls: permissionCalls,
    defaults: () => ({
      actions: allBits(permissionActions),
      date_start: new Date(),
      date_expired: new Date(Date.now() + lifetimeMs),
    }),
    prepare,
    saved: (ctx, rows) => useTemplates(ctx, rows, accountsByTemplate),
  })

function pairServed(declared: Parameters<typeof serve>[0], pair: Pair): Served {
  const { table } = pair
  const display = sql`(select ${pair.name} from ${pair.target.table} where ${pair.target.table.id} = ${pair.column})`
  const grantName = sql`(select ${assetPermissions.name} from ${assetPermissions} where ${own} = ${table.assetpermission})`
  return serve(declared, {
    table,
    rows: through(table.assetpermission, grant),
    relations: { [pair.field]: pair.target, assetpermission: grant },
    computed: {
      [`${pair.field}_display`]: display,
      assetpermission_display: grantName,
    },
    searches: [display, grantName, ...(pair.searches ?? [])],
    saved: (ctx, rows) => recordPairs(ctx, pair, rows),
    removing: (ctx, rows) =>
      recordPairs(
        ctx,
        pair,
        rows.map((before) => ({ before, after: undefined })),
      ),
  })
}

export const pairsServed: Served[] = [
  pairServed(AssetPermissionUser, {
    table: permissionUsers,
    field: 'user',
    column: permissionUsers.user,
    of: 'users',
    name: sql`${users.name}`,
    searches: [sql`(select ${users.username} from ${users} where ${users.id} = ${permissionUsers.user})`],
    target: person,
  }),
  pairServed(AssetPermissionUserGroup, {
    table: permissionUserGroups,
    field: 'usergroup',
    column: permissionUserGroups.usergroup,
    of: 'user_groups',
    name: sql`${userGroups.name}`,
    target: group,
  }),
  pairServed(AssetPermissionAsset, {
    table: permissionAssets,
    field: 'asset',
    column: permissionAssets.asset,
    of: 'assets',
    name: sql`${assets.name}`,
    searches: [sql`(select ${assets.address} from ${assets} where ${assets.id} = ${permissionAssets.asset})`],
    target: assetRelation,
  }),
  pairServed(AssetPermissionNode, {
    table: permissionNodes,
    field: 'node',
    column: permissionNodes.node,
    of: 'nodes',
    name: nodePath,
    target: nodeRelation,
  }),
]
