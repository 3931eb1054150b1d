/** What a person (or a group) was granted: lists and trees. */
import {
  GrantedAsset,
  type GrantedNode as GrantedNodeRow,
  isUuid,
  MyGrants,
  MyGrantsToo,
  type ParametersOf,
  type PermittedAccountRow,
  serverTexts,
  type TreeNode,
  UserGrants,
  UserGroupGrants,
} from '@sallyport/contract'
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { containing } from '../../kernel/database/index.ts'
import { type Context, callerOf } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { narrowed, serve, type Served } from '../../kernel/resource/binding.ts'
import {
  type Called,
  CutList,
  type Implementations,
  provide,
  type Provided,
} from '../../kernel/resource/calls.ts'
import type { Query } from '../../kernel/resource/query.ts'
import { org } from '../../kernel/resource/rows.ts'
import {
  assetFilters,
  assetNodeCounts,
  assetNodes,
  assetReading,
  cutTree,
  assets,
  domainRelation,
  inSeveralNodes,
  nodeBranches,
  nodeOfTree,
  readAtMost,
  nodes,
  platformRelation,
  nodeTree,
  parentKeyOf,
  type ReadNode,
  readTreeAssets,
  underNode,
} from '../assets/index.ts'
import { users } from '../users/index.ts'
import {
  belowGranted,
  directAssets,
  grantedNodes,
  grantedPairs,
  type Holder,
  isDirect,
  isFavorite,
  isGranted,
  isGrantedNode,
  lookedUp,
} from './granted.ts'
import { directTargets } from './direct.ts'
import { permittedRows } from './permitted.ts'

export const grantedAssetServed: Served = serve(GrantedAsset, {
  table: assets,
  rows: org(assets.org_id),
  visible: (ctx) => (ctx.identity ? isGranted({ userId: ctx.identity.id }) : sql`false`),
  relations: { platform: platformRelation, domain: domainRelation },
  computed: {
    category: assetReading.category,
    type: assetReading.type,
    spec_info: assetReading.spec_info,
  },
  filters: assetFilters,
})
/** The rows of that resource without the caller's own condition: whose they are is said by each address. */
const anyAsset: Served = {
  ...grantedAssetServed,
  binding: { ...grantedAssetServed.binding, visible: () => undefined },
}

type Grants = (typeof MyGrants)['calls']

const model = (name: { en: string; zh: string; ja: string }) => notFound((language) => name[language])
const noUser = () => model({ en: 'User', zh: '用户', ja: 'ユーザー' })
const noNode = () => model({ en: 'Node', zh: '节点', ja: 'ノード' })
const noGroup = () => model({ en: 'User group', zh: '用户组', ja: 'ユーザーグループ' })
const noAsset = () => model({ en: 'Asset', zh: '资产', ja: '資産' })

async function personNamed(ctx: Context, named: string): Promise<string> {
  if (!isUuid(named)) throw noUser()
  const [found] = await ctx.db.select({ id: users.id }).from(users).where(eq(users.id, named))
  if (found === undefined) throw noUser()
  return found.id
}

const inOrg = (ctx: Context) => (ctx.org.is_root ? undefined : eq(nodes.org_id, ctx.org.id))

export interface GrantedNode extends ReadNode {
  org_id: string
  is_granted: boolean
}

/** Which of the nodes found are read, in the order of their names. */
interface Part {
  limit: number
  offset: number
}
const allFound: Part = { limit: readAtMost, offset: 0 }

/**
 * Nodes of a holder's tree that meet a condition, each with the number of granted assets in it and below. The tree: granted nodes with all
 * below, nodes of assets granted one by one (`singles`), and all above these. Assets of granted nodes are counted by the node.
 */
export const readGrantedNodes = async (
  ctx: Context,
  holder: Holder,
  condition: SQL | undefined,
): Promise<readonly GrantedNode[]> => (await readPartOfNodes(ctx, holder, condition, allFound)).rows

/**
 * Some of them, and how many there are: keys and numbers of assets are put together for those alone. Assets in several nodes are few, and
 * found (`offset 0`) before they are compared with what was granted.
 */
async function readPartOfNodes(
  ctx: Context,
  given: Holder,
  condition: SQL | undefined,
  { limit, offset }: Part,
): Promise<CutList<GrantedNode>> {
  const holder = given.nodes ? given : await lookedUp(ctx.db, given)
  const where = and(condition, inOrg(ctx))
  const found = await ctx.db.execute<
    Record<string, unknown> & (GrantedNode | { id: null }) & { count: number }
  >(
    sql`with granted (id) as materialized (${belowGranted(holder)}),
      direct (id) as materialized (select distinct id from (${directAssets(holder)}) as direct (id)),
      singles (asset_id, node_id) as materialized (select direct.id, place.node_id from direct
        cross join lateral (select node_id from ${assetNodes} where asset_id = direct.id offset 0) as place
        where place.node_id not in (select id from granted)),
      visible (id) as materialized (select id from granted
        union ${nodeTree.aboveAny(sql`${grantedNodes(holder)} union all select node_id from singles`)}),
      found as materialized (select ${nodes}.* from visible join ${nodes} on ${nodes.id} = visible.id${where ? sql` where ${where}` : sql``}
        order by value, id limit ${readAtMost}),
      wanted as materialized (select * from found order by value, id limit ${limit} offset ${offset}),
      within (id, node_id) as materialized (select id, id from wanted
        union all
        select wanted.id, child.id from wanted join ${nodeBranches} as branch on branch.ancestor_id = wanted.id
          join ${nodes} as child on child.parent_id = branch.branch_id),
      placed (asset_id, node_id) as materialized (select asset_id, node_id from (${inSeveralNodes} offset 0) as several
        where node_id in (select id from granted) or (asset_id, node_id) in (select asset_id, node_id from singles)),
      kept (node_id, amount) as materialized (select granted.id, kept.amount from granted
        join ${assetNodeCounts} as kept on kept.node_id = granted.id),
      held (id, amount) as (
        select within.id, kept.amount from within join kept on kept.node_id = within.node_id
        union all
        select within.id, 1 from singles join within on within.node_id = singles.node_id
        union all
        select within.id, 1 - count(*) from placed join within on within.node_id = placed.node_id
          group by within.id, placed.asset_id having count(*) > 1),
      amounts as (select id, sum(amount)::integer as amount from held group by id)
      select total.count, wanted.id, wanted.key, wanted.value, wanted.org_id, coalesce(amounts.amount, 0) as amount,
        wanted.id in (select child.parent_id from ${nodes} as child
          where child.parent_id in (select id from wanted) and child.id in (select id from visible)) as has_children
      from (select count(*)::integer as count from found) as total
        left join (${nodeTree.keyed(sql`select * from wanted`)}) as wanted on true
        left join amounts on amounts.id = wanted.id order by wanted.value, wanted.id`,
  )
  const rows = found.rows.flatMap(({ count: _count, ...row }) => (row.id === null ? [] : [row]))
  return new CutList(rows, found.rows[0]?.count ?? 0)
}

const rowOfNode = (node: GrantedNode): GrantedNodeRow => ({
  id: node.id,
  name: node.value,
  key: node.key,
  value: node.value,
  org_id: node.org_id,
  assets_amount: node.amount,
})

type PersonHolder = Extract<Holder, { userId: string }>
interface Favorite {
  node: GrantedNodeRow
  tree: TreeNode
}
async function favorite(ctx: Context, holder: PersonHolder): Promise<Favorite> {
  const counted = await ctx.db.execute<{ amount: number }>(
    sql`select count(*)::integer as amount
      from ${assets}
      where ${isFavorite(holder.userId)}
        and ${isGranted(holder)}${ctx.org.is_root ? sql`` : sql` and ${assets.org_id} = ${ctx.org.id}`}`,
  )
  const amount = counted.rows[0]?.amount ?? 0
  const value = serverTexts[ctx.language].favorite
  return {
    node: {
      id: 'favorite',
      name: value,
      key: 'favorite',
      value,
      org_id: ctx.org.id,
      assets_amount: amount,
    },
    tree: {
      id: 'favorite',
      name: `${value} (${amount})`,
      title: value,
      pId: '',
      isParent: true,
      open: false,
      meta: { type: 'node', data: { id: 'favorite', key: 'favorite', value } },
    },
  }
}

const isRoot = ({ key }: { key: string }) => parentKeyOf(key) === ''
/** The root of an organization, and what is below it. */
const top = sql`(${nodes.parent_id} is null or ${nodes.parent_id} in (select root.id from ${nodes} as root where root.parent_id is null))`

/** What a key shows below it; the top (no key) is the roots, and the children of a single root. */
async function childrenOf(ctx: Context, holder: Holder, key: string | undefined) {
  if (key !== undefined) return await readGrantedNodes(ctx, holder, eq(nodes.parent_id, nodeTree.idOf(key)))
  // In all organizations there are as many roots, and what is below them is seldom wanted.
  const found = await readGrantedNodes(ctx, holder, ctx.org.is_root ? isNull(nodes.parent_id) : top)
  const roots = found.filter(isRoot)
  const [only] = roots
  if (only === undefined || roots.length > 1) return roots
  const below = ctx.org.is_root
    ? await readGrantedNodes(ctx, holder, eq(nodes.parent_id, only.id))
    : found.filter((node) => !isRoot(node))
  return [only, ...below]
}

const ofOrg = (ctx: Context) => (ctx.org.is_root ? sql`true` : eq(assets.org_id, ctx.org.id))

/** Assets seen in a node: all of one that is granted, and of another those granted one by one. */
const seenIn = (holder: Holder, nodeId: string) =>
  sql`${assets.id} in (select asset_id from ${assetNodes} where node_id = ${nodeId})
    and (${isGrantedNode(holder, sql`${nodeId}::uuid`)} or ${isDirect(holder)})`

async function nodeNamed(ctx: Context, named: string) {
  const [found] = await ctx.db
    .select({ id: nodes.id, key: sql<string>`${nodeTree.key()}` })
    .from(nodes)
    .where(and(eq(nodes.id, isUuid(named) ? named : nodeTree.idOf(named)), inOrg(ctx)))
  if (found === undefined) throw noNode()
  return found
}

async function childrenWithAssets(
  ctx: Context,
  userId: string,
  { key, id, search }: Called<Grants['childTree']>['query'],
): Promise<TreeNode[]> {
  const holder = await lookedUp(ctx.db, { userId })
  const named = key ?? id
  if (named === 'favorite')
    return await readTreeAssets(
      ctx,
      sql`${isFavorite(userId)} and ${isGranted(holder)} and ${ofOrg(ctx)}`,
      sql`'favorite'::text`,
    )
  if (search !== undefined) return await searchedAssets(ctx, holder, search)
  const tree = (found: readonly GrantedNode[]) => found.map((node) => nodeOfTree(node, { withAssets: true }))
  if (named !== undefined) {
    const node = await nodeNamed(ctx, named)
    return [
      ...tree(await childrenOf(ctx, holder, node.key)),
      ...(await readTreeAssets(ctx, seenIn(holder, node.id), sql`${node.key}::text`)),
    ]
  }
  const atTop = await childrenOf(ctx, holder, undefined)
  const roots = atTop.filter(isRoot)
  const only = roots.length === 1 ? roots[0] : undefined
  return [
    (await favorite(ctx, holder)).tree,
    ...tree(atTop),
    ...(only ? await readTreeAssets(ctx, seenIn(holder, only.id), sql`${only.key}::text`) : []),
  ]
}

const maxFound = 999
async function searchedAssets(ctx: Context, holder: Holder, search: string): Promise<TreeNode[]> {
  const pattern = containing(search.slice(0, 256))
  const found = await readTreeAssets(
    ctx,
    sql`${isGranted(holder)} and ${ofOrg(ctx)} and (${assets.name} ilike ${pattern} or ${assets.address} ilike ${pattern})`,
    sql`''::text`,
  )
  return found.slice(0, maxFound)
}

/** The whole tree with its assets at once; an asset in two nodes is there twice. */
async function everything(ctx: Context, userId: string): Promise<TreeNode[]> {
  const holder = await lookedUp(ctx.db, { userId })
  const found = await readGrantedNodes(ctx, holder, undefined)
  const inNodes = await readPlacedAssets(ctx, holder)
  const favorites = await readTreeAssets(
    ctx,
    sql`${isFavorite(userId)} and ${isGranted(holder)} and ${ofOrg(ctx)}`,
    sql`'favorite'::text`,
  )
  return [
    (await favorite(ctx, holder)).tree,
    ...found.map((node) => nodeOfTree(node, { withAssets: true })),
    ...favorites,
    ...inNodes,
  ]
}
async function readPlacedAssets(ctx: Context, holder: Holder): Promise<TreeNode[]> {
  const once = await readTreeAssets(ctx, sql`${isGranted(holder)} and ${ofOrg(ctx)}`, sql`''::text`)
  const ids = sql.param(once.map(({ id }) => id))
  // Of the assets that were read alone: each lies somewhere, so that a list that was cut stays long enough to be told to be.
  const places = await ctx.db.execute<{ asset_id: string; key: string }>(
    sql`select pairs.asset_id, ${nodeTree.key()} as key
      from (${grantedPairs(holder)}) as pairs (asset_id, node_id)
      join ${nodes} on ${nodes.id} = pairs.node_id
      where pairs.asset_id = any(${ids}::uuid[]) ${inOrg(ctx) ? sql`and ${inOrg(ctx)}` : sql``}
      limit ${readAtMost}`,
  )
  const byId = new Map(once.map((asset) => [asset.id, asset]))
  return places.rows.flatMap(({ asset_id, key }) => {
    const asset = byId.get(asset_id)
    return asset ? [{ ...asset, pId: key }] : []
  })
}

async function accountsOf(ctx: Context, userId: string, assetId: string): Promise<PermittedAccountRow[]> {
  const isKnown = isUuid(assetId)
    ? await ctx.db
        .select({ id: assets.id })
        .from(assets)
        .where(and(eq(assets.id, assetId), eq(assets.is_active, true), ofOrg(ctx)))
    : []
  if (isKnown.length === 0) throw noAsset()
  const orgId = ctx.org.is_root ? undefined : ctx.org.id
  return await permittedRows(ctx, userId, assetId, orgId)
}

/** All nodes of a holder's tree behind what is `first` in the list, or a page of them. */
async function nodesListed(
  ctx: Context,
  holder: Holder,
  first: readonly GrantedNodeRow[],
  page: Part | undefined,
): Promise<readonly GrantedNodeRow[] | CutList<GrantedNodeRow>> {
  if (page === undefined) {
    const all = await readGrantedNodes(ctx, holder, undefined)
    return [...first, ...all.map((node) => rowOfNode(node))]
  }
  const before = first.slice(page.offset, page.offset + page.limit)
  const { rows, count } = await readPartOfNodes(ctx, holder, undefined, {
    limit: page.limit - before.length,
    offset: Math.max(0, page.offset - first.length),
  })
  return new CutList([...before, ...rows.map((node) => rowOfNode(node))], first.length + count)
}

/** Granted assets that meet a condition, as a list that answers. */
function granted(condition: SQL, sent: Query) {
  const { all: _all, ...rest } = sent
  const drop: Query = 'id' in sent ? {} : { 'fields!': 'spec_info' }
  return { served: narrowed(anyAsset, condition), query: { ...drop, ...rest } }
}

/** What the calls about one person's grants do; `personOf` says whose. */
function grantCalls<P extends string>(
  personOf: (ctx: Context, parameters: ParametersOf<{ path: P }>) => Promise<string>,
): Implementations<Grants, { path: P }> {
  const holderOf = async (ctx: Context, parameters: ParametersOf<{ path: P }>) =>
    await lookedUp(ctx.db, { userId: await personOf(ctx, parameters) })
  return {
    assets: async (ctx, { parameters, sent }) => granted(isGranted(await holderOf(ctx, parameters)), sent),
    ungroupedAssets: async (ctx, { parameters, sent }) =>
      granted(isDirect({ userId: await personOf(ctx, parameters) }), sent),
    favoriteAssets: async (ctx, { parameters, sent }) => {
      const userId = await personOf(ctx, parameters)
      return granted(sql`${isFavorite(userId)} and ${isGranted({ userId })}`, sent)
    },
    nodeAssets: async (ctx, { parameters, sent }) => {
      const holder = await holderOf(ctx, parameters)
      const node = await nodeNamed(ctx, parameters.node)
      return granted(
        sql`${assets.id} in (
          select pairs.asset_id
          from (${grantedPairs(holder)}) as pairs (asset_id, node_id)
          where pairs.node_id in (${nodeTree.below(node.id)}))`,
        sent,
      )
    },
    accounts: async (ctx, { parameters }) =>
      await accountsOf(ctx, await personOf(ctx, parameters), parameters.asset),
    nodes: async (ctx, { parameters, page }) => {
      const holder = await holderOf(ctx, parameters)
      const special = await favorite(ctx, holder)
      return await nodesListed(ctx, holder, [special.node], page)
    },
    childNodes: async (ctx, { parameters, query: { key } }) => {
      const holder = await holderOf(ctx, parameters)
      const found = (await childrenOf(ctx, holder, key)).map((node) => rowOfNode(node))
      return key ? found : [(await favorite(ctx, holder)).node, ...found]
    },
    nodeTree: async (ctx, { parameters }) => {
      const holder = await holderOf(ctx, parameters)
      const found = await readGrantedNodes(ctx, holder, undefined)
      return cutTree(ctx, [(await favorite(ctx, holder)).tree, ...found.map((node) => nodeOfTree(node))])
    },
    childNodeTree: async (ctx, { parameters, query: { key } }) => {
      const holder = await holderOf(ctx, parameters)
      const found = (await childrenOf(ctx, holder, key)).map((node) => nodeOfTree(node))
      return cutTree(ctx, key ? found : [(await favorite(ctx, holder)).tree, ...found])
    },
    assetTree: async (ctx, { parameters }) => {
      const holder = await holderOf(ctx, parameters)
      const found = await readTreeAssets(ctx, sql`${isGranted(holder)} and ${ofOrg(ctx)}`, sql`''::text`)
      return cutTree(ctx, found)
    },
    // Assets granted one by one stay in their nodes; there is no group of their own.
    ungroupedAssetTree: () => Promise.resolve([]),
    childTree: async (ctx, { parameters, query }) =>
      cutTree(ctx, await childrenWithAssets(ctx, await personOf(ctx, parameters), query)),
    wholeTree: async (ctx, { parameters }) =>
      cutTree(ctx, await everything(ctx, await personOf(ctx, parameters))),
  }
}

const caller = (ctx: Context) => Promise.resolve(callerOf(ctx).id)

const groupOf = (group: string): Holder => {
  if (!isUuid(group)) throw noGroup()
  return { groupId: group }
}
const childrenOfGroup = (ctx: Context, group: string, key = '') =>
  readGrantedNodes(
    ctx,
    groupOf(group),
    key === '' ? isNull(nodes.parent_id) : eq(nodes.parent_id, nodeTree.idOf(key)),
  )

export const grantServices: readonly Provided[] = [
  provide(MyGrants, grantCalls(caller)),
  provide(MyGrantsToo, grantCalls(caller)),
  provide(UserGrants, {
    ...grantCalls<(typeof UserGrants)['path']>((ctx, { user }) => personNamed(ctx, user)),
    direct: (ctx, { parameters: { user }, query }) => {
      if (!isUuid(user)) throw noUser()
      return directTargets(ctx, user, query)
    },
  }),
  provide(UserGroupGrants, {
    assets: async (ctx, { parameters, sent }) =>
      granted(isGranted(await lookedUp(ctx.db, groupOf(parameters.group))), sent),
    nodeAssets: async (ctx, { parameters, sent }) => {
      const node = await nodeNamed(ctx, parameters.node)
      const below = underNode(node.id, false)
      return granted(sql`${isGranted(groupOf(parameters.group))} and ${below}`, sent)
    },
    nodes: async (ctx, { parameters, page }) => await nodesListed(ctx, groupOf(parameters.group), [], page),
    childNodes: async (ctx, { parameters, query }) => {
      const found = await childrenOfGroup(ctx, parameters.group, query.key)
      return found.map((node) => rowOfNode(node))
    },
    childNodeTree: async (ctx, { parameters, query }) =>
      cutTree(
        ctx,
        (await childrenOfGroup(ctx, parameters.group, query.key)).map((node) => ({
          ...nodeOfTree(node),
          name: node.value,
          title: node.value,
        })),
      ),
  }),
]
