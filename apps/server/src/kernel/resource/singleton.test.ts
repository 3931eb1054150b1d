/** Resources of exactly one row: one that is a table's row, and one that is kept elsewhere. */
import {
  answer,
  boolean,
  identified,
  integer,
  object,
  one,
  onOne,
  type PermissionName,
  secret,
  singleton,
  text,
  value,
} from '@sallyport/contract'
import { eq } from 'drizzle-orm'
import { jsonb, pgTable, text as varchar, uuid } from 'drizzle-orm/pg-core'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { DomainEvent } from '../events.ts'
import { startTestServer, testSecrets } from '../testing/http.ts'
import { createTestDatabase } from '../testing/index.ts'
import { own as ownRows } from './rows.ts'
import { changeOne, serveOne, serveOneOf } from './singleton.ts'

/** Of the caller of these tests. */
const own = '7d1c0000-0000-4000-8000-000000000001'
const desks = pgTable('desks', {
  id: uuid().primaryKey().defaultRandom(),
  name: varchar().notNull(),
  colour: varchar(),
  code: varchar(),
})
const change = 'tests.change_desk' as PermissionName
const Desk = singleton({
  app: 'tests',
  model: 'desk',
  path: 'tests/desk',
  access: { read: 'valid_user', update: change },
  fields: {
    ...identified,
    name: text({ max: 10, required: true }),
    colour: text({ max: 10, nullable: true }),
    code: secret({ nullable: true }),
    view: value<string>(),
  },
  calls: {
    tidy: onOne({
      method: ['POST', 'PUT'],
      path: 'tidy',
      access: change,
      body: { colour: text({ max: 10, required: true }) },
      answer: answer.row,
      records: 'update',
    }),
  },
})
/** Everybody has one. */
const badges = pgTable('badges', {
  id: uuid().primaryKey().defaultRandom(),
  owner: varchar().notNull().unique(),
  colour: varchar().notNull(),
  print: jsonb().notNull(),
})
const Badge = singleton({
  app: 'tests',
  model: 'badge',
  path: 'tests/badge',
  access: { read: 'valid_user', update: 'valid_user' },
  fields: {
    colour: text({ max: 10, default: 'white' }),
    print: object({ size: integer({ default: 12 }), font: text({ max: 20 }) }, { default: {} }),
  },
})
const Notice = singleton({
  app: 'tests',
  model: 'notice',
  path: 'tests/notice',
  access: { read: 'public' },
  fields: { open: boolean(), at: text() },
})

const seen: DomainEvent[] = []
const database = await createTestDatabase()
let app: Awaited<ReturnType<typeof startTestServer>>

beforeAll(async () => {
  await database.pool.query(
    `create table desks (id uuid primary key default gen_random_uuid(), name text not null, colour text, code text);
     create table badges (id uuid primary key default gen_random_uuid(), owner text not null unique, colour text not null, print jsonb not null)`,
  )
  app = await startTestServer(database, [
    {
      name: 'tests',
      singletons: [
        serveOneOf(Desk, testSecrets, {
          table: desks,
          row: () => eq(desks.id, own),
          shown: { view: (_ctx, row) => `of a ${String(row.colour)} desk` },
          calls: {
            tidy: async (ctx, { served, body }) => {
              await changeOne(served, ctx, 'patch', body)
            },
          },
        }),
        serveOneOf(Badge, testSecrets, { table: badges, row: ownRows(badges.owner, 'username') }),
        serveOne(Notice, { read: () => Promise.resolve({ open: true, at: 'the door' }) }),
      ],
      onRecord: (_ctx, events) => {
        seen.push(...events)
        return Promise.resolve()
      },
    },
  ])
})
beforeEach(async () => {
  await database.db.delete(desks)
  await database.db.insert(desks).values({ id: own, name: 'Oak', colour: 'brown', code: 'sealed:b2xk' })
  seen.length = 0
})

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
const send = async (
  method: Method,
  path: string,
  payload?: object,
  rights: string | null = '*',
  person = 'ann',
) => {
  const answered = await app.inject({
    method,
    url: `/api/v1/tests/${path}`,
    headers: rights === null ? {} : { authorization: `Test ${person} ${rights}` },
    ...(payload ? { payload } : {}),
  })
  return {
    status: answered.statusCode,
    body: answered.body === '' ? undefined : answered.json<Record<string, unknown>>(),
  }
}

it('is read at its address, without an id, with what is shown besides', async () => {
  expect(await send('GET', 'desk/')).toEqual({
    status: 200,
    body: { id: own, name: 'Oak', colour: 'brown', view: 'of a brown desk' },
  })
  expect((await send('GET', `desk/${own}/`)).status).toBe(404)
})

it('takes a part with PATCH and the whole with PUT, and records what differs', async () => {
  expect((await send('PATCH', 'desk/', { colour: 'red', code: 'envelope:new' })).body).toMatchObject({
    name: 'Oak',
    colour: 'red',
    view: 'of a red desk',
  })
  expect(seen).toMatchObject([
    {
      type: 'updated',
      id: own,
      before: { colour: 'brown' },
      after: { colour: 'red', code: 'sealed:bmV3' },
      secrets: ['code'],
    },
  ])
  expect((await send('PUT', 'desk/', { colour: 'red' })).body).toHaveProperty('name')
  expect((await send('PATCH', 'desk/', { name: 'far too long a name' })).status).toBe(400)
  expect((await send('PUT', 'desk/', { name: 'Elm' })).body).toMatchObject({ name: 'Elm', colour: 'red' })
})

it('keeps what others change at the same time', async () => {
  const changes = [{ name: 'Elm' }, { colour: 'blue' }, { code: 'key' }]
  const answers = await Promise.all(changes.map((change) => send('PATCH', 'desk/', change)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect((await send('GET', 'desk/')).body).toMatchObject({ name: 'Elm', colour: 'blue' })
})

it('is there for everybody who has one, from the first time it is asked for', async () => {
  const white = { status: 200, body: { colour: 'white' } }
  const asked = await Promise.all([1, 2, 3].map(() => send('GET', 'badge/', undefined, '', 'ben')))
  expect(asked).toMatchObject([white, white, white])
  // Changed before it was ever looked at.
  expect(await send('PUT', 'badge/', { colour: 'red' }, '', 'cleo')).toMatchObject({
    body: { colour: 'red' },
  })
  expect(seen).toMatchObject([{ type: 'updated', before: { colour: 'white' }, after: { colour: 'red' } }])
  expect(await send('GET', 'badge/', undefined, '', 'ben')).toMatchObject(white)
  expect(await database.db.select().from(badges)).toHaveLength(2)
})

it('does not start where somebody could have two, or nothing is known to begin with', () => {
  const start = (table: typeof badges) => () =>
    serveOneOf(Badge, testSecrets, { table, row: ownRows(table.owner) })
  const columns = { id: uuid().primaryKey(), print: jsonb(), colour: varchar().notNull() }
  expect(start(pgTable('badges', { ...columns, owner: varchar().notNull() }) as never)).toThrow(
    'tests.badge: owner is not unique',
  )
  const bigger = { ...columns, owner: varchar().notNull().unique(), size: varchar().notNull() }
  expect(start(pgTable('badges', bigger) as never)).toThrow('cannot be made, as id has no default')
  const other = { ...columns, id: uuid().primaryKey().defaultRandom(), owner: varchar().unique() }
  const { colour: _colour, ...without } = other
  expect(start(pgTable('badges', without) as never)).toThrow('the field colour is no column of badges')
})

it('does not compile where a field of a row that is no table’s is not answered', () => {
  // @ts-expect-error `at` is missing
  serveOne(Notice, { read: () => Promise.resolve({ open: true }) })
  expect(Object.keys(Notice.fields)).toEqual(['at', 'open'])
})

it('lets in whom the declaration names', async () => {
  expect((await send('GET', 'desk/', undefined, null)).status).toBe(401)
  expect((await send('GET', 'desk/', undefined, '')).status).toBe(200)
  expect((await send('PATCH', 'desk/', {}, '')).status).toBe(403)
  expect((await send('GET', 'notice/', undefined, null)).body).toEqual({ at: 'the door', open: true })
})

it('offers nothing it does not declare', async () => {
  for (const method of ['POST', 'DELETE'] as const) expect((await send(method, 'desk/', {})).status).toBe(405)
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE'] as const)
    expect((await send(method, 'notice/', {})).status).toBe(405)
})

it('carries out calls on its row, recorded with what differs', async () => {
  expect((await send('POST', 'desk/tidy/', { colour: 'white' })).body).toMatchObject({
    colour: 'white',
    view: 'of a white desk',
  })
  expect(seen).toMatchObject([
    { type: 'updated' },
    { type: 'called', call: 'tidy', before: { colour: 'brown' }, after: { colour: 'white' } },
  ])
  expect((await send('PUT', 'desk/tidy/', { colour: 'a colour too long' })).status).toBe(400)
})

it('describes itself by OPTIONS and in the OpenAPI document', async () => {
  const actions = async (path: string) => (await send('OPTIONS', path)).body?.['actions']
  expect(await actions('desk/')).toMatchObject({
    GET: { name: { max_length: 10 } },
    PUT: { name: { required: true } },
    PATCH: { name: { required: false } },
  })
  expect(Object.keys((await actions('notice/')) as object)).toEqual(['GET'])
  const document = (
    await app.inject({ url: '/api/swagger.json', headers: { authorization: 'Test ann *' } })
  ).json<{ paths: Record<string, object> }>()
  expect(Object.keys(document.paths['/api/v1/tests/desk/'] ?? {})).toEqual(['get', 'put', 'patch'])
  expect(Object.keys(document.paths['/api/v1/tests/notice/'] ?? {})).toEqual(['get'])
  expect(document.paths).toHaveProperty('/api/v1/tests/desk/tidy/')
})

it('an object in it is made with the defaults inside, and a part that is sent leaves the rest', async () => {
  const made = await send('GET', 'badge/', undefined, 'nothing', 'cleo')
  expect(made.body).toMatchObject({ print: { size: 12 } })
  await send('PATCH', 'badge/', { print: { font: 'mono' } }, 'nothing', 'cleo')
  const changed = await send('PATCH', 'badge/', { print: { size: 14 } }, 'nothing', 'cleo')
  expect(changed.body).toMatchObject({ print: { size: 14, font: 'mono' } })
})

it('does not start with a relation people may send: nothing would check what it names', () => {
  const Chair = singleton({
    app: 'tests',
    model: 'chair',
    path: 'tests/chair',
    access: { read: 'valid_user', update: 'valid_user' },
    fields: { seat: object({ owner: one('users.user', ['id', 'name']) }) },
  })
  const read = () => Promise.resolve({ seat: { owner: { id: own, name: 'ann' } } })
  expect(() => serveOne(Chair, { read, store: () => Promise.resolve() })).toThrow(
    'tests.chair: nothing checks or keeps what is sent for the relation owner',
  )
})
