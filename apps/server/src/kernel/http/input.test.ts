/** Whatever is sent: an answer that says what is wrong with it, and never "Server internal error". */
import {
  boolean as booleanField,
  choice,
  choices,
  identified,
  integer,
  json,
  many,
  object,
  objects,
  organized,
  resource,
  text,
} from '@sallyport/contract'
import type { FastifyInstance } from 'fastify'
import { once } from 'node:events'
import { connect, type AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { sql } from 'drizzle-orm'
import { boolean, integer as int, jsonb, pgTable, text as varchar, uuid } from 'drizzle-orm/pg-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { workFor } from '../database/index.ts'
import { serve } from '../resource/binding.ts'
import { org, system } from '../resource/rows.ts'
import { callerOf } from '../testing/caller.ts'
import { startTestServer } from '../testing/http.ts'
import { createTestDatabase } from '../testing/index.ts'
import { route } from './route.ts'

const tags = pgTable('tags', { id: uuid().primaryKey().defaultRandom(), name: varchar().notNull() })
const crates = pgTable('crates', {
  id: uuid().primaryKey().defaultRandom(),
  name: varchar().notNull(),
  colour: varchar().notNull(),
  note: varchar().notNull().default(''),
  kind: varchar().notNull().default('wood'),
  slots: int(),
  meta: jsonb(),
  is_open: boolean().notNull().default(false),
  is_stacked: boolean().notNull(),
  parts: jsonb().notNull().default([]),
  place: jsonb().notNull().default({}),
  org_id: uuid().notNull(),
})
const crateTags = pgTable('crate_tags', { crate_id: uuid().notNull(), tag_id: uuid().notNull() })
const Crate = resource({
  app: 'tests',
  model: 'crate',
  path: 'tests/crates',
  scope: 'org',
  order: ['name'],
  filters: { empty: { kind: 'boolean' }, since: { kind: 'datetime' } },
  fields: {
    ...identified,
    name: text({ required: true, filter: true, search: true }),
    colour: text({ default: 'plain' }),
    note: text(),
    kind: choice(choices('crate_kind', ['wood', 'steel', 'glass']), { default: 'wood', filter: true }),
    slots: integer({ nullable: true, filter: true }),
    meta: json({ nullable: true }),
    tags: many('tests.tag', ['id', 'name'], { filter: true }),
    is_open: booleanField({ filter: true }),
    is_stacked: booleanField({ default: true }),
    parts: objects({ name: text({ required: true }), size: integer({ nullable: true }) }),
    place: object({ aisle: integer({ nullable: true }), shelf: text() }),
    ...organized,
  },
})
const crateServed = serve(Crate, {
  table: crates,
  rows: org(crates.org_id),
  relations: {
    tags: {
      link: crateTags,
      from: crateTags.crate_id,
      to: crateTags.tag_id,
      target: { table: tags, rows: system },
    },
  },
  filters: {
    empty: (value) => sql`(${crates.slots} is null) = ${value === 'true'}`,
    since: () => sql`true`,
  },
  // What follows from a write may clash, too.
  saved: async (ctx, saved) => {
    if (saved.some(({ input }) => input['name'] === 'clash'))
      await ctx.db.execute(sql`insert into labels values ('taken')`)
  },
})

/** Each of so many people waits for as many connections as one may, a single one for more. @throws what the first who is refused is told */
async function crowd(people: number, work: () => Promise<unknown>): Promise<void> {
  const ofEach = people === 1 ? 600 : 500
  const asked = Array.from({ length: people * ofEach }, (_, at) =>
    workFor({ share: 'people', id: `one of a crowd ${at % people}` }, work),
  )
  const refused = (await Promise.allSettled(asked)).find(({ status }) => status === 'rejected')
  if (refused?.status === 'rejected') throw refused.reason
}

const database = await createTestDatabase()
let app: FastifyInstance
let call: ReturnType<typeof callerOf>
beforeAll(async () => {
  await database.pool.query(`
    create table tags (id uuid primary key default gen_random_uuid(), name text not null);
    create table crates (id uuid primary key default gen_random_uuid(), name text not null, colour text not null default '', note text not null default '',
      kind text not null default 'wood', is_stacked boolean not null default true, slots int, meta jsonb, is_open boolean not null default false, parts jsonb not null default '[]', place jsonb not null default '{}',
      org_id uuid not null);
    create table crate_tags (crate_id uuid not null references crates on delete cascade, tag_id uuid not null references tags,
      primary key (crate_id, tag_id));
    drop table if exists labels cascade;
    create table labels (name text primary key);
    insert into labels values ('taken');`)
  const routes = [
    route({
      method: 'POST',
      path: '/api/v1/tests/divide/',
      access: 'valid_user',
      records: 'changes',
      byHand: 'it fails',
      handler: (ctx) => ctx.db.execute(sql`select 1 / 0`),
    }),
    route({
      method: 'GET',
      path: '/api/v1/tests/crowd/:of/',
      access: 'valid_user',
      byHand: 'more statements than may wait for a connection',
      handler: (ctx, { params }) =>
        crowd(Number(params['of']), async () => await ctx.db.execute(sql`select 1`)),
    }),
    route({
      method: 'POST',
      path: '/api/v1/tests/anybody/',
      access: 'public',
      reads: true,
      byHand: 'anybody may call',
      handler: () => Promise.resolve({}),
    }),
  ]
  app = await startTestServer(database, [{ name: 'tests', resources: [crateServed], routes }])
  call = callerOf(app, 'ann *')
  for (const [name, kind, is_open] of [
    ['a', 'wood', true],
    ['b', 'steel', false],
    ['c', 'glass', false],
  ])
    await call('POST', 'tests/crates/', { name, kind, is_open })
})
const names = async (query: string) =>
  ((await call('GET', `tests/crates/?${query}`)).body as unknown as { name: string }[]).map(
    ({ name }) => name,
  )
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const withMeta = (meta: string) => `{"name": "nested", "meta": ${meta}}`

describe('a body', () => {
  test.each([
    [
      'with a NUL in JSON',
      { name: 'n', meta: { deep: ['a\u0000b'] } },
      { meta: ['Null characters are not allowed.'] },
    ],
    [
      'with a NUL in a name of JSON',
      { name: 'n', meta: { 'a\u0000b': 1 } },
      { meta: ['Null characters are not allowed.'] },
    ],
    [
      'with an integer below all integers',
      { name: 'n', slots: -3_000_000_000 },
      { slots: ['Ensure this value is greater than or equal to -2147483648.'] },
    ],
    ['with half a character in JSON', { name: 'n', meta: ['\ud800'] }, { code: 'value_refused' }],
    [
      'that brings about a clash elsewhere',
      { name: 'clash' },
      { non_field_errors: ['This field must be unique.'] },
    ],
  ])('%s is refused', async (_what, body, problem) => {
    expect(await call('POST', 'tests/crates/', body)).toMatchObject({ status: 400, body: problem })
  })

  test.each([40, 10_000, 200_000])('nested %i levels deep is refused', async (depth) => {
    const answer = await call('POST', 'tests/crates/', withMeta(nested(depth)))
    expect(answer).toMatchObject({ status: 400, body: { meta: [expect.stringContaining('too deep')] } })
  })
  test('nested deep where a choice is expected is refused', async () => {
    const answer = await call('POST', 'tests/crates/', `{"name": "x", "kind": {"value": ${nested(10_000)}}}`)
    expect(answer).toMatchObject({
      status: 400,
      body: { kind: [expect.stringContaining('not a valid choice')] },
    })
  })

  test('that is empty is no fault of its content type', async () => {
    expect(await call('POST', 'tests/crates/', '')).toMatchObject({
      status: 400,
      body: { name: ['This field is required.'] },
    })
  })

  test.each([
    [1, 429],
    [6, 503],
  ])('of %i who have too many statements wait for a connection is refused with %i', async (of, status) => {
    const refused = await call('GET', `tests/crowd/${of}/`)
    expect(refused).toMatchObject({ status, body: { code: 'overloaded' }, headers: { 'retry-after': '5' } })
  })

  test('that brings the database to something it refuses is the caller\u2019s mistake', async () => {
    expect(await call('POST', 'tests/divide/', {})).toMatchObject({
      status: 400,
      body: { code: 'value_refused' },
    })
  })
})

describe('a body of another type than JSON', () => {
  const asForm = (parts: readonly [string, string][], edge = 'edge', said = `boundary=${edge}`) => {
    const body = parts.map(
      ([name, value]) => `--${edge}\r\ncontent-disposition: form-data; name=${name}\r\n\r\n${value}\r\n`,
    )
    return { body: `${body.join('')}--${edge}--\r\n`, type: `multipart/form-data; ${said}` }
  }
  const send = ({ body, type }: { body: string; type: string }) =>
    call('POST', 'tests/crates/', body, { headers: { 'content-type': type } })

  test('is taken as a form, of texts within their bounds', async () => {
    const made = await send(
      asForm([
        ['"name"', 'formed'],
        ['"slots"', '4'],
        ['"is_open"', 'true'],
      ]),
    )
    expect(made).toMatchObject({ status: 201, body: { name: 'formed', slots: 4, is_open: true } })
    await call('DELETE', `tests/crates/${made.body['id'] as string}/`)
    expect(await send(asForm([['"name"; filename="a.txt"', 'x']]))).toMatchObject({
      status: 400,
      body: { name: ['Not a valid string.'] },
    })
    expect((await send(asForm([['"name"', 'x'.repeat(2 << 20)]]))).status).toBe(413)
    const parts = (length: number) => asForm(Array.from({ length }, (_, at) => [`"p${at}"`, 'x'] as const))
    expect(await send(parts(9_999))).toMatchObject({
      status: 400,
      body: { name: ['This field is required.'] },
    })
    expect(await send(parts(10_001))).toMatchObject({ status: 400, body: { code: 'parse_error' } })
  })

  const formType = 'application/x-www-form-urlencoded; charset=gbk'
  test.each([
    ['urlencoded', formType, 'name=%C4%E3'],
    ['urlencoded, and not escaped', formType, Buffer.from('name=\xc4\xe3', 'latin1')],
    [
      'of several parts',
      'multipart/form-data; boundary=edge',
      Buffer.from(asForm([['"name"', '\xc4\xe3']]).body, 'latin1'),
    ],
  ])('a form that is no UTF-8 is refused: %s', async (_what, type, body) => {
    const answer = await call('POST', 'tests/crates/', body, { headers: { 'content-type': type } })
    expect(answer).toMatchObject({ status: 400, body: { code: 'parse_error' } })
  })
  test('a compressed body is refused as one', async () => {
    const body = gzipSync('{"name": "packed"}')
    expect(
      await call('POST', 'tests/crates/', body, { headers: { 'content-encoding': 'gzip' } }),
    ).toMatchObject({
      status: 415,
      body: { code: 'unsupported_media_type' },
      headers: { 'accept-encoding': 'identity' },
    })
  })

  const many = Array.from({ length: 10_001 }, (_, at) => [`"p${at}"`, 'x'] as [string, string])
  const longest = 'e'.repeat(70)
  test.each<[string, boolean, string, string | undefined, [string, string][]]>([
    [
      'with more parts than are taken, whatever else is called a boundary',
      false,
      'edge',
      'xboundary=other; boundary=edge',
      many,
    ],
    [
      'with one marker in the quotes of something else',
      false,
      'edge',
      'note="; boundary=other"; boundary=edge',
      many,
    ],
    ['with two markers', false, 'edge', 'boundary=edge; boundary=other', []],
    ['without a marker', false, 'edge', 'charset=utf-8', []],
    ['whose marker is empty', false, '', 'boundary=""', []],
    ['whose marker is of 71 characters', false, `${longest}e`, undefined, []],
    ['whose marker ends with a blank', false, 'edge ', 'boundary="edge "', []],
    ['whose marker has a character none may have', false, 'ed;ge', 'boundary="ed;ge"', []],
    ['whose marker is of 70 characters', true, longest, undefined, []],
    [
      'whose marker is quoted, with all it may have',
      true,
      "e '()+_,-./:=?e",
      `charset=utf-8; Boundary="e '()+_,-./:=?e"; x=y`,
      [],
    ],
  ])('a form %s: taken %s', async (_what, isTaken, edge, said, parts) => {
    expect(await send(asForm([['"other"', 'x'], ...parts], edge, said))).toMatchObject({
      status: 400,
      body: isTaken ? { name: ['This field is required.'] } : { code: 'parse_error' },
    })
  })

  test.each<[string, Record<string, string>, Record<string, unknown>]>([
    ['an input left blank is null where it may be', { slots: '', meta: '' }, { slots: null, meta: null }],
    [
      'one with a default is that default, whatever else it may be',
      { colour: '', kind: '', is_stacked: '', note: '' },
      { colour: 'plain', kind: { value: 'wood' }, is_stacked: true, note: '' },
    ],
    ['one that says neither yes nor no says nothing', { is_open: '' }, { is_open: false }],
    ['a list left blank is empty', { tags: '' }, { tags: [] }],
    [
      'a list of objects is told by its parts, in either way of writing them',
      { 'parts[1]name': 'lid', 'parts[0].name': 'base', 'parts[0][size]': '', 'parts[1]size': '3' },
      {
        parts: [
          { name: 'base', size: null },
          { name: 'lid', size: 3 },
        ],
      },
    ],
    [
      'an object is told by its parts',
      { 'place.aisle': '4', 'place[shelf]': 'b' },
      { place: { aisle: 4, shelf: 'b' } },
    ],
    ['one that holds nothing', { parts: '' }, { parts: [] }],
    ['a choice may be told by its value', { 'kind.value': 'steel' }, { kind: { value: 'steel' } }],
  ])('%s', async (_what, told, shown) => {
    const entries = Object.entries<string>({ name: 'formed', ...told })
    for (const form of [
      asForm(entries.map(([name, value]) => [`"${name}"`, value])),
      { body: new URLSearchParams(entries).toString(), type: 'application/x-www-form-urlencoded' },
    ]) {
      const made = await send(form)
      expect(made).toMatchObject({ status: 201, body: shown })
      await call('DELETE', `tests/crates/${String(made.body['id'])}/`)
    }
  })

  test.each([
    ['that is none', 'parts', '[0]!'],
    ['that does not end', 'parts', '[0].name['],
    ['of a list of references', 'tags', '['],
    ['that is nested deep', 'meta', '.a'.repeat(10_000)],
    ['of more lists in each other than any has', 'meta', '.a'.repeat(40)],
  ])('a part %s is told on its field %s', async (_what, field, part) => {
    const body = new URLSearchParams({ name: 'formed', [field + part]: 'x' }).toString()
    expect(await send({ body, type: 'application/x-www-form-urlencoded' })).toMatchObject({
      status: 400,
      body: { [field]: [expect.any(String)] },
    })
  })
  test('a field is told whole or by its parts', async () => {
    const body = 'name=formed&parts=&parts[0]name=x'
    expect(await send({ body, type: 'application/x-www-form-urlencoded' })).toMatchObject({
      status: 400,
      body: { parts: ['Give this only once.'] },
    })
  })

  test('an input left blank changes nothing but texts', async () => {
    const { body } = await call('POST', 'tests/crates/', {
      name: 'kept',
      kind: 'steel',
      is_stacked: false,
      note: 'x',
      colour: 'red',
    })
    const path = `tests/crates/${String(body['id'])}/`
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect(await call('PATCH', path, 'kind=&is_stacked=&note=&colour=', { headers })).toMatchObject({
      status: 200,
      body: { kind: { value: 'steel' }, is_stacked: false, note: '', colour: '' },
    })
    expect(await call('PATCH', path, 'name=', { headers })).toMatchObject({
      status: 400,
      body: { name: ['This field may not be blank.'] },
    })
    await call('DELETE', path)
  })

  test('an input no file was chosen for is as if it were not there', async () => {
    const made = await send(
      asForm([
        ['"name"', 'formed'],
        ['"kind"; filename=""', ''],
      ]),
    )
    expect(made).toMatchObject({ status: 201, body: { kind: { value: 'wood' } } })
    await call('DELETE', `tests/crates/${String(made.body['id'])}/`)
  })

  test('says a list of one value by that value alone, where the field is a list', async () => {
    const { rows } = await database.pool.query<{ id: string; name: string }>(
      "insert into tags (name) values ('one') returning id, name",
    )
    const [tag] = rows
    const name = 'listed'
    const made = { status: 201, body: { name, tags: [tag] } }
    const id = tag?.id ?? ''
    const forms = [
      asForm([
        ['"name"', name],
        ['"tags"', id],
      ]),
      { body: `name=${name}&tags=${id}`, type: 'application/x-www-form-urlencoded' },
    ]
    for (const form of forms) {
      const answer = await send(form)
      expect(answer).toMatchObject(made)
      await call('DELETE', `tests/crates/${answer.body['id'] as string}/`)
    }
    // JSON says what it means.
    expect(await call('POST', 'tests/crates/', { name, tags: id })).toMatchObject({
      status: 400,
      body: { tags: [expect.stringContaining('Expected a list of items')] },
    })
  })

  test('is JSON where nothing is said of it', async () => {
    const answer = await app.inject({
      method: 'POST',
      url: '/api/v1/tests/crates/',
      headers: { authorization: 'Test ann *' },
      payload: Buffer.from('{"name":"untyped"}'),
    })
    expect([answer.statusCode, answer.json()]).toMatchObject([201, { name: 'untyped' }])
    await call('DELETE', `tests/crates/${answer.json<{ id: string }>().id}/`)
  })
})

test('a method that nothing is asked by is answered as other errors are', async () => {
  await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo
  const answered = async (request: string) => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(`${request}\r\nhost: x\r\naccept-language: en\r\nconnection: close\r\n\r\n`)
    const [head = '', body = ''] = (await textOf(socket)).split('\r\n\r\n')
    return { status: Number(head.split(' ')[1]), body: JSON.parse(body) as unknown }
  }
  for (const method of ['FOO', 'TRACE', 'PROPFIND'])
    expect(await answered(`${method} /api/v1/tests/crates/ HTTP/1.1`)).toEqual({
      status: 405,
      body: { detail: `Method "${method}" not allowed.`, code: 'method_not_allowed' },
    })
  expect(await answered('no HTTP at all')).toEqual({
    status: 400,
    body: { detail: 'The request could not be carried out.', code: 'error' },
  })
})

test.each(['tests/anybody/', 'app/v1/tests/', 'nowhere/at/all/'])(
  'nobody who is not signed in makes others wait for the reading of a long body: %s',
  async (path) => {
    // Too long, and no JSON: what is told first was looked at first.
    for (const [type, body] of [
      ['application/json', '['.repeat(40_000)],
      ['application/x-www-form-urlencoded', 'a&'.repeat(20_000)],
    ] as const)
      expect(
        await call('POST', path, body, { as: undefined, headers: { 'content-type': type } }),
      ).toMatchObject({
        status: 413,
        body: { detail: 'The request is too large (at most 32768 bytes).' },
      })
    // Who is signed in may send more.
    expect((await call('POST', 'tests/divide/', { text: 'a'.repeat(40_000) })).status).toBe(400)
  },
)

test('the older form of an address leads to the newer one with all that was sent', async () => {
  const { headers, status } = await call('PUT', '/api/tests/v1/crates/?name=a%20b&x=1')
  expect([status, headers['location']]).toEqual([307, '/api/v1/tests/crates/?name=a%20b&x=1'])
})

describe('an address', () => {
  test('whose id is 36 hyphens names nothing', async () => {
    expect((await call('GET', `tests/crates/${'-'.repeat(36)}/`)).status).toBe(404)
  })
  test('selects 70,000 rows', async () => {
    const some = (await call('GET', 'tests/crates/?name=b')).body[0]?.['id']
    const resources = [
      ...Array.from({ length: 70_000 }, (_, n) => `7d1c0000-0000-4000-8000-${String(n).padStart(12, '0')}`),
      String(some),
    ]
    const { body } = await call('POST', 'common/resources/cache/', { resources })
    expect(await names(`spm=${String(body['spm'])}`)).toEqual(['b'])
  })
  test('is remembered for the last few selections of a person only', async () => {
    const select = async () =>
      (await call('POST', 'common/resources/cache/', { resources: ['x'] })).body['spm']
    await Promise.all(Array.from({ length: 30 }, select))
    const last = await select()
    const { rows } = await database.pool.query<{ id: string }>('select id from selections')
    expect(rows.length).toBeLessThanOrEqual(10)
    expect(rows.map(({ id }) => id)).toContain(last)
  })
})

test.each<[unknown, object]>([
  [{ resources: null }, { resources: ['Expected a list of items but got type "null".'] }],
  [{ resources: [null] }, { resources: ['Not a valid string.'] }],
  [[], { non_field_errors: ['Invalid data. Expected a dictionary, but got list.'] }],
])('a selection of %j is refused in words that say what was sent', async (body, problem) => {
  expect(await call('POST', 'common/resources/cache/', body)).toMatchObject({ status: 400, body: problem })
})

describe('a filter', () => {
  test('without a value is none', async () => {
    expect(await names('name=&kind=&slots=&tags=&is_open=&empty=&since=&ids=&spm=&search=')).toEqual([
      'a',
      'b',
      'c',
    ])
  })
  test('without a value narrows no deletion', async () => {
    expect((await call('DELETE', 'tests/crates/?name=&tags=&ids=')).status).toBe(400)
    expect(await names('')).toEqual(['a', 'b', 'c'])
  })
  test('without a value widens no deletion beside one that narrows it', async () => {
    for (const query of ['kind=wood&name=', 'name=a&ids=', 'name=a&spm=', 'name=a&kind=&kind='])
      expect([query, (await call('DELETE', `tests/crates/?${query}`)).status]).toEqual([query, 400])
    expect(await names('')).toEqual(['a', 'b', 'c'])
  })
  test('that is misspelt deletes nothing', async () => {
    expect(await call('DELETE', 'tests/crates/?kind=wood&nmae=a')).toMatchObject({
      status: 400,
      body: { nmae: ['This list knows no such parameter; nothing was changed.'] },
    })
    const nobody = '11111111-1111-4111-8111-111111111111'
    expect((await call('DELETE', `tests/crates/?ids=${nobody}&draw=1`)).status).toBe(204)
    expect(await names('')).toEqual(['a', 'b', 'c'])
  })
  test.each([
    'limit=1&limit=2',
    'order=name&order=-name',
    'fields=name&fields=kind',
    'ids=a&ids=b',
    'x=1&x=2',
  ])('that means one thing cannot mean two: %s', async (query) => {
    const name = query.slice(0, query.indexOf('='))
    expect(await call('GET', `tests/crates/?${query}`)).toMatchObject({
      status: 400,
      body: { [name]: ['Give this only once.'] },
    })
  })
  test('may say the same thing twice', async () => {
    expect(await names('fields=name&fields=name&name=a&name=a&order=')).toEqual(['a'])
  })
  test('given several times means any of its values', async () => {
    expect(await names('kind=wood&kind=glass')).toEqual(['a', 'c'])
    expect(await names('name=a&name=&name=b')).toEqual(['a', 'b'])
    expect(await names('kind=wood&kind=glass&is_open=0')).toEqual(['c'])
    const page = await call('GET', 'tests/crates/?kind=wood&kind=glass&limit=1')
    expect(page.body['next']).toContain('kind=wood&kind=glass')
  })
  test.each(['true', 'TRUE', '1', 'True', 'yes'])('takes %s for yes', async (word) => {
    expect(await names(`is_open=${word}`)).toEqual(['a'])
    expect(await names(`empty=${word}`)).toEqual(['a', 'b', 'c'])
  })
  test.each(['false', '0', 'False', 'no'])('takes %s for no', async (word) => {
    expect(await names(`is_open=${word}`)).toEqual(['b', 'c'])
    expect(await names(`empty=${word}`)).toEqual([])
  })
  test.each([
    ['is_open=maybe', { is_open: ['Must be a valid boolean.'] }],
    ['empty=perhaps', { empty: ['Must be a valid boolean.'] }],
    ['since=soon', { since: [expect.stringContaining('Datetime has wrong format')] }],
    ['slots=many', { slots: ['A valid integer is required.'] }],
    ['tags=x', { tags: ['Must be a valid UUID.'] }],
    ['kind=wood&kind=air', { kind: ['"air" is not a valid choice.'] }],
  ])('that cannot be understood is told: %s', async (query, problem) => {
    expect(await call('GET', `tests/crates/?${query}`)).toMatchObject({ status: 400, body: problem })
  })
})
