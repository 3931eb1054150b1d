/** Nodes as a resource, their children, trees and assets (assets.md 13). */
import { isUuid, maxPageSize, Node, serverTexts, type TreeNode } from '@sallyport/contract'
import { and, eq, inArray, or, sql, type SQL } from 'drizzle-orm'
import { z } from 'zod'
import type { Context } from '../../kernel/context.ts'
import { invalid, notFound } from '../../kernel/errors.ts'
import { Reply, type Route, route } from '../../kernel/http/route.ts'
import { type Input, narrowed, type Saving, serve, type Served } from '../../kernel/resource/binding.ts'
import { listRows, presentFor } from '../../kernel/resource/read.ts'
import { createRow } from '../../kernel/resource/write.ts'
import type { Secrets } from '../../kernel/secrets/index.ts'
import { org } from '../../kernel/resource/rows.ts'
import { suggestedOrgs } from '../rbac/index.ts'
import {
  checkName,
  checkRename,
  ensurePath,
  ensureRoot,
  fullValue,
  nextName,
  pathOfFullValue,
  removeBelow,
  type StoredNode,
  tree,
} from './nodes.ts'
import { underNode } from './filters.ts'
import { assetNodes, assets, nodeAncestors, nodes } from './tables.ts'
import { cutTree, nodeOfTree, readNodes, readTreeAssets } from './tree.ts'

const modelName = (ctx: Context) => notFound(() => (ctx.language === 'en' ? 'Node' : '节点'))
const byOf = (ctx: Context) => ctx.identity?.name.slice(0, 30) ?? 'System'

async function parentOf(
  ctx: Context,
  input: Input,
): Promise<{ parent: StoredNode; value: string | undefined }> {
  const root = await ensureRoot(ctx.db, ctx.org)
  const full = input['full_value'] as string | undefined
  if (full) {
    const path = pathOfFullValue(root, full)
    const value = path.pop()
    if (value === undefined) throw invalid('full_value', 'node_name_taken')
    return { parent: await ensurePath(ctx.db, root, path, byOf(ctx)), value }
  }
  const under = input['parent'] as StoredNode | undefined
  return { parent: under ?? root, value: (input['value'] as string | null | undefined) ?? undefined }
}

async function prepare(ctx: Context, { mode, input, before }: Saving): Promise<Input> {
  if (mode === 'create') {
    const { parent, value } = await parentOf(ctx, input)
    const called = value || (await nextName(ctx.db, parent, serverTexts[ctx.language].new_node))
    checkName(called)
    return await tree.child(ctx.db, parent, called)
  }
  const value = input['value'] as string | null | undefined
  if (!value) return {}
  await checkRename(ctx.db, before as unknown as StoredNode, value)
  return { value }
}

export const nodeResource: Served = serve(Node, {
  table: nodes,
  rows: org(nodes.org_id),
  // The root of the tree goes with its organization.
  held: { statistic: 'nodes_amount', goes: eq(nodes.parent_key, '') },
  locking: (ctx) => tree.lock(ctx.db, ctx.org),
  computed: { name: sql`${nodes.value}`, full_value: fullValue },
  searches: [tree.found],
  prepare,
  removing: removeBelow,
})
type Query = Record<string, string>
const inOrg = (ctx: Context) => (ctx.org.is_root ? undefined : eq(nodes.org_id, ctx.org.id))

/** The node an id or key names; undefined when none is named. @throws 404 when it does not exist here. */
export async function namedNode(ctx: Context, named: string | undefined): Promise<StoredNode | undefined> {
  if (named === undefined || named === '') return undefined
  const [found] = await ctx.db
    .select()
    .from(nodes)
    .where(and(isUuid(named) ? eq(nodes.id, named) : eq(nodes.key, named), inOrg(ctx)))
  if (found === undefined) throw modelName(ctx)
  return found
}
async function neededNode(ctx: Context, id: string | undefined): Promise<StoredNode> {
  const node = isUuid(id ?? '') ? await namedNode(ctx, id) : undefined
  if (node === undefined) throw modelName(ctx)
  return node
}

const isAll = (query: Query) => ['all', '1', 'true'].includes(query['all'] ?? '')

/** Which nodes a listing of children shows. */
async function childrenCondition(ctx: Context, query: Query, id: string | undefined): Promise<SQL> {
  const node = await namedNode(ctx, id ?? query['id'] ?? query['key'])
  const everything = isAll(query)
  if (node)
    return everything
      ? sql`(${nodes.key} >= ${`${node.key}:`} and ${nodes.key} < ${`${node.key};`})`
      : eq(nodes.parent_key, node.key)
  if (everything) return inOrg(ctx) ?? sql`true`
  if (ctx.org.is_root) return eq(nodes.parent_key, '')
  const root = await ensureRoot(ctx.db, ctx.org)
  return or(eq(nodes.id, root.id), eq(nodes.parent_key, root.key)) ?? sql`false`
}

async function children(ctx: Context, query: Query, id: string | undefined, path: string) {
  const condition = await childrenCondition(ctx, query, id)
  const { id: _id, key: _key, ...rest } = query
  return await listRows(narrowed(nodeResource, condition), ctx, rest, {
    selected: undefined,
    maxLimit: maxPageSize,
    path,
  })
}

async function addChild(ctx: Context, secrets: Secrets, body: unknown, id: string | undefined) {
  const parent = await namedNode(ctx, id)
  const served: Served = {
    ...nodeResource,
    binding: {
      ...nodeResource.binding,
      prepare: (inside, saving) =>
        prepare(inside, { ...saving, input: { ...saving.input, ...(parent ? { parent } : {}) } }),
    },
  }
  const row = await createRow({ served, ctx, secrets }, body)
  return new Reply(201, presentFor(nodeResource, ctx, row, 'list'))
}

const like = (text: string) => `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`

async function searchTree(ctx: Context, text: string, withAssets: boolean): Promise<TreeNode[]> {
  const pattern = like(text.slice(0, 256))
  const org = inOrg(ctx) ?? sql`true`
  const matched = sql`select ${nodeAncestors.ancestor_id} from ${nodes} as hit join ${nodeAncestors} on ${nodeAncestors.node_id} = hit.id where hit.value ilike ${pattern}${ctx.org.is_root ? sql`` : sql` and hit.org_id = ${ctx.org.id}`}`
  const found = await readNodes(ctx, sql`${nodes.id} in (${matched}) and ${org}`)
  const above = found.map((node) => nodeOfTree(node, { open: true, withAssets }))
  if (!withAssets) return cutTree(ctx, above)
  const root = ctx.org.is_root ? undefined : await ensureRoot(ctx.db, ctx.org)
  const hits = await readTreeAssets(
    ctx,
    sql`(${assets.name} ilike ${pattern} or ${assets.address} ilike ${pattern})${root ? sql` and ${assets.org_id} = ${root.org_id}` : sql``}`,
    sql`(select min(${nodes.key}) from ${assetNodes} join ${nodes} on ${nodes.id} = ${assetNodes.node_id} where ${assetNodes.asset_id} = ${assets.id})`,
  )
  return cutTree(ctx, [...above, ...hits])
}

async function readTree(ctx: Context, query: Query): Promise<TreeNode[]> {
  const withAssets = query['assets'] === '1'
  const search = query['search'] ?? ''
  if (search !== '') return await searchTree(ctx, search, withAssets)
  const named = await namedNode(ctx, query['key'] ?? query['id'])
  const condition = await childrenCondition(ctx, query, undefined)
  const found = (await readNodes(ctx, condition)).map((node) => nodeOfTree(node, { withAssets }))
  if (!withAssets) return cutTree(ctx, found)
  const of = named ?? (ctx.org.is_root ? undefined : await ensureRoot(ctx.db, ctx.org))
  if (of === undefined) return cutTree(ctx, found)
  const held = await readTreeAssets(ctx, underNode(of.id, !isAll(query)), sql`${of.key}::text`)
  return cutTree(ctx, [...found, ...held])
}

const ids = z.object({ assets: z.array(z.guid()).max(10_000) })

/** Assets named by their ids that exist here; what does not exist is refused. */
async function checkedAssets(ctx: Context, wanted: readonly string[], orgId: string) {
  const unique = [...new Set(wanted)]
  if (unique.length === 0) return []
  const found = await ctx.db
    .select({ id: assets.id, name: assets.name })
    .from(assets)
    .where(and(inArray(assets.id, unique), eq(assets.org_id, orgId)))
  const known = new Set(found.map(({ id }) => id))
  const missing = unique.find((id) => !known.has(id))
  if (missing) throw invalid('assets', 'does_not_exist', { pk: missing })
  return found
}

async function changeAssets(
  ctx: Context,
  id: string | undefined,
  wanted: readonly string[],
  how: 'add' | 'remove' | 'replace',
) {
  const node = await neededNode(ctx, id)
  const given = await checkedAssets(ctx, wanted, node.org_id)
  if (given.length > 0) {
    const list = sql`${sql.param(given.map((asset) => asset.id))}::uuid[]`
    if (how === 'replace')
      await ctx.db.execute(
        sql`delete from ${assetNodes} where ${assetNodes.asset_id} = any(${list}) and ${assetNodes.node_id} <> ${node.id}`,
      )
    if (how === 'remove') {
      await ctx.db.execute(
        sql`delete from ${assetNodes} where ${assetNodes.asset_id} = any(${list}) and ${assetNodes.node_id} = ${node.id}`,
      )
      const root = await ensureRoot(ctx.db, { id: node.org_id, name: ctx.orgName(node.org_id) })
      await ctx.db.execute(
        sql`insert into ${assetNodes} (asset_id, node_id) select item, ${root.id}::uuid from unnest(${list}) as item where not exists (select 1 from ${assetNodes} where ${assetNodes.asset_id} = item)`,
      )
    } else
      await ctx.db.execute(
        sql`insert into ${assetNodes} (asset_id, node_id) select item, ${node.id}::uuid from unnest(${list}) as item on conflict do nothing`,
      )
    const [named] = await ctx.db.select({ path: fullValue }).from(nodes).where(eq(nodes.id, node.id))
    await ctx.emit({
      type: 'happened',
      name: 'assets.node_assets_changed',
      data: { node: { id: node.id, name: String(named?.path), org_id: node.org_id }, assets: given, how },
    })
  }
  const held = await ctx.db.execute<{ id: string }>(
    sql`select ${assetNodes.asset_id} as id from ${assetNodes} where ${assetNodes.node_id} = ${node.id} limit 10000`,
  )
  return { assets: held.rows.map((row) => row.id), org_id: node.org_id, org_name: ctx.orgName(node.org_id) }
}

export function nodeRoutes(secrets: Secrets, allAssets: Served): Route[] {
  const base = '/api/v1/assets/nodes/'
  const view = { permission: 'assets.view_node' }
  const add = { permission: 'assets.add_node' }
  const changes = (['add', 'remove', 'replace'] as const).flatMap((how) => [
    route({
      method: 'PUT',
      path: `${base}:id/assets/${how}/`,
      access: { permission: 'assets.change_assetnodes' },
      transaction: true,
      bodyLimit: 4 << 20,
      body: ids,
      handler: (ctx, { params, body }) => changeAssets(ctx, params['id'], body.assets, how),
    }),
    route({
      method: 'PATCH',
      path: `${base}:id/assets/${how}/`,
      access: { permission: 'assets.change_node' },
      transaction: true,
      bodyLimit: 4 << 20,
      body: ids,
      handler: (ctx, { params, body }) => changeAssets(ctx, params['id'], body.assets, how),
    }),
  ])
  return [
    route({
      method: 'GET',
      path: `${base}children/`,
      access: view,
      handler: (ctx, { query }) => children(ctx, query as Query, undefined, `${base}children/`),
    }),
    route({
      method: 'GET',
      path: `${base}:id/children/`,
      access: view,
      handler: async (ctx, { query, params }) => {
        const node = await neededNode(ctx, params['id'])
        return await children(ctx, query as Query, node.id, `${base}${node.id}/children/`)
      },
    }),
    route({
      method: 'POST',
      path: `${base}children/`,
      access: add,
      transaction: true,
      handler: (ctx, { body, query }) =>
        addChild(ctx, secrets, body, (query as Query)['id'] ?? (query as Query)['key']),
    }),
    route({
      method: 'POST',
      path: `${base}:id/children/`,
      access: add,
      transaction: true,
      handler: (ctx, { body, params }) => addChild(ctx, secrets, body, params['id']),
    }),
    route({
      method: ['PUT', 'PATCH'],
      path: `${base}:id/children/add/`,
      access: { permission: 'assets.change_node' },
      transaction: true,
      body: z.object({ nodes: z.array(z.guid()).max(1000) }),
      handler: async (ctx, { body, params }) => {
        await tree.move(ctx, await neededNode(ctx, params['id']), body.nodes)
        return 'OK'
      },
    }),
    route({
      method: 'GET',
      path: `${base}children/tree/`,
      access: view,
      handler: (ctx, { query }) => readTree(ctx, query as Query),
    }),
    route({
      method: 'GET',
      path: `${base}suggestions/`,
      access: { permission: 'assets.match_node' },
      handler: (ctx, { query }) => suggestions(nodeResource, ctx, query as Query, `${base}suggestions/`),
    }),
    route({
      method: 'GET',
      path: `${base}:id/assets/`,
      access: { permission: 'assets.view_asset' },
      handler: async (ctx, { query, params }) => {
        const node = await neededNode(ctx, params['id'])
        const { all: _all, ...rest } = query as Query
        return await listRows(narrowed(allAssets, underNode(node.id, !isAll(query as Query))), ctx, rest, {
          selected: undefined,
          maxLimit: maxPageSize,
          path: `${base}${node.id}/assets/`,
        })
      },
    }),
    ...changes,
  ]
}

const maxSuggestions = 10
/** The first ten rows of a list, of organizations the caller is in; as an array, or as a page when `limit` is given. */
export async function suggestions(served: Served, ctx: Context, query: Query, path: string) {
  const { action, limit, offset: _offset, ...rest } = query
  const asked = Number(limit)
  const most = asked > 0 ? Math.min(asked, maxSuggestions) : maxSuggestions
  const { rows } = served.binding
  const orgs = 'column' in rows ? suggestedOrgs(ctx) : undefined
  const offered = orgs && 'column' in rows ? narrowed(served, sql`${rows.column} = any(${orgs})`) : served
  const page = await listRows(
    offered,
    ctx,
    { ...rest, ...(action === 'suggestion' ? { fields_size: 'mini' } : {}), limit: String(most) },
    { selected: undefined, maxLimit: maxSuggestions, path },
  )
  const results = Array.isArray(page) ? page : page.results
  return asked > 0 ? { count: results.length, next: null, previous: null, results } : results
}
