/** Walking a list that is too long to hold at once. */
import { defaultOrgId, defaultSettings, identified, organized, resource, text } from '@sallyport/contract'
import { pgTable, text as varchar, uuid } from 'drizzle-orm/pg-core'
import { expect, it } from 'vitest'
import { createContext } from '../context.ts'
import { otherOrgId } from '../testing/http.ts'
import { createTestDatabase } from '../testing/index.ts'
import { serve } from './binding.ts'
import { org } from './rows.ts'
import { walkRows } from './walk.ts'

const beads = pgTable('beads', {
  id: uuid().primaryKey().defaultRandom(),
  name: varchar().notNull(),
  org_id: uuid().notNull(),
})
const Bead = resource({
  app: 'tests',
  model: 'bead',
  path: 'tests/beads',
  scope: 'org',
  order: ['name'],
  fields: { ...identified, name: text({ required: true, search: true }), ...organized },
})
const beadServed = serve(Bead, { table: beads, rows: org(beads.org_id) })

it('hands over every row the list holds for this caller, in its order, a batch at a time', async () => {
  const database = await createTestDatabase()
  await database.pool.query(
    'create table beads (id uuid primary key default gen_random_uuid(), name text not null, org_id uuid not null)',
  )
  await database.pool.query(
    `insert into beads (name, org_id) select 'bead ' || lpad(n::text, 4, '0'), case when n % 5 = 0 then $2::uuid else $1::uuid end from generate_series(1, 1500) n`,
    [defaultOrgId, otherOrgId],
  )
  const nobody = { emit: () => Promise.resolve() }
  const ctx = createContext(nobody, {
    db: database.db,
    identity: undefined,
    org: { id: defaultOrgId, name: 'DEFAULT', is_root: false, is_default: true },
    language: 'en',
    zone: 'UTC',
    remoteAddr: '',
    origin: '',
    settings: defaultSettings,
    hasLicence: true,
    can: () => true,
    orgName: (id) => `org ${id.slice(-1)}`,
  })
  const batches: string[][] = []
  await walkRows(
    beadServed,
    ctx,
    { search: 'bead' },
    { selected: undefined, offset: 0, most: Infinity },
    (rows) => {
      batches.push(rows.map((row) => `${String(row['name'])} in ${String(row['org_name'])}`))
      return Promise.resolve()
    },
  )
  expect(batches.map(({ length }) => length)).toEqual([500, 500, 200])
  const all = batches.flat()
  expect(all.slice(0, 5)).toEqual([1, 2, 3, 4, 6].map((n) => `bead 000${n} in org 2`))
  expect(all).toEqual(all.toSorted())
})
