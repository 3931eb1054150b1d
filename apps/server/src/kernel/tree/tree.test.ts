/** A tree of another table than the one of nodes: what the kernel asks of a table is all it takes. */
import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { beforeEach, expect, test } from 'vitest'
import type { Context } from '../context.ts'
import { ValidationError } from '../errors.ts'
import { createTestDatabase } from '../testing/index.ts'
import { contextOf } from '../testing/work-context.ts'
import { createTree, type TreeRow } from './tree.ts'

const departments = pgTable('departments', {
  id: uuid('id').primaryKey().defaultRandom(),
  parent_id: uuid('parent_id'),
  number: integer('number').notNull(),
  value: text('value').notNull(),
  child_mark: integer('child_mark').notNull().default(0),
  org_id: uuid('org_id').notNull(),
})
const branches = pgTable('department_branches', {
  ancestor_id: uuid('ancestor_id').notNull(),
  branch_id: uuid('branch_id').notNull(),
  distance: integer('distance').notNull(),
})
const tree = createTree({
  name: 'departments',
  table: departments,
  branches,
  maxDepth: 4,
  problems: {
    name_taken: 'node_name_taken',
    too_deep: 'node_too_deep',
    cycle: 'node_cycle',
    other_organization: 'node_other_organization',
  },
})

const database = await createTestDatabase()
const { db } = database
await database.pool.query(`
  create table departments (id uuid primary key default gen_random_uuid(), parent_id uuid references departments, number integer not null,
    value text not null, child_mark integer not null default 0, org_id uuid not null, unique (parent_id, value), unique (parent_id, number));
  create table department_branches (ancestor_id uuid not null, branch_id uuid not null, distance integer not null,
    primary key (ancestor_id, branch_id));
  create trigger departments_inserted after insert on departments referencing new table as new_rows
    for each statement execute function tree_inserted('department_branches');
  create trigger departments_moved after update of parent_id on departments for each row
    when (old.parent_id is distinct from new.parent_id) execute function tree_moved('department_branches');
  create trigger departments_deleted after delete on departments referencing old table as old_rows
    for each statement execute function tree_deleted('department_branches');
`)

let ctx: Context
let number = 0
async function root(value: string, org_id: string = randomUUID()): Promise<TreeRow> {
  const [row] = await db.insert(departments).values({ number: ++number, value, org_id }).returning()
  if (!row) throw new Error('no root')
  ctx = { ...contextOf(database), org: { id: org_id, name: value, is_root: false } } as Context
  return row
}
async function under(parent: TreeRow, value: string): Promise<TreeRow> {
  const [row] = await db
    .insert(departments)
    .values(await tree.child(db, parent, value))
    .returning()
  if (!row) throw new Error('no child')
  return row
}
const below = async ({ id }: TreeRow) => {
  const { rows } = await db.execute<{ value: string }>(
    sql`select value from ${departments} where id in (${tree.below(id)}) order by value`,
  )
  return rows.map(({ value }) => value)
}
const placeOf = async ({ id }: TreeRow) => {
  const { rows } = await db.execute<{ key: string; path: string }>(
    sql`select ${tree.key()} as key, ${tree.path()} as path from ${departments} where id = ${id}`,
  )
  return rows[0]
}

let company: TreeRow
let sales: TreeRow
let europe: TreeRow
let support: TreeRow
beforeEach(async () => {
  company = await root(`Company ${number}`)
  sales = await under(company, 'Sales')
  europe = await under(sales, 'Europe')
  support = await under(company, 'Support')
})

test('a row is found by the numbers and names of what it hangs on', async () => {
  expect(await placeOf(europe)).toEqual({ key: `${number}:0:0`, path: `/${company.value}/Sales/Europe` })
  const { rows } = await db.execute(sql`select ${tree.idOf(`${number}:1`)} as id`)
  expect(rows).toEqual([{ id: support.id }])
})

test('what lies below moves along, and is gone with what it hangs on', async () => {
  await tree.move(ctx, support, [sales.id])
  expect(await placeOf(europe)).toEqual({
    key: `${number}:1:0:0`,
    path: `/${company.value}/Support/Sales/Europe`,
  })
  expect(await below(support)).toEqual(['Europe', 'Sales', 'Support'])
  await db.execute(sql`delete from ${departments} where id in (${tree.below(sales.id)})`)
  expect(await below(company)).toEqual([company.value, 'Support'])
})

test('nothing hangs below itself, too deep, beside its namesake or in another organization’s tree', async () => {
  await expect(tree.move(ctx, europe, [sales.id])).rejects.toMatchObject({ code: 'node_cycle' })
  const france = await under(europe, 'France')
  await expect(under(france, 'Paris')).rejects.toMatchObject({ code: 'node_too_deep' })
  await expect(tree.move(ctx, support, [sales.id])).rejects.toMatchObject({ code: 'node_too_deep' })
  await expect(under(company, 'Sales')).rejects.toThrow(ValidationError)
  const mine = ctx
  const other = await root('Other')
  await expect(tree.move(mine, other, [support.id])).rejects.toMatchObject({
    code: 'node_other_organization',
  })
  expect(await below(company)).toEqual([company.value, 'Europe', 'France', 'Sales', 'Support'].toSorted())
})
