/** What kinds of asset there are and what each can do (assets.md 5), and the tree of assets by type (14). */
import {
  assetCategories,
  assetTypes,
  categories,
  type Category,
  choiceLabel,
  constraintsOf,
  isCategory,
  type Language,
  serverTexts,
  typesOf,
} from '@sallyport/contract'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import { type Route, route } from '../../kernel/http/route.ts'
import type { AccountsOfAssets } from './assets.ts'
import { assets, platforms } from './tables.ts'
import { cutTree, readTreeAssets } from './tree.ts'

const typeList = (category: Category, language: Language) =>
  typesOf[category].map((type) => ({
    label: choiceLabel(assetTypes, type, language),
    value: type,
    category,
    constraints: constraintsOf(category, type),
  }))

const page = (rows: unknown[], query: Record<string, string>) => {
  const limit = Number(query['limit'])
  const offset = Math.max(0, Number(query['offset']) || 0)
  return limit > 0
    ? { count: rows.length, next: null, previous: null, results: rows.slice(offset, offset + limit) }
    : rows
}

const typeId = (category: Category, type: string) =>
  `ROOT_${category.toUpperCase()}_${type === 'other' ? 'OTHER_HOST' : type.toUpperCase()}`

async function countsByPlatform(ctx: Context, amount: SQL) {
  const org = ctx.org.is_root ? sql`true` : eq(assets.org_id, ctx.org.id)
  const found = await ctx.db.execute<{ id: number; amount: number }>(
    sql`select ${assets.platform_id} as id, sum(${amount})::integer as amount from ${assets} where ${org} group by 1`,
  )
  return new Map(found.rows.map(({ id, amount }) => [id, amount]))
}

async function typeTree(ctx: Context, query: Record<string, string>, accountsOf: AccountsOfAssets) {
  const withAssets = query['assets'] === '1'
  if (withAssets && query['key'] !== undefined) {
    if (!/^\d{1,9}$/.test(query['key'])) return []
    const org = ctx.org.is_root ? undefined : eq(assets.org_id, ctx.org.id)
    const where = and(eq(assets.platform_id, Number(query['key'])), org) ?? sql`false`
    return cutTree(ctx, await readTreeAssets(ctx, where, sql`${query['key']}::text`))
  }
  const counts = await countsByPlatform(
    ctx,
    query['count_resource'] === 'account' ? accountsOf.amount : sql`1`,
  )
  const all = await ctx.db
    .select({ id: platforms.id, name: platforms.name, category: platforms.category, type: platforms.type })
    .from(platforms)
    .orderBy(platforms.id)
  const amount = (of: { id: number }[]) => of.reduce((sum, { id }) => sum + (counts.get(id) ?? 0), 0)
  const named = (label: string, count: number) => ({ name: `${label}(${count})`, title: label })
  const top = serverTexts[ctx.language].all_types
  const tree: Record<string, unknown>[] = [
    { id: 'ROOT', name: top, title: top, pId: '', open: true, isParent: true },
  ]
  for (const category of categories) {
    const here = all.filter((platform) => platform.category === category)
    const id = `ROOT_${category.toUpperCase()}`
    const label = choiceLabel(assetCategories, category, ctx.language)
    const meta = { type: 'category', category }
    tree.push({ id, ...named(label, amount(here)), pId: 'ROOT', open: true, isParent: true, meta })
    for (const type of typesOf[category]) {
      const own = here.filter((platform) => platform.type === type)
      tree.push({
        id: typeId(category, type),
        ...named(choiceLabel(assetTypes, type, ctx.language), amount(own)),
        pId: id,
        open: false,
        isParent: own.length > 0,
        meta: { type: 'type', category, _type: type },
      })
      for (const platform of own)
        tree.push({
          id: String(platform.id),
          ...named(platform.name, counts.get(platform.id) ?? 0),
          pId: typeId(category, type),
          open: false,
          isParent: withAssets,
          meta: { type: 'platform' },
        })
    }
  }
  return tree
}

type Query = Record<string, string>
export const categoryRoutes = (accountsOf: AccountsOfAssets): Route[] => [
  route({
    method: 'GET',
    path: '/api/v1/assets/categories/',
    access: 'public',
    handler: (ctx, { query }) =>
      Promise.resolve(
        page(
          categories.map((category) => ({
            label: choiceLabel(assetCategories, category, ctx.language),
            value: category,
            types: typeList(category, ctx.language),
          })),
          query as Query,
        ),
      ),
  }),
  route({
    method: 'GET',
    path: '/api/v1/assets/categories/types/',
    access: 'public',
    handler: (ctx) => Promise.resolve(categories.flatMap((category) => typeList(category, ctx.language))),
  }),
  route({
    method: 'GET',
    path: '/api/v1/assets/categories/constraints/',
    access: 'public',
    handler: (_ctx, { query }) => {
      const { category = '', type = '' } = query as Query
      return Promise.resolve(isCategory(category) ? (constraintsOf(category, type) ?? {}) : {})
    },
  }),
  route({
    method: 'GET',
    path: '/api/v1/assets/nodes/category/tree/',
    access: { permission: 'assets.view_asset' },
    handler: (ctx, { query }) => typeTree(ctx, query as Query, accountsOf),
  }),
]
