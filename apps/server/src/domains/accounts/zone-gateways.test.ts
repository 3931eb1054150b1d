/** Network zones as a grant tells them: what a gateway gets to reach an asset in one. */
import { randomUUID } from 'node:crypto'
import { defaultOrgId, gatewayPlatformName } from '@sallyport/contract'
import { begunSessionSchema } from '@sallyport/contract/gateway/books'
import { droppedFields } from '@sallyport/contract/gateway/dropped'
import type { GrantTold } from '@sallyport/contract/gateway/grants'
import { beforeAll, expect, test } from 'vitest'
import { startTestSystem, type TestBody } from '../../testing.ts'

const system = await startTestSystem()
const admin = await system.admin()
const component = await system.component('gateway')
let ann = ''
let count = 0
const fresh = (name: string) => `${name}-${++count}`
async function created(path: string, body: unknown): Promise<TestBody> {
  const answer = await admin.post(path, body)
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 })
  return answer.body
}
const idOf = (body: TestBody) => String(body['id'])

beforeAll(async () => {
  const username = 'ann'
  const fields = { name: username, username, email: `${username}@example.com` }
  ann = idOf(
    await created('users/users/', { ...fields, password_strategy: 'custom', password: 'A-password-of-9' }),
  )
})

const zone = async () => {
  const name = fresh('zone')
  return { id: idOf(await created('assets/domains/', { name })), name }
}
const account = (fields: Record<string, unknown> = {}) => ({
  name: 'op',
  username: 'op',
  secret_type: 'password',
  secret: 'Op-secret-1',
  ...fields,
})

async function machine(
  list: 'hosts' | 'gateways',
  domain: string | null,
  fields: Record<string, unknown> = {},
) {
  const body = await created(`assets/${list}/`, {
    name: fresh(list),
    address: `192.0.2.${++count}`,
    platform: 1,
    domain,
    accounts: [account()],
    ...fields,
  })
  return { id: idOf(body), name: String(body['name']) }
}
const gatewayIn = (domain: string, fields?: Record<string, unknown>) => machine('gateways', domain, fields)

/** What a gateway is told when ann connects there. */
async function grantOn(asset: { id: string; name: string }): Promise<GrantTold> {
  const permission = { users: [ann], assets: [asset.id], accounts: ['@ALL'], actions: ['connect'] }
  await created('perms/asset-permissions/', { name: fresh('grant'), ...permission })
  const wanted = { id: randomUUID(), user: ann, asset: asset.id, account: 'op', protocol: 'ssh' }
  const { status, body } = await component.post('terminal/sessions/begin/', {
    ...wanted,
    connect_method: 'ssh',
    type: 'normal',
    login_from: 'ST',
    remote_addr: '198.51.100.7',
    date_start: new Date().toISOString(),
  })
  expect(status, JSON.stringify(body)).toBe(201)
  expect(droppedFields(begunSessionSchema, body)).toEqual([])
  return begunSessionSchema.parse(body) && (body['grant'] as unknown as GrantTold)
}

test('a grant on a machine in a zone names the zone and its gateways, with what opens them', async () => {
  const own = await zone()
  const border = await gatewayIn(own.id, { protocols: [{ name: 'ssh', port: 2022 }] })
  const grant = await grantOn(await machine('hosts', own.id))
  expect(grant).toMatchObject({
    domain: own,
    gateway: {
      ...border,
      protocols: [{ name: 'ssh', port: 2022 }],
      account: { username: 'op', secret_type: { value: 'password' }, secret: 'Op-secret-1' },
    },
  })
  expect(grant.gateways).toEqual([grant.gateway])
})

test('what is in no zone, and a gateway itself, is reached straight', async () => {
  const own = await zone()
  const straight = { domain: null, gateway: null, gateways: [] }
  expect(await grantOn(await machine('hosts', null))).toMatchObject(straight)
  expect(await grantOn(await gatewayIn(own.id))).toMatchObject(straight)
})

test('of many gateways those are told that are active, the reachable first, those without an account last', async () => {
  const own = await zone()
  const other = await zone()
  const without = await gatewayIn(own.id, { accounts: [account({ secret: undefined })] })
  const failed = await gatewayIn(own.id)
  const unknown = await gatewayIn(own.id)
  const reached = [await gatewayIn(own.id), await gatewayIn(own.id)]
  await gatewayIn(own.id, { is_active: false })
  await gatewayIn(other.id)
  const set = (value: string, ids: string[]) =>
    system.database.pool.query('update assets set connectivity = $1 where id = any($2)', [value, ids])
  await set('err', [failed.id])
  await set('ok', [...reached.map(({ id }) => id), without.id])
  const host = await machine('hosts', own.id)
  const { gateways, gateway } = await grantOn(host)
  const ids = gateways.map(({ id }) => id)
  expect(new Set(ids.slice(0, 2))).toEqual(new Set(reached.map(({ id }) => id)))
  expect(ids.slice(2)).toEqual([unknown.id, failed.id, without.id])
  expect(gateway?.id).toBe(ids[0])
  expect(gateways.at(-1)).toMatchObject({ account: null })
})

test('a gateway is signed in to with an active account, a privileged one first', async () => {
  const own = await zone()
  await gatewayIn(own.id, {
    accounts: [
      account({ name: 'plain', username: 'plain' }),
      account({ name: 'off', username: 'off', privileged: true, is_active: false }),
      account({ name: 'root', username: 'root', privileged: true, secret: 'Root-secret-1' }),
      account({ name: 'token', username: 'token', privileged: true, secret_type: 'token' }),
    ],
  })
  const { gateway } = await grantOn(await machine('hosts', own.id))
  expect(gateway?.account).toMatchObject({ username: 'root', secret: 'Root-secret-1' })
})

test('a zone without gateways is told all the same: there is no way into it', async () => {
  const own = await zone()
  expect(await grantOn(await machine('hosts', own.id))).toMatchObject({
    domain: own,
    gateway: null,
    gateways: [],
  })
})

test('the secrets that go along with that of the account are on the books of theirs: by whom, when and for which session', async () => {
  const { pool } = system.database
  const accountOn = async ({ id }: { id: string }) =>
    (await pool.query<{ id: string }>(`select id from accounts where asset_id = $1 and name = 'op'`, [id]))
      .rows[0]?.id ?? ''
  const own = await zone()
  const border = await gatewayIn(own.id)
  const elsewhere = await accountOn(await gatewayIn((await zone()).id))
  const host = await machine('hosts', own.id)
  const [from, way] = [await accountOn(host), await accountOn(border)]
  const become = { ...account({ name: 'root', username: 'root' }), asset: host.id, su_from: from }
  const root = idOf(await created('accounts/accounts/', become))
  const permission = { users: [ann], assets: [host.id], accounts: ['@ALL'], actions: ['connect'] }
  await created('perms/asset-permissions/', { name: fresh('grant'), ...permission })
  const opening = {
    id: randomUUID(),
    protocol: 'ssh',
    type: 'normal',
    login_from: 'ST',
    remote_addr: '198.51.100.7',
    date_start: new Date().toISOString(),
  }
  const wanted = { ...opening, user: ann, asset: host.id, account: 'root', connect_method: 'ssh' }
  expect((await component.post('terminal/sessions/begin/', wanted)).status).toBe(201)
  const told = async (id: string) => {
    const { body } = await admin.get(`audits/activities/?resource_id=${id}`)
    const all = (body as unknown as { content: string }[]).map(({ content }) => content)
    return all.filter((content) => content.includes('login asset'))
  }
  const login = `user ann(ann) use account root(root) login asset ${host.name}(`
  const used = (name: string) => [expect.stringContaining(`The secret of ${name} was used where ${login}`)]
  expect(await told(root)).toEqual([expect.stringContaining(login.replace('user', 'User'))])
  expect(await told(from)).toEqual(used(`op@${host.name}`))
  expect(await told(way)).toEqual(used(`op@${border.name}`))
  expect(await told(elsewhere)).toEqual([])
  const ids = await pool.query('select detail_id from activities where resource_id = any($1)', [[from, way]])
  expect(ids.rows).toEqual([{ detail_id: opening.id }, { detail_id: opening.id }])
  // A session that comes on the books by itself, as one by a connection token does.
  const facts = {
    ...opening,
    id: randomUUID(),
    user: 'ann(ann)',
    user_id: ann,
    asset: host.name,
    asset_id: host.id,
    account: 'root(root)',
    account_id: root,
    org_id: defaultOrgId,
  }
  expect((await component.post('terminal/sessions/', facts)).status).toBe(201)
  expect((await Promise.all([from, way].map(told))).map(({ length }) => length)).toEqual([2, 2])
})

test('what opens a gateway is on no list of gateways or zones, whoever asks', async () => {
  const own = await zone()
  const { id } = await gatewayIn(own.id)
  const host = await machine('hosts', own.id)
  for (const client of [admin, component])
    for (const path of [
      'assets/gateways/',
      `assets/gateways/${id}/`,
      `assets/hosts/${host.id}/gateways/`,
      'assets/domains/?gateway=1',
      `assets/domains/${own.id}/?gateway=1`,
    ])
      expect(JSON.stringify((await client.get(path)).body)).not.toContain('Op-secret')
  expect((await admin.get(`assets/gateways/${id}/`)).body).toMatchObject({
    platform: { name: gatewayPlatformName },
    domain: own,
  })
})

test('a gateway that becomes an ordinary host of its zone is reached another way: its secrets go along', async () => {
  const own = await zone()
  const { id } = await gatewayIn(own.id)
  const answer = await admin.patch(`assets/hosts/${id}/`, { platform: 1 })
  expect(answer).toMatchObject({ status: 400, body: { code: 'mfa' } })
})
