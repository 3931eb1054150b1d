/** What is offered to somebody who looks for a machine or a node by a few letters. */
import { defaultOrgId, rootOrgId } from '@sallyport/contract'
import { parseCsv } from 'hucre/csv'
import { readXlsx } from 'hucre/xlsx'
import { beforeAll, expect, test } from 'vitest'
import { startTestSystem, type TestBody, type TestClient } from '../../testing.ts'

const system = await startTestSystem()
const password = 'A-password-of-9'
let admin: TestClient
let ann: TestClient
let otherOrg = ''

async function addPerson(username: string): Promise<TestClient> {
  const email = `${username}@example.com`
  const person = { name: username, username, email, password_strategy: 'custom', password }
  expect((await admin.post('users/users/', person, { org: defaultOrgId })).status).toBe(201)
  const client = system.client()
  await client.signIn(username, password)
  return client
}

beforeAll(async () => {
  admin = await system.admin()
  otherOrg = String((await admin.post('orgs/orgs/', { name: 'Secret project' })).body['id'])
  for (const [org, name] of [
    [defaultOrgId, 'box-of-all'],
    [otherOrg, 'box-of-few'],
  ] as const)
    await admin.post('assets/hosts/', { name, address: '10.0.0.1', platform: 1 }, { org })
  ann = await addPerson('box-ann')
})

const sheet = async (bytes: Buffer) => (await readXlsx(bytes)).sheets[0]?.rows ?? []
const offered = async (of: TestClient, list: string, org: string) =>
  (await of.get(`${list}/suggestions/?search=box`, { org })).body.map((row) => String(row['name']))

test('machines are suggested from the organizations one is in only, in whatever view', async () => {
  const own = ['box-of-all']
  expect(await offered(ann, 'assets/assets', rootOrgId)).toEqual(own)
  expect(await offered(ann, 'assets/assets', defaultOrgId)).toEqual(own)
  expect(await offered(ann, 'assets/assets', otherOrg)).toEqual([])
  expect(await offered(admin, 'assets/assets', rootOrgId)).toHaveLength(2)
})

test('of a suggested machine who may not see it is told enough to choose it, and of gateways nothing', async () => {
  const zone = (await admin.post('assets/domains/', { name: 'zone' })).body['id']
  const made = async (list: string, fields: object) =>
    expect((await admin.post(`assets/${list}/`, { address: '10.0.0.3', ...fields })).status).toBe(201)
  await made('hosts', {
    name: 'shown-host',
    platform: 1,
    domain: zone,
    info: { sn: 'ABC' },
    comment: 'private',
  })
  await made('webs', {
    name: 'shown-web',
    platform: 26,
    script: [{ step: 1, value: 'x', target: 'y', command: 'z' }],
  })
  await made('gateways', { name: 'shown-gateway', platform: 1, domain: zone })
  const get = async (of: TestClient, list: string, more = '') =>
    (await of.get(`assets/${list}/suggestions/?search=shown${more}`)).body
  const told = ['id', 'name', 'address', 'platform', 'category', 'type', 'is_active', 'org_id', 'org_name']
  for (const list of ['assets', 'hosts', 'webs', 'gateways'])
    for (const more of ['', '&fields=name,info,script,spec_info,domain', '&fields_size=small'])
      for (const row of await get(ann, list, more)) {
        expect(told, list).toEqual(expect.arrayContaining(Object.keys(row)))
        expect(row['name']).not.toBe('shown-gateway')
      }
  const file = (await ann.get('assets/webs/suggestions/?search=shown&format=csv')).bytes.toString()
  expect(file).toContain('shown-web')
  expect(file).not.toMatch(/script|name=username/i)
  for (const list of ['assets', 'hosts', 'webs'])
    for (const format of ['csv', 'xlsx'])
      for (const template of ['update', 'import', 'export']) {
        const path = `assets/${list}/suggestions/?search=shown&format=${format}&template=${template}`
        const { bytes } = await ann.get(path)
        const [titles = []] = format === 'csv' ? parseCsv(bytes.toString()) : await sheet(bytes)
        for (const title of titles.map(String))
          expect(title).not.toMatch(/account|node|domain|comment|script|label|protocol/i)
        if (format === 'csv') expect(bytes.toString()).not.toMatch(/private|ABC/)
      }
  const answered = async (of: TestClient, more: string) =>
    await of.get(`assets/hosts/suggestions/?search=shown${more}`)
  for (const name of ['comment', 'domain', 'connectivity', 'node', 'labels', 'ips', 'domain_enabled'])
    expect(await answered(ann, `&${name}=${rootOrgId}`), name).toMatchObject({
      status: 400,
      body: { [name]: [expect.any(String)] },
    })
  expect(await answered(ann, '&order=-comment')).toMatchObject({ status: 400 })
  expect((await answered(ann, '&is_active=false')).body).toEqual([])
  expect((await answered(ann, '&order=-name&name=shown-host')).body).toHaveLength(1)
  expect((await answered(admin, `&domain=${String(zone)}&order=comment`)).body).toHaveLength(2)
  const described = async (of: TestClient) =>
    Object.keys((await of.options('assets/hosts/suggestions/')).body['actions']?.['GET'] ?? {})
  expect((await described(ann)).toSorted()).toEqual(told.toSorted())
  expect(await described(admin)).toContain('comment')
  expect(Object.keys((await get(ann, 'hosts'))[0] ?? {}).toSorted()).toEqual(told.toSorted())
  expect(Object.keys((await get(ann, 'hosts', '&action=suggestion'))[0] ?? {})).toHaveLength(3)
  expect((await get(admin, 'hosts')).map((row) => row['comment'])).toContain('private')
  expect(await get(admin, 'gateways')).toHaveLength(1)
})

test('nodes are suggested from the organizations one is in only', async () => {
  const roots = async (of: TestClient) =>
    (await of.get('assets/nodes/suggestions/', { org: rootOrgId })).body.map((row) => String(row['org_id']))
  expect(new Set(await roots(ann))).toEqual(new Set([defaultOrgId]))
  expect(await roots(admin)).toContain(otherOrg)
})

test.each([
  ['assets/assets', 'crate'],
  ['users/users', 'crowd'],
])('of %s no more than ten are suggested, however they are paged', async (list, called) => {
  const many = Array.from({ length: 12 }, (_, at) => `${called}-${10 + at}`)
  const isPeople = list.startsWith('users')
  for (const name of many)
    await admin.post(
      isPeople ? 'users/users/' : 'assets/hosts/',
      isPeople
        ? { name, username: name, email: `${name}@example.com` }
        : { name, address: '10.0.0.2', platform: 1 },
      { org: defaultOrgId },
    )
  const path = `${list}/suggestions/?search=${called}&order=name`
  const names = (rows: TestBody) => rows.map((row) => String(row['name']))
  const get = async (parameters: string) => (await admin.get(path + parameters)).body
  for (const whole of ['', '&limit=0', '&limit=-1', '&limit=x', '&offset=0'])
    expect(names(await get(whole)), whole).toEqual(many.slice(0, 10))

  const first = await get('&limit=4')
  expect(first).toMatchObject({ count: 10, previous: null })
  expect(names(first['results'] as TestBody)).toEqual(many.slice(0, 4))
  const last = await get('&limit=4&offset=8')
  expect(last).toMatchObject({ count: 10, next: null })
  expect(names(last['results'] as TestBody)).toEqual(many.slice(8, 10))
  const links = [first['next'], last['previous']].map((link) => new URL(String(link)))
  for (const link of links) expect([...link.searchParams]).toContainEqual(['search', called])
  expect(links.map((link) => link.searchParams.get('offset'))).toEqual(['4', '4'])
  expect(await get('&limit=100&offset=10')).toMatchObject({ count: 10, next: null, results: [] })
})
