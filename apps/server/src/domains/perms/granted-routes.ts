/** What a person (or a group) was granted: lists and trees (perms.md 7 and 8). */
import {
  choiceLabel,
  GrantedAsset,
  isUuid,
  maxPageSize,
  namesOf,
  permissionActions,
  type PermittedAccountRow,
  serverTexts,
} from '@sallyport/contract'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import { type Context, callerOf } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import type { Access, Route } from '../../kernel/http/route.ts'
import { route } from '../../kernel/http/route.ts'
import { narrowed, serve, type Served } from '../../kernel/resource/binding.ts'
import { listRows } from '../../kernel/resource/read.ts'
import { org } from '../../kernel/resource/rows.ts'
import {
  assetFilters,
  assetNodes,
  assetReading,
  cutTree,
  assets,
  domainRelation,
  nodeAncestors,
  nodeOfTree,
  readAtMost,
  nodes,
  platformRelation,
  type ReadNode,
  readTreeAssets,
  type TreeNode,
} from '../assets/index.ts'
import { users } from '../users/index.ts'
import { grantedPairs, type Holder, isDirect, isFavorite, isGranted, visibleNodes } from './granted.ts'
import { permittedAccounts } from './permitted.ts'

type Query = Record<string, string>

export const grantedAssetResource: Served = serve(GrantedAsset, {
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
  ...grantedAssetResource,
  binding: { ...grantedAssetResource.binding, visible: () => undefined },
}

const model = (name: { en: string; zh: string; ja: string }) => notFound((language) => name[language])
const noUser = () => model({ en: 'User', zh: '用户', ja: 'ユーザー' })
const noNode = () => model({ en: 'Node', zh: '节点', ja: 'ノード' })
const noAsset = () => model({ en: 'Asset', zh: '资产', ja: '資産' })

async function personOf(ctx: Context, named: string | undefined): Promise<string> {
  if (named === undefined || named === 'self' || named === 'my') return callerOf(ctx).id
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

/** Nodes of a holder's tree that meet a condition, each with the number of granted assets below. */
export async function readGrantedNodes(
  ctx: Context,
  holder: Holder,
  condition: SQL | undefined,
): Promise<GrantedNode[]> {
  const where = and(sql`${nodes.id} in (select id from visible)`, condition, inOrg(ctx))
  const found = await ctx.db.execute<GrantedNode & Record<string, unknown>>(
    sql`with visible (id) as materialized (${visibleNodes(holder)}),
      pairs (asset_id, node_id) as materialized (${grantedPairs(holder)}),
      wanted as materialized (select * from ${nodes} where ${where} order by value, key limit ${readAtMost}),
      amounts as (select ${nodeAncestors.ancestor_id} as id, count(distinct pairs.asset_id)::integer as amount
        from pairs join ${nodeAncestors} on ${nodeAncestors.node_id} = pairs.node_id
        where ${nodeAncestors.ancestor_id} in (select id from wanted) group by 1)
      select wanted.id, wanted.key, wanted.parent_key, wanted.value, wanted.org_id, coalesce(amounts.amount, 0) as amount,
        exists (select 1 from nodes as child where child.parent_key = wanted.key and child.id in (select id from visible)) as has_children
      from wanted left join amounts on amounts.id = wanted.id order by wanted.value, wanted.key`,
  )
  return found.rows
}

const rowOfNode = (node: GrantedNode) => ({
  id: node.id,
  name: node.value,
  key: node.key,
  value: node.value,
  org_id: node.org_id,
  assets_amount: node.amount,
})

interface Favorite {
  node: Record<string, unknown>
  tree: TreeNode
}
async function favorite(ctx: Context, userId: string): Promise<Favorite> {
  const counted = await ctx.db.execute<{ amount: number }>(
    sql`select count(*)::integer as amount from ${assets} where ${isFavorite(userId)} and ${isGranted({ userId })}${ctx.org.is_root ? sql`` : sql` and ${assets.org_id} = ${ctx.org.id}`}`,
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

/** What a key shows below it; the top (no key) is the roots, and the children of a single root. */
async function childrenOf(ctx: Context, holder: Holder, key: string | undefined) {
  if (key !== undefined) return await readGrantedNodes(ctx, holder, eq(nodes.parent_key, key))
  const roots = await readGrantedNodes(ctx, holder, eq(nodes.parent_key, ''))
  const only = roots.length === 1 ? roots[0] : undefined
  return only ? [...roots, ...(await readGrantedNodes(ctx, holder, eq(nodes.parent_key, only.key)))] : roots
}

const ofOrg = (ctx: Context) => (ctx.org.is_root ? sql`true` : eq(assets.org_id, ctx.org.id))
const pairedWith = (holder: Holder, nodeId: string) =>
  sql`${assets.id} in (select asset_id from (${grantedPairs(holder)}) as pairs (asset_id, node_id) where node_id = ${nodeId})`

async function nodeNamed(ctx: Context, named: string) {
  const [found] = await ctx.db
    .select()
    .from(nodes)
    .where(and(isUuid(named) ? eq(nodes.id, named) : eq(nodes.key, named), inOrg(ctx)))
  if (found === undefined) throw noNode()
  return found
}

async function childrenWithAssets(ctx: Context, userId: string, query: Query): Promise<TreeNode[]> {
  const holder = { userId }
  const named = query['key'] || query['id'] || undefined
  if (named === 'favorite')
    return await readTreeAssets(
      ctx,
      sql`${isFavorite(userId)} and ${isGranted(holder)} and ${ofOrg(ctx)}`,
      sql`'favorite'::text`,
    )
  const search = (query['search'] ?? '').trim()
  if (search !== '') return await searchedAssets(ctx, holder, search)
  const tree = (found: GrantedNode[]) => found.map((node) => nodeOfTree(node, { withAssets: true }))
  if (named !== undefined) {
    const node = await nodeNamed(ctx, named)
    return [
      ...tree(await childrenOf(ctx, holder, node.key)),
      ...(await readTreeAssets(ctx, pairedWith(holder, node.id), sql`${node.key}::text`)),
    ]
  }
  const top = await childrenOf(ctx, holder, undefined)
  const roots = top.filter((node) => node.parent_key === '')
  const only = roots.length === 1 ? roots[0] : undefined
  return [
    (await favorite(ctx, userId)).tree,
    ...tree(top),
    ...(only ? await readTreeAssets(ctx, pairedWith(holder, only.id), sql`${only.key}::text`) : []),
  ]
}

const like = (text: string) => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
const maxFound = 999
async function searchedAssets(ctx: Context, holder: Holder, search: string): Promise<TreeNode[]> {
  const pattern = like(search.slice(0, 256))
  const found = await readTreeAssets(
    ctx,
    sql`${isGranted(holder)} and ${ofOrg(ctx)} and (${assets.name} ilike ${pattern} or ${assets.address} ilike ${pattern})`,
    sql`''::text`,
  )
  return found.slice(0, maxFound)
}

/** The whole tree with its assets at once; an asset in two nodes is there twice. */
async function everything(ctx: Context, userId: string): Promise<TreeNode[]> {
  const holder = { userId }
  const found = await readGrantedNodes(ctx, holder, undefined)
  const inNodes = await readPlacedAssets(ctx, holder)
  const favorites = await readTreeAssets(
    ctx,
    sql`${isFavorite(userId)} and ${isGranted(holder)} and ${ofOrg(ctx)}`,
    sql`'favorite'::text`,
  )
  return [
    (await favorite(ctx, userId)).tree,
    ...found.map((node) => nodeOfTree(node, { withAssets: true })),
    ...favorites,
    ...inNodes,
  ]
}
async function readPlacedAssets(ctx: Context, holder: Holder): Promise<TreeNode[]> {
  const once = await readTreeAssets(ctx, sql`${isGranted(holder)} and ${ofOrg(ctx)}`, sql`''::text`)
  const places = await ctx.db.execute<{ asset_id: string; key: string }>(
    sql`select pairs.asset_id, ${nodes.key} as key from (${grantedPairs(holder)}) as pairs (asset_id, node_id) join ${nodes} on ${nodes.id} = pairs.node_id${inOrg(ctx) ? sql` where ${inOrg(ctx)}` : sql``} limit ${readAtMost}`,
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
  const permitted = await permittedAccounts(ctx.db, userId, assetId, orgId, ctx.language)
  return permitted
    .filter(({ actions }) => actions !== 0)
    .map(({ id: _id, date_expired: _expired, actions, ...row }) => ({
      ...row,
      actions: namesOf(permissionActions, actions).map((value) => ({
        value,
        label: choiceLabel(permissionActions, value, ctx.language),
      })),
    }))
}

/** A list in memory, paged as other lists are. */
function paged<T>(ctx: Context, rows: readonly T[], query: Query, path: string) {
  const limit = Math.min(Number(query['limit']) || 0, maxPageSize)
  if (!(limit > 0)) return rows
  const offset = Math.max(0, Math.trunc(Number(query['offset']) || 0))
  const at = (from: number) => `${ctx.origin}${path}?limit=${limit}&offset=${from}`
  return {
    count: rows.length,
    next: offset + limit < rows.length ? at(offset + limit) : null,
    previous: offset > 0 ? at(Math.max(0, offset - limit)) : null,
    results: rows.slice(offset, offset + limit),
  }
}

function list(ctx: Context, condition: SQL, query: Query, path: string) {
  const { all: _all, ...rest } = query
  const drop: Query = 'id' in query ? {} : { 'fields!': 'spec_info' }
  return listRows(
    narrowed(anyAsset, condition),
    ctx,
    { ...drop, ...rest },
    {
      selected: undefined,
      maxLimit: maxPageSize,
      path,
    },
  )
}

type Answer = (ctx: Context, userId: string, query: Query, params: Query, path: string) => Promise<unknown>
const answers: Readonly<Record<string, Answer>> = {
  'assets/': (ctx, userId, query, _params, path) => list(ctx, isGranted({ userId }), query, path),
  'nodes/ungrouped/assets/': (ctx, userId, query, _params, path) =>
    list(ctx, isDirect({ userId }), query, path),
  'nodes/favorite/assets/': (ctx, userId, query, _params, path) =>
    list(ctx, sql`${isFavorite(userId)} and ${isGranted({ userId })}`, query, path),
  'nodes/:node/assets/': async (ctx, userId, query, params, path) => {
    const node = await nodeNamed(ctx, params['node'] ?? '')
    return await list(
      ctx,
      sql`${assets.id} in (select pairs.asset_id from (${grantedPairs({ userId })}) as pairs (asset_id, node_id) join ${nodeAncestors} on ${nodeAncestors.node_id} = pairs.node_id where ${nodeAncestors.ancestor_id} = ${node.id})`,
      query,
      path,
    )
  },
  'assets/:asset/accounts/': (ctx, userId, _query, params) => accountsOf(ctx, userId, params['asset'] ?? ''),
  'nodes/': async (ctx, userId, query, _params, path) => {
    const found = await readGrantedNodes(ctx, { userId }, undefined)
    const special = await favorite(ctx, userId)
    return paged(ctx, [special.node, ...found.map((node) => rowOfNode(node))], query, path)
  },
  'nodes/children/': async (ctx, userId, query, _params, path) => {
    const found = (await childrenOf(ctx, { userId }, query['key'] || undefined)).map((node) =>
      rowOfNode(node),
    )
    return paged(ctx, query['key'] ? found : [(await favorite(ctx, userId)).node, ...found], query, path)
  },
  'nodes/tree/': async (ctx, userId) => [
    (await favorite(ctx, userId)).tree,
    ...(await readGrantedNodes(ctx, { userId }, undefined)).map((node) => nodeOfTree(node)),
  ],
  'nodes/children/tree/': async (ctx, userId, query) => {
    const found = (await childrenOf(ctx, { userId }, query['key'] || undefined)).map((node) =>
      nodeOfTree(node),
    )
    return query['key'] ? found : [(await favorite(ctx, userId)).tree, ...found]
  },
  'assets/tree/': (ctx, userId) =>
    readTreeAssets(ctx, sql`${isGranted({ userId })} and ${ofOrg(ctx)}`, sql`''::text`),
  // Assets granted one by one stay in their nodes; there is no group of their own.
  'ungroup/assets/tree/': () => Promise.resolve([]),
  'nodes/children-with-assets/tree/': (ctx, userId, query) => childrenWithAssets(ctx, userId, query),
  'nodes/all-with-assets/tree/': (ctx, userId) => everything(ctx, userId),
}

function personRoutes(prefix: string, access: Access): Route[] {
  return Object.entries(answers).map(([path, answer]) =>
    route({
      method: 'GET',
      path: `/api/v1/perms/users/${prefix}/${path}`,
      access,
      handler: async (ctx, { params, query, request }) => {
        const userId = await personOf(ctx, prefix === ':user' ? params['user'] : prefix)
        const address = request.url.split('?', 1)[0] ?? request.url
        const answered = await answer(ctx, userId, query as Query, params, address)
        return path.endsWith('tree/') ? cutTree(ctx, answered as TreeNode[]) : answered
      },
    }),
  )
}

function groupRoutes(): Route[] {
  const base = '/api/v1/perms/user-groups/:group/'
  const holderOf = (params: Query): Holder => {
    if (!isUuid(params['group'] ?? ''))
      throw model({ en: 'User group', zh: '用户组', ja: 'ユーザーグループ' })
    return { groupId: params['group'] ?? '' }
  }
  const view = { permission: 'assets.view_asset' }
  const viewNodes = { permission: 'assets.view_node' }
  const childNodes = (ctx: Context, params: Query, query: Query) =>
    query['key']
      ? readGrantedNodes(ctx, holderOf(params), eq(nodes.parent_key, query['key']))
      : readGrantedNodes(ctx, holderOf(params), eq(nodes.parent_key, ''))
  const at = (url: string) => url.split('?', 1)[0] ?? url
  return [
    route({
      method: 'GET',
      path: `${base}assets/`,
      access: view,
      handler: (ctx, { params, query, request }) =>
        list(ctx, isGranted(holderOf(params)), query as Query, at(request.url)),
    }),
    route({
      method: 'GET',
      path: `${base}nodes/:node/assets/`,
      access: view,
      handler: async (ctx, { params, query, request }) => {
        const node = await nodeNamed(ctx, params['node'] ?? '')
        const below = sql`${assets.id} in (select ${assetNodes.asset_id} from ${nodeAncestors} join ${assetNodes} on ${assetNodes.node_id} = ${nodeAncestors.node_id} where ${nodeAncestors.ancestor_id} = ${node.id})`
        return await list(
          ctx,
          sql`${isGranted(holderOf(params))} and ${below}`,
          query as Query,
          at(request.url),
        )
      },
    }),
    route({
      method: 'GET',
      path: `${base}nodes/`,
      access: viewNodes,
      handler: async (ctx, { params, query, request }) =>
        paged(
          ctx,
          (await readGrantedNodes(ctx, holderOf(params), undefined)).map((node) => rowOfNode(node)),
          query as Query,
          at(request.url),
        ),
    }),
    route({
      method: 'GET',
      path: `${base}nodes/children/`,
      access: viewNodes,
      handler: async (ctx, { params, query, request }) =>
        paged(
          ctx,
          (await childNodes(ctx, params, query as Query)).map((node) => rowOfNode(node)),
          query as Query,
          at(request.url),
        ),
    }),
    route({
      method: 'GET',
      path: `${base}nodes/children/tree/`,
      access: { permission: 'perms.view_usergroupassets' },
      handler: async (ctx, { params, query }) =>
        (await childNodes(ctx, params, query as Query)).map((node) => ({
          ...nodeOfTree(node),
          name: node.value,
          title: node.value,
        })),
    }),
  ]
}

export const grantedRoutes: Route[] = [
  ...personRoutes('self', { permission: 'perms.view_myassets' }),
  ...personRoutes('my', { permission: 'perms.view_myassets' }),
  ...personRoutes(':user', { permission: 'perms.view_userassets' }),
  ...groupRoutes(),
]
