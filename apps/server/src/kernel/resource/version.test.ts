/** Two people change one row: who changes what they no longer see is told, and shown the row as it is. */
import {
  commented,
  computed,
  integer,
  identified,
  many,
  organized,
  resource,
  secret,
  singleton,
  text,
} from '@sallyport/contract'
import type { PermissionName } from '@sallyport/contract'
import { eq, sql } from 'drizzle-orm'
import { integer as int, pgTable, primaryKey, text as varchar, uuid } from 'drizzle-orm/pg-core'
import { beforeAll, expect, it } from 'vitest'
import { startTestServer, testSecrets } from '../testing/http.ts'
import { createTestDatabase } from '../testing/index.ts'
import { serve } from './binding.ts'
import { org, system } from './rows.ts'
import { serveOneOf } from './singleton.ts'

const hands = pgTable('hands', { id: uuid().primaryKey().defaultRandom(), name: varchar().notNull() })
const crates = pgTable('crates', {
  id: uuid().primaryKey().defaultRandom(),
  name: varchar().notNull(),
  key: varchar(),
  moves: int().notNull().default(0),
  comment: varchar().notNull().default(''),
  org_id: uuid().notNull(),
})
const crateHands = pgTable(
  'crate_hands',
  { crate_id: uuid().notNull(), hand_id: uuid().notNull() },
  (table) => [primaryKey({ columns: [table.crate_id, table.hand_id] })],
)
const Crate = resource({
  app: 'tests',
  model: 'crate',
  bulk: true,
  path: 'tests/crates',
  scope: 'org',
  order: ['name'],
  fields: {
    ...identified,
    name: text({ max: 20, required: true }),
    key: secret(),
    moves: computed(integer()),
    hands: many('tests.hand', ['id', 'name']),
    ...commented,
    ...organized,
  },
})
const rules = pgTable('rules', { id: uuid().primaryKey(), sentence: varchar().notNull() })
const change = 'tests.change_rule' as PermissionName
const Rule = singleton({
  app: 'tests',
  model: 'rule',
  path: 'tests/rule',
  access: { read: 'valid_user', update: change },
  fields: { sentence: text({ max: 99, required: true }) },
})

const database = await createTestDatabase()
let app: Awaited<ReturnType<typeof startTestServer>>
const hand = '7d1c0000-0000-4000-8000-0000000000aa'
const ruleId = '7d1c0000-0000-4000-8000-0000000000bb'

beforeAll(async () => {
  await database.pool.query(`
    create table hands (id uuid primary key, name text not null);
    create table crates (id uuid primary key default gen_random_uuid(), name text not null, key text, moves int not null default 0,
      comment text not null default '', org_id uuid not null);
    create table crate_hands (crate_id uuid not null references crates on delete cascade, hand_id uuid not null, primary key (crate_id, hand_id));
    create table rules (id uuid primary key, sentence text not null);
    insert into hands values ('${hand}', 'Ann');
    insert into rules values ('${ruleId}', 'Knock first')`)
  app = await startTestServer(database, [
    {
      name: 'tests',
      resources: [
        serve(Crate, {
          table: crates,
          rows: org(crates.org_id),
          relations: {
            hands: {
              link: crateHands,
              from: crateHands.crate_id,
              to: crateHands.hand_id,
              target: { table: hands, rows: system },
            },
          },
        }),
      ],
      singletons: [serveOneOf(Rule, testSecrets, { table: rules, row: () => eq(rules.id, ruleId) })],
      onRecord: () => Promise.resolve(),
    },
  ])
})

type Answer = Record<string, unknown>
const send = async (
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  url: string,
  payload?: object,
  version?: string,
) => {
  const answer = await app.inject({
    method,
    url: `/api/v1/tests/${url}`,
    headers: {
      authorization: 'Test ann *',
      'accept-language': 'en',
      ...(version && { 'if-match': version }),
    },
    ...(payload && { payload }),
  })
  return {
    status: answer.statusCode,
    version: String(answer.headers['etag']),
    body: answer.body === '' ? {} : answer.json<Answer>(),
  }
}
const crate = async (name: string) => {
  const { body } = await send('POST', 'crates/', { name, key: 'letmein' })
  return `crates/${String(body['id'])}/`
}

it('answers who changes a row that somebody else has changed meanwhile with the row as it is now', async () => {
  const path = await crate('Tea')
  const read = await send('GET', path)
  expect(await send('PATCH', path, { comment: 'Theirs' }, read.version)).toMatchObject({ status: 200 })
  const late = await send('PUT', path, { name: 'Tea', comment: 'Mine', key: 'hidden' }, read.version)
  expect(late).toMatchObject({
    status: 409,
    body: {
      code: 'changed_meanwhile',
      detail: 'Somebody else has changed this meanwhile. Look at both versions before you save.',
      current: { name: 'Tea', comment: 'Theirs' },
    },
  })
  expect(JSON.stringify(late.body)).not.toMatch(/letmein|hidden|key/)
  expect((await send('GET', path)).body).toMatchObject({ comment: 'Theirs' })
})

it('goes on with the version it has read again, or that a change was answered with', async () => {
  const path = await crate('Rice')
  const { version } = await send('GET', path)
  const first = await send('PATCH', path, { comment: 'one' }, version)
  const second = await send('PATCH', path, { comment: 'two' }, `W/${first.version}`)
  expect(second.status).toBe(200)
  expect((await send('GET', path)).version).toBe(second.version)
})

it('knows related rows that others have added', async () => {
  const path = await crate('Salt')
  const { version } = await send('GET', path)
  await send('PATCH', path, { hands: [hand] })
  expect(await send('PATCH', path, { hands: [] }, version)).toMatchObject({
    status: 409,
    body: { current: { hands: [{ id: hand, name: 'Ann' }] } },
  })
})

it('is the same version whatever the server alone has changed, and in whatever words it is read', async () => {
  const path = await crate('Wine')
  const { version } = await send('GET', path)
  await database.db.update(crates).set({ moves: sql`moves + 1` })
  expect((await send('PATCH', path, { comment: 'moved' }, version)).status).toBe(200)
})

it('lets those write over each other who say no version, as in the compatible system', async () => {
  const path = await crate('Silk')
  await send('PATCH', path, { comment: 'one' })
  expect((await send('PUT', path, { name: 'Silk', comment: 'two' })).status).toBe(200)
  expect((await send('PUT', path, { name: 'Silk', comment: 'three' }, '*')).status).toBe(200)
})

it('tells of two who change a resource of one row', async () => {
  const { version } = await send('GET', 'rule/')
  expect((await send('PATCH', 'rule/', { sentence: 'Ring first' }, version)).status).toBe(200)
  expect(await send('PATCH', 'rule/', { sentence: 'Shout first' }, version)).toMatchObject({
    status: 409,
    body: { current: { sentence: 'Ring first' } },
  })
})

it('takes a list of versions, one of which is the row as it is', async () => {
  const path = await crate('Oats')
  const old = await send('GET', path)
  const { version } = await send('PATCH', path, { comment: 'one' })
  expect((await send('PATCH', path, { comment: 'two' }, `${old.version}, "another"`)).status).toBe(409)
  expect((await send('PATCH', path, { comment: 'two' }, `${old.version}, W/${version}`)).status).toBe(200)
})

it('deletes no other version than the one that was read, and changes none of several rows', async () => {
  const path = await crate('Beer')
  const { version, body } = await send('GET', path)
  const id = String(body['id'])
  const now = await send('PATCH', path, { comment: 'one' })
  const told = { status: 409, body: { current: { comment: 'one' } } }
  expect(await send('DELETE', path, undefined, version)).toMatchObject(told)
  expect(await send('DELETE', `crates/?ids=${id}`, undefined, version)).toMatchObject(told)
  const other = await send('GET', await crate('Malt'))
  const both = [
    { id, comment: 'two' },
    { id: other.body['id'], comment: 'two' },
  ]
  expect(await send('PATCH', 'crates/', both, `${version}, ${other.version}`)).toMatchObject(told)
  expect((await send('PATCH', 'crates/', both, `${now.version}, ${other.version}`)).status).toBe(200)
  const last = await send('GET', path)
  expect((await send('DELETE', path, undefined, last.version)).status).toBe(204)
})
