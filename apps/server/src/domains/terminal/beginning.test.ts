import { randomUUID } from 'node:crypto'
import { defaultOrgId } from '@sallyport/contract'
import { begunSessionSchema } from '@sallyport/contract/gateway/books'
import { droppedFields } from '@sallyport/contract/gateway/dropped'
import { directTargetsSchema } from '@sallyport/contract/gateway/grants'
import { beforeAll, describe, expect, test } from 'vitest'
import { startTestSystem, type TestBody } from '../../testing.ts'
import { person } from './testing.ts'

const system = await startTestSystem()
const admin = await system.admin()
const gateway = await system.component('gateway')
const other = await system.component('other')
const org = defaultOrgId
let ann = ''
let host = ''
let grant = ''
const created = async (path: string, body: unknown): Promise<TestBody> => {
  const answer = await admin.post(path, body, { org })
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 })
  return answer.body
}

beforeAll(async () => {
  ann = (await person(system, admin, 'ann')).id
  const account = { secret_type: 'password', secret: 'Root-secret-1' }
  const made = await created('assets/hosts/', {
    name: 'web-1',
    address: '192.0.2.10',
    platform: 1,
    protocols: [{ name: 'ssh', port: 2022 }],
    accounts: [
      { name: 'root', username: 'root', ...account },
      { name: 'empty', username: 'empty', secret_type: 'password' },
    ],
  })
  host = String(made['id'])
  const granted = await created('perms/asset-permissions/', {
    name: 'ann on web-1',
    users: [ann],
    assets: [host],
    accounts: ['@ALL', '@INPUT', '@USER'],
    actions: ['connect', 'upload'],
  })
  grant = String(granted['id'])
})

const wanted = (fields: Record<string, unknown> = {}) => ({
  id: randomUUID(),
  user: ann,
  asset: host,
  account: 'root',
  protocol: 'ssh',
  connect_method: 'ssh',
  type: 'normal',
  login_from: 'ST',
  remote_addr: '198.51.100.7',
  date_start: new Date().toISOString(),
  ...fields,
})
const begin = (body: unknown, by = gateway) =>
  by.post('terminal/sessions/begin/', body, { headers: { 'accept-language': 'en' } })
const onBooks = (id: string) => admin.get(`terminal/sessions/${id}/`, { org })

describe('a session that is begun in one call', () => {
  test('is granted and on the books at once', async () => {
    const sent = wanted()
    const { status, body } = await begin(sent)
    expect({ status, body }).toMatchObject({
      status: 201,
      body: {
        grant: {
          user: { id: ann, username: 'ann' },
          asset: { id: host, address: '192.0.2.10', protocols: [{ name: 'ssh', port: 2022 }] },
          account: { name: 'root', username: 'root', secret: 'Root-secret-1' },
          protocol: 'ssh',
          actions: [{ value: 'connect' }, { value: 'upload' }],
        },
        host_keys: { address: '192.0.2.10:2022', keys: [] },
      },
    })
    expect(droppedFields(begunSessionSchema, body)).toEqual([])
    expect((await onBooks(sent.id)).body).toMatchObject({
      user: 'ANN(ann)',
      user_id: ann,
      asset: 'web-1(192.0.2.10)',
      asset_id: host,
      account: 'root(root)',
      remote_addr: '198.51.100.7',
      terminal: { name: 'gateway' },
      is_finished: false,
      org_id: org,
    })
    const { body: noted } = await admin.get(`audits/activities/?resource_id=${host}`, { org })
    expect(JSON.stringify(noted)).toContain('User ANN(ann) use account root(root) login asset web-1')
  })

  test('was begun minutes ago at most', async () => {
    const sent = wanted({ date_start: '1970-01-01T00:00:00Z' })
    expect((await begin(sent)).status).toBe(201)
    const { date_start } = (
      await admin.get(`terminal/sessions/${sent.id}/`, { org, headers: { 'x-tz': 'UTC' } })
    ).body
    const begun = Date.parse(String(date_start).replaceAll('/', '-').replace(' +0000', 'Z'))
    expect(begun).toBeGreaterThan(Date.now() - 3_600_000)
  })

  test('tells the keys that were accepted of the machine', async () => {
    const seen = { algorithm: 'ssh-ed25519', key: ed25519, asset: host, address: '192.0.2.10:2022' }
    expect((await gateway.post('terminal/host-keys/seen/', seen)).body).toMatchObject({ state: 'accepted' })
    expect((await begin(wanted())).body['host_keys']).toMatchObject({ keys: [{ key: ed25519 }] })
  })

  test('ends when the last right to connect ends, however long another one goes on', async () => {
    const ended = async (body: TestBody) => {
      const { expire_at } = begunSessionSchema.parse(body).grant
      return new Date(expire_at * 1000).toISOString()
    }
    const [soon, later] = ['2090-01-01T00:00:00.000Z', '2096-01-01T00:00:00.000Z']
    const { id: cat } = await person(system, admin, 'cat')
    const permission = (name: string, fields: object) =>
      created('perms/asset-permissions/', {
        name,
        users: [cat],
        assets: [host],
        accounts: ['@ALL'],
        ...fields,
      })
    await permission('cat connects', { actions: ['connect'], date_expired: soon })
    await permission('cat uploads', { actions: ['upload'], date_expired: later })
    await permission('cat uploads as root', { accounts: ['root'], actions: ['upload'], date_expired: later })
    expect(await ended((await begin(wanted({ user: cat }))).body)).toBe(soon)
    await permission('cat connects as root', {
      accounts: ['root'],
      actions: ['connect'],
      date_expired: later,
    })
    expect(await ended((await begin(wanted({ user: cat }))).body)).toBe(later)
  })

  test('carries what was typed where the account has no secret, and only there', async () => {
    const account = async (fields: Record<string, unknown>) =>
      (await begin(wanted({ input_secret: 'Typed-1', ...fields }))).body['grant']?.['account' as never]
    expect(await account({ account: '@INPUT', input_username: 'guest' })).toMatchObject({
      username: 'guest',
      secret: 'Typed-1',
    })
    expect(await account({ account: '@USER', input_username: 'guest' })).toMatchObject({ username: 'ann' })
    expect(await account({ account: 'empty' })).toMatchObject({ username: 'empty', secret: 'Typed-1' })
    expect(await account({ account: 'root' })).toMatchObject({ secret: 'Root-secret-1' })
  })

  test('is the same one when it is asked for again, and nobody else’s', async () => {
    const sent = wanted()
    await begin(sent)
    expect((await begin(sent)).status).toBe(201)
    const { rows } = await system.database.pool.query('select 1 from activities where detail_id = $1', [
      sent.id,
    ])
    expect(rows).toHaveLength(3)
    expect((await begin(sent, other)).status).toBe(409)
    expect((await begin({ ...sent, account: 'empty' })).status).toBe(400)
    await gateway.patch(`terminal/sessions/${sent.id}/`, { is_finished: true, end_reason: 'killed' })
    expect((await begin(sent)).status).toBe(400)
  })

  test.each([
    ['an account that is not there', { account: 'nobody' }, { code: 'perm_account_invalid' }],
    ['an asset that is not there', { asset: randomUUID() }, { code: 'perm_account_invalid' }],
    ['a person who is not there', { user: randomUUID() }, { code: 'perm_account_invalid' }],
    ['a protocol it does not speak', { protocol: 'telnet' }, { protocol: [expect.any(String)] }],
  ])('is neither granted nor on the books for %s', async (_, fields, body) => {
    const sent = wanted(fields)
    expect(await begin(sent)).toMatchObject({ status: 400, body })
    expect((await onBooks(sent.id)).status).toBe(404)
  })

  test('is refused from the moment the right is gone', async () => {
    await admin.patch(`perms/asset-permissions/${grant}/`, { is_active: false }, { org })
    expect(await begin(wanted())).toMatchObject({ status: 400, body: { code: 'perm_account_invalid' } })
    await admin.patch(`perms/asset-permissions/${grant}/`, { is_active: true }, { org })
    expect((await begin(wanted())).status).toBe(201)
    await admin.patch(`users/users/${ann}/`, { is_active: false }, { org })
    expect(await begin(wanted())).toMatchObject({ status: 400, body: { code: 'perm_account_invalid' } })
    await admin.patch(`users/users/${ann}/`, { is_active: true }, { org })
  })

  test('is for gateways only', async () => {
    const sent = wanted()
    expect((await admin.post('terminal/sessions/begin/', sent, { org })).status).toBe(403)
  })
})

describe('what a direct login names', () => {
  const direct = (user: string, address: string, protocol = 'ssh') =>
    gateway.get(`perms/users/${user}/direct/?address=${address}&protocol=${protocol}`)

  test.each(['192.0.2.10', 'web-1'])('is found by %s, with the accounts on it', async (named) => {
    const { status, body } = await direct(ann, named)
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { assets: [{ id: host, name: 'web-1', platform: { id: 1 } }] },
    })
    expect(directTargetsSchema.parse(body).accounts.map(({ alias }) => alias)).toEqual([
      'empty',
      'root',
      '@USER',
      '@INPUT',
    ])
  })

  test('is told without accounts where it is several, those of that address before that name', async () => {
    const twin = { address: '192.0.2.20', platform: 1, protocols: [{ name: 'ssh', port: 22 }] }
    const twins = await Promise.all(
      ['twin-1', 'twin-2', '192.0.2.20x'].map((name) => created('assets/hosts/', { ...twin, name })),
    )
    const named = await created('assets/hosts/', { ...twin, name: '192.0.2.20', address: '192.0.2.21' })
    await created('perms/asset-permissions/', {
      name: 'twins',
      users: [ann],
      assets: [...twins, named].map((one) => one['id']),
      accounts: ['@ALL'],
      actions: ['connect'],
    })
    const { body } = await direct(ann, '192.0.2.20')
    const { assets, accounts } = directTargetsSchema.parse(body)
    expect(assets.map(({ name }) => name)).toEqual(['192.0.2.20x', 'twin-1', 'twin-2'])
    expect(accounts).toEqual([])
  })

  test('is nothing to who was granted nothing there, and by a protocol it does not speak', async () => {
    const ben = await person(system, admin, 'ben')
    const nothing = { assets: [], accounts: [] }
    expect((await direct(ben.id, 'web-1')).body).toEqual(nothing)
    expect((await direct(ann, 'web-1', 'rdp')).body).toEqual(nothing)
    expect((await direct(ann, 'web')).body).toEqual(nothing)
  })
})

const ed25519 = 'AAAAC3NzaC1lZDI1NTE5AAAAIJ8H0cR8vXyHcwNQqD0p1sYyN7zVvY7bZ7g4n2hC2bOe'
