/** Who leaves an organization is named by its rows no more. */
import {
  defaultOrgId,
  identified,
  many,
  onList,
  one,
  organized,
  type PermissionName,
  resource,
  text,
  uuid as id,
} from '@sallyport/contract'
import { sql } from 'drizzle-orm'
import { pgTable, text as varchar, uuid } from 'drizzle-orm/pg-core'
import { beforeAll, expect, it } from 'vitest'
import type { DomainEvent } from '../events.ts'
import { callerOf } from '../testing/caller.ts'
import { otherOrgId, startTestServer } from '../testing/http.ts'
import { createTestDatabase } from '../testing/index.ts'
import { serve, type Served } from './binding.ts'
import { forgetMembers } from './leavers.ts'
import { members, org } from './rows.ts'

const guards = pgTable('guards', { id: uuid().primaryKey(), name: varchar().notNull() })
const gates = pgTable('gates', {
  id: uuid().primaryKey().defaultRandom(),
  name: varchar().notNull(),
  keeper_id: uuid(),
  deputy_id: uuid(),
  builder_id: uuid(),
  owner_id: uuid().notNull(),
  updated_by: varchar(),
  org_id: uuid().notNull(),
})
const gateWatchers = pgTable('gate_watchers', { gate_id: uuid().notNull(), guard_id: uuid().notNull() })
const shown = ['id', 'name'] as const
const Gate = resource({
  app: 'tests',
  model: 'gate',
  path: 'tests/gates',
  scope: 'org',
  order: ['name'],
  fields: {
    ...identified,
    name: text({ required: true }),
    keeper: one('tests.guard', shown, { nullable: true }),
    deputy: one('tests.guard', shown, { nullable: true }),
    builder: one('tests.guard', shown, { nullable: true, readOnly: true }),
    owner: one('tests.guard', shown, { required: true }),
    watchers: many('tests.guard', shown),
    ...organized,
  },
  calls: {
    leave: onList({
      method: 'POST',
      path: 'leave',
      access: 'tests.change_gate' as PermissionName,
      body: { guard: id({ required: true }) },
      records: 'update',
    }),
  },
})
const person = {
  table: guards,
  rows: members((orgId) => sql`${guards.id} in (select guard_id from posts where org_id = ${orgId})`),
}
const gateServed: Served = serve(Gate, {
  table: gates,
  rows: org(gates.org_id),
  relations: {
    keeper: person,
    deputy: person,
    builder: person,
    owner: person,
    watchers: { link: gateWatchers, from: gateWatchers.gate_id, to: gateWatchers.guard_id, target: person },
  },
  calls: {
    leave: async (ctx, { body: { guard } }) => {
      await ctx.db.execute(sql`delete from posts where guard_id = ${guard} and org_id = ${ctx.org.id}`)
      await forgetMembers(ctx, [gateServed], [guard], ctx.org.id)
    },
  },
})

const [ann, dev] = ['7d1c0000-0000-4000-8000-0000000000aa', '7d1c0000-0000-4000-8000-0000000000dd']
const database = await createTestDatabase()
const told: DomainEvent[] = []
let call: ReturnType<typeof callerOf>
beforeAll(async () => {
  await database.pool.query(
    `create table guards (id uuid primary key, name text not null);
     create table posts (guard_id uuid not null, org_id uuid not null);
     create table gate_watchers (gate_id uuid not null, guard_id uuid not null);
     create table gates (id uuid primary key, name text not null, keeper_id uuid, deputy_id uuid, builder_id uuid, owner_id uuid not null,
       updated_by text, org_id uuid not null);
     insert into guards values ('${ann}', 'Ann'), ('${dev}', 'Dev');
     insert into posts select id, org_id::uuid from guards, unnest('{${defaultOrgId},${otherOrgId}}'::text[]) as org_id`,
  )
  const onRecord = (_ctx: unknown, events: readonly DomainEvent[]) => {
    told.push(...events)
    return Promise.resolve()
  }
  const domain = { name: 'tests', resources: [gateServed], onRecord }
  call = callerOf(await startTestServer(database, [domain]), 'ann *')
})

it('fields that may be empty are, which the books tell; who is needed, and what nobody writes, stays', async () => {
  const all = { keeper: dev, deputy: ann, owner: dev, watchers: [ann, dev] }
  const { body: here } = await call('POST', 'tests/gates/', { name: 'north', ...all })
  const { body: other } = await call('POST', 'tests/gates/', { name: 'south', ...all, keeper: ann })
  const { body: there } = await call('POST', 'tests/gates/', { name: 'far', ...all }, { org: otherOrgId })
  await database.pool.query('update gates set builder_id = $1', [dev])
  told.length = 0
  expect(await call('POST', 'tests/gates/leave/', { guard: dev })).toMatchObject({ status: 204 })
  const [annShown, devShown] = [
    { id: ann, name: 'Ann' },
    { id: dev, name: 'Dev' },
  ]
  const after = { deputy: annShown, owner: devShown, builder: devShown, watchers: [annShown] }
  expect((await call('GET', `tests/gates/${here['id']}/`)).body).toMatchObject({ ...after, keeper: null })
  expect((await call('GET', `tests/gates/${other['id']}/`)).body).toMatchObject({
    ...after,
    keeper: annShown,
  })
  const elsewhere = await call('GET', `tests/gates/${there['id']}/`, undefined, { org: otherOrgId })
  expect(elsewhere.body).toMatchObject({ keeper: devShown, watchers: [annShown, devShown] })
  expect(told.filter(({ type }) => type === 'updated')).toMatchObject([
    {
      id: here['id'],
      before: { keeper: devShown, owner: devShown },
      after: { keeper: null, owner: devShown, updated_by: 'ann' },
    },
  ])
})
