/** Files people fill in, and files they should not have sent, on the whole server. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { maxImportBytes } from '@sallyport/contract'
import { writeXlsx } from 'hucre/xlsx'
import { beforeAll, expect, test } from 'vitest'
import { archive, behindZip64, paddedWorkbook } from '../../testing-archive.ts'
import { startTestSystem, type TestClient, type TestRequest } from '../../testing.ts'
import { addPerson } from '../../testing-people.ts'
import { writeBounds, writeWaitMs } from '../http/writing.ts'
import { checkArchive } from './archive.ts'
import { importBounds } from './import.ts'

const system = await startTestSystem()
let admin: TestClient
beforeAll(async () => {
  admin = await system.admin()
})

const types = { csv: 'text/csv', xlsx: 'text/xlsx' }
const render = (
  path: string,
  file: Buffer | string,
  { type = types.csv, client = admin, ...request }: TestRequest & { type?: string; client?: TestClient } = {},
) =>
  client.post(`${path}render-to-json/`, Buffer.from(file), { headers: { 'content-type': type }, ...request })
const groups = (file: Buffer | string, request: TestRequest & { type?: string } = {}) =>
  render('users/groups/', file, request)
const workbook = async (...rows: (string | number | boolean | Date | null)[][]) =>
  Buffer.from(await writeXlsx({ sheets: [{ name: 'one', rows }] }))
const names = (...rows: string[][]) => rows.map((row) => row.join(',')).join('\r\n')
const made = async (path: string, body: unknown) => {
  const answer = await admin.post(path, body)
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 })
  return String(answer.body['id'])
}

test('a csv file becomes titles with their fields, and an object for each row', async () => {
  const ann = '7d1c0000-0000-4000-8000-000000000001'
  const file = names(
    ['*Name', 'Comment', 'Users', 'Unknown'],
    ['ops', '', `"[""Ann(${ann})""]"`, 'more'],
    ['', '', '', ''],
    ['dev', 'it\'s [1] ""fine""', '-', ''],
  )
  expect(await groups(file)).toMatchObject({
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    body: {
      title: [
        ['*Name', 'name'],
        ['Comment', 'comment'],
        ['Users', 'users'],
      ],
      unknown: ['Unknown'],
      data: [
        { name: 'ops', comment: '', users: [{ pk: ann, name: 'Ann' }], '': 'more' },
        { name: 'dev', comment: 'it\'s [1] ""fine""' },
      ],
    },
  })
})

test('who and what a row names may be written by name, where one thing the caller may name is called so', async () => {
  const cleo = await addPerson(system, admin, { name: 'Cleo', username: 'cleo' })
  const other = await made('orgs/orgs/', { name: 'Elsewhere' })
  await admin.post('assets/domains/', { name: 'Far' }, { org: other })
  const zone = await made('assets/domains/', { name: 'Near' })
  const read = async (row: string[]) =>
    (await render('assets/hosts/', names(['name', 'address', 'platform', 'domain'], row))).body['data']
  const sent = async (row: string[]) => await admin.post('assets/hosts/', (await read(row))?.[0])
  expect(await sent(['by-name', '10.0.0.1', 'Linux', 'Near'])).toMatchObject({
    status: 201,
    body: { platform: { id: 1 }, domain: { id: zone } },
  })
  const file = names(['name', 'address', 'platform', 'domain'], ['at-once', '10.0.0.2', 'Linux', 'Near'])
  const headers = { 'content-type': types.csv }
  expect((await admin.post('assets/hosts/', Buffer.from(file), { headers })).status).toBe(201)
  for (const unknown of ['Far', 'Nowhere'])
    expect(await sent(['unknown', '10.0.0.3', 'Linux', unknown])).toMatchObject({
      status: 400,
      body: {
        domain: [
          `Nothing, or more than one thing, is called "${unknown}" here. Write name(id), as an export does.`,
        ],
      },
    })
  const { body } = await groups(names(['name', 'users'], ['By name', 'Cleo']))
  const group = await admin.post('users/groups/', body['data']?.[0])
  expect(group).toMatchObject({ status: 201, body: { users: [{ id: cleo.id }] } })
})

test('every kind of cell is read as it was written', async () => {
  const zone = '7d1c0000-0000-4000-8000-000000000002'
  const file = names(
    ['name', 'address', 'Platform', 'Domain', 'Protocols', 'Active', 'Comment', 'Nodes'],
    [
      'a',
      "'=1+1",
      'Linux(1)',
      `North (DC)(${zone})`,
      '"[“ssh/22”, \'http/80\']"',
      'YES',
      "''=2",
      `DEFAULT(${zone})`,
    ],
    ['b', '10.0.0.1', '1', '-', 'ssh/22', 'No', '-', ''],
  )
  const { body } = await render('assets/hosts/', file)
  expect(body['data']).toEqual([
    {
      name: 'a',
      address: '=1+1',
      platform: { pk: 1, name: 'Linux' },
      domain: { pk: zone, name: 'North (DC)' },
      protocols: [
        { name: 'ssh', port: '22' },
        { name: 'http', port: '80' },
      ],
      is_active: true,
      comment: "'=2",
      nodes: [{ pk: zone, name: 'DEFAULT' }],
    },
    {
      name: 'b',
      address: '10.0.0.1',
      platform: '1',
      domain: null,
      protocols: [{ name: 'ssh', port: '22' }],
      is_active: false,
      comment: '-',
    },
  ])
})

test('how the cells of each column are read is told with them, for who corrects one', async () => {
  const file = names(['name', 'address', 'Platform', 'Nodes'], ['a', '10.0.0.1', 'Linux', 'Here'])
  const { body } = await render('assets/hosts/', file)
  expect(body['data']).toEqual([
    { name: 'a', address: '10.0.0.1', platform: { name: 'Linux' }, nodes: [{ name: 'Here' }] },
  ])
  expect(body['readings']).toMatchObject({
    name: { kind: 'text' },
    platform: { kind: 'related', isNullable: false },
    nodes: { kind: 'relatedList' },
  })
})

test('what was exported can be imported again as it is, in either format and any language', async () => {
  const node = (await admin.get('assets/nodes/?limit=1')).body['results']?.[0]
  const host = {
    name: 'there and back',
    address: '192.0.2.9',
    platform: 1,
    protocols: [{ name: 'ssh', port: 2222 }],
    comment: '=cmd|"/c calc"\n@x',
    nodes: [node?.['id']],
  }
  const id = await made('assets/hosts/', host)
  for (const format of ['csv', 'xlsx'] as const)
    for (const language of ['en', 'zh-hans', 'ja'])
      for (const list of ['assets/hosts/?', 'assets/assets/?', 'assets/hosts/?template=update&']) {
        const query = `${list}format=${format}&ids=${id}`
        const file = await admin.get(query, { language })
        const { status, body } = await render('assets/hosts/', file.bytes, { type: types[format] })
        expect(status, query + language).toBe(200)
        const [row] = body['data'] ?? []
        expect(row).toMatchObject({ id, name: host.name, comment: host.comment })
        const answer = await admin.put(`assets/hosts/${id}`, row)
        expect(answer.status, JSON.stringify(answer.body)).toBe(200)
        expect(answer.body).toMatchObject({
          name: host.name,
          comment: host.comment,
          protocols: host.protocols,
        })
      }
})

test('a row of the template of platforms can be sent as a new one, and as what it is', async () => {
  const told = await admin.get('assets/platforms/?name=Linux')
  const [linux] = told.body as unknown as { id: number; protocols: unknown[] }[]
  const rowOf = async (template: string) => {
    const file = await admin.get(`assets/platforms/?format=csv&template=${template}&name=Linux&limit=1`)
    return (await render('assets/platforms/', file.bytes)).body['data']?.[0] as Record<string, unknown>
  }
  const copy = await admin.post('assets/platforms/', { ...(await rowOf('import')), name: 'Linux_again' })
  expect(copy.status, JSON.stringify(copy.body)).toBe(201)
  expect(copy.body['protocols']?.[0]).toMatchObject({ name: 'ssh', port: 22 })
  const path = `assets/platforms/${String(copy.body['id'])}/`
  const [ssh] = copy.body['protocols'] as unknown as Record<string, unknown>[]
  const changed = { ...ssh, default: true, setting: { sftp_home: '/srv' } }
  const kept = (await admin.patch(path, { protocols: [changed] })).body['protocols']
  const file = await admin.get('assets/platforms/?format=csv&template=update&name=Linux_again')
  const [row] = (await render('assets/platforms/', file.bytes)).body['data'] ?? []
  expect((await admin.put(path, row)).body['protocols']).toEqual(kept)
  expect((await admin.get(`assets/platforms/${String(linux?.id)}/`)).body['protocols']).toEqual(
    linux?.protocols,
  )
})

test('a template with secrets says nothing of them, and sending it back keeps them', async () => {
  const person = await addPerson(system, admin)
  const file = await admin.get(`users/users/?format=csv&template=update&ids=${person.id}`)
  const [row] = (await render('users/users/', file.bytes)).body['data'] ?? []
  expect(row).not.toHaveProperty('password')
  expect(await admin.put(`users/users/${person.id}`, row)).toMatchObject({ status: 200 })
  await person.signedIn()
})

test.each<[string, (text: string) => Buffer]>([
  ['UTF-8', (text) => Buffer.from(text)],
  ['UTF-8 with a mark', (text) => Buffer.from(`\uFEFF${text}`)],
  ['UTF-16 little-endian', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le')],
  ['UTF-16 big-endian', (text) => Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
  ['UTF-16 without a mark', (text) => Buffer.from(text, 'utf16le')],
  ['GBK', () => Buffer.from('2ac3fbb3c62c62d7a20d0ad4cbceac2c61', 'hex')],
])('the characters of %s are read', async (_name, written) => {
  const { body } = await groups(written('*名称,备注\r\n运维,a'), { language: 'zh-hans' })
  expect(body['data']?.[0]).toMatchObject({ name: '运维' })
})

test('Japanese spreadsheets write Shift JIS', async () => {
  const file = Buffer.concat([Buffer.from('name,comment\r\n'), Buffer.from('895e97702c61', 'hex')])
  expect((await groups(file, { language: 'ja' })).body['data']).toEqual([{ name: '運用', comment: 'a' }])
})

test('a workbook with numbers, dates, truths and formulas of a spreadsheet becomes texts', async () => {
  const file = await workbook(
    ['*Name', 'Comment'],
    [42, new Date(Date.UTC(2026, 2, 20, 10, 11, 12))],
    [true, 0.5],
    [null, null],
    ['last', null],
  )
  expect((await groups(file, { type: types.xlsx })).body['data']).toEqual([
    { name: '42', comment: '2026/03/20 10:11:12' },
    { name: 'true', comment: '0.5' },
    expect.objectContaining({ name: 'last' }),
  ])
})

const openpyxl = '/usr/lib/python3/dist-packages/openpyxl'
test.skipIf(!existsSync(openpyxl))('a workbook of openpyxl is read, and openpyxl reads ours', async () => {
  const file = execFileSync('/usr/bin/python3', [
    '-c',
    `import openpyxl, sys, io
w = openpyxl.Workbook(); s = w.active
s.append(['*Name', 'Comment']); s.append(['=1+1', 'of openpyxl']); s['A3'] = 'second'; s['A3'].data_type = 's'
out = io.BytesIO(); w.save(out); sys.stdout.buffer.write(out.getvalue())`,
  ])
  expect((await groups(file, { type: types.xlsx })).body['data']).toEqual([
    { name: '', comment: 'of openpyxl' },
    expect.objectContaining({ name: 'second' }),
  ])
  await made('users/groups/', { name: 'for openpyxl', comment: '=1+1' })
  const exported = await admin.get('users/groups/?format=xlsx&name=for%20openpyxl')
  const cells = execFileSync(
    '/usr/bin/python3',
    [
      '-c',
      `import openpyxl, sys, io, json
s = openpyxl.load_workbook(io.BytesIO(sys.stdin.buffer.read())).active
print(json.dumps([[c.value, c.data_type] for c in list(s.rows)[1]][1:3]))`,
    ],
    { input: exported.bytes },
  )
  expect(JSON.parse(cells.toString())).toEqual([
    ['for openpyxl', 's'],
    ['=1+1', 's'],
  ])
})

const plain = paddedWorkbook(1000)
/** An end of an archive but for its last byte. */
const plainEnd = archive(plain).subarray(-22, -1)

test('a workbook of plain parts is read', async () => {
  const answer = await groups(archive(plain), { type: types.xlsx })
  expect(answer).toMatchObject({ status: 200, body: { data: [{ name: 'ops' }] } })
})

const bomb = paddedWorkbook(200_000_000)
const related = 'xl/_rels/workbook.xml.rels'
const texts =
  '<Relationship Id="r2" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings" ' +
  'Target="sharedStrings.xml"/></Relationships>'
const nested = {
  ...plain,
  [related]: Buffer.from(String(plain[related]).replace('</Relationships>', texts)),
  'xl/sharedStrings.xml': Buffer.from(`<sst>${'<si>'.repeat(5_000_000)}`),
}
const wide = Array.from({ length: 1_000_000 }, (_none, at) => `c${at}`)

test('what is packed as no table is costs nothing to refuse: none of it is unpacked', () => {
  expect(checkArchive(archive(nested), { parts: 1000, bytes: 150_000_000 })).toBe('too large')
})

test.each<[string, string, () => Buffer | Promise<Buffer>, RegExp]>([
  ['a zip bomb', 'xlsx', () => archive(bomb), /too much/],
  ['a zip bomb that lies', 'xlsx', () => archive(bomb, { unpacked: 1000 }), /damaged/],
  ['a zip bomb behind a ZIP64 record', 'xlsx', () => behindZip64(archive(bomb)), /damaged/],
  [
    'a zip bomb that says its size later',
    'xlsx',
    () => archive(bomb, { unpacked: 0, isSizedLater: true }),
    /damaged/,
  ],
  ['a part without a size', 'xlsx', () => archive(bomb, { unpacked: 0 }), /damaged/],
  ['a part whose size is elsewhere', 'xlsx', () => archive(bomb, { unpacked: 0xffffffff }), /damaged/],
  [
    'an archive that goes on after its end',
    'xlsx',
    () => Buffer.concat([archive(plain), plainEnd]),
    /damaged/,
  ],
  [
    'a workbook that is nearly nothing packed and nested without end',
    'xlsx',
    () => archive(nested),
    /too much/,
  ],
  ['an archive that is no workbook', 'xlsx', () => archive({ 'a.txt': Buffer.from('a') }), /damaged/],
  ['half a workbook', 'xlsx', async () => (await workbook(['name'], ['a'])).subarray(0, 900), /damaged/],
  ['a picture', 'xlsx', () => Buffer.from('89504e470d0a1a0a', 'hex'), /not an xlsx file/],
  ['a csv file called xlsx', 'xlsx', () => Buffer.from('name\r\na'), /not an xlsx file/],
  ['a workbook called csv', 'csv', () => workbook(['name'], ['a']), /a workbook, not a csv/],
  ['an older workbook', 'xlsx', () => Buffer.from('d0cf11e0a1b11ae1', 'hex'), /older kind/],
  ['a million columns', 'csv', () => Buffer.from(`${wide.join()}\r\n1`), /more than 500 columns/],
  [
    'many columns of a workbook',
    'xlsx',
    () => workbook(wide.slice(0, 16_000), ['a']),
    /more than 500 columns/,
  ],
  ['too many rows', 'csv', () => Buffer.from(`name\r\n${'a\r\n'.repeat(50_001)}`), /more than 50000 rows/],
  [
    'broken characters',
    'csv',
    () => Buffer.from('6e616d650d0aff81ff80ff', 'hex'),
    /characters cannot be read/,
  ],
  [
    'a quote that is never closed',
    'csv',
    () => Buffer.from('name,comment\r\na,"b\r\nc,d\r\n'),
    /quotation mark/,
  ],
  ['doubled titles', 'csv', () => Buffer.from('name,*Name\r\na,b'), /"\*Name" is there twice/],
  ['nothing', 'csv', () => Buffer.from(''), /format may be wrong/],
  ['only titles', 'csv', () => Buffer.from('name\r\n,,\r\n'), /format may be wrong/],
  ['another kind of rows', 'csv', () => Buffer.from('x,y\r\n1,2'), /No column of the first row/],
])(
  '%s is refused in plain words',
  async (_name, format, file, words) => {
    const answer = await groups(await file(), { type: types[format as 'csv'] })
    expect(answer.status).toBe(400)
    expect(String(answer.body['detail'] ?? answer.body['error'])).toMatch(words)
  },
  60_000,
)

test('a file over 30 MB is refused, whether or not it says so', async () => {
  const answer = await groups(Buffer.alloc(maxImportBytes + 1, 'a'))
  expect(answer).toMatchObject({
    status: 400,
    body: { code: 'file_content_overflowed', detail: expect.stringContaining('31457280') },
  })
  expect(await groups('name\r\na', { type: 'application/pdf' })).toMatchObject({ status: 415 })
})

test('importing takes the right to add or to change', async () => {
  const person = await (await addPerson(system, admin)).signedIn()
  expect(await render('users/groups/', 'name\r\na', { client: person })).toMatchObject({ status: 403 })
  expect(await render('audits/operate-logs/', 'name\r\na')).toMatchObject({ status: 405 })
})

test('rows of a file can be written at once, all or none', async () => {
  const send = (file: string) =>
    admin.post('users/groups/', Buffer.from(file), { headers: { 'content-type': 'text/csv' } })
  expect(await send('name,comment\r\nat once 1,a\r\nat once 2,b')).toMatchObject({
    status: 201,
    body: [{ name: 'at once 1' }, { name: 'at once 2' }],
  })
  expect(await send('name\r\nat once 3\r\nat once 1')).toMatchObject({
    status: 400,
    body: [{}, { name: ['This field must be unique.'] }],
  })
  expect((await admin.get('users/groups/?search=at%20once')).body).toHaveLength(2)
  const many = `[${Array.from({ length: 60_000 }, (_, at) => `{'${at}': 0}`).join()}]`
  expect(await send(`name,users\r\nat once 4,"${many}"`)).toMatchObject({
    status: 413,
    body: { code: 'too_many_values' },
  })
})

test('a file that takes too long is answered before its connection is given up', () => {
  const longestMs = importBounds.waitMs + importBounds.budgetMs + writeWaitMs + writeBounds.longestMs
  expect(longestMs).toBeLessThan(system.http.server.timeout)
})
