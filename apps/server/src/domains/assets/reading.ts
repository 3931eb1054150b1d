/** How what an asset shows is read: SQL correlated to the table `assets`, and relations other tables show assets by. */
import {
  assetCategories,
  assetTypes,
  autoInfoNames,
  choiceLabel,
  gatewayPlatformName,
  type Language,
} from '@sallyport/contract'
import { eq, type SQL, sql } from 'drizzle-orm'
import type { RelatedTable, Through } from '../../kernel/resource/binding.ts'
import { org, system } from '../../kernel/resource/rows.ts'
import { platformFlag } from './filters.ts'
import { nodesCalled } from './named-nodes.ts'
import { fullValue, tree } from './nodes.ts'
import { assetLabels, assetNodes, assets, domains, labels, nodes, platforms } from './tables.ts'

const ofPlatform = (what: SQL) =>
  sql`(select ${what} from ${platforms} where ${platforms.id} = ${assets.platform_id})`

/** A gateway of a network zone. */
export const isGateway: SQL = sql`${assets.platform_id} in (
  select ${platforms.id}
  from ${platforms}
  where ${eq(platforms.name, gatewayPlatformName)})`

const category = ofPlatform(sql`${platforms.category}`)
const type = ofPlatform(sql`${platforms.type}`)
const autoInfo = ofPlatform(
  sql`json_build_object(${sql.join(
    autoInfoNames.map((name) => sql`${sql.raw(`'${name}'`)}, ${platformFlag(name)}`),
    sql`, `,
  )})`,
)
const platform = ofPlatform(sql`json_build_object('id', ${platforms.id}, 'name', ${platforms.name})`)
const nodesDisplay = sql`(
  select coalesce(json_agg(placed.path order by placed.path), '[]'::json)
  from (
    select ${fullValue} as path
    from ${assetNodes}
    join ${nodes} on ${nodes.id} = ${assetNodes.node_id}
    where ${assetNodes.asset_id} = ${assets.id}) as placed)`
const labelList = sql`(
  select coalesce(json_agg(
    json_build_object('id', ${labels.id}, 'name', ${labels.name}, 'value', ${labels.value})
    order by ${labels.name}, ${labels.value}), '[]'::json)
  from ${assetLabels}
  join ${labels} on ${labels.id} = ${assetLabels.label_id}
  where ${assetLabels.asset_id} = ${assets.id})`
const specInfo = sql`case ${category}
  when 'database' then json_build_object(
    'db_name', ${assets.db_name}, 'use_ssl', ${assets.use_ssl}, 'allow_invalid_cert', ${assets.allow_invalid_cert})
  when 'web' then json_build_object(
    'autofill', ${assets.autofill}, 'username_selector', ${assets.username_selector},
    'password_selector', ${assets.password_selector}, 'submit_selector', ${assets.submit_selector},
    'script', ${assets.script})
  else '{}'::json end`

export const assetReading = {
  nodes_display: nodesDisplay,
  labels: labelList,
  category,
  type,
  auto_info: autoInfo,
  spec_info: specInfo,
  platform,
} as const

export const platformRelation: RelatedTable = { table: platforms, rows: system }
export const domainRelation: RelatedTable = { table: domains, rows: org(domains.org_id) }
/** A node is called by its value. */
export const nodeRelation: RelatedTable = {
  table: nodes,
  rows: org(nodes.org_id),
  attributes: { name: sql`${nodes.value}` },
}
export const assetRelation: RelatedTable = {
  table: assets,
  rows: org(assets.org_id),
  attributes: { type, category, platform, auto_info: autoInfo },
}
export const nodesOfAsset: Through = {
  link: assetNodes,
  from: assetNodes.asset_id,
  to: assetNodes.node_id,
  target: nodeRelation,
  inTurn: tree.inTurn,
  make: (ctx, orgId, names) => nodesCalled(ctx, { id: orgId, name: ctx.orgName(orgId) }, names),
}

/** `type` and `category` of an asset shown inside another row, with their labels. */
export function labelAsset<A extends Record<string, unknown>>(asset: A, language: Language) {
  const labeled = (set: { name: string }, value: unknown) =>
    typeof value === 'string' ? { value, label: choiceLabel(set, value, language) } : value
  return {
    ...asset,
    type: labeled(assetTypes, asset['type']),
    category: labeled(assetCategories, asset['category']),
  }
}
