/** Declared calls (architecture: "Calls are declared too"), on a small resource and a service of this test. */
import {
  answer,
  commented,
  defaultOrgId,
  identified,
  ids,
  integer,
  onList,
  onRow,
  organized,
  type PermissionName,
  resource,
  secret,
  service,
  text,
} from '@sallyport/contract'
import { eq, sql } from 'drizzle-orm'
import { pgTable, text as varchar, uuid } from 'drizzle-orm/pg-core'
import { beforeAll, expect, it } from 'vitest'
import { transactionHere } from '../database/index.ts'
import type { DomainEvent } from '../events.ts'
import { otherOrgId, startTestServer, testSecrets } from '../testing/http.ts'
import { createTestDatabase } from '../testing/index.ts'
import { narrowed, serve, showing } from './binding.ts'
import { provide } from './calls.ts'
import { org } from './rows.ts'
import { createRow } from './write.ts'

const lamps = pgTable('lamps', {
  id: uuid().primaryKey().defaultRandom(),
  name: varchar().notNull(),
  colour: varchar(),
  comment: varchar().notNull().default(''),
  org_id: uuid().notNull(),
})
/** Permissions of this test's own. */
const may = (name: string) => name as PermissionName

const Lamp = resource({
  app: 'tests',
  model: 'lamp',
  path: 'tests/lamps',
  scope: 'org',
  order: ['name'],
  fields: {
    ...identified,
    name: text({ max: 20, required: true, search: true }),
    colour: text({ max: 20, nullable: true }),
    ...commented,
    ...organized,
  },
  calls: {
    paint: onRow({
      method: ['PATCH', 'PUT'],
      path: 'paint',
      access: may('tests.change_lamp'),
      body: { colour: text({ max: 5, required: true }), key: secret() },
      answer: answer.row,
      records: 'update',
    }),
    forget: onRow({ method: 'POST', path: 'forget', access: may('tests.change_lamp'), records: 'changes' }),
    open: onRow({
      method: 'GET',
      path: 'open',
      access: may('tests.view_lamp'),
      confirm: 'mfa',
      answer: answer.json<string>(),
      records: 'view',
    }),
    count: onList({
      method: 'POST',
      path: 'count',
      access: 'valid_user',
      body: ids({ maxItems: 2 }),
      answer: answer.object({ count: integer() }),
      reads: true,
    }),
    dim: onList({
      method: 'POST',
      path: 'dim',
      access: 'valid_user',
      body: { lamps: ids(), note: text({ verbatim: true }) },
      listAs: 'lamps',
      answer: answer.json<{ lamps: string[]; note: string | null }>(),
      reads: true,
    }),
    /** Makes another. */
    copy: onRow({
      method: 'POST',
      path: 'copy',
      access: may('tests.add_lamp'),
      body: { name: text({ max: 20, required: true }) },
      answer: answer.row,
      status: 201,
      records: 'changes',
    }),
    shades: onList({
      method: 'GET',
      path: 'shades',
      access: may('tests.view_lamp'),
      answer: answer.list({ shade: text(), size: integer() }),
    }),
    red: onList({
      method: 'GET',
      path: 'colours/{colour}',
      access: may('tests.view_lamp'),
      answer: answer.rows,
    }),
    /** Their names alone. */
    names: onList({ method: 'GET', path: 'names', access: 'valid_user', answer: answer.rows }),
  },
})
const Weather = service({
  app: 'tests',
  model: 'weather',
  path: 'tests/weather',
  calls: {
    today: onList({
      method: 'GET',
      path: 'today',
      access: 'public',
      query: { days: integer({ min: 1, max: 7 }) },
      answer: answer.object({ days: integer() }),
    }),
  },
})

let keySeen: string | undefined
/** What a painted lamp was like when the work began. */
const coloursFound: (string | null)[] = []
const lampServed = serve(Lamp, {
  table: lamps,
  rows: org(lamps.org_id),
  searches: [sql`${lamps.colour}`],
  calls: {
    paint: async (ctx, { row, body }) => {
      keySeen = body.key
      coloursFound.push(row.colour)
      await ctx.db.update(lamps).set({ colour: body.colour }).where(eq(lamps.id, row.id))
    },
    forget: async (ctx, { row }) => {
      await ctx.db.update(lamps).set({ colour: null }).where(eq(lamps.id, row.id))
    },
    open: () => Promise.resolve('inside'),
    count: (_ctx, { body }) => Promise.resolve({ count: body.length }),
    copy: (ctx, { served, body }) => createRow({ served, ctx, secrets: testSecrets }, body),
    dim: (_ctx, { body: { lamps: named = [], note = null } }) => {
      expect(transactionHere()).toBeUndefined()
      return Promise.resolve({ lamps: named, note })
    },
    shades: () => Promise.resolve(['flat', 'round', 'tall'].map((shade, size) => ({ shade, size }))),
    red: (_ctx, { parameters, served }) =>
      Promise.resolve({ served: narrowed(served, eq(lamps.colour, parameters.colour)) }),
    names: (_ctx, { served }) => Promise.resolve({ served: showing(served, ['id', 'name']) }),
  },
})

const seen: DomainEvent[] = []
const database = await createTestDatabase()
let app: Awaited<ReturnType<typeof startTestServer>>
const lamp = '7d1c0000-0000-4000-8000-0000000000aa'
const foreign = '7d1c0000-0000-4000-8000-0000000000bb'

beforeAll(async () => {
  await database.pool.query(`
    create table lamps (id uuid primary key default gen_random_uuid(), name text not null, colour text,
      comment text not null default '', org_id uuid not null);
    insert into lamps values ('${lamp}', 'Desk', 'grey', '', '${defaultOrgId}'), ('${foreign}', 'Far', 'grey', '', '${otherOrgId}');`)
  app = await startTestServer(database, [
    {
      name: 'tests',
      resources: [lampServed],
      services: [
        provide(Weather, { today: (_ctx, { query }) => Promise.resolve({ days: query.days ?? 1 }) }),
      ],
      onRecord: (_ctx, events) => {
        seen.push(...events)
        return Promise.resolve()
      },
    },
  ])
})

const call = (method: 'GET' | 'POST' | 'PATCH' | 'PUT', path: string, payload?: object, rights = '*') =>
  app.inject({
    method,
    url: `/api/v1/tests/${path}`,
    headers: { authorization: `Test ann ${rights}` },
    ...(payload ? { payload } : {}),
  })
const colour = async () => {
  const found = await database.db.execute<{ colour: string | null }>(
    sql`select colour from lamps where id = ${lamp}`,
  )
  return found.rows[0]?.colour
}

it('changes the row, answers it as it is now, and leaves one record with what differs', async () => {
  seen.length = 0
  const answered = await call('PATCH', `lamps/${lamp}/paint/`, { colour: 'red', key: 'envelope:door' })
  expect(answered.statusCode).toBe(200)
  expect(answered.json()).toMatchObject({ id: lamp, colour: 'red' })
  expect(keySeen).toBe('door')
  expect(seen).toMatchObject([
    {
      type: 'called',
      action: 'update',
      call: 'paint',
      id: lamp,
      before: { colour: 'grey' },
      after: { colour: 'red' },
    },
  ])
  expect((await call('PUT', `lamps/${lamp}/paint/`, { colour: 'blue' })).json()).toMatchObject({
    colour: 'blue',
  })
})

it('does one after the other what two do to the same row at once: the second finds what the first has done', async () => {
  await call('PATCH', `lamps/${lamp}/paint/`, { colour: 'grey' })
  seen.length = 0
  coloursFound.length = 0
  const waiting = async () =>
    (await database.pool.query(`select from pg_stat_activity where wait_event_type = 'Lock'`)).rowCount
  const holder = await database.pool.connect()
  await holder.query('begin')
  await holder.query(`select from lamps where id = '${lamp}' for update`)
  const both = ['red', 'blue'].map((colour) => call('PATCH', `lamps/${lamp}/paint/`, { colour }))
  await expect.poll(waiting).toBe(2)
  await holder.query('commit')
  holder.release()
  expect((await Promise.all(both)).map(({ statusCode }) => statusCode)).toEqual([200, 200])
  const last = await colour()
  const first = last === 'red' ? 'blue' : 'red'
  expect(coloursFound).toEqual(['grey', first])
  expect(seen).toMatchObject([
    { before: { colour: 'grey' }, after: { colour: first } },
    { before: { colour: first }, after: { colour: last } },
  ])
})

it('tells what is wrong with a body by field, and does nothing', async () => {
  const before = await colour()
  const answered = await call('PATCH', `lamps/${lamp}/paint/`, { colour: 'crimson' })
  expect(answered.statusCode).toBe(400)
  expect(answered.json()).toHaveProperty('colour')
  expect((await call('PATCH', `lamps/${lamp}/paint/`)).json()).toHaveProperty('colour')
  expect(await colour()).toBe(before)
})

it('does not find rows of another organization, and admits holders of the permission only', async () => {
  expect((await call('PATCH', `lamps/${foreign}/paint/`, { colour: 'red' })).statusCode).toBe(404)
  expect((await call('PATCH', `lamps/${lamp}/paint/`, { colour: 'red' }, 'tests.view_lamp')).statusCode).toBe(
    403,
  )
  expect((await app.inject({ method: 'PATCH', url: `/api/v1/tests/lamps/${lamp}/paint/` })).statusCode).toBe(
    401,
  )
})

it('undoes a change that leaves no record', async () => {
  await call('PATCH', `lamps/${lamp}/paint/`, { colour: 'green' })
  expect((await call('POST', `lamps/${lamp}/forget/`)).statusCode).toBe(500)
  expect(await colour()).toBe('green')
})

it('asks who it is before what needs a confirmation', async () => {
  const answered = await call('GET', `lamps/${lamp}/open/`)
  expect([answered.statusCode, answered.json()]).toMatchObject([400, { code: 'confirm_required' }])
})

it('takes a bare list as a body, within its bound', async () => {
  expect((await call('POST', 'lamps/count/', [lamp])).json()).toEqual({ count: 1 })
  expect((await call('POST', 'lamps/count/', [lamp, foreign, lamp])).statusCode).toBe(400)
  expect((await call('POST', 'lamps/count/', ['no id'])).statusCode).toBe(400)
})

it('answers a list of rows with paging, search, and metadata', async () => {
  await call('PATCH', `lamps/${lamp}/paint/`, { colour: 'red' })
  expect((await call('GET', 'lamps/colours/red/?limit=5&search=de')).json()).toMatchObject({
    count: 1,
    results: [{ id: lamp }],
  })
  expect((await call('GET', 'lamps/colours/blue/')).json()).toEqual([])
})

it('finds no row by what a list of fewer fields leaves out', async () => {
  await call('PATCH', `lamps/${lamp}/paint/`, { colour: 'rosy' })
  const found = async (path: string) => (await call('GET', `lamps/${path}`)).json<unknown[]>()
  expect(await found('?search=rosy')).toHaveLength(1)
  expect(await found('names/?search=rosy')).toEqual([])
  expect(await found('names/?search=desk')).toEqual([{ id: lamp, name: 'Desk' }])
})

it('answers the row a call made, instead of the one it was made from, with the fields asked for', async () => {
  const made = await call('POST', `lamps/${lamp}/copy/?fields=name`, { name: 'Second' })
  expect([made.statusCode, made.json()]).toEqual([201, { name: 'Second' }])
})

it('pages a list that is no table, as other lists are', async () => {
  expect((await call('GET', 'lamps/shades/')).json()).toHaveLength(3)
  const page = (await call('GET', 'lamps/shades/?limit=2&offset=1')).json<Record<string, unknown>>()
  expect(page).toMatchObject({ count: 3, next: null, results: [{ shade: 'round' }, { shade: 'tall' }] })
  expect(page['previous']).toContain('/api/v1/tests/lamps/shades/?limit=2')
})

it('pages lists that calls answer in the other dialect, too', async () => {
  await call('PATCH', `lamps/${lamp}/paint/`, { colour: 'green' })
  const of = async (path: string) => (await call('GET', `lamps/${path}`)).json<unknown>()
  expect(await of('shades/?page=2&size=2')).toEqual({
    payload: { content: [{ shade: 'tall', size: 2 }], totalElements: 3 },
  })
  expect(await of('colours/green/?page=1&size=5')).toMatchObject({
    payload: { content: [{ id: lamp }], totalElements: 1 },
  })
  expect((await call('GET', 'lamps/shades/?page=0&size=5')).statusCode).toBe(400)
})

it('describes every address by OPTIONS: a list by its rows, a call by what it takes', async () => {
  const options = async (path: string) =>
    (
      await app.inject({
        method: 'OPTIONS',
        url: `/api/v1/tests/${path}`,
        headers: { authorization: 'Test ann' },
      })
    ).json<{ actions: Record<string, Record<string, { max_length?: number }>> }>().actions
  expect((await options('lamps/colours/red/'))['GET']).toHaveProperty('colour')
  expect(Object.keys((await options('lamps/shades/'))['GET'] ?? {})).toEqual(['shade', 'size'])
  expect(Object.keys(await options('lamps/colours/red/'))).toEqual(['GET'])
  const paint = await options(`lamps/${lamp}/paint/`)
  expect(Object.keys(paint).sort()).toEqual(['PATCH', 'PUT'])
  for (const taken of Object.values(paint)) expect(taken['colour']?.max_length).toBe(5)
  expect(await options(`lamps/${lamp}/forget/`)).toEqual({ POST: {} })
})

it('serves calls that belong to no rows, their query parsed', async () => {
  expect((await call('GET', 'weather/today/?days=3')).json()).toEqual({ days: 3 })
  for (const blank of ['', '%20'])
    expect((await call('GET', `weather/today/?days=${blank}`)).json()).toEqual({ days: 1 })
  expect((await call('GET', 'weather/today/?days=9')).statusCode).toBe(400)
  expect((await call('GET', 'weather/today/?days=3&days=4')).json()).toHaveProperty('days')
})

it('tells every call in the OpenAPI document', async () => {
  const document = (
    await app.inject({ url: '/api/swagger.json', headers: { authorization: 'Test ann *' } })
  ).json<{
    paths: Record<string, Record<string, { operationId: string; parameters: { name: string }[] }>>
  }>()
  expect(document.paths['/api/v1/tests/lamps/{id}/paint/']).toMatchObject({
    patch: { operationId: 'tests_lamp_paint' },
    put: { operationId: 'tests_lamp_paint_put' },
  })
  expect(document.paths).toHaveProperty('/api/v1/tests/weather/today/')
  const asked = document.paths['/api/v1/tests/lamps/colours/{colour}/']?.['get']?.parameters
  expect(asked?.map(({ name }) => name)).toEqual(expect.arrayContaining(['colour', 'limit', 'search', 'id']))
})

it('does not start where a call is not carried out, or writes without saying what it leaves in the books', async () => {
  const unsaid = resource({
    app: 'tests',
    model: 'lamp',
    path: 'tests/lamps',
    scope: 'org',
    order: ['name'],
    fields: Lamp.fields,
    calls: { dim: onRow({ method: 'POST', path: 'dim', access: may('tests.change_lamp') }) },
  })
  const started = startTestServer(database, [
    {
      name: 'tests',
      resources: [
        serve(unsaid, {
          table: lamps,
          rows: org(lamps.org_id),
          calls: { dim: () => Promise.resolve() },
        }),
      ],
    },
  ])
  await expect(started).rejects.toThrow('tests.lamp.dim writes, but does not say')
})

it('takes a bare list for the field it stands for, and keeps what a machine wrote as it is', async () => {
  expect((await call('POST', 'lamps/dim/', [lamp])).json()).toEqual({ lamps: [lamp], note: null })
  const note = '  two\tspaces\u0000\n'
  expect((await call('POST', 'lamps/dim/', { lamps: [lamp], note })).json()).toEqual({
    lamps: [lamp],
    note: '  two\tspaces\n',
  })
})
