/** Objects and lists of objects inside rows: whole whatever is sent of them, with their defaults, and what they name checked and shown. */
import {
  datetime,
  defaultOrgId,
  identified,
  integer,
  list,
  many,
  object,
  objects,
  one,
  organized,
  resource,
  secret,
  text,
} from '@sallyport/contract'
import { sql } from 'drizzle-orm'
import { jsonb, pgTable, text as varchar, uuid } from 'drizzle-orm/pg-core'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { Context } from '../context.ts'
import { callerOf } from '../testing/caller.ts'
import { otherOrgId, startTestServer } from '../testing/http.ts'
import { createTestDatabase } from '../testing/index.ts'
import { serve, type Served } from './binding.ts'
import { forgetMembers } from './leavers.ts'
import { members, org } from './rows.ts'

const guards = pgTable('guards', {
  id: uuid().primaryKey(),
  name: varchar().notNull(),
  org_id: uuid().notNull(),
})
const rules = pgTable('rules', {
  id: uuid().primaryKey().defaultRandom(),
  name: varchar().notNull(),
  match: jsonb().notNull(),
  smtp: jsonb(),
  steps: jsonb(),
  flow: jsonb(),
  levels: jsonb(),
  org_id: uuid().notNull(),
})
const Rule = resource({
  app: 'tests',
  model: 'rule',
  path: 'tests/rules',
  scope: 'org',
  order: ['name'],
  fields: {
    ...identified,
    name: text({ required: true }),
    match: object(
      {
        hosts: list({ default: ['*'] }),
        n: integer({ nullable: true }),
        made_for: text({ createOnly: true }),
        span: object({ days: integer({ default: 7 }) }, { default: {} }),
        since: datetime(),
      },
      { default: {} },
    ),
    smtp: object(
      {
        host: text({ required: true }),
        port: integer({ required: true }),
        password: secret({ required: true }),
      },
      { nullable: true },
    ),
    steps: objects({
      id: integer(),
      name: text({ required: true }),
      port: integer({ required: true }),
      weight: integer({ default: 1 }),
    }),
    flow: object(
      {
        owner: one('tests.guard', ['id', 'name'], { nullable: true }),
        deputy: one('tests.guard', ['id', 'name'], { nullable: true }),
      },
      { nullable: true },
    ),
    approvers: many('tests.guard', ['id', 'name']),
    levels: objects({
      level: integer({ required: true }),
      team: object({ people: many('tests.guard', ['id', 'name']) }),
    }),
    ...organized,
  },
})
const guard = { table: guards, rows: org(guards.org_id) }
const ruleApprovers = pgTable('rule_approvers', { rule_id: uuid().notNull(), guard_id: uuid().notNull() })
/** In the organizations they have posts in. */
const member = {
  table: guards,
  rows: members((orgId) => sql`${guards.id} in (select guard_id from posts where org_id = ${orgId})`),
}
const approvers = {
  link: ruleApprovers,
  from: ruleApprovers.rule_id,
  to: ruleApprovers.guard_id,
  target: member,
}

const ann = '7d1c0000-0000-4000-8000-0000000000aa'
const bob = '7d1c0000-0000-4000-8000-0000000000bb'
const far = '7d1c0000-0000-4000-8000-0000000000ff'
const database = await createTestDatabase()
/** As the hooks were given them. */
const given: unknown[] = []
let call: ReturnType<typeof callerOf>
let ruleServed: Served
beforeAll(async () => {
  await database.pool.query(
    `create table guards (id uuid primary key, name text not null, org_id uuid not null);
     create table posts (guard_id uuid not null, org_id uuid not null);
     create table rule_approvers (rule_id uuid not null, guard_id uuid not null);
     create table rules (id uuid primary key, name text not null, match jsonb not null, smtp jsonb, steps jsonb, flow jsonb, levels jsonb, org_id uuid not null)`,
  )
  await database.pool.query(
    `insert into guards values ('${ann}', 'ann', '00000000-0000-0000-0000-000000000002'),
     ('${bob}', 'bob', '00000000-0000-0000-0000-000000000002'), ('${far}', 'far', '${otherOrgId}')`,
  )
  ruleServed = serve(Rule, {
    table: rules,
    rows: org(rules.org_id),
    relations: { 'flow.owner': guard, 'flow.deputy': member, 'levels.team.people': guard, approvers },
    prepare: (_ctx, { input }) => {
      given.push(input)
      return input
    },
  })
  call = callerOf(await startTestServer(database, [{ name: 'tests', resources: [ruleServed] }]), 'ann *')
})
beforeEach(() => {
  given.length = 0
})
const made = async (body: object): Promise<Record<string, unknown>> => {
  const answer = await call('POST', 'tests/rules/', { name: 'one', ...body })
  expect(answer).toMatchObject({ status: 201 })
  return answer.body
}
const change = (row: Record<string, unknown>, body: object, method: 'PATCH' | 'PUT' = 'PATCH') =>
  call(method, `tests/rules/${String(row['id'])}/`, body)

it('an object that is sent empty, in part or not at all takes the defaults inside it', async () => {
  const whole = { hosts: ['*'], span: { days: 7 } }
  expect(await made({})).toMatchObject({ match: whole })
  expect(await made({ match: {} })).toMatchObject({ match: whole })
  expect(await made({ match: { n: 3, span: {} } })).toMatchObject({ match: { ...whole, n: 3 } })
  expect(given).toMatchObject([{ match: whole }, { match: whole }, { match: { ...whole, n: 3 } }])
  expect(await made({ steps: [{ name: 'a', port: 1 }] })).toMatchObject({
    steps: [{ name: 'a', port: 1, weight: 1 }],
  })
})

it.each(['PATCH', 'PUT'] as const)(
  '%s of one field of an object leaves the others as they are, at any depth',
  async (method) => {
    const row = await made({ match: { n: 1, hosts: ['web'], made_for: 'ann', span: { days: 3 } } })
    const sent = { name: 'one', match: { n: 3, span: {}, made_for: 'bob' } }
    expect(await change(row, sent, method)).toMatchObject({
      status: 200,
      body: { match: { n: 3, hosts: ['web'], made_for: 'ann', span: { days: 3 } } },
    })
  },
)

it('one field of an object is enough to change it, and not to make it: what it needs has to be there', async () => {
  const row = await made({})
  expect(await change(row, { smtp: { host: 'mail' } })).toMatchObject({
    status: 400,
    body: { smtp: { port: ['This field is required.'], password: ['This field is required.'] } },
  })
  const smtp = { host: 'mail', port: 25, password: 'envelope:secret' }
  expect(await change(row, { smtp })).toMatchObject({ status: 200 })
  const changed = await change(row, { smtp: { host: 'other' } })
  expect(changed).toMatchObject({ status: 200, body: { smtp: { host: 'other', port: 25 } } })
  expect(await change(row, { name: 'one', smtp: { host: 'third', port: 26 } }, 'PUT')).toMatchObject({
    status: 200,
  })
  const { rows } = await database.pool.query('select smtp from rules where id = $1', [row['id']])
  expect(rows).toEqual([{ smtp: { host: 'third', port: 26, password: 'sealed:c2VjcmV0' } }])
  expect(await change(row, { smtp: null })).toMatchObject({ status: 200, body: { smtp: null } })
})

it('items of a list are sent whole, by PATCH too', async () => {
  const row = await made({ steps: [{ id: 1, name: 'a', port: 1, weight: 5 }] })
  const required = ['This field is required.']
  expect(await change(row, { steps: [{}, { name: 'b' }, { name: 'c', port: 2 }] })).toMatchObject({
    status: 400,
    body: { steps: [{ name: required, port: required }, { port: required }, {}] },
  })
  expect(await change(row, { steps: [{ id: 1, name: 'b', port: 2 }] })).toMatchObject({
    status: 200,
    body: { steps: [{ id: 1, name: 'b', port: 2, weight: 1 }] },
  })
})

it('what an object names is of the row’s organization, is shown as any related row, and may be sent back as it was shown', async () => {
  const row = await made({
    flow: { owner: ann },
    levels: [
      { level: 1, team: { people: [bob, { id: ann }] } },
      { level: 2, team: {} },
    ],
  })
  const shown = {
    flow: { owner: { id: ann, name: 'ann' } },
    levels: [
      {
        level: 1,
        team: {
          people: [
            { id: ann, name: 'ann' },
            { id: bob, name: 'bob' },
          ],
        },
      },
      { level: 2, team: { people: [] } },
    ],
  }
  expect(row).toMatchObject(shown)
  expect(await change(row, { flow: {}, levels: row['levels'] })).toMatchObject({ status: 200, body: shown })
  expect(await call('GET', 'tests/rules/?limit=100')).toMatchObject({
    body: { results: expect.arrayContaining([expect.objectContaining({ levels: shown.levels })]) },
  })
  for (const stranger of [far, '7d1c0000-0000-4000-8000-00000000dead'])
    expect(
      await call('POST', 'tests/rules/', {
        name: 'two',
        flow: { owner: stranger },
        levels: [
          { level: 1, team: {} },
          { level: 2, team: { people: [ann, stranger] } },
          { level: 3, team: {} },
        ],
      }),
    ).toMatchObject({
      status: 400,
      body: {
        flow: { owner: [`Invalid pk "${stranger}" - object does not exist.`] },
        levels: [{}, { team: { people: [`Invalid pk "${stranger}" - object does not exist.`] } }, {}],
      },
    })
  expect(await change(row, { flow: { owner: null }, levels: [] })).toMatchObject({
    status: 200,
    body: { flow: { owner: null }, levels: [] },
  })
})

it('who is no longer there is no longer named inside an object', async () => {
  const row = await made({ flow: { owner: bob }, levels: [{ level: 1, team: { people: [ann, bob] } }] })
  await database.pool.query('delete from guards where id = $1', [bob])
  expect(await change(row, { name: 'left' })).toMatchObject({
    status: 200,
    body: { flow: { owner: null }, levels: [{ team: { people: [{ id: ann, name: 'ann' }] } }] },
  })
})

it('who leaves the organization is named by its rows no more, beside them or inside an object', async () => {
  await database.pool.query(
    `insert into posts values ('${ann}', '${defaultOrgId}'), ('${far}', '${defaultOrgId}')`,
  )
  const row = await made({ approvers: [ann, far], flow: { deputy: far } })
  const both = [ann, far].map((id) => expect.objectContaining({ id }) as unknown)
  expect(row).toMatchObject({ approvers: both, flow: { deputy: { id: far } } })
  await database.pool.query(`delete from posts where guard_id = '${far}'`)
  await forgetMembers({ db: database.db } as Context, [ruleServed], [far], defaultOrgId)
  expect(await change(row, { name: 'left' })).toMatchObject({
    status: 200,
    body: { approvers: [{ id: ann }], flow: { deputy: null } },
  })
})

it('items of a list that are fine are told as such, wherever they stand', async () => {
  const steps = [{ name: 'a', port: 1 }, { name: 'b' }, { name: 'c', port: 3 }]
  expect(await call('POST', 'tests/rules/', { name: 'one', steps })).toMatchObject({
    status: 400,
    body: { steps: [{}, { port: ['This field is required.'] }, {}] },
  })
  expect(await call('POST', 'tests/rules/', [{ name: 'two', steps }, { name: 'three' }])).toMatchObject({
    status: 400,
    body: [{ steps: [{}, { port: ['This field is required.'] }, {}] }, {}],
  })
  expect(await call('POST', 'tests/rules/', { name: 'one', match: { hosts: ['a', {}, 'c'] } })).toMatchObject(
    {
      status: 400,
      body: { match: { hosts: { 1: [expect.any(String)] } } },
    },
  )
})

it('a time inside an object is kept as the time it is, and shown in the caller’s zone', async () => {
  const row = await made({ match: { since: '2026/03/20 10:11:12 +0800' } })
  const { rows } = await database.pool.query<{ since: string }>(
    `select match->>'since' as since from rules where id = $1`,
    [row['id']],
  )
  expect(rows).toEqual([{ since: '2026-03-20T02:11:12.000Z' }])
})
