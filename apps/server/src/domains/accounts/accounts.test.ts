/** What an account opens with leaves its machine only for those who may see it, have just said who they are, and are on the books. */
import { defaultOrgId, rootOrgId } from '@sallyport/contract'
import { Keygen } from '@sallyport/ssh/testing/keygen'
import { beforeAll, expect, test } from 'vitest'
import { adminPassword, startTestSystem, type TestAnswer, type TestClient } from '../../testing.ts'

const system = await startTestSystem()
let admin: TestClient
let made = 0

beforeAll(async () => {
  admin = await system.admin()
})

async function host(fields: Record<string, unknown> = {}): Promise<string> {
  const answer = await admin.post('assets/hosts/', {
    name: `host-${++made}`,
    address: '192.0.2.1',
    platform: 1,
    protocols: [{ name: 'ssh', port: 22 }],
    ...fields,
  })
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 })
  return String(answer.body['id'])
}
const secretAccount = { name: 'root', username: 'root', secret_type: 'password' }
async function account(name: string): Promise<string> {
  const asset = await host()
  const body = { ...secretAccount, name, asset, secret: 'Root-secret-1' }
  const answer = await admin.post('accounts/accounts/', body)
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 })
  return String(answer.body['id'])
}
/** What the books say was seen of accounts of that name, or of a list of them. */
async function seen(name: string) {
  const answer = await admin.get(`audits/operate-logs/?action=view&search=${name}`, { org: rootOrgId })
  return answer.body
    .map((row) => ({ resource: String(row['resource']), org: row['org_id'] }))
    .filter(({ resource }) => resource.split('@')[0] === decodeURIComponent(name))
}
const onItsHost = (name: string) => [
  { resource: expect.stringMatching(new RegExp(`^${name}@host-\\d+$`)) as string, org: defaultOrgId },
]
const unconfirmed = { status: 400, body: { code: 'mfa' } }
const confirm = (client: TestClient) =>
  client.post('authentication/confirm/', { confirm_type: 'password', secret_key: adminPassword })

test.each<[string, (source: string) => Promise<TestAnswer>]>([
  ['copied', async (id) => admin.post('accounts/accounts/', { ...secretAccount, id, asset: await host() })],
  [
    'copied with others',
    async (id) => admin.post('accounts/accounts/', [{ ...secretAccount, id, asset: await host() }]),
  ],
  [
    'copied with a new machine',
    (id) =>
      admin.post('assets/hosts/', {
        name: `host-${++made}`,
        address: '192.0.2.1',
        platform: 1,
        protocols: [{ name: 'ssh', port: 22 }],
        accounts: [{ ...secretAccount, id }],
      }),
  ],
  ['moved', async (id) => admin.patch(`accounts/accounts/${id}/`, { asset: await host() })],
  ['moved with others', async (id) => admin.patch('accounts/accounts/', [{ id, asset: await host() }])],
])('an account is %s to another machine as if its secret was seen', async (how, take) => {
  const name = `taken-${how.replaceAll(' ', '-')}`
  const id = await account(name)
  admin = await system.admin()
  expect(await take(id)).toMatchObject(unconfirmed)
  expect(await seen(name)).toEqual([])
  expect((await confirm(admin)).status).toBe(200)
  expect((await take(id)).status).toBeLessThan(202)
  expect(await seen(name)).toEqual(onItsHost(name))
})

const ownPort = [{ name: 'ssh', port: 22_299 }]
test.each<[string, (asset: string, domain: string) => Promise<TestAnswer>]>([
  ['at another address', (id) => admin.patch(`assets/hosts/${id}/`, { address: '192.0.2.99' })],
  ['at another port', (id) => admin.patch(`assets/hosts/${id}/`, { protocols: ownPort })],
  ['with others', (id) => admin.patch('assets/hosts/', [{ id, protocols: ownPort }])],
  ['in the list of all', (id) => admin.patch(`assets/assets/${id}/`, { address: '192.0.2.99' })],
  ['through another zone', (id, domain) => admin.patch(`assets/hosts/${id}/`, { domain })],
  ['as part of a zone', (id, domain) => admin.patch(`assets/domains/${domain}/`, { assets: [id] })],
])('a machine is reached %s as if the secrets of its accounts were seen', async (how, move) => {
  const name = `gone-${how.replaceAll(' ', '-')}`
  const id = await account(name)
  const domain = await admin.post('assets/domains/', { name })
  admin = await system.admin()
  const asset = String((await admin.get(`accounts/accounts/${id}/`)).body['asset']?.['id'])
  expect(await move(asset, String(domain.body['id']))).toMatchObject(unconfirmed)
  expect(await seen(name)).toEqual([])
  expect((await confirm(admin)).status).toBe(200)
  expect((await move(asset, String(domain.body['id']))).status).toBe(200)
  expect(await seen(name)).toEqual(onItsHost(name))
})

test('machines whose zone is deleted are reached another way, too', async () => {
  const id = await account('zoned')
  const asset = String((await admin.get(`accounts/accounts/${id}/`)).body['asset']?.['id'])
  const domain = String((await admin.post('assets/domains/', { name: 'going' })).body['id'])
  await confirm(admin)
  expect((await admin.patch(`assets/hosts/${asset}/`, { domain })).status).toBe(200)
  admin = await system.admin()
  expect(await admin.delete(`assets/domains/${domain}/`)).toMatchObject(unconfirmed)
  await confirm(admin)
  expect((await admin.delete(`assets/domains/${domain}/`)).status).toBe(204)
})

test('a machine that stays where it is, or holds no secret, is edited without a question', async () => {
  const id = await account('staying')
  const bare = await host()
  admin = await system.admin()
  const asset = String((await admin.get(`accounts/accounts/${id}/`)).body['asset']?.['id'])
  const same = { address: '192.0.2.1', protocols: [{ name: 'ssh', port: 22 }], domain: null, comment: 'x' }
  expect((await admin.patch(`assets/hosts/${asset}/`, same)).status).toBe(200)
  expect((await admin.patch(`assets/hosts/${bare}/`, { address: '192.0.2.98' })).status).toBe(200)
})

test('an account that keeps its machine is edited without a question', async () => {
  const id = await account('edited')
  admin = await system.admin()
  const asset = (await admin.get(`accounts/accounts/${id}/`)).body['asset']?.['id']
  expect((await admin.patch(`accounts/accounts/${id}/`, { comment: 'x', asset })).status).toBe(200)
  expect(await seen('edited')).toEqual([])
})

test('the books say which of many accounts of one name was created, changed and deleted: that of which machine', async () => {
  const asset = await host({ name: 'fra-web-01' })
  const id = String(
    (await admin.post('accounts/accounts/', { ...secretAccount, asset, secret: 'Root-secret-1' })).body['id'],
  )
  await admin.patch(`accounts/accounts/${id}/`, { comment: 'x' })
  expect((await admin.delete(`accounts/accounts/${id}/`)).status).toBe(204)
  const logs = await admin.get(`audits/operate-logs/?resource=root%40fra-web-01`, { org: rootOrgId })
  const actions = logs.body.map((row) => (row['action'] as unknown as { value: string }).value)
  expect(actions.toSorted()).toEqual(['create', 'delete', 'update'])
})

test('the books name the account, whatever fields of it were asked for', async () => {
  const id = await account('asked')
  await confirm(admin)
  const answer = await admin.get(`accounts/account-secrets/${id}/?fields=secret`, { org: rootOrgId })
  expect(answer.body).toEqual({ secret: 'Root-secret-1' })
  expect(await seen('asked')).toEqual(onItsHost('asked'))
})

test('what opens an account is told to nobody who has not just said who they are, one by one, in lists or of the past', async () => {
  const id = await account('unopened')
  admin = await system.admin()
  for (const path of ['', `${id}/`, `${id}/histories/`])
    expect(await admin.get(`accounts/account-secrets/${path}`)).toMatchObject(unconfirmed)
  expect(await seen('unopened')).toEqual([])
})

test('past secrets come in pages, newest first, without the one in force, and are in the books', async () => {
  const id = await account('changed')
  for (const secret of ['Root-secret-2', 'Root-secret-3'])
    expect((await admin.patch(`accounts/accounts/${id}/`, { secret })).status).toBe(200)
  await confirm(admin)
  const path = `accounts/account-secrets/${id}/histories/`
  expect((await admin.get(path)).body).toMatchObject([
    { secret: 'Root-secret-2' },
    { secret: 'Root-secret-1' },
  ])
  expect((await admin.get(`${path}?limit=1&offset=1`)).body).toMatchObject({
    count: 2,
    results: [{ secret: 'Root-secret-1', secret_type: { value: 'password' } }],
  })
  expect(await seen('changed')).toHaveLength(2)
})

test('an export of chosen accounts holds those only, and is in the books', async () => {
  const [id] = [await account('chosen'), await account('not-chosen')]
  await confirm(admin)
  const { spm } = (await admin.post('common/resources/cache/', { resources: [id] })).body
  const answer = await admin.get(`accounts/account-secrets/?spm=${String(spm)}`)
  expect(answer.body).toMatchObject([{ id, secret: 'Root-secret-1' }])
  expect(answer.body).toHaveLength(1)
  expect(await seen('Export%20only%20selected%20items')).toHaveLength(1)
})

test.each([
  ['accounts/accounts/su-from-accounts/', 'username'],
  ['accounts/account-secrets/', 'secret'],
  ['accounts/account-secrets/11111111-1111-4111-8111-111111111111/histories/', 'history_date'],
  ['perms/users/self/nodes/', 'assets_amount'],
])('a client that asks %s what it lists is told, as of any list', async (path, field) => {
  const { actions } = (await admin.options(path)).body as unknown as { actions: { GET: object } }
  expect(actions.GET).toHaveProperty(field)
})

test('the machine of an account is described as an object with fields of its own', async () => {
  const { actions } = (await admin.options('accounts/accounts/')).body as unknown as {
    actions: { GET: Record<string, { type: string; children?: object }> }
  }
  expect(actions.GET['asset']).toMatchObject({ type: 'nested object', required: true })
  expect(Object.keys(actions.GET['asset']?.children ?? {})).toEqual(
    expect.arrayContaining(['id', 'name', 'address']),
  )
})

test.each([
  'accounts/accounts/?nodes=zz',
  'accounts/accounts/?node_id=zz',
  'assets/assets/?node=zz',
  'assets/hosts/?node_id=1:x',
])('a filter that cannot be understood is told, not passed over: %s', async (path) => {
  const name = new URLSearchParams(path.split('?')[1]).keys().next().value ?? ''
  expect(await admin.get(path)).toMatchObject({ status: 400, body: { [name]: [expect.any(String)] } })
})

test('several filters of one name reach lists made by hand, and what means one thing is not said twice', async () => {
  const [asset, other] = [await host(), await host()]
  for (const [name, on] of [
    ['here-a', asset],
    ['here-b', asset],
    ['there', other],
  ])
    expect(
      (await admin.post('accounts/accounts/', { ...secretAccount, name, username: name, asset: on })).status,
    ).toBe(201)
  const list = `accounts/accounts/su-from-accounts/?asset=${asset}`
  expect((await admin.get(`${list}&username=here-a&username=here-b&username=there`)).body).toHaveLength(2)
  expect(await admin.get(`${list}&asset=${other}`)).toMatchObject({
    status: 400,
    body: { asset: [expect.any(String)] },
  })
})

test.each(['access_key', 'token', 'api_key'])(
  'keys and tokens of every kind are kept as they are given: %s',
  async (secret_type) => {
    const secret = `AKIA {{"it's"}} ${secret_type}`
    const body = { asset: await host(), name: 'cloud', username: 'cloud', secret_type, secret }
    const made = await admin.post('accounts/accounts/', body)
    expect(made).toMatchObject({ status: 201, body: { secret_type: { value: secret_type }, spec_info: {} } })
    await confirm(admin)
    expect((await admin.get(`accounts/account-secrets/${String(made.body['id'])}/`)).body).toMatchObject({
      secret,
    })
  },
)

test('past secrets say who put them there', async () => {
  const id = await account('told')
  await admin.patch(`accounts/accounts/${id}/`, { secret: 'Root-secret-2' })
  await confirm(admin)
  const { body } = await admin.get(`accounts/account-secrets/${id}/histories/`)
  const me = (await admin.get('users/profile/')).body
  expect(body).toMatchObject([{ history_user: me['id'], history_user_name: me['name'], version: 0 }])
})

test.each([
  ['locked', '', 'locked'],
  ['given another passphrase', 'another', 'passphrase'],
])('a private key that is %s is refused in words that say so', async (_how, passphrase, word) => {
  const keygen = new Keygen()
  const { privateText } = keygen.generate('locked', '-t', 'ed25519', '-a', '4', '-N', 'open me')
  keygen.dispose()
  const body = {
    asset: await host(),
    name: 'key',
    username: 'key',
    secret_type: 'ssh_key',
    secret: privateText,
    passphrase,
  }
  expect(await admin.post('accounts/accounts/', body)).toMatchObject({
    status: 400,
    body: [expect.stringContaining(word)],
  })
})

test('usernames in use are suggested, the usual administrators first, whether few have them or each another one', async () => {
  const { pool } = system.database
  const asset = await host()
  const org = String((await admin.post('orgs/orgs/', { name: 'Elsewhere' })).body['id'])
  const add = (names: string, orgId: string) =>
    pool.query(
      `insert into accounts (name, username, asset_id, org_id) select name, name, $1, $2 from (${names}) as given (name)`,
      [asset, orgId],
    )
  await add(`values ('zoe-here'), ('ann-here'), ('Admin'), ('')`, defaultOrgId)
  await add(`values ('bob-elsewhere')`, org)
  const suggested = async (text: string, more = '') =>
    (await admin.get(`accounts/accounts/username-suggestions/?username=${text}${more}`)).body
  for (const isMany of [false, true]) {
    if (isMany) await add(`select 'many-' || n from generate_series(1, 2100) n`, defaultOrgId)
    expect(await suggested('-HERE')).toEqual(['ann-here', 'zoe-here'])
    expect((await suggested('a'))[0]).toBe('Admin')
    expect(await suggested('elsewhere')).toEqual([])
    expect(await suggested('here', `&assets=${asset}`)).toEqual(['ann-here', 'zoe-here'])
  }
  expect(await suggested('many-')).toHaveLength(10)
})
