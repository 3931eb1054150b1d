/** Lists as files that Excel and LibreOffice open right, on the whole server. */
import { defaultOrgId } from '@sallyport/contract'
import { parseCsv } from 'hucre/csv'
import { readXlsx } from 'hucre/xlsx'
import { beforeAll, expect, test } from 'vitest'
import { adminPassword, startTestSystem, type TestAnswer, type TestClient } from '../../testing.ts'
import { addPerson } from '../../testing-people.ts'

const system = await startTestSystem()
let admin: TestClient
beforeAll(async () => {
  admin = await system.admin()
})

const csvRows = ({ bytes }: TestAnswer) => parseCsv(bytes.toString('utf8')) as string[][]
/** Cells by the title of their column. */
const byTitle = (answer: TestAnswer) => {
  const [titles = [], ...rows] = csvRows(answer)
  return rows.map((row) => Object.fromEntries(titles.map((title, at) => [title, row[at]])))
}
const sheetRows = async ({ bytes }: TestAnswer) => (await readXlsx(bytes)).sheets[0]?.rows ?? []
const made = async (path: string, body: unknown) => {
  const answer = await admin.post(path, body)
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 })
  return String(answer.body['id'])
}
const select = async (...ids: string[]) =>
  String((await admin.post('common/resources/cache/', { resources: ids })).body['spm'])

test('a list without rows is a csv file of its titles', async () => {
  const { status, bytes } = await admin.get('authentication/passkeys/?format=csv')
  expect(status).toBe(200)
  expect(bytes.toString('utf8')).toMatch(/^\uFEFF[^\r\n]+\r\n$/)
})

test('a list is a csv file that begins with a byte order mark, with translated titles, the required ones marked', async () => {
  const answer = await admin.get('users/groups/?format=csv')
  expect(answer).toMatchObject({
    status: 200,
    headers: {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': expect.stringMatching(
        /^attachment; filename="usergroup_\d{4}-\d\d-\d\d_\d\d-\d\d-\d\d\.csv"$/,
      ),
    },
  })
  expect(answer.bytes.subarray(0, 3).toString('hex')).toBe('efbbbf')
  expect(answer.bytes.toString().endsWith('\r\n')).toBe(true)
  const [titles = []] = csvRows(answer)
  expect(titles).toEqual([
    'ID',
    '*Name',
    'Comment',
    'Users',
    'Users (users_amount)',
    'Organization',
    'Created by',
    'Created on',
  ])
  const [chinese = []] = csvRows(await admin.get('users/groups/?format=csv', { language: 'zh-hans' }))
  expect(chinese[1]).toBe('*名称')
})

test('the headers of a table are told without reading it', async () => {
  for (const format of ['csv', 'xlsx']) {
    const url = `users/groups/?format=${format}`
    const { headers } = await admin.get(url)
    const told = await admin.head(url)
    expect(told).toMatchObject({ status: 200, bytes: Buffer.alloc(0) })
    expect(told.headers['content-type']).toBe(headers['content-type'])
    expect(told.headers['content-disposition']).toMatch(/^attachment; filename="usergroup_/)
    expect(told.headers).not.toHaveProperty('content-length')
  }
  expect((await admin.head('users/groups/?format=yaml')).status).toBe(404)
  // Of one person one table is read at a time, and few may wait.
  const many = await Promise.all(Array.from({ length: 20 }, () => admin.head('users/groups/?format=csv')))
  expect(new Set(many.map(({ status }) => status))).toEqual(new Set([200]))
})

test('a table is what a client gets that asks for that kind of file, JSON what all others get', async () => {
  const kindOf = async (accept: string, url = 'users/groups/') =>
    String((await admin.get(url, { headers: { accept } })).headers['content-type']).split(';')[0]
  expect(await kindOf('text/csv')).toBe('text/csv')
  expect(await kindOf('application/xlsx, */*;q=0.1')).toBe('application/xlsx')
  for (const accept of [
    '*/*',
    'text/html,application/xhtml+xml,*/*;q=0.8',
    'text/csv, application/json',
    'image/png',
  ])
    expect(await kindOf(accept)).toBe('application/json')
  expect(await kindOf('text/csv', 'users/groups/?format=json')).toBe('application/json')
  expect(await kindOf('text/csv', 'users/profile/')).toBe('application/json')
})

test('every kind of value has its notation', async () => {
  const platform = (await admin.get('assets/platforms/?name=Linux')).body[0]
  const domain = await made('assets/domains/', { name: 'North' })
  const id = await made('assets/hosts/', {
    name: 'notation-1',
    address: '192.0.2.1',
    platform: platform?.['id'],
    domain,
    protocols: [
      { name: 'ssh', port: 22 },
      { name: 'telnet', port: 2323 },
    ],
    comment: 'one, "two"\nthree',
  })
  const [row] = byTitle(
    await admin.get('assets/hosts/?format=csv&name=notation-1', { headers: { 'x-tz': 'UTC' } }),
  )
  expect(row).toMatchObject({
    ID: id,
    '*Name': 'notation-1',
    '*Platform': `Linux(${String(platform?.['id'])})`,
    Domain: `North(${domain})`,
    Protocols: '["ssh/22", "telnet/2323"]',
    Category: 'host',
    Active: 'Yes',
    Comment: 'one, "two"\nthree',
    'Verified on': '-',
    'Created on': expect.stringMatching(/^\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d \+0000$/),
  })
  expect(row?.['Nodes']).toMatch(/^\["\/?DEFAULT\([\da-f-]{36}\)"\]$/i)
  expect(Object.keys(row ?? {})).not.toContain('Automation')
  expect(Object.keys(row ?? {})).not.toContain('Organization ID')
  await made('perms/asset-permissions/', {
    name: 'notation',
    actions: ['connect', 'upload'],
    accounts: ['root'],
  })
  const [permission] = byTitle(await admin.get('perms/asset-permissions/?format=csv&name=notation'))
  expect(permission).toMatchObject({ Actions: '["connect", "upload"]', Accounts: '["root"]', Users: '[]' })
})

test('the same list is an xlsx file whose cells are texts', async () => {
  const id = await made('users/groups/', { name: '=1+1' })
  const comment = 'a\u0001b _x0041_ <&> \u{1F600}'
  await system.database.pool.query('update user_groups set comment = $1 where id = $2', [comment, id])
  const answer = await admin.get('users/groups/?format=xlsx&name=%3D1%2B1')
  expect(answer).toMatchObject({
    status: 200,
    headers: { 'content-type': 'application/xlsx; charset=utf-8' },
  })
  const rows = await sheetRows(answer)
  expect(rows[0]?.slice(0, 3)).toEqual(['ID', '*Name', 'Comment'])
  expect(rows[1]?.slice(1, 3)).toEqual(['=1+1', comment])
  expect(rows[1]?.every((cell) => typeof cell === 'string')).toBe(true)
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', "'=1", "''=1"])(
  'nothing anybody wrote is a formula in a csv file: %j',
  async (text) => {
    const id = await made('users/groups/', { name: `x${text.trim()}` })
    await system.database.pool.query('update user_groups set comment = $1 where id = $2', [text, id])
    const [row] = byTitle(await admin.get(`users/groups/?format=csv&ids=${id}`))
    expect(row?.['Comment']).toBe(`'${text}`)
  },
)

test('all rows, those selected, those filtered, or one page are exported, in the order of the list', async () => {
  await system.database.pool.query(
    `insert into user_groups (id, name, org_id, comment) select gen_random_uuid(), 'many ' || lpad(n::text, 6, '0'), $1, 'many' from generate_series(1, 1203) n`,
    [defaultOrgId],
  )
  const names = async (query: string) =>
    byTitle(await admin.get(`users/groups/?format=csv&${query}`)).map((row) => row['*Name'])
  const all = await names('search=many')
  expect(all).toHaveLength(1203)
  expect(all.slice(0, 2).concat(all.slice(-1))).toEqual(['many 000001', 'many 000002', 'many 001203'])
  expect(await names('search=many&order=-name&limit=3&offset=1')).toEqual([
    'many 001202',
    'many 001201',
    'many 001200',
  ])
  const large = await names('search=many&limit=700')
  expect(large.length).toBe(700)
  expect(await names('search=many&page=2&size=700')).toEqual(all.slice(700))
  const listed = await admin.get('users/groups/?search=many&limit=2')
  const ids = (listed.body['results'] as unknown as { id: string }[]).map(({ id }) => id)
  expect(await names(`spm=${await select(...ids)}`)).toEqual(['many 000001', 'many 000002'])
  expect(await names('spm=7d1c0000-0000-4000-8000-000000000001')).toEqual([])
  expect(
    Object.keys(byTitle(await admin.get('users/groups/?format=csv&fields_size=mini&limit=1'))[0] ?? {}),
  ).toEqual(['ID', '*Name'])
})

test('the template of new rows holds what may be written and one row; that of changes the ids and all rows', async () => {
  const [titles = [], ...rows] = csvRows(
    await admin.get('users/groups/?format=csv&template=import&limit=1&search=many'),
  )
  expect(titles).toEqual(['*Name', 'Comment', 'Users'])
  expect(rows).toEqual([['many 000001', 'many', '[]']])
  const [updates = [], ...changed] = csvRows(
    await admin.get('users/groups/?format=csv&template=update&search=many'),
  )
  expect(updates).toEqual(['ID', '*Name', 'Comment', 'Users'])
  expect(changed).toHaveLength(1203)
  const [accountTitles = [], ...accounts] = csvRows(
    await admin.get('users/users/?format=csv&template=import'),
  )
  expect(accountTitles).toEqual(expect.arrayContaining(['*Username', 'Password', 'Public key']))
  expect(accounts[0]?.[accountTitles.indexOf('Password')]).toBe('-')
  expect(await admin.get('users/groups/?format=csv&template=other')).toMatchObject({
    status: 400,
    body: { template: ['"other" is not a valid choice.'] },
  })
})

test('whoever may not see a list may not export it; what goes wrong is told, not written into the file', async () => {
  const person = await (await addPerson(system, admin)).signedIn()
  expect(await person.get('users/users/?format=csv')).toMatchObject({ status: 403 })
  expect(await system.client().get('users/users/?format=xlsx')).toMatchObject({ status: 401 })
  expect(await admin.get('users/groups/?format=pdf')).toMatchObject({ status: 404 })
  expect(await admin.get('users/groups/?format=csv&id=no-id')).toMatchObject({
    status: 400,
    headers: { 'content-type': expect.stringContaining('application/json') },
    body: { id: [expect.any(String)] },
  })
})

test('secrets are exported after a confirmation only, and the books say so before the file is there', async () => {
  const asset = await made('assets/hosts/', {
    name: 'with-secrets',
    address: '192.0.2.2',
    platform: 1,
    protocols: [{ name: 'ssh', port: 22 }],
  })
  await made('accounts/accounts/', {
    name: 'root',
    username: 'root',
    secret_type: 'password',
    asset,
    secret: 'Root-secret-1',
  })
  const path = `accounts/account-secrets/?format=csv&asset_id=${asset}`
  expect(await admin.get(path)).toMatchObject({ status: 400, body: { code: 'mfa' } })
  await admin.post('authentication/confirm/', { confirm_type: 'password', secret_key: adminPassword })
  const [row] = byTitle(await admin.get(path))
  expect(row).toMatchObject({ '*Name': 'root', Secret: 'Root-secret-1' })
  const logs = await admin.get('audits/operate-logs/?action=view&search=Export')
  expect(logs.body.map(({ resource }) => resource)).toEqual([`Export filtered: asset_id=${asset}`])
  const [plain] = byTitle(await admin.get(`accounts/accounts/?format=csv&asset_id=${asset}`))
  expect(plain).not.toHaveProperty('Secret')
})
