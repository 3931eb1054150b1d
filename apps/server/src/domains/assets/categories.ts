/** What kinds of asset there are and what each can do, and the tree of assets by type. */
import {
  assetCategories,
  type AssetCategories,
  assetTypes,
  type AssetTypeRow,
  categories,
  type Category,
  choiceLabel,
  constraintsOf,
  isCategory,
  type Language,
  type Node,
  serverTexts,
  type TreeNode,
  typesOf,
} from '@sallyport/contract'
import { and, eq, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import type { Called, Implementations } from '../../kernel/resource/calls.ts'
import type { AccountsOfAssets } from './assets.ts'
import { assetCounts, assets, platforms } from './tables.ts'
import { cutTree, readTreeAssets } from './tree.ts'

const typeList = (category: Category, language: Language): AssetTypeRow[] =>
  typesOf[category].map((type) => ({
    label: choiceLabel(assetTypes, type, language),
    value: type,
    category,
    constraints: constraintsOf(category, type),
  }))

const typeId = (category: Category, type: string) =>
  `ROOT_${category.toUpperCase()}_${type === 'other' ? 'OTHER_HOST' : type.toUpperCase()}`

/** Numbers of assets, or of what a query says each asset has, by platform. */
async function countsByPlatform(ctx: Context, amount: SQL | undefined) {
  const org = ctx.org.is_root ? sql`true` : sql`org_id = ${ctx.org.id}`
  const counted = amount ? sql`select org_id, platform_id, ${amount} as amount from ${assets}` : assetCounts
  const found = await ctx.db.execute<{ id: number; amount: number }>(
    sql`select platform_id as id, sum(amount)::integer as amount
      from ${amount ? sql`(${counted}) as counted` : counted}
      where ${org}
      group by 1`,
  )
  return new Map(found.rows.map(({ id, amount }) => [id, amount]))
}

export async function typeTree(
  ctx: Context,
  { key, assets: withAssets = false, count_resource }: Called<(typeof Node)['calls']['typeTree']>['query'],
  accountsOf: AccountsOfAssets,
): Promise<TreeNode[]> {
  if (withAssets && key !== undefined) {
    if (!/^\d{1,9}$/.test(key)) return []
    const org = ctx.org.is_root ? undefined : eq(assets.org_id, ctx.org.id)
    const where = and(eq(assets.platform_id, Number(key)), org) ?? sql`false`
    return cutTree(ctx, await readTreeAssets(ctx, where, sql`${key}::text`))
  }
  const counts = await countsByPlatform(ctx, count_resource === 'account' ? accountsOf.amount : undefined)
  const all = await ctx.db
    .select({ id: platforms.id, name: platforms.name, category: platforms.category, type: platforms.type })
    .from(platforms)
    .orderBy(platforms.id)
  const amount = (of: { id: number }[]) => of.reduce((sum, { id }) => sum + (counts.get(id) ?? 0), 0)
  const named = (label: string, count: number) => ({ name: `${label}(${count})`, title: label })
  const top = serverTexts[ctx.language].all_types
  const tree: TreeNode[] = [{ id: 'ROOT', name: top, title: top, pId: '', open: true, isParent: true }]
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

export const categoryCalls: Implementations<(typeof AssetCategories)['calls'], typeof AssetCategories> = {
  list: (ctx) =>
    Promise.resolve(
      categories.map((category) => ({
        label: choiceLabel(assetCategories, category, ctx.language),
        value: category,
        types: typeList(category, ctx.language),
      })),
    ),
  types: (ctx) => Promise.resolve(categories.flatMap((category) => typeList(category, ctx.language))),
  constraints: (_ctx, { query: { category = '', type = '' } }) =>
    Promise.resolve(isCategory(category) ? (constraintsOf(category, type) ?? {}) : {}),
}
