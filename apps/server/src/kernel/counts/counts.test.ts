/** Counts are those of the table, whoever writes at the same time, and one trigger less is noticed and made good. */
import { sql } from 'drizzle-orm'
import { integer, pgTable } from 'drizzle-orm/pg-core'
import { beforeEach, expect, test } from 'vitest'
import { createTestDatabase } from '../testing/index.ts'
import { compactCounts, type Counted, healCounts, keptCount } from './counts.ts'

const database = await createTestDatabase()
const { db, pool } = database

const things = pgTable('things', {
  id: integer().primaryKey(),
  shelf: integer().notNull(),
  org_id: integer().notNull(),
  kind: integer().notNull(),
})
const thingCounts = pgTable('thing_counts', {
  org_id: integer().notNull(),
  kind: integer().notNull(),
  amount: integer().notNull(),
})
const counted: Counted = { table: things, counts: thingCounts }

const triggers = {
  things_in: 'after insert on things referencing new table as new_rows',
  things_on: 'after update on things referencing old table as old_rows new table as new_rows',
  things_out: 'after delete on things referencing old table as old_rows',
  things_none: 'after truncate on things',
}
type Trigger = keyof typeof triggers

beforeEach(async () => {
  await pool.query('drop table if exists things, shelves, thing_counts')
  await pool.query(
    `create table shelves (id integer primary key);
     create table things (id integer primary key, shelf integer not null references shelves on delete cascade,
       org_id integer not null, kind integer not null);
     create index on things (shelf);
     create table thing_counts (org_id integer not null, kind integer not null, amount integer not null)`,
  )
  for (const [name, when] of Object.entries(triggers))
    await pool.query(
      `create trigger ${name} ${when} for each statement execute function count_rows('thing_counts', 'org_id, kind')`,
    )
})

const writers = 6
const rounds = 12

/** What one of many does meanwhile: to rows of its own, which are counted with those of all others. */
async function write(writer: number): Promise<void> {
  const client = await pool.connect()
  try {
    for (let round = 0; round < rounds; round++) {
      const shelf = (writer + 1) * 1000 + round
      const first = shelf * 100
      await client.query('insert into shelves values ($1)', [shelf])
      const make = `insert into things select $1::int + n, $2, n % 3, n % 5 from generate_series(1, 40) n`
      // Some of it never was.
      await client.query('begin')
      await client.query(make, [first, shelf])
      await client.query(round % 3 === 0 ? 'rollback' : 'commit')
      await client.query(`${make} on conflict (id) do update set kind = things.kind + 1`, [first + 20, shelf])
      await client.query('begin')
      await client.query('savepoint here')
      await client.query('delete from things where shelf = $1', [shelf])
      await client.query('rollback to here')
      await client.query('update things set org_id = org_id + 1, kind = 0 where shelf = $1 and id % 2 = 0', [
        shelf,
      ])
      await client.query('commit')
      await client.query('delete from things where shelf = $1 and id % 7 = 0', [shelf])
      if (round % 4 === 3) await client.query('delete from shelves where id = $1', [shelf - 1])
    }
  } finally {
    client.release()
  }
}

/** Begins with rows that are all taken away at once, then many write, and what they do is added together meanwhile. */
async function everybodyWrites(): Promise<void> {
  await pool.query('insert into shelves values (0); insert into things values (1, 0, 1, 1), (2, 0, 1, 1)')
  await pool.query('truncate things')
  const over = new AbortController()
  const adding = (async () => {
    while (!over.signal.aborted) await compactCounts(db, counted)
  })()
  try {
    await Promise.all(Array.from({ length: writers }, (_none, writer) => write(writer)))
  } finally {
    over.abort()
    await adding
  }
}

async function sums(query: string): Promise<unknown[]> {
  const { rows } = await pool.query<Record<string, unknown>>(query)
  return rows
}
const inTable = () => sums('select org_id, kind, count(*) as amount from things group by 1, 2 order by 1, 2')
const kept = () =>
  sums(
    'select org_id, kind, sum(amount) as amount from thing_counts group by 1, 2 having sum(amount) <> 0 order by 1, 2',
  )

test('many who write, roll back, and delete with all that hangs on it leave the right counts', async () => {
  await everybodyWrites()
  expect(await kept()).toEqual(await inTable())
  const { rows } = await db.execute<{ count: string }>(
    keptCount(counted, sql`${things.org_id} = 1 and ${things.kind} in (0, 2)`),
  )
  const real = await pool.query<{ count: string }>(
    'select count(*) from things where org_id = 1 and kind in (0, 2)',
  )
  expect(rows).toEqual(real.rows)
  expect(Number(rows[0]?.count)).toBeGreaterThan(0)
})

test('what stands several times is added together to one row for each sum', async () => {
  await everybodyWrites()
  await compactCounts(db, counted)
  const { rows } = await pool.query('select 1 from thing_counts group by org_id, kind having count(*) > 1')
  expect(rows).toEqual([])
  expect(await kept()).toEqual(await inTable())
})

test('comparing while many write finds nothing wrong, and changes nothing', async () => {
  const over = new AbortController()
  const found: number[] = []
  const comparing = (async () => {
    while (!over.signal.aborted) found.push(await healCounts(db, counted))
  })()
  await Promise.all(Array.from({ length: writers }, (_none, writer) => write(writer)))
  over.abort()
  await comparing
  expect(found).toEqual(found.map(() => 0))
  expect(await kept()).toEqual(await inTable())
})

test.each(Object.keys(triggers) as Trigger[])(
  'without the trigger %s counts go wrong, and are healed',
  async (name) => {
    await pool.query(`drop trigger ${name} on things`)
    await everybodyWrites()
    expect(await kept()).not.toEqual(await inTable())
    // Two servers that compare at once do not make it good twice.
    const healed = await Promise.all([healCounts(db, counted), healCounts(db, counted)])
    expect(healed.filter((wrong) => wrong > 0)).toHaveLength(1)
    expect(await kept()).toEqual(await inTable())
  },
)

test('a condition that asks for more than the counts know is refused', async () => {
  await expect(db.execute(keptCount(counted, sql`${things.id} > 3`))).rejects.toThrow()
})
