/** Nodes as they are served: how they are made, renamed and removed. */
import { Node, type Problem, serverTexts } from '@sallyport/contract'
import { eq, isNull, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import { invalid, ValidationError } from '../../kernel/errors.ts'
import {
  type Batch,
  type CallsOf,
  type InputOf,
  type SavingOf,
  serve,
  type Served,
} from '../../kernel/resource/binding.ts'
import { org } from '../../kernel/resource/rows.ts'
import type { TreeRow } from '../../kernel/tree/tree.ts'
import {
  checkName,
  checkRename,
  ensureRoot,
  fullValue,
  nextName,
  pathOfFullValue,
  removeBelow,
  type StoredNode,
  tree,
} from './nodes.ts'
import { ensurePaths } from './named-nodes.ts'
import { nodes } from './tables.ts'

type Input = InputOf<typeof Node, typeof nodes>

/** Where a new node goes, and what it is called if that was sent. */
async function placeOf(
  ctx: Context,
  { full_value, value }: Input,
  batch: Batch,
  under: TreeRow | undefined,
): Promise<{ parent: TreeRow; value: string | undefined }> {
  const root = await batch.once('root', () => ensureRoot(ctx.db, ctx.org))
  if (!full_value) return { parent: under ?? root, value: value ?? undefined }
  const path = pathOfFullValue(root, full_value)
  const last = path.pop()
  if (last === undefined) throw invalid('full_value', 'node_name_taken')
  const places = await batch.once('places', () => placesAbove(ctx, root, batch))
  const above = places.get(path.join('/'))
  if (typeof above !== 'string') throw new ValidationError({ full_value: above ? [above] : [] })
  return { parent: { ...root, id: above }, value: last }
}

/** The nodes above all that a write names by a path, by their own paths: what is missing is made for all rows together. */
async function placesAbove(
  ctx: Context,
  root: StoredNode,
  { given }: Batch,
): Promise<ReadonlyMap<string, string | Problem>> {
  const paths = new Map(
    given.flatMap(({ input }) => {
      const { full_value } = input as Input
      const path = full_value ? pathOfFullValue(root, full_value).slice(0, -1) : undefined
      return path ? [[path.join('/'), path]] : []
    }),
  )
  const found = await ensurePaths(ctx, root, [...paths.values()])
  return new Map([...paths.keys()].map((path, at) => [path, found[at] ?? root.id]))
}

/** `under`: where a node is made that says no path of its own; the root unless said. */
export async function prepareNode(
  ctx: Context,
  { mode, input, before, batch }: SavingOf<typeof Node, typeof nodes>,
  under?: TreeRow,
): Promise<Input> {
  if (mode === 'create') {
    const { parent, value } = await placeOf(ctx, input, batch, under)
    const called = value || (await nextName(ctx.db, parent, serverTexts[ctx.language].new_node))
    checkName(called)
    return await tree.child(ctx.db, parent, called)
  }
  if (!input.value) return {}
  await checkRename(ctx.db, before, input.value)
  return { value: input.value }
}

export const nodeServed = (calls: CallsOf<typeof Node, typeof nodes>): Served =>
  serve(Node, {
    table: nodes,
    rows: org(nodes.org_id),
    // The root of the tree goes with its organization.
    held: { statistic: 'nodes_amount', goes: isNull(nodes.parent_id) },
    locking: (ctx) => tree.lock(ctx.db, ctx.org),
    inTurn: tree.inTurn,
    computed: { key: tree.key(), name: sql`${nodes.value}`, full_value: fullValue },
    filters: { key: (value) => eq(nodes.id, tree.idOf(value)) },
    orders: { key: tree.numbers() },
    searches: [tree.found],
    prepare: (ctx, saving) => prepareNode(ctx, saving),
    removing: removeBelow,
    calls,
  })
