/** What may be done to a row is asked before it is done, and told to clients that ask; a guard stands before every call. */
import {
  answer,
  boolean,
  identified,
  onRow,
  organized,
  type PermissionName,
  resource,
  text,
} from '@sallyport/contract'
import { boolean as flag, pgTable, text as varchar, uuid } from 'drizzle-orm/pg-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { refused } from '../errors.ts'
import { callerOf } from '../testing/caller.ts'
import { startTestServer } from '../testing/http.ts'
import { createTestDatabase } from '../testing/index.ts'
import { serve } from './binding.ts'
import { org } from './rows.ts'

const columns = () => ({
  id: uuid().primaryKey().defaultRandom(),
  name: varchar().notNull(),
  is_kept: flag().notNull().default(false),
  org_id: uuid().notNull(),
})
const drawers = pgTable('drawers', columns())
const Drawer = resource({
  app: 'tests',
  model: 'drawer',
  path: 'tests/drawers',
  scope: 'org',
  order: ['name'],
  fields: { ...identified, name: text({ required: true }), is_kept: boolean(), ...organized },
  calls: {
    shut: onRow({
      method: 'POST',
      path: 'shut',
      access: 'tests.shut_drawer' as PermissionName,
      answer: answer.row,
      records: 'update',
    }),
  },
})
let isOff = false
let shut = 0
const drawerServed = serve(Drawer, {
  table: drawers,
  rows: org(drawers.org_id),
  guard: () => {
    if (isOff) throw refused('unavailable')
  },
  may: (_ctx, row, action) => (row.is_kept && action !== 'update' ? 'platform_internal' : true),
  calls: { shut: () => Promise.resolve(void shut++) },
})

const database = await createTestDatabase()
let call: ReturnType<typeof callerOf>
let kept = ''
let free = ''
beforeAll(async () => {
  await database.pool.query(
    'create table drawers (id uuid primary key, name text not null, is_kept boolean not null default false, org_id uuid not null)',
  )
  call = callerOf(await startTestServer(database, [{ name: 'tests', resources: [drawerServed] }]), 'ann *')
  const made = await call('POST', 'tests/drawers/', [{ name: 'a kept', is_kept: true }, { name: 'b free' }])
  kept = String(made.body[0]?.id)
  free = String(made.body[1]?.id)
})

describe('a policy', () => {
  const why = 'Internal platform'
  it('is told with rows and lists to clients that ask', async () => {
    expect((await call('GET', 'tests/drawers/?may=1&fields_size=mini')).body.map(({ may }) => may)).toEqual([
      { update: true, delete: why, shut: why },
      { update: true, delete: true, shut: true },
    ])
    expect((await call('GET', `tests/drawers/${kept}/?may=1`)).body.may).toMatchObject({ delete: why })
    expect((await call('GET', 'tests/drawers/')).body[0]).not.toHaveProperty('may')
    const reader = await call('GET', `tests/drawers/${free}/?may=1`, undefined, {
      as: 'bob tests.view_drawer tests.change_drawer',
    })
    expect(reader.body.may).toMatchObject({ update: true, delete: expect.any(String) })
    expect(reader.body.may).not.toMatchObject({ delete: true })
  })

  it('is kept by every way to do it', async () => {
    const denied = { status: 403, body: { code: 'platform_internal' } }
    expect(await call('DELETE', `tests/drawers/${kept}/`)).toMatchObject(denied)
    expect(await call('DELETE', `tests/drawers/?ids=${kept},${free}`)).toMatchObject(denied)
    expect(await call('POST', `tests/drawers/${kept}/shut/`)).toMatchObject(denied)
    expect(shut).toBe(0)
    expect((await call('PATCH', `tests/drawers/${kept}/`, { name: 'a kept one' })).status).toBe(200)
    expect((await call('POST', `tests/drawers/${free}/shut/`)).status).toBe(200)
    expect(shut).toBe(1)
  })
})

it('a guard stands before every call of the resource', async () => {
  isOff = true
  const answers = [
    await call('GET', 'tests/drawers/'),
    await call('GET', `tests/drawers/${free}/`),
    await call('POST', 'tests/drawers/', { name: 'c' }),
    await call('PATCH', `tests/drawers/${free}/`, { name: 'c' }),
    await call('DELETE', `tests/drawers/${free}/`),
    await call('POST', `tests/drawers/${free}/shut/`),
  ]
  isOff = false
  expect(answers.map(({ body }) => body.code)).toEqual(answers.map(() => 'unavailable'))
})
