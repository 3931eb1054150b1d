/** Nodes that are told by their paths instead of ids: found together, and made where there are none. */
import type { Problem } from '@sallyport/contract'
import { inArray, sql } from 'drizzle-orm'
import { randomUUID } from 'node:crypto'
import type { Context } from '../../kernel/context.ts'
import { ensureRoot, maxDepth, pathOfFullValue, record, type StoredNode, tree } from './nodes.ts'
import { nodes } from './tables.ts'

/** Made by one request, those on the way to others counted. */
const maxMade = 100

/** A node on the way of some path; `at` is its place among all of them, the root is the first. */
interface Step {
  at: number
  above: Step | undefined
  value: string
  level: number
  id: string | undefined
  below: Map<string, Step>
}

/**
 * The nodes at paths of names below the root, in the order of the paths; those that are missing are made and recorded. The tree is locked.
 * What is wrong with a path is answered in the place of its node: then nothing is made for it.
 */
export async function ensurePaths(
  ctx: Context,
  root: StoredNode,
  paths: readonly (readonly string[])[],
): Promise<(string | Problem)[]> {
  const steps: Step[] = [
    { at: 0, above: undefined, value: root.value, level: 1, id: root.id, below: new Map() },
  ]
  const ends = paths.map((path) => (path.length < maxDepth ? walk(steps, path) : undefined))
  await find(ctx, root, steps)
  const missing = steps.filter(({ id }) => id === undefined)
  if (missing.length <= maxMade) await make(ctx, root, missing)
  return ends.map((end): string | Problem => {
    if (end === undefined) return { key: 'node_too_deep', params: { max: maxDepth } }
    return end.id ?? { key: 'too_many_nodes_made', params: { max: maxMade } }
  })
}

/** The last step of a path; steps that are not there yet are added. */
function walk(steps: Step[], path: readonly string[]): Step | undefined {
  let here = steps[0]
  for (const value of path) {
    if (here === undefined) return undefined
    let next = here.below.get(value)
    if (next === undefined) {
      next = {
        at: steps.length,
        above: here,
        value,
        level: here.level + 1,
        id: undefined,
        below: new Map(),
      }
      steps.push(next)
      here.below.set(value, next)
    }
    here = next
  }
  return here
}

/** All of them at once: who names many paths must not hold the lock for as many queries. */
async function find(ctx: Context, root: StoredNode, steps: readonly Step[]): Promise<void> {
  const [, ...asked] = steps
  if (asked.length === 0) return
  const { rows } = await ctx.db.execute<{ at: number; id: string }>(
    sql`with recursive asked as materialized (
        select at, above, value from unnest(${sql.param(asked.map(({ at }) => at))}::integer[],
          ${sql.param(asked.map(({ above }) => above?.at))}::integer[],
          ${sql.param(asked.map(({ value }) => value))}::text[]) as asked (at, above, value)
      ), walk (at, id) as (
        select 0, ${root.id}::uuid
        union all
        select asked.at, child.id from walk join asked on asked.above = walk.at
          join ${nodes} as child on child.parent_id = walk.id and child.value = asked.value
      ) select at, id from walk`,
  )
  for (const { at, id } of rows) {
    const step = steps[at]
    if (step) step.id = id
  }
}

/** Level by level, as a node hangs on one that is there. */
async function make(ctx: Context, root: StoredNode, missing: readonly Step[]): Promise<void> {
  const by = ctx.identity?.name.slice(0, 30) ?? 'System'
  for (const [, level] of [...Map.groupBy(missing, ({ level: of }) => of)].sort(([a], [b]) => a - b)) {
    const numbers = await tree.takeNumbers(
      ctx.db,
      level.map(({ above }) => above?.id ?? root.id),
    )
    for (const step of level) step.id = randomUUID()
    await ctx.db.insert(nodes).values(
      level.map(({ id, above, value }, at) => ({
        id,
        parent_id: above?.id ?? root.id,
        number: numbers[at] ?? 0,
        value,
        org_id: root.org_id,
        created_by: by,
        updated_by: by,
      })),
    )
  }
  const made = missing.flatMap(({ id }) => id ?? [])
  if (made.length > 0) await record(ctx, 'created', inArray(nodes.id, made))
}

/** Nodes by their names below the root, or whole paths: made where there are none and the caller may. */
export async function nodesCalled(
  ctx: Context,
  org: { id: string; name: string },
  names: readonly string[],
): Promise<(string | Problem)[]> {
  if (!ctx.can('assets.add_node')) return names.map(() => ({ key: 'permission_denied' }))
  await tree.lock(ctx.db, org)
  const root = await ensureRoot(ctx.db, org)
  return await ensurePaths(
    ctx,
    root,
    names.map((name) => pathOfFullValue(root, name)),
  )
}
