/** Who leaves an organization is named by its rows no more. Inside objects only members are shown (fields.ts). */
import { eq, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../context.ts'
import type { Served } from './binding.ts'
import { isThrough, storedIn } from './fields.ts'
import { storedRows } from './read.ts'
import { arrayOf } from './references.ts'
import type { Rows } from './rows.ts'
import { updateStored } from './store.ts'
import { stamps } from './write.ts'

/** The rows an organization has of its own; undefined where none is an organization's. */
function rowsOf(rows: Rows, orgId: string): SQL | undefined {
  if (rows.of === 'org' || rows.of === 'shared') return eq(rows.column, orgId)
  if (rows.of !== 'through') return undefined
  const { table, rows: owners } = rows.target
  const theirs = rowsOf(owners, orgId)
  return theirs && sql`${rows.column} in (select ${table.id} from ${table} where ${theirs})`
}

/**
 * Takes these people out of the sets of the organization's rows, and out of the fields that may be empty, which the books tell. What needs
 * somebody keeps them until another is named, and so does what nobody writes.
 */
export async function forgetMembers(
  ctx: Context,
  holders: readonly Served[],
  personIds: readonly string[],
  orgId: string,
): Promise<void> {
  for (const served of holders) {
    const theirs = rowsOf(served.binding.rows, orgId)
    if (theirs === undefined) continue
    await unlinkPeople(ctx, served, personIds, theirs)
    await emptyFields(ctx, served, personIds, theirs)
  }
}

async function unlinkPeople(ctx: Context, { binding }: Served, personIds: readonly string[], theirs: SQL) {
  for (const relation of Object.values(binding.relations ?? {})) {
    if (relation === undefined || !isThrough(relation) || relation.target.rows.of !== 'members') continue
    const { link, from, to } = relation
    await ctx.db.execute(
      sql`delete from ${link} using ${binding.table}
        where ${from} = ${binding.table.id} and ${theirs} and ${to} = any(${arrayOf(personIds, to)})`,
    )
  }
}

/** Columns of fields that name somebody, and may name nobody. */
const emptied = (served: Served) =>
  Object.entries(served.binding.relations ?? {}).flatMap(([name, relation]) => {
    const field = served.resource.fields[name]
    const isPerson = relation && !isThrough(relation) && relation.rows.of === 'members'
    if (!isPerson || !field || field.options.readOnly) return []
    const column = storedIn(served, name, field)
    return column && !column.notNull ? [column] : []
  })

async function emptyFields(ctx: Context, served: Served, personIds: readonly string[], theirs: SQL) {
  const columns = emptied(served)
  if (columns.length === 0) return
  const { id } = served.binding.table
  const isLeaver = new Set<unknown>(personIds)
  const named = sql.join(
    columns.map((column) => sql`${column} = any(${arrayOf(personIds, column)})`),
    sql` or `,
  )
  const before = await storedRows(served, ctx, sql`${theirs} and (${named})`, { lock: true, unseen: true })
  const stamped = Object.entries(stamps({ served, ctx }, 'patch'))
  await updateStored(
    served,
    ctx,
    before.map((row) => {
      const left = columns.filter(({ name }) => isLeaver.has(row[name]))
      return { before: row, values: new Map([...stamped, ...left.map(({ name }) => [name, null] as const)]) }
    }),
  )
  const ids = before.map((row) => row['id'])
  const after = await storedRows(served, ctx, sql`${id} = any(${arrayOf(ids, id)})`, { unseen: true })
  const now = new Map(after.map((row) => [row['id'], row]))
  await ctx.emit(
    ...before.map((row) => ({
      type: 'updated' as const,
      resource: served.resource,
      id: String(row['id']),
      before: row,
      after: now.get(row['id']),
      secrets: [],
    })),
  )
}
