/** The tree of nodes: made, renamed, moved and removed with everything below. Keys never change their meaning twice. */
import { defaultOrgId } from '@sallyport/contract'
import { and, eq, sql, type SQL } from 'drizzle-orm'
import { type Executor, withTransaction } from '../../kernel/database/index.ts'
import { invalid, refused, refusedAs } from '../../kernel/errors.ts'
import { assetNodes, nodeAncestors, nodes } from './tables.ts'

export type StoredNode = typeof nodes.$inferSelect
export const maxDepth = 32

/** A node and everything below it, as a range of keys. */
export const subtreeOf = (key: string): SQL =>
  sql`(${nodes.key} = ${key} or (${nodes.key} >= ${`${key}:`} and ${nodes.key} < ${`${key};`}))`

/** Changes of one organization's tree happen one after the other, until the transaction ends. */
async function lockTree(db: Executor, orgId: string): Promise<void> {
  await db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`nodes:${orgId}`}, 0))`)
}

export async function rootOf(db: Executor, orgId: string): Promise<StoredNode | undefined> {
  const [root] = await db
    .select()
    .from(nodes)
    .where(and(eq(nodes.org_id, orgId), eq(nodes.parent_key, '')))
  return root
}

/** The root of an organization's tree; made when there is none. The default organization's key is 1. */
export async function ensureRoot(db: Executor, org: { id: string; name: string }): Promise<StoredNode> {
  const known = await rootOf(db, org.id)
  if (known) return known
  return await withTransaction(db, async (tx) => {
    await lockTree(tx, 'roots')
    const present = await rootOf(tx, org.id)
    if (present) return present
    const highest = await tx.execute<{ key: number }>(
      sql`select coalesce(max(key::integer), 1) as key from ${nodes} where parent_key = ''`,
    )
    const key = org.id === defaultOrgId ? '1' : String((highest.rows[0]?.key ?? 1) + 1)
    const [made] = await tx
      .insert(nodes)
      .values({ key, parent_key: '', value: org.name, full_value: `/${org.name}`, org_id: org.id })
      .returning()
    if (made === undefined) throw new Error('the root node was not stored')
    return made
  })
}

/** Renames the root with its organization. */
export async function renameRoot(db: Executor, org: { id: string; name: string }): Promise<void> {
  const root = await ensureRoot(db, org)
  if (root.value !== org.name) await setValue(db, root, org.name)
}

const fullValueOf = (parent: string, value: string) => {
  const path = `${parent}/${value}`
  if (path.length > 4096) throw refused('node_too_deep', { max: maxDepth })
  return path
}

async function isTaken(db: Executor, parentKey: string, value: string, except?: string): Promise<boolean> {
  const found = await db.execute(
    sql`select 1 from ${nodes} where parent_key = ${parentKey} and value = ${value} and id <> ${except ?? '00000000-0000-0000-0000-000000000000'}`,
  )
  return found.rows.length > 0
}

export interface NewNode {
  key: string
  parent_key: string
  value: string
  full_value: string
}

/** The columns of a new child; its number is taken at once. Without a value it is called `New node N`. */
export async function newChild(
  db: Executor,
  parent: StoredNode,
  value: string | undefined,
  newName: string,
): Promise<NewNode> {
  await lockTree(db, parent.org_id)
  if (parent.key.split(':').length >= maxDepth) throw refused('node_too_deep', { max: maxDepth })
  const name = value === undefined || value === '' ? await nextName(db, parent.key, newName) : value
  checkName(name)
  if (await isTaken(db, parent.key, name)) throw invalid('value', 'node_name_taken')
  const taken = await db.execute<{ mark: number }>(
    sql`update ${nodes} set child_mark = child_mark + 1 where id = ${parent.id} returning child_mark - 1 as mark`,
  )
  return {
    key: `${parent.key}:${taken.rows[0]?.mark ?? 0}`,
    parent_key: parent.key,
    value: name,
    full_value: fullValueOf(parent.full_value, name),
  }
}

export function checkName(value: string): void {
  if (value.includes('/')) throw invalid('value', 'node_name_slash')
}

async function nextName(db: Executor, parentKey: string, newName: string): Promise<string> {
  const found = await db.execute<{ value: string }>(
    sql`select value from ${nodes} where parent_key = ${parentKey} and value ~ ${`^${newName} [0-9]{1,6}$`}`,
  )
  const highest = Math.max(0, ...found.rows.map(({ value }) => Number(value.slice(newName.length + 1))))
  return `${newName} ${highest + 1}`
}

export async function insertChild(
  db: Executor,
  parent: StoredNode,
  value: string | undefined,
  newName: string,
  by: string,
): Promise<StoredNode> {
  const child = await newChild(db, parent, value, newName)
  const [made] = await db
    .insert(nodes)
    .values({ ...child, org_id: parent.org_id, created_by: by, updated_by: by })
    .returning()
  if (made === undefined) throw new Error('the node was not stored')
  return made
}

/** Walks `/A/B` below the root (whose name may lead), making what is missing; answers the last node. */
export async function ensurePath(
  db: Executor,
  root: StoredNode,
  path: readonly string[],
  by: string,
): Promise<StoredNode> {
  let at = root
  for (const value of path) {
    const [known] = await db
      .select()
      .from(nodes)
      .where(and(eq(nodes.parent_key, at.key), eq(nodes.value, value)))
    at = known ?? (await insertChild(db, at, value, value, by))
  }
  return at
}

export const pathOfFullValue = (root: StoredNode, fullValue: string): string[] => {
  const parts = fullValue.split('/').filter((part) => part !== '')
  return parts[0] === root.value ? parts.slice(1) : parts
}

/** Renames a node; the paths of everything below follow. */
export async function rename(db: Executor, node: StoredNode, value: string): Promise<void> {
  if (value === node.value) return
  if (node.parent_key === '') throw refusedAs('error', 400, 'node_root_rename')
  checkName(value)
  await lockTree(db, node.org_id)
  if (await isTaken(db, node.parent_key, value, node.id)) throw invalid('value', 'node_name_taken')
  await setValue(db, node, value)
}

async function setValue(db: Executor, node: StoredNode, value: string): Promise<void> {
  const full = fullValueOf(node.full_value.slice(0, node.full_value.lastIndexOf('/')), value)
  await db.execute(
    sql`update ${nodes} set value = case when id = ${node.id} then ${value} else value end, full_value = ${full}::text || substr(full_value, ${node.full_value.length + 1}::integer) where ${subtreeOf(node.key)}`,
  )
}

/** Moves nodes with everything below them under another one, one after the other. */
export async function move(db: Executor, target: StoredNode, ids: readonly string[]): Promise<void> {
  await lockTree(db, target.org_id)
  for (const id of ids) {
    const [to] = await db.select().from(nodes).where(eq(nodes.id, target.id))
    const [node] = await db.select().from(nodes).where(eq(nodes.id, id))
    if (to === undefined || node === undefined) throw invalid('nodes', 'does_not_exist', { pk: id })
    if (node.org_id !== to.org_id) throw refused('node_other_organization')
    if (node.parent_key === '' || to.key === node.key || to.key.startsWith(`${node.key}:`))
      throw refused('node_cycle')
    if (node.parent_key === to.key) continue
    if (await isTaken(db, to.key, node.value, node.id)) throw invalid('nodes', 'node_name_taken')
    await moveOne(db, node, await newChildKey(db, to), to)
  }
}

async function newChildKey(db: Executor, parent: StoredNode): Promise<string> {
  const taken = await db.execute<{ mark: number }>(
    sql`update ${nodes} set child_mark = child_mark + 1 where id = ${parent.id} returning child_mark - 1 as mark`,
  )
  return `${parent.key}:${taken.rows[0]?.mark ?? 0}`
}

async function moveOne(db: Executor, node: StoredNode, key: string, to: StoredNode): Promise<void> {
  const deepest = await db.execute<{ depth: number }>(
    sql`select max(cardinality(string_to_array(key, ':'))) as depth from ${nodes} where ${subtreeOf(node.key)}`,
  )
  const below = (deepest.rows[0]?.depth ?? 0) - node.key.split(':').length
  if (key.split(':').length + below > maxDepth) throw refused('node_too_deep', { max: maxDepth })
  const full = fullValueOf(to.full_value, node.value)
  const after = sql`${node.key.length + 1}::integer`
  await db.execute(
    sql`update ${nodes} set key = ${key}::text || substr(key, ${after}), parent_key = case when id = ${node.id} then ${to.key} else ${key}::text || substr(parent_key, ${after}) end, full_value = ${full}::text || substr(full_value, ${node.full_value.length + 1}::integer) where ${subtreeOf(node.key)}`,
  )
}

export async function removeBelow(db: Executor, node: StoredNode): Promise<void> {
  await lockTree(db, node.org_id)
  if (node.parent_key === '') throw refusedAs('error', 403, 'node_root_delete', { name: node.value })
  const held = await db.execute(
    sql`select 1 from ${nodeAncestors} join ${assetNodes} on ${assetNodes.node_id} = ${nodeAncestors.node_id} where ${nodeAncestors.ancestor_id} = ${node.id} limit 1`,
  )
  if (held.rows.length > 0) throw refusedAs('error', 403, 'node_not_empty')
  await db.execute(sql`delete from ${nodes} where ${subtreeOf(node.key)} and ${nodes.id} <> ${node.id}`)
}

/** Distinct assets in a node and below, correlated to the table (or alias) `nodes`. */
export const assetsAmount: SQL = sql`(select count(distinct ${assetNodes.asset_id})::integer from ${nodeAncestors} join ${assetNodes} on ${assetNodes.node_id} = ${nodeAncestors.node_id} where ${nodeAncestors.ancestor_id} = ${nodes.id})`
