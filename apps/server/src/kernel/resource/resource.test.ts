/** The conventions every resource follows, on two small resources of this test. */
import {
  active,
  choice,
  choices,
  commented,
  created,
  datetime,
  defaultOrgId,
  identified,
  integer,
  many,
  one,
  organized,
  resource,
  rootOrgId,
  secret,
  text,
} from '@sallyport/contract'
import { sql } from 'drizzle-orm'
import {
  boolean,
  integer as int,
  jsonb,
  pgTable,
  text as varchar,
  timestamp,
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { beforeAll, describe, expect, it } from 'vitest'
import type { DomainEvent } from '../events.ts'
import { createTestDatabase } from '../testing/index.ts'
import { otherOrgId, startTestServer } from '../testing/http.ts'
import { serve } from './binding.ts'
import { org, system } from './rows.ts'

const people = pgTable('people', { id: uuid().primaryKey().defaultRandom(), name: varchar().notNull() })
const boxes = pgTable(
  'boxes',
  {
    id: uuid().primaryKey().defaultRandom(),
    name: varchar().notNull(),
    kind: varchar(),
    weight: int(),
    sender: varchar(),
    grade: varchar(),
    key: varchar(),
    comment: varchar().notNull().default(''),
    is_active: boolean().notNull(),
    owner_id: uuid().references(() => people.id),
    org_id: uuid().notNull(),
    meta: jsonb(),
    created_by: varchar(),
    date_created: timestamp({ withTimezone: true }),
    date_due: timestamp({ withTimezone: true }),
  },
  (table) => [unique('boxes_name').on(table.org_id, table.name)],
)
const carriers = pgTable('carriers', { box_id: uuid().notNull(), person_id: uuid().notNull() })

const kinds = choices('yes_no', ['true', 'false'])
const Box = resource({
  app: 'tests',
  model: 'box',
  path: 'tests/boxes',
  scope: 'org',
  order: ['name'],
  mini: ['id', 'name'],
  filters: { heavier: { kind: 'integer' } },
  fields: {
    ...identified,
    name: text({ max: 20, required: true, filter: true, search: true }),
    kind: choice(kinds, { filter: true, nullable: true }),
    weight: integer({ min: 1, max: 100, nullable: true }),
    sender: text({ max: 30, nullable: true, filter: 'contained', order: false }),
    grade: text({ max: 9, nullable: true, filter: 'contained', search: true, order: false }),
    key: secret({ max: 30 }),
    owner: one('tests.person', ['id', 'name'], { nullable: true, filter: true }),
    carriers: many('tests.person', ['id', 'name']),
    ...commented,
    ...organized,
    ...active,
    ...created,
    date_due: datetime({ nullable: true }),
  },
})

/** What codes are read as. */
const grades: Readonly<Record<string, string>> = { a: 'heavy duty', b: 'light duty' }
const seen: DomainEvent[] = []
const person = { table: people, rows: system }
const domain = {
  name: 'tests',
  resources: [
    serve(Box, {
      table: boxes,
      rows: org(boxes.org_id),
      relations: {
        owner: person,
        carriers: { link: carriers, from: carriers.box_id, to: carriers.person_id, target: person },
      },
      filters: { heavier: (value) => sql`${boxes.weight} > ${Number(value)}` },
      codes: { grade: (text) => Object.keys(grades).filter((code) => grades[code]?.includes(text)) },
    }),
  ],
  onRecord: (_ctx: unknown, events: readonly DomainEvent[]) => {
    seen.push(...events)
    return Promise.resolve()
  },
}

const database = await createTestDatabase()
let app: Awaited<ReturnType<typeof startTestServer>>
const ann = '7d1c0000-0000-4000-8000-0000000000aa'
const bob = '7d1c0000-0000-4000-8000-0000000000bb'

beforeAll(async () => {
  await database.pool.query(`
    create table people (id uuid primary key, name text not null);
    create table boxes (id uuid primary key default gen_random_uuid(), name text not null, kind text, weight int, sender text, grade text, key text,
      comment text not null default '', is_active boolean not null, owner_id uuid references people, org_id uuid not null, meta jsonb,
      created_by text, date_created timestamptz, date_due timestamptz, constraint boxes_name unique (org_id, name));
    create table carriers (box_id uuid not null references boxes on delete cascade, person_id uuid not null, primary key (box_id, person_id));
    create table shelves (id uuid primary key, box_id uuid references boxes);
    insert into people values ('${ann}', 'Ann'), ('${bob}', 'Bob');`)
  app = await startTestServer(database, [domain])
})

const all = 'tests.view_box tests.add_box tests.change_box tests.delete_box'
async function call(
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS',
  url: string,
  body?: unknown,
  given: { as?: string | undefined; org?: string; language?: string; zone?: string } = {},
) {
  const as = 'as' in given ? given.as : `ann ${all}`
  const answer = await app.inject({
    method,
    url: `/api/v1/tests/boxes/${url}`,
    headers: {
      ...(as === undefined ? {} : { authorization: `Test ${as}` }),
      ...(given.org ? { 'x-jms-org': given.org } : {}),
      'accept-language': given.language ?? 'en',
      'x-tz': given.zone ?? 'Europe/Berlin',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
  })
  return {
    status: answer.statusCode,
    body: answer.body === '' ? undefined : answer.json<Answer>(),
  }
}
type Answer = Record<string, never> & { results: Answer[]; id: string; [index: number]: Answer } & Answer[]
async function make(fields: Record<string, unknown>, given: { org?: string } = {}) {
  const made = await call('POST', '', fields, given)
  expect(made).toMatchObject({ status: 201 })
  return made.body?.id ?? ''
}

describe('deleting at one address', () => {
  it('takes several ids joined by commas, all of them or none', async () => {
    const [one, two] = [await make({ name: 'comma-1' }), await make({ name: 'comma-2' })]
    expect((await call('DELETE', `${one},${ann}/`)).status).toBe(404)
    expect((await call('DELETE', `${one},${two},${one}/`)).status).toBe(204)
    expect((await call('GET', `${one}/`)).status).toBe(404)
    expect((await call('GET', `${two}/`)).status).toBe(404)
    expect((await call('DELETE', ',/')).status).toBe(404)
  })
})

describe('writing', () => {
  it('creates a row and answers it as it is read', async () => {
    const made = await call('POST', '', {
      name: ' first ',
      kind: { value: 'true' },
      weight: '7',
      key: 'envelope:opened',
      owner: { pk: ann },
      carriers: [bob, { id: ann }],
      date_due: '2026/07/01 12:00:00',
      created_by: 'somebody else',
      unknown_field: 1,
    })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({
      name: 'first',
      kind: { value: 'true', label: 'Yes' },
      weight: 7,
      owner: { id: ann, name: 'Ann' },
      carriers: [
        { id: ann, name: 'Ann' },
        { id: bob, name: 'Bob' },
      ],
      created_by: 'ann',
      is_active: true,
      org_id: defaultOrgId,
      org_name: 'org 2',
      date_due: '2026/07/01 12:00:00 +0200',
    })
    expect(made.body).not.toHaveProperty('key')
    const { rows } = await database.pool.query('select key from boxes where name = $1', ['first'])
    expect(rows[0].key).toBe(`sealed:${Buffer.from('opened').toString('base64')}`)
  })

  it('gives a new row an id of its own, whatever the caller calls it', async () => {
    const wanted = '7d1c0000-0000-4000-8000-0000000000ee'
    const id = await make({ id: wanted, name: 'named by the caller' })
    expect(id).not.toBe(wanted)
    expect((await call('GET', `${wanted}/`)).status).toBe(404)
  })

  it.each(['0001', '0044', '9999'])('keeps and answers a date of the year %s as it is', async (year) => {
    const zone = 'UTC'
    const date_due = `${year}/06/01 12:00:00 +0000`
    const made = await call('POST', '', { name: `in ${year}`, date_due }, { zone })
    expect(made).toMatchObject({ status: 201, body: { date_due } })
    const listed = await call('GET', `?search=${year}`, undefined, { zone })
    expect(listed.body).toMatchObject([{ date_due }])
    const sent = `${year}-06-01T12:00:00Z`
    expect(await call('PATCH', `${made.body?.id}/`, { date_due: sent }, { zone })).toMatchObject({
      status: 200,
      body: { date_due },
    })
  })

  it('puts plain fields first, then booleans, then dates', async () => {
    const id = await make({ name: 'ordered' })
    const { body } = await call('GET', `${id}/`)
    const names = Object.keys(body ?? {})
    expect(names.indexOf('is_active')).toBeGreaterThan(names.indexOf('org_name'))
    expect(names.indexOf('date_created')).toBeGreaterThan(names.indexOf('is_active'))
  })

  it('tells every field what is wrong, in the language of the caller', async () => {
    const bad = {
      name: 'x'.repeat(21),
      kind: 'maybe',
      weight: 101,
      owner: '7d1c0000-0000-4000-8000-0000000000ff',
      date_due: 'soon',
    }
    expect(await call('POST', '', bad)).toEqual({
      status: 400,
      body: {
        name: ['Ensure this field has no more than 20 characters.'],
        kind: ['"maybe" is not a valid choice.'],
        weight: ['Ensure this value is less than or equal to 100.'],
        date_due: ['Datetime has wrong format. Use for example 2026/03/20 10:11:12 +0800.'],
      },
    })
    expect(await call('POST', '', { name: 'y', owner: '7d1c0000-0000-4000-8000-0000000000ff' })).toEqual({
      status: 400,
      body: { owner: ['Invalid pk "7d1c0000-0000-4000-8000-0000000000ff" - object does not exist.'] },
    })
    expect((await call('POST', '', {}, { language: 'ja' })).body).toEqual({ name: ['この項目は必須です。'] })
    expect((await call('POST', '', { name: ' ' })).body).toEqual({ name: ['This field may not be blank.'] })
    expect((await call('POST', '', { name: 'a\u0000b' })).body).toEqual({
      name: ['Control characters, such as line breaks and tabs, are not allowed.'],
    })
  })

  it('names the fields of a violated uniqueness, but lets another organization use the name', async () => {
    await make({ name: 'once' })
    expect(await call('POST', '', { name: 'once' })).toEqual({
      status: 400,
      body: { name: ['This field must be unique.'] },
    })
    await make({ name: 'once' }, { org: otherOrgId })
  })

  it('replaces with everything required, patches without', async () => {
    const id = await make({ name: 'changing', weight: 5, carriers: [ann] })
    expect((await call('PUT', `${id}/`, { weight: 6 })).body).toEqual({ name: ['This field is required.'] })
    expect((await call('PATCH', `${id}/`, { weight: 6 })).body).toMatchObject({ name: 'changing', weight: 6 })
    expect((await call('PATCH', `${id}/`, { carriers: [] })).body).toMatchObject({ carriers: [] })
    expect((await call('PATCH', id, { comment: 'without the slash' })).status).toBe(200)
  })

  it('changes nothing when one row of several is wrong, and says which', async () => {
    const answer = await call('POST', '', [{ name: 'bulk-a' }, { name: '' }])
    expect(answer).toEqual({ status: 400, body: [{}, { name: ['This field may not be blank.'] }] })
    expect((await call('GET', '?search=bulk-a')).body).toEqual([])
  })

  it('creates, changes and deletes several rows', async () => {
    const made = await call('POST', '', [{ name: 'many-1' }, { name: 'many-2' }])
    expect(made.status).toBe(201)
    const ids = [made.body?.[0]?.id, made.body?.[1]?.id]
    const changed = await call(
      'PATCH',
      '',
      ids.map((id) => ({ id, comment: 'both' })),
    )
    expect(changed).toMatchObject({ status: 200, body: [{ comment: 'both' }, { comment: 'both' }] })
    expect((await call('PATCH', '', [{ comment: 'no id' }])).body).toEqual([['id or pk not in data']])
    expect((await call('DELETE', '')).status).toBe(400)
    expect((await call('DELETE', '?draw=1&display=1')).status).toBe(400)
    // Nothing but commas and blanks names no row: whoever lost the ids is told so.
    expect((await call('DELETE', '?ids=,')).status).toBe(400)
    expect((await call('DELETE', '?ids=%20')).status).toBe(400)
    expect((await call('DELETE', '?name=nobody&draw=1&display=1')).status).toBe(204)
    expect((await call('DELETE', `?ids=${ids.join(',')}`)).status).toBe(204)
    expect((await call('GET', '?search=many-')).body).toEqual([])
  })

  it('shows and deletes the rows whose ids are named, with blanks between them, and none where one is no id', async () => {
    const one = await make({ name: 'named-1' })
    const other = await make({ name: 'named-2' })
    const ids = encodeURIComponent(`${one}, ${other}`)
    const refused = { status: 400, body: { ids: ['Must be a valid UUID.'] } }
    expect((await call('GET', `?ids=${ids}`)).body).toHaveLength(2)
    expect(await call('GET', `?ids=${one},zz`)).toMatchObject(refused)
    expect(await call('DELETE', `?ids=${one},zz`)).toMatchObject(refused)
    expect((await call('DELETE', `?ids=${ids}`)).status).toBe(204)
    expect((await call('GET', '?search=named-')).body).toEqual([])
  })

  it('knows ids without dashes, in addresses, filters and rows, and answers them with', async () => {
    const plain = (id: string) => id.replaceAll('-', '').toUpperCase()
    const id = await make({ name: 'plain-id', owner: plain(ann), carriers: [{ pk: plain(bob) }] })
    const shown = { id, owner: { id: ann }, carriers: [{ id: bob }] }
    expect(await call('GET', `${plain(id)}/`)).toMatchObject({ status: 200, body: shown })
    expect((await call('GET', `?owner=${plain(ann)}&ids=${plain(id)}`)).body).toMatchObject([shown])
    const changed = await call('PATCH', '', [{ id: plain(id), comment: 'found' }])
    expect(changed).toMatchObject({ status: 200, body: [{ id, comment: 'found' }] })
    expect((await call('GET', `?owner=${plain(ann).slice(1)}`)).status).toBe(400)
    expect((await call('DELETE', `?ids=${plain(id)}`)).status).toBe(204)
  })

  it('tells what is wrong with every row of several at once, in their order, and writes none', async () => {
    await make({ name: 'taken' })
    const nobody = '7d1c0000-0000-4000-8000-0000000000ff'
    const answer = await call('POST', '', [
      { name: 'fine' },
      { name: 'taken' },
      { name: 'same' },
      { name: 'same' },
      { name: 'x', weight: 101, owner: nobody },
      { name: 'y', owner: nobody },
    ])
    const unique = { name: ['This field must be unique.'] }
    expect(answer).toEqual({
      status: 400,
      body: [
        {},
        unique,
        {},
        unique,
        { weight: ['Ensure this value is less than or equal to 100.'] },
        { owner: [`Invalid pk "${nobody}" - object does not exist.`] },
      ],
    })
    const second = await call('POST', '', [
      { name: 'fine' },
      { name: 'taken' },
      { name: 'same' },
      { name: 'same' },
    ])
    expect(second).toEqual({ status: 400, body: [{}, unique, {}, unique] })
    expect((await call('GET', '?search=fine')).body).toEqual([])
  })

  it('changes each of several rows by its own values, and tells all that are wrong', async () => {
    const ids = [await make({ name: 'each-1', carriers: [ann] }), await make({ name: 'each-2', weight: 2 })]
    const changed = await call('PATCH', '', [
      { id: ids[1], weight: 9, carriers: [bob] },
      { id: ids[0], comment: 'first', carriers: [ann, bob] },
    ])
    expect(changed).toMatchObject({
      status: 200,
      body: [
        { name: 'each-2', weight: 9, carriers: [{ name: 'Bob' }] },
        { name: 'each-1', weight: null, comment: 'first', carriers: [{ name: 'Ann' }, { name: 'Bob' }] },
      ],
    })
    const gone = '7d1c0000-0000-4000-8000-0000000000ff'
    const wrong = await call('PATCH', '', [
      { id: ids[0], weight: 1 },
      { id: gone, weight: 1 },
      { id: ids[0], weight: 2 },
    ])
    expect(wrong).toMatchObject({
      status: 400,
      body: [{}, expect.stringContaining(gone), { id: [expect.any(String)] }],
    })
    expect((await call('GET', `${ids[0] ?? ''}/`)).body).toMatchObject({ weight: null })
  })

  it('changes no row that the filters of the list leave out', async () => {
    const [inside, outside] = [await make({ name: 'inside' }), await make({ name: 'outside' })]
    for (const narrowed of [`?ids=${inside}`, '?name=inside', '?search=inside'])
      expect(await call('PATCH', narrowed, [{ id: outside, comment: 'reached' }])).toMatchObject({
        status: 400,
        body: [expect.stringContaining(outside)],
      })
    expect((await call('GET', `${outside}/`)).body).toMatchObject({ comment: '' })
    expect((await call('PATCH', `?ids=${inside}`, [{ id: inside, comment: 'meant' }])).status).toBe(200)
  })

  it('takes a request without body and type as one that says nothing', async () => {
    const post = (url: string) =>
      app.inject({
        method: 'POST',
        url: `/api/v1/tests/boxes/${url}`,
        headers: { authorization: `Test ann ${all}`, 'accept-language': 'en' },
      })
    expect((await post('')).json()).toEqual({ name: ['This field is required.'] })
  })

  it('stores nothing of a body that is no UTF-8', async () => {
    const answer = await app.inject({
      method: 'POST',
      url: '/api/v1/tests/boxes/',
      headers: { authorization: `Test ann ${all}`, 'content-type': 'application/json' },
      payload: Buffer.from('{"name": "caf\xe9"}', 'latin1'),
    })
    expect([answer.statusCode, answer.json()]).toMatchObject([400, { code: 'parse_error' }])
    expect((await call('GET', '?search=caf')).body).toEqual([])
  })

  it('refuses to delete what others refer to', async () => {
    const id = await make({ name: 'shelved' })
    await database.pool.query('insert into shelves values (gen_random_uuid(), $1)', [id])
    expect(await call('DELETE', `${id}/`)).toMatchObject({
      status: 400,
      body: { code: 'referenced_by_others' },
    })
    expect((await call('GET', `${id}/`)).status).toBe(200)
  })

  it('creates as ever where a row is said to be a copy of another', async () => {
    const origin = await make({ name: 'origin', weight: 3 })
    const copied = await call('POST', `?clone_from=${origin}`, { name: 'copy of origin' })
    expect(copied).toMatchObject({ status: 201, body: { name: 'copy of origin', weight: null } })
    expect(copied.body?.id).not.toBe(origin)
  })

  it('refuses to create in the view of all organizations', async () => {
    expect(await call('POST', '', { name: 'nowhere' }, { org: rootOrgId })).toMatchObject({
      status: 400,
      body: { code: 'root_organization_write' },
    })
  })

  it('tells what changed, without secrets', async () => {
    const id = await make({ name: 'watched', key: 'geheim' })
    seen.length = 0
    await call('PATCH', `${id}/`, { weight: 3, key: 'anders' })
    expect(seen).toMatchObject([
      { type: 'updated', id, before: { weight: null }, after: { weight: 3 }, secrets: ['key'] },
    ])
  })
})

describe('lists', () => {
  beforeAll(async () => {
    await database.pool.query(
      `insert into boxes (name, weight, is_active, org_id, kind) select 'list-' || lpad(n::text, 3, '0'), n, n % 2 = 0, $1, 'true' from generate_series(1, 40) n`,
      [otherOrgId],
    )
  })
  const list = (query: string) => call('GET', query, undefined, { org: otherOrgId })

  it('answers an array without limit and a page with one', async () => {
    expect((await list('?search=list-')).body).toHaveLength(40)
    const page = (await list('?search=list-&limit=15&offset=15')).body
    expect(page).toMatchObject({ count: 40 })
    expect(page?.results.map((row) => row['name'])[0]).toBe('list-016')
    expect(page?.['next']).toContain('limit=15&offset=30')
    expect(page?.['previous']).toContain('limit=15')
    const numbered = (await list('?search=list-&page=2&size=15&sort=name&direction=desc')).body
    expect(numbered).toEqual({ payload: { content: expect.any(Array), totalElements: 40 } })
    const reversed = (await list('?search=list-&limit=15&offset=15&order=-name')).body
    expect((numbered as unknown as { payload: { content: unknown } }).payload.content).toEqual(
      reversed?.results,
    )
    expect((await list('?page=0&size=15')).status).toBe(400)
    expect((await list('?search=list-&page=1&size=999')).body).toMatchObject({
      payload: { totalElements: 40 },
    })
    expect((await list('?limit=15&offset=900')).body).toMatchObject({ results: [], next: null })
    expect((await list('?search=list-&limit=5000')).body?.results).toHaveLength(40)
    expect((await list('?search=list-&offset=2')).body).toHaveLength(40)
    expect((await list('?search=list-&format=json')).body).toHaveLength(40)
    expect((await list('?format=yaml')).status).toBe(404)
    const huge = '9'.repeat(25)
    expect((await list(`?search=list-&limit=${huge}`)).body).toMatchObject({ count: 40, next: null })
    const beyond = (await list(`?search=list-&limit=5&offset=${huge}`)).body
    expect(beyond).toMatchObject({ count: 40, next: null, results: [] })
  })

  it('needs every term of a search, and takes percent signs literally', async () => {
    expect((await list('?search=list,04')).body).toHaveLength(2)
    expect((await list('?search=%25')).body).toEqual([])
  })

  it('filters exactly, by the fields and by filters of its own', async () => {
    expect((await list('?name=list-007')).body).toHaveLength(1)
    expect((await list('?is_active=TRUE&search=list-')).body).toHaveLength(20)
    expect((await list('?is_active=perhaps&search=list-')).status).toBe(400)
    expect((await list('?heavier=38')).body).toHaveLength(2)
    expect(await list('?kind=green')).toEqual({
      status: 400,
      body: { kind: ['"green" is not a valid choice.'] },
    })
    expect(await list('?id=zz')).toEqual({ status: 400, body: { id: ['Must be a valid UUID.'] } })
    expect((await list('?draw=1&display=1&never_heard_of=1&limit=1')).body).toMatchObject({ count: 41 })
  })

  it('finds what a text contains, in any case, where it is asked for parts, and nothing else by the field itself', async () => {
    for (const [name, sender] of [
      ['part-1', 'Ann Berg(ann)'],
      ['part-2', 'Joanna_5%'],
      ['part-3', 'Bob'],
    ] as const)
      await make({ name, sender })
    const found = async (query: string) =>
      (await call('GET', `?${query}&search=part-`)).body?.map(({ name }) => name)
    expect(await found('sender__icontains=ANN')).toEqual(['part-1', 'part-2'])
    expect(await found('sender__icontains=ann+berg(')).toEqual(['part-1'])
    expect(await found(`sender__icontains=${encodeURIComponent('_5%')}`)).toEqual(['part-2'])
    expect(await found(`sender__icontains=${encodeURIComponent('%')}`)).toEqual(['part-2'])
    expect(await found('sender__icontains=bob&sender__icontains=berg')).toEqual(['part-1', 'part-3'])
    expect(await found('sender__icontains=')).toEqual(['part-1', 'part-2', 'part-3'])
    expect(await found('sender=ann')).toEqual([])
    expect(await found('sender=Bob')).toEqual(['part-3'])
    // What is searched is found so, too; a filter of no such kind has no such parameter.
    expect(await found('name__icontains=RT-1')).toEqual(['part-1'])
    expect(await found('kind__icontains=1')).toEqual(['part-1', 'part-2', 'part-3'])
    const many = Array.from({ length: 51 }, (_, at) => `sender__icontains=${at}`).join('&')
    expect((await call('GET', `?${many}`)).body).toMatchObject({ sender__icontains: [{}] })
  })

  it('finds what is kept as a code by the words it is read in', async () => {
    await make({ name: 'grade-1', grade: 'a' })
    await make({ name: 'grade-2', grade: 'b' })
    const found = async (query: string) => (await call('GET', `?${query}`)).body?.map(({ name }) => name)
    expect(await found('grade__icontains=light')).toEqual(['grade-2'])
    expect(await found('grade__icontains=wooden')).toEqual([])
    expect(await found('search=heavy,duty')).toEqual(['grade-1'])
    expect(await found('search=wooden')).toEqual([])
  })

  it('takes many values of a field, and fifty of a filter that looks at every row', async () => {
    const many = (name: string, amount: number, value: (at: number) => string) =>
      Array.from({ length: amount }, (_, at) => `${name}=${value(at)}`).join('&')
    const name = (at: number) => `list-${String(at + 39).padStart(3, '0')}`
    expect((await list(`?${many('name', 1000, name)}`)).body).toHaveLength(2)
    expect((await list(`?${many('heavier', 50, (at) => String(at + 38))}`)).body).toHaveLength(2)
    expect(await list(`?${many('heavier', 51, String)}`)).toEqual({
      status: 400,
      body: { heavier: ['Ensure this field has no more than 50 items.'] },
    })
  })

  it('orders by its own plain columns, and passes over what it does not sort by', async () => {
    const first = async (order: string) => (await list(`?order=${order}&limit=1`)).body?.results[0]?.name
    expect(await first('-weight')).toBe('list-040')
    expect(await first('-date_due,weight')).toBe('list-001')
    for (const unknown of ['key', 'owner', 'id', 'meta', 'never_heard_of', 'toString', '-', '-org_name'])
      expect(await first(`${unknown},-weight`), unknown).toBe('list-040')
    expect(await first('key')).toBe(await first('name'))
    const { body } = await call('OPTIONS', '')
    const actions = body?.['actions'] as unknown as { GET: Record<string, { order?: true }> }
    const sortable = Object.entries(actions.GET).filter(([, { order }]) => order)
    expect(sortable.map(([name]) => name)).toEqual([
      'name',
      'kind',
      'weight',
      'comment',
      'created_by',
      'is_active',
      'date_created',
      'date_due',
    ])
  })

  it('keeps or drops fields as asked', async () => {
    expect((await list('?name=list-001&fields_size=mini')).body?.[0]).toEqual({
      id: expect.any(String),
      name: 'list-001',
    })
    expect((await list('?name=list-001&fields=name,org_name')).body?.[0]).toEqual({
      name: 'list-001',
      org_name: 'org a',
    })
    expect((await list('?name=list-001&fields!=name')).body?.[0]).not.toHaveProperty('name')
  })

  it('keeps a selection to its person, organization and list', async () => {
    const rows = (await list('?search=list-00')).body ?? []
    const ids = [rows[0]?.id, rows[1]?.id]
    const made = await app.inject({
      method: 'POST',
      url: '/api/v1/common/resources/cache/',
      headers: { authorization: 'Test ann', 'x-jms-org': otherOrgId },
      payload: { resources: ids },
    })
    const { spm } = made.json<{ spm: string }>()
    expect((await list(`?spm=${spm}`)).body).toHaveLength(2)
    expect((await call('GET', `?spm=${spm}`)).body).toEqual([])
    // Whoever else uses it is not waited for.
    const other = await database.pool.connect()
    await other.query('begin; select from selections for update')
    expect((await list(`?spm=${spm}`)).body).toHaveLength(2)
    await other.query('rollback')
    other.release()
    expect((await list('?spm=00000000-0000-4000-8000-000000000000')).body).toEqual([])
  })
})

describe('who may do what', () => {
  it('refuses strangers, people without the permission, and rows of another organization', async () => {
    const id = await make({ name: 'private' })
    expect(await call('GET', '', undefined, { as: undefined })).toMatchObject({
      status: 401,
      body: { code: 'not_authenticated' },
    })
    expect(await call('GET', '', undefined, { as: 'bob' })).toMatchObject({
      status: 403,
      body: { code: 'permission_denied' },
    })
    expect(await call('POST', '', { name: 'x' }, { as: 'bob tests.view_box' })).toMatchObject({ status: 403 })
    expect(await call('GET', `${id}/`, undefined, { org: otherOrgId })).toMatchObject({
      status: 404,
      body: { code: 'object_does_not_exist' },
    })
    expect((await call('DELETE', `${id}/`, undefined, { org: otherOrgId })).status).toBe(404)
    expect((await call('PATCH', `${id}/`, { name: 'mine' }, { org: otherOrgId })).status).toBe(404)
    expect((await call('GET', `${id}/`, undefined, { org: rootOrgId })).status).toBe(200)
  })

  it('turns a stranger away before reading a large body', async () => {
    const answer = await app.inject({
      method: 'POST',
      url: '/api/v1/tests/boxes/',
      headers: { 'content-type': 'application/json' },
      payload: `"${'x'.repeat(1 << 20)}"`,
    })
    expect(answer.statusCode).toBe(401)
  })

  it('answers bad JSON, too large bodies, other methods and unknown addresses clearly', async () => {
    const send = (url: string, payload: string, type = 'application/json') =>
      app.inject({
        method: 'POST',
        url,
        headers: { authorization: `Test ann ${all}`, 'content-type': type, 'accept-language': 'en' },
        payload,
      })
    expect((await send('/api/v1/tests/boxes/', '{"name":')).json()).toMatchObject({ code: 'parse_error' })
    expect((await send('/api/v1/tests/boxes/', `"${'x'.repeat(17 << 20)}"`)).statusCode).toBe(413)
    expect((await send('/api/v1/tests/boxes/', 'a,b', 'text/plain')).statusCode).toBe(415)
    expect((await send('/api/v1/tests/boxes/some-id/', '{}')).json()).toMatchObject({
      code: 'method_not_allowed',
    })
    expect((await send('/api/v1/tests/nothing/', '{}')).json()).toEqual({ error: 'Not found' })
  })
})

describe('metadata', () => {
  it('describes every field to any signed-in person', async () => {
    const { body } = await call('OPTIONS', '', undefined, { as: 'bob' })
    const actions = body?.['actions'] as unknown as Record<string, Record<string, object>>
    expect(Object.keys(actions)).toEqual(['GET', 'POST', 'PUT', 'PATCH'])
    expect(actions['POST']?.['name']).toEqual({
      type: 'string',
      required: true,
      read_only: false,
      write_only: false,
      label: 'Name',
      max_length: 20,
    })
    expect(actions['GET']?.['kind']).toMatchObject({
      type: 'labeled_choice',
      filter: true,
      choices: [{ value: 'true', label: 'Yes' }, {}],
    })
    expect(actions['POST']?.['key']).toMatchObject({ type: 'string', write_only: true })
    expect(actions['PATCH']?.['name']).toMatchObject({ required: false })
    expect((await call('OPTIONS', '', undefined, { as: undefined })).status).toBe(401)
  })

  it('describes no replacing of a row that is not there for the caller', async () => {
    const described = async (id: string) => {
      const { status, body } = await call('OPTIONS', `${id}/`)
      return { status, actions: Object.keys(body?.['actions'] ?? {}) }
    }
    const here = await make({ name: 'described' })
    const there = await make({ name: 'described' }, { org: otherOrgId })
    expect(await described(here)).toEqual({ status: 200, actions: ['GET', 'PUT', 'PATCH'] })
    for (const id of [there, '7d1c0000-0000-4000-8000-00000000dead', 'no-id'])
      expect([id, await described(id)]).toEqual([id, { status: 200, actions: ['GET', 'PATCH'] }])
  })

  it('is also told as an OpenAPI document', async () => {
    const answer = await app.inject({ url: '/api/swagger.json', headers: { authorization: 'Test bob' } })
    const document = answer.json<{
      paths: Record<string, object>
      components: { schemas: Record<string, object> }
    }>()
    expect(document.paths['/api/v1/tests/boxes/']).toMatchObject({
      get: {},
      post: { description: 'Needs tests.add_box.' },
    })
    expect(document.paths['/api/v1/tests/boxes/{id}/']).toMatchObject({ put: {}, delete: {} })
    expect(document.components.schemas['tests.box']).not.toHaveProperty('properties.key')
    expect(document.components.schemas['tests.box.write']).toMatchObject({
      required: ['name'],
      properties: { key: {} },
    })
  })
})
