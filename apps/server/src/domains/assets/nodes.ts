/** The tree of nodes: made, renamed, moved and removed with everything below. */
import { defaultOrgId, Node } from '@sallyport/contract'
import { and, eq, getTableColumns, isNull, notInArray, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import { type Executor, withTransaction } from '../../kernel/database/index.ts'
import { invalid, refusedAs } from '../../kernel/errors.ts'
import { createTree, type TreeRow } from '../../kernel/tree/tree.ts'
import { assetNodes, nodeBranches, nodes } from './tables.ts'

export type StoredNode = typeof nodes.$inferSelect

/** Levels of a tree, the root's counted. */
export const maxDepth = 32

export const tree = createTree({
  name: 'nodes',
  table: nodes,
  branches: nodeBranches,
  maxDepth,
  problems: {
    name_taken: 'node_name_taken',
    too_deep: 'node_too_deep',
    cycle: 'node_cycle',
    other_organization: 'node_other_organization',
  },
})
/** SQL of the path of names of a node, correlated to the table `nodes`. */
export const fullValue = tree.path()
/** The columns of a node, and its key. */
export const withKey = { ...getTableColumns(nodes), key: sql<string>`${tree.key()}` }

export async function rootOf(db: Executor, orgId: string): Promise<StoredNode | undefined> {
  const [root] = await db
    .select()
    .from(nodes)
    .where(and(eq(nodes.org_id, orgId), isNull(nodes.parent_id)))
  return root
}

/** The root of an organization's tree; made when there is none. The default organization's key is 1. */
export async function ensureRoot(db: Executor, org: { id: string; name: string }): Promise<StoredNode> {
  const known = await rootOf(db, org.id)
  if (known) return known
  return await withTransaction(db, async (tx) => {
    await tree.lock(tx, { id: 'roots' })
    const present = await rootOf(tx, org.id)
    if (present) return present
    const highest = await tx.execute<{ number: number }>(
      sql`select coalesce(max(number), 1) as number from ${nodes} where parent_id is null`,
    )
    const number = org.id === defaultOrgId ? 1 : (highest.rows[0]?.number ?? 1) + 1
    const [made] = await tx.insert(nodes).values({ number, value: org.name, org_id: org.id }).returning()
    if (made === undefined) throw new Error('the root node was not stored')
    return made
  })
}

/** Renames the root with its organization. */
export async function renameRoot(db: Executor, org: { id: string; name: string }): Promise<void> {
  const root = await ensureRoot(db, org)
  await db.update(nodes).set({ value: org.name }).where(eq(nodes.id, root.id))
}

export function checkName(value: string): void {
  if (value.includes('/')) throw invalid('value', 'node_name_slash')
}

/** `New node N` with the first number above those in use. */
export async function nextName(db: Executor, parent: TreeRow, newName: string): Promise<string> {
  const found = await db.execute<{ value: string }>(
    sql`select value from ${nodes} where parent_id = ${parent.id} and value ~ ${`^${newName} [0-9]{1,6}$`}`,
  )
  const highest = Math.max(0, ...found.rows.map(({ value }) => Number(value.slice(newName.length + 1))))
  return `${newName} ${highest + 1}`
}

export const pathOfFullValue = (root: StoredNode, full: string): string[] => {
  const parts = full.split('/').filter((part) => part !== '')
  return parts[0] === root.value ? parts.slice(1) : parts
}

/** The tree is locked. @throws ApiError when the node may not be called so. */
export async function checkRename(db: Executor, node: TreeRow, value: string): Promise<void> {
  if (value === node.value) return
  if (node.parent_id === null) throw refusedAs('error', 400, 'node_root_rename')
  checkName(value)
  await tree.checkRename(db, node, value)
}

/** Removes what lies below nodes that hold no assets; the tree is locked. */
export async function removeBelow(
  ctx: Context,
  rows: readonly Pick<StoredNode, 'id' | 'parent_id' | 'value'>[],
): Promise<void> {
  const named = rows.map(({ id }) => id)
  for (const { id, parent_id, value } of rows) {
    if (parent_id === null) throw refusedAs('error', 403, 'node_root_delete', { name: value })
    // Whoever is putting an asset in is waited for, and whoever comes later waits.
    await ctx.db.execute(sql`select 1 from ${nodes} where id in (${tree.below(id)}) order by id for update`)
    const held = await ctx.db.execute(
      sql`select 1 from ${assetNodes} where node_id in (${tree.below(id)}) limit 1`,
    )
    if (held.rows.length > 0) throw refusedAs('error', 403, 'node_not_empty')
    const others = sql`${nodes.id} in (${tree.below(id)}) and ${nodes.id} <> ${id}`
    // Those that were named themselves are recorded where they are removed.
    await record(ctx, 'deleted', sql`${others} and ${notInArray(nodes.id, named)}`)
    await ctx.db.execute(sql`delete from ${nodes} where ${others}`)
  }
}

const perRecord = 1000
/** Nodes that come or go with another one have their own records. Those that go are still there. */
export async function record(ctx: Context, type: 'created' | 'deleted', which: SQL): Promise<void> {
  for (let offset = 0, isMore = true; isMore; offset += perRecord) {
    const found = await ctx.db
      .select({ ...withKey, name: nodes.value, full_value: sql<string>`${fullValue}` })
      .from(nodes)
      .where(which)
      .orderBy(nodes.id)
      .limit(perRecord)
      .offset(offset)
    isMore = found.length === perRecord
    await ctx.emit(
      ...found.map((row) => ({
        type,
        resource: Node,
        id: row.id,
        before: type === 'deleted' ? row : undefined,
        after: type === 'created' ? row : undefined,
        secrets: [],
      })),
    )
  }
}
