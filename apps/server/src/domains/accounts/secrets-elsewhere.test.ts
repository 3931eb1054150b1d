/** What is stored is sent where, and as what, it was meant to: whoever changes that may see it, and has just said who they are. */
import { defaultOrgId, rootOrgId } from '@sallyport/contract'
import { Keygen } from '@sallyport/ssh/testing/keygen'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { adminPassword, startTestSystem, type TestAnswer, type TestClient } from '../../testing.ts'
import { addHolder, confirm, password as ofPeople } from '../../testing-people.ts'

const system = await startTestSystem()
const keygen = new Keygen()
afterAll(() => keygen.dispose())
/** May write assets and accounts, and see no secret. */
let keeper: TestClient
let admin: TestClient
let count = 0
const fresh = (name: string) => `${name}-${++count}`

beforeAll(async () => {
  admin = await system.admin()
  keeper = await addHolder(
    system,
    admin,
    'accounts.view_account',
    'accounts.add_account',
    'accounts.change_account',
    'accounts.view_accounttemplate',
    'accounts.change_accounttemplate',
    'assets.view_asset',
    'assets.add_asset',
    'assets.change_asset',
    'assets.add_gateway',
    'assets.change_gateway',
    'assets.view_domain',
    'assets.change_platform',
  )
})

const list = 'accounts/accounts/'
const templates = 'accounts/account-templates/'
async function created(path: string, body: unknown): Promise<string> {
  const answer = await admin.post(path, body)
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 })
  return String(answer.body['id'])
}
const host = (fields: Record<string, unknown> = {}) =>
  created('assets/hosts/', { name: fresh('host'), address: '192.0.2.1', platform: 1, ...fields })
const password = { secret_type: 'password', secret: 'Root-secret-1' }
const account = (asset: string, username: string, fields: Record<string, unknown> = password) =>
  created(list, { asset, name: username, username, ...fields })

const unconfirmed = { status: 400, body: { code: 'mfa' } }
const denied = { status: 403, body: { code: 'secret_copy_denied' } }
const seen = async (resource: string) =>
  (await admin.get(`audits/operate-logs/?action=view&search=${resource}`, { org: rootOrgId })).body

type Door = (by: TestClient, id: string, fields: Record<string, unknown>) => Promise<TestAnswer>
const doors: [string, Door][] = [
  ['in a change', (by, id, fields) => by.patch(`${list}${id}/`, fields)],
  [
    'in the form',
    async (by, id, fields) => {
      const { name, asset } = (await admin.get(`${list}${id}/`)).body
      return await by.put(`${list}${id}/`, { name, asset: asset?.['id'], secret_type: 'password', ...fields })
    },
  ],
  ['with others', (by, id, fields) => by.patch(list, [{ id, ...fields }])],
]

test.each(doors)(
  'an account is to be typed into another login %s as if its secret was seen',
  async (_how, door) => {
    const name = fresh('switching')
    const asset = await host({ name })
    const mine = await account(asset, 'mine')
    const root = await account(asset, 'root')
    admin = await system.admin()
    expect(await door(keeper, root, { su_from: mine })).toMatchObject(denied)
    expect(await door(admin, root, { su_from: mine })).toMatchObject(unconfirmed)
    expect((await admin.get(`${list}${root}/`)).body).toMatchObject({ su_from: null })
    expect(await seen(name)).toEqual([])
    await confirm(admin, adminPassword)
    expect((await door(admin, root, { su_from: mine })).status).toBe(200)
    expect(await seen(name)).toMatchObject([{ resource: `root@${name}` }])
  },
)

test('a file that makes an account switch is no way round the question', async () => {
  const asset = await host()
  const [mine, root] = [await account(asset, 'mine'), await account(asset, 'root')]
  const file = `ID,*Name,Switches from\r\n${root},root,mine(${mine})`
  const headers = { 'content-type': 'text/csv' }
  const { body } = await admin.post(`${list}render-to-json/`, Buffer.from(file), { headers })
  expect(body['data']).toMatchObject([{ id: root, su_from: { pk: mine } }])
  expect(await keeper.patch(`${list}${root}/`, body['data']?.[0])).toMatchObject(denied)
})

test('an account without a secret, or that stays with who it switches from, is changed without a question', async () => {
  const asset = await host()
  const [mine, bare] = [
    await account(asset, 'mine'),
    await account(asset, 'bare', { secret_type: 'password' }),
  ]
  const root = await account(asset, 'root', { ...password, su_from: mine })
  expect((await keeper.patch(`${list}${bare}/`, { su_from: mine })).status).toBe(200)
  expect((await keeper.patch(`${list}${root}/`, { su_from: mine, comment: 'x' })).status).toBe(200)
  expect((await keeper.patch(`${list}${root}/`, { su_from: null })).status).toBe(200)
})

const ofAnotherType = { secret_type: [expect.stringContaining('another type')] }
const key = () => ({
  secret_type: 'ssh_key',
  secret: keygen.generate(fresh('key'), '-t', 'ed25519').privateText,
})

test.each(doors)('a private key is not made a password %s', async (how, door) => {
  const id = await account(await host(), 'root', key())
  const body = how === 'with others' ? [ofAnotherType] : ofAnotherType
  for (const by of [keeper, admin])
    expect(await door(by, id, { secret_type: 'password' })).toMatchObject({ status: 400, body })
  expect((await admin.get(`${list}${id}/`)).body).toMatchObject({ secret_type: { value: 'ssh_key' } })
  const secret = 'Another-secret-1'
  expect((await door(keeper, id, { secret_type: 'password', secret })).status).toBe(200)
})

test('nor is that of a template, nor one that is made of a template', async () => {
  const id = await created(templates, { name: fresh('template'), username: 'root', ...key() })
  for (const by of [keeper, admin])
    for (const fields of [{ secret_type: 'password' }, { secret_type: 'password', secret: '' }])
      expect(await by.patch(`${templates}${id}/`, fields)).toMatchObject({ status: 400, body: ofAnotherType })
  const nested = { id, template: true, name: 'root', username: 'root', secret_type: 'password' }
  const body = { name: fresh('own'), address: '192.0.2.9', platform: 1, accounts: [nested] }
  expect(await keeper.post('assets/hosts/', body)).toMatchObject({
    status: 400,
    body: { accounts: [ofAnotherType] },
  })
})

test('an account that has no secret yet changes its type freely', async () => {
  const id = await account(await host(), 'bare', { secret_type: 'password' })
  expect((await keeper.patch(`${list}${id}/`, { secret_type: 'ssh_key' })).status).toBe(200)
})

/** A machine of another kind, with a secret on it. */
const machine = (path: string, fields: Record<string, unknown>) =>
  created(path, {
    name: fresh('machine'),
    accounts: [{ name: 'root', username: 'root', ...password }],
    ...fields,
  })
const platformOf = async (name: string) => (await admin.get(`assets/platforms/?name=${name}`)).body[0]?.['id']

test.each([
  ['without TLS', { use_ssl: false }],
  ['with whatever certificate', { allow_invalid_cert: true }],
  ['on the word of another authority', { ca_cert: 'of somebody else' }],
])('a database is signed in to %s as if the secrets of its accounts were seen', async (_how, fields) => {
  const platform = await platformOf('MongoDB')
  const tls = { db_name: 'db', use_ssl: true, allow_invalid_cert: false }
  const id = await machine('assets/databases/', { address: '192.0.2.3', platform, ca_cert: 'ours', ...tls })
  expect((await keeper.patch(`assets/databases/${id}/`, { ...tls, ca_cert: '', comment: 'x' })).status).toBe(
    200,
  )
  expect(await keeper.patch(`assets/databases/${id}/`, fields)).toMatchObject(denied)
})

/** A certificate that is stored stays; what is sent is another one. */
const tlsDoors: [string, Door][] = [
  ['in a change', (by, id, fields) => by.patch(`assets/databases/${id}/`, fields)],
  [
    'in the form',
    async (by, id, fields) => {
      const { name, address, platform, db_name, use_ssl, allow_invalid_cert } = (
        await admin.get(`assets/databases/${id}/`)
      ).body
      const form = { name, address, platform: platform?.['id'], db_name, use_ssl, allow_invalid_cert }
      return await by.put(`assets/databases/${id}/`, { ...form, ...fields })
    },
  ],
  ['with others', (by, id, fields) => by.patch('assets/databases/', [{ id, ...fields }])],
]
describe.each(tlsDoors)('of a database, changed %s,', (_how, door) => {
  const database = async (fields: Record<string, unknown>) => {
    const platform = await platformOf('PostgreSQL')
    return await machine('assets/databases/', { address: '192.0.2.8', db_name: 'db', platform, ...fields })
  }

  test.each([
    ['TLS with whoever answers', {}, { use_ssl: true, allow_invalid_cert: true }],
    ['TLS with whom another authority knows', {}, { use_ssl: true, ca_cert: 'of somebody else' }],
    ['TLS with whoever answers, in two steps', {}, { allow_invalid_cert: true }],
    ['TLS with whom another authority knows, in two steps', {}, { ca_cert: 'of somebody else' }],
    ['the TLS that was laid out before', { ca_cert: 'of somebody else' }, { use_ssl: true }],
    ['TLS with whoever answers, laid out before', { allow_invalid_cert: true }, { use_ssl: true }],
    [
      'another authority while none is asked',
      { use_ssl: true, allow_invalid_cert: true },
      { ca_cert: 'of somebody else' },
    ],
  ])('%s is begun as if the secrets of its accounts were seen', async (_what, before, fields) => {
    const id = await database(before)
    admin = await system.admin()
    expect(await door(keeper, id, fields)).toMatchObject(denied)
    expect(await door(admin, id, fields)).toMatchObject(unconfirmed)
    await confirm(admin, adminPassword)
    expect((await door(admin, id, fields)).status).toBe(200)
  })

  test('certificates that are known, and have to be shown from now on, are asked for freely', async () => {
    const id = await database({})
    expect((await door(keeper, id, { use_ssl: true })).status).toBe(200)
    expect((await door(keeper, id, { use_ssl: true, comment: 'x' })).status).toBe(200)
    const other = await database({ use_ssl: true, allow_invalid_cert: true })
    expect((await door(keeper, other, { allow_invalid_cert: false })).status).toBe(200)
  })
})

test.each([
  ['another script', { autofill: 'script', script: [{ step: 1, value: '', target: 'x', command: 'open' }] }],
  ['another field', { password_selector: 'name=comment' }],
])('a website is signed in to by %s as if the secrets of its accounts were seen', async (_how, fields) => {
  const platform = await platformOf('Website')
  const id = await machine('assets/webs/', { address: 'https://192.0.2.4', platform })
  const { autofill, script, password_selector } = (await admin.get(`assets/webs/${id}/`)).body
  const same = { autofill, script, password_selector, comment: 'x' }
  expect((await keeper.patch(`assets/webs/${id}/`, same)).status).toBe(200)
  expect(await keeper.patch(`assets/webs/${id}/`, fields)).toMatchObject(denied)
})

test('a machine whose platform is changed to one where passwords are typed into another login is asked about, too', async () => {
  const id = await machine('assets/hosts/', { address: '192.0.2.5', platform: await platformOf('Windows') })
  const linux = { platform: await platformOf('Linux'), protocols: [{ name: 'ssh', port: 22 }] }
  expect(await keeper.patch(`assets/hosts/${id}/`, linux)).toMatchObject(denied)
})

test('a network zone gets another gateway as if the secrets of its assets were seen', async () => {
  const domain = await created('assets/domains/', { name: fresh('zone') })
  const gateway = { address: '192.0.2.6', domain, platform: await platformOf('Gateway') }
  const first = await keeper.post('assets/gateways/', { name: fresh('first'), ...gateway })
  expect(first, JSON.stringify(first.body)).toMatchObject({ status: 201 })
  const behind = await host({ domain })
  await account(behind, 'root')
  const name = fresh('second')
  admin = await system.admin()
  expect(await keeper.post('assets/gateways/', { name, ...gateway })).toMatchObject(denied)
  expect(await keeper.post('assets/hosts/', { name, ...gateway })).toMatchObject(denied)
  const own = `assets/gateways/${String(first.body['id'])}/`
  expect((await keeper.patch(own, { comment: 'x' })).status).toBe(200)
  expect(await keeper.patch(own, { address: '192.0.2.7' })).toMatchObject(denied)
  expect((await keeper.patch(own, { is_active: false })).status).toBe(200)
  expect(await keeper.patch(own, { is_active: true })).toMatchObject(denied)
  expect(await admin.post('assets/gateways/', { name, ...gateway })).toMatchObject(unconfirmed)
  await confirm(admin, adminPassword)
  expect((await admin.post('assets/gateways/', { name, ...gateway })).status).toBe(201)
  expect(await seen(name)).toMatchObject([{ resource: `Gateway of a domain: ${name}` }])
})

const becomingBySudo = {
  category: 'host',
  type: 'linux',
  charset: 'utf-8',
  su_enabled: true,
  su_method: 'sudo',
}

test('accounts of a platform are become with su as if their secrets were seen, where another way types none elsewhere', async () => {
  const name = fresh('own')
  const id = await created('assets/platforms/', { name, ...becomingBySudo })
  const own = `assets/platforms/${id}/`
  const asset = await host({ platform: Number(id) })
  const mine = await account(asset, 'mine')
  // Nobody is become from it yet.
  expect((await keeper.patch(own, { su_method: 'su' })).status).toBe(200)
  expect((await keeper.patch(own, { su_method: 'sudo' })).status).toBe(200)
  await confirm(admin, adminPassword)
  const root = await account(asset, 'root', { ...password, su_from: mine })
  expect((await keeper.patch(own, { comment: 'x' })).status).toBe(200)
  admin = await system.admin()
  expect(await keeper.patch(own, { su_method: 'su' })).toMatchObject(denied)
  expect(await admin.patch(own, { su_method: 'su' })).toMatchObject(unconfirmed)
  await confirm(admin, adminPassword)
  expect((await admin.patch(own, { su_method: 'su' })).status).toBe(200)
  expect(await seen(name)).toMatchObject([{ resource: `Platform: ${name}` }])
  expect((await keeper.patch(own, { su_enabled: false })).status).toBe(200)
  expect(await keeper.patch(own, { su_enabled: true })).toMatchObject(denied)
  expect((await admin.get(`${list}${root}/`)).body).toMatchObject({ su_from: { id: mine } })
})

test('a platform whose assets other organizations have, too, is changed by who may see the secrets of all of them', async () => {
  const name = fresh('shared')
  const platform = Number(await created('assets/platforms/', { name, ...becomingBySudo }))
  const org = String((await admin.post('orgs/orgs/', { name: fresh('other') })).body['id'])
  const secrets = ['accounts.view_account', 'accounts.view_accountsecret'] as const
  const here = await addHolder(system, admin, ...secrets, 'assets.view_platform', 'assets.change_platform')
  await confirm(here, ofPeople)
  await confirm(admin, adminPassword)
  const become = async (of: string) => {
    const asset = await admin.post(
      'assets/hosts/',
      { name: fresh('host'), address: '192.0.2.1', platform },
      { org: of },
    )
    const [mine, root] = ['mine', 'root'].map((username) => ({
      asset: asset.body['id'],
      name: username,
      username,
      ...password,
    }))
    const from = (await admin.post(list, mine, { org: of })).body['id']
    expect((await admin.post(list, { ...root, su_from: from }, { org: of })).status).toBe(201)
  }
  const change = (by: TestClient, su_method: string, of = defaultOrgId) =>
    by.patch(`assets/platforms/${platform}/`, { su_method }, { org: of })
  await become(defaultOrgId)
  expect((await change(here, 'su')).status).toBe(200)
  expect((await change(here, 'sudo')).status).toBe(200)
  await become(org)
  expect(await change(here, 'su')).toMatchObject(denied)
  // The same person sees them all where all are one view.
  expect((await change(here, 'su', rootOrgId)).status).toBe(200)
  expect((await change(here, 'sudo')).status).toBe(200)
  expect((await change(admin, 'su')).status).toBe(200)
  const records = (await seen(name)).map((record) => record['org_id'])
  expect(new Set(records)).toEqual(new Set([defaultOrgId, org]))
})

test('an asset whose example row is filled in for another one takes no account along', async () => {
  const name = fresh('example')
  const id = await machine('assets/hosts/', { name, address: '192.0.2.10', platform: 1 })
  const { bytes } = await admin.get(`assets/hosts/?format=csv&template=import&id=${id}`)
  expect(bytes.toString()).toContain('Accounts')
  expect(bytes.toString()).not.toContain('root(')
  const file = bytes.toString().replaceAll(name, `${name}-copy`).replace('192.0.2.10', '192.0.2.11')
  const headers = { 'content-type': 'text/csv' }
  const sent = await admin.post('assets/hosts/render-to-json/', Buffer.from(file), { headers })
  const made = await keeper.post('assets/hosts/', sent.body['data']?.[0])
  expect(made, JSON.stringify(made.body)).toMatchObject({ status: 201 })
  expect((await admin.get(`${list}?asset=${String(made.body['id'])}`)).body).toEqual([])
})

test('an account that a new asset names by its id brings its username, and its secret as if that was seen', async () => {
  const id = await machine('assets/hosts/', { address: '192.0.2.12', platform: 1 })
  const [root] = (await admin.get(`${list}?asset=${id}`)).body
  const body = {
    name: fresh('copy'),
    address: '192.0.2.13',
    platform: 1,
    accounts: [{ pk: String(root?.['id']), name: 'root' }],
  }
  admin = await system.admin()
  expect(await keeper.post('assets/hosts/', body)).toMatchObject(denied)
  expect(await admin.post('assets/hosts/', body)).toMatchObject(unconfirmed)
  await confirm(admin, adminPassword)
  const made = await admin.post('assets/hosts/', body)
  expect(made, JSON.stringify(made.body)).toMatchObject({ status: 201 })
  const copied = (await admin.get(`${list}?asset=${String(made.body['id'])}`)).body
  expect(copied).toMatchObject([{ name: 'root', username: 'root', has_secret: true }])
})
