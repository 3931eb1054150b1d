/** What can be asked of assets and nodes besides reading and writing them, in the whole server. */
import { beforeAll, expect, test } from 'vitest'
import { startTestSystem, type TestBody, type TestClient } from '../../testing.ts'

const system = await startTestSystem()
let admin: TestClient
let asset: TestBody
let node: TestBody
let made = 0

const add = async (path: string, body: unknown) => {
  const answer = await admin.post(path, body)
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 })
  return answer.body
}
const addNode = (under?: TestBody) =>
  add(under ? `assets/nodes/${String(under['id'])}/children/` : 'assets/nodes/', { value: `node ${++made}` })

beforeAll(async () => {
  admin = await system.admin()
  asset = await add('assets/hosts/', { name: 'web-01', address: '192.0.2.1', platform: 1 })
  node = await addNode()
})

test.each([
  ['assets/nodes/children/', 'full_value'],
  ['assets/nodes/{node}/children/', 'full_value'],
  ['assets/nodes/suggestions/', 'full_value'],
  ['assets/nodes/{node}/assets/', 'address'],
  ['assets/assets/suggestions/', 'address'],
  ['assets/hosts/suggestions/', 'address'],
  ['assets/assets/{asset}/gateways/', 'address'],
  ['assets/assets/{asset}/platform/', 'protocols'],
  ['assets/assets/{asset}/perm-users/', 'username'],
  ['assets/assets/{asset}/perm-user-groups/', 'users_amount'],
  ['assets/categories/', 'types'],
])('a client that asks %s what it lists is told, as of any list', async (path, field) => {
  const address = path.replace('{node}', String(node['id'])).replace('{asset}', String(asset['id']))
  const answer = await admin.options(address)
  expect(answer.status).toBe(200)
  expect((answer.body as unknown as { actions: { GET: object } }).actions.GET).toHaveProperty(field)
})

test('a node that is moved is in the books, with where it was and where it is', async () => {
  const [from, to] = [await addNode(), await addNode()]
  const moved = await addNode(from)
  const into = `assets/nodes/${String(to['id'])}/children/add/`
  expect(await admin.put(into, { nodes: [moved['id']] })).toMatchObject({ status: 200, body: 'OK' })
  const name = String(moved['value'])
  const [log, ...others] = (await admin.get(`audits/operate-logs/?action=update&resource=${name}`)).body
  expect([log, others]).toMatchObject([{ resource: name }, []])
  const detail = await admin.get(`audits/operate-logs/${String(log?.['id'])}/?type=action_detail`)
  expect(detail.body['diff']).toContainEqual({
    field: 'Full path',
    before: `${String(from['full_value'])}/${name}`,
    after: `${String(to['full_value'])}/${name}`,
  })
})

test.each([
  ['add', (asset: string) => ({ before: 'empty', after: asset })],
  ['replace', (asset: string) => ({ before: 'empty', after: asset })],
  ['remove', (asset: string) => ({ before: asset, after: 'empty' })],
])('assets that a node is given or loses (%s) are in the books, under its path', async (how, change) => {
  const [at, elsewhere] = [await addNode(), await addNode()]
  const name = `booked-${how}`
  const nodes = how === 'remove' ? [at['id'], elsewhere['id']] : [elsewhere['id']]
  const host = await add('assets/hosts/', { name, address: '192.0.2.9', platform: 1, nodes })
  const path = `assets/nodes/${String(at['id'])}/assets/${how}/`
  expect((await admin.put(path, { assets: [host['id']] })).status).toBe(200)
  const logs = `audits/operate-logs/?action=update&resource_type=Node&limit=5&search=${String(at['value'])}`
  const [log] = (await admin.get(logs)).body['results'] as unknown as Record<string, unknown>[]
  expect(log).toMatchObject({ resource: at['full_value'], org_name: 'Default' })
  const detail = await admin.get(`audits/operate-logs/${String(log?.['id'])}/?type=action_detail`)
  expect(detail.body['diff']).toMatchObject([change(name)])
})

test('a client that follows a page to the next gets the rows it asked for, and no others', async () => {
  const parent = await addNode()
  for (const _ of [1, 2, 3]) await addNode(parent)
  const under = await addNode(parent)
  for (const name of ['deep-1', 'deep-2', 'deep-3'])
    await add('assets/hosts/', { name, address: '192.0.2.9', platform: 1, nodes: [under['id']] })
  for (const [path, count] of [
    [`assets/nodes/children/?key=${String(parent['key'])}&limit=3`, 4],
    [`assets/nodes/children/?id=${String(parent['id'])}&limit=3`, 4],
    [`assets/nodes/${String(parent['id'])}/children/?all=1&limit=3`, 4],
    [`assets/nodes/${String(parent['id'])}/assets/?all=1&limit=2`, 3],
  ] as const) {
    const first = (await admin.get(path)).body
    expect(first).toMatchObject({ count })
    const second = (await admin.get(String(first['next']).replace(/^https?:\/\/[^/]+/, ''))).body
    expect(second, path).toMatchObject({ count, next: null })
    const ids = [first, second].flatMap((page) => (page['results'] as TestBody[]).map((row) => row['id']))
    expect(new Set(ids).size, path).toBe(count)
    const back = new URL(String(second['previous'])).searchParams
    for (const [name, value] of new URLSearchParams(path.split('?')[1]))
      expect(back.get(name), path).toBe(value)
  }
})

test('a link to the next page of granted assets asks for no more than the client did', async () => {
  await add('perms/asset-permissions/', {
    name: 'everything of mine',
    users: [(await admin.get('users/profile/')).body['id']],
    nodes: [
      ((await admin.get('assets/nodes/?limit=1&order=id&key=1')).body['results'] as TestBody[])[0]?.['id'],
    ],
    accounts: ['@ALL'],
  })
  const { body } = await admin.get('perms/users/self/assets/?limit=1&all=1')
  expect([...new URL(String(body['next'])).searchParams.keys()].sort()).toEqual(['all', 'limit', 'offset'])
})

test('an asset that names no node is put into the one the address names', async () => {
  const other = await addNode()
  const made = async (name: string, more: object = {}) =>
    (
      await add(`assets/hosts/?node_id=${String(node['id'])}`, {
        name,
        address: '192.0.2.4',
        platform: 1,
        ...more,
      })
    )['nodes']
  expect(await made('placed-1')).toMatchObject([{ id: node['id'] }])
  expect(await made('placed-2', { nodes: [other['id']] })).toMatchObject([{ id: other['id'] }])
  const rows = ['placed-3', 'placed-4'].map((name) => ({ name, address: '192.0.2.4', platform: 1 }))
  for (const row of await add(`assets/hosts/?node_id=${String(node['id'])}`, rows))
    expect(row['nodes']).toMatchObject([{ id: node['id'] }])
})

test('an asset whose form and whose node are saved at once stays in a node', async () => {
  const [kept, left] = [await addNode(), await addNode()]
  const nodes = [kept['id'], left['id']]
  const host = await add('assets/hosts/', { name: 'between', address: '192.0.2.9', platform: 1, nodes })
  const id = String(host['id'])
  // The form is being saved: it leaves one of the two, and is not committed yet.
  const form = await system.database.pool.connect()
  await form.query('begin')
  await form.query('select from assets where id = $1 for update', [id])
  await form.query('delete from asset_nodes where asset_id = $1 and node_id = $2', [id, left['id']])
  let isAnswered = false
  const removed = admin
    .put(`assets/nodes/${String(kept['id'])}/assets/remove/`, { assets: [id] })
    .finally(() => (isAnswered = true))
  const waits = async () =>
    isAnswered ||
    (
      await system.database.pool.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      )
    ).rowCount === 1
  await expect.poll(waits).toBe(true)
  await form.query('commit')
  form.release()
  expect((await removed).status).toBe(200)
  expect((await admin.get(`assets/hosts/${id}/`)).body['nodes']).toHaveLength(1)
})

test('of several labels an asset carries all', async () => {
  const labels = [
    { name: 'env', value: 'prod' },
    { name: 'tier', value: 'front' },
  ]
  const more = { address: '192.0.2.6', platform: 1 }
  await add('assets/hosts/', { ...more, name: 'both-labels', labels })
  await add('assets/hosts/', { ...more, name: 'one-label', labels: labels.slice(0, 1) })
  const named = async (query: string) =>
    (await admin.get(`assets/hosts/?order=name&${query}`)).body.map((row) => String(row['name']))
  expect(await named('label=env:prod')).toEqual(['both-labels', 'one-label'])
  expect(await named('label=env:prod&label=tier:front')).toEqual(['both-labels'])
})

test('an asset is put into no node that is none here', async () => {
  const elsewhere = (await add('orgs/orgs/', { name: 'Elsewhere' }))['id']
  const far = (await admin.get('assets/nodes/', { org: String(elsewhere) })).body[0]?.['id']
  expect(far).toBeDefined()
  for (const id of [String(far), crypto.randomUUID(), 'zz']) {
    const row = { name: 'nowhere', address: '192.0.2.5', platform: 1 }
    expect(await admin.post(`assets/hosts/?node_id=${id}`, row)).toMatchObject({
      status: 400,
      body: { nodes: [expect.any(String)] },
    })
  }
  expect((await admin.get('assets/hosts/?name=nowhere')).body).toEqual([])
})

test.each([
  ['assets/nodes/children/', ['GET', 'POST']],
  ['assets/nodes/suggestions/', ['GET']],
  ['assets/nodes/{node}/assets/', ['GET']],
  ['assets/hosts/suggestions/', ['GET']],
  ['assets/hosts/{asset}/gateways/', ['GET']],
  ['assets/assets/{asset}/perm-users/', ['GET']],
  ['assets/assets/{asset}/perm-user-groups/', ['GET']],
  ['assets/assets/{asset}/perm-users/{asset}/permissions/', ['GET']],
  ['accounts/accounts/su-from-accounts/', ['GET']],
  ['users/users/suggestions/', ['GET']],
  ['users/users/{asset}/password/', ['PATCH', 'PUT']],
  ['perms/asset-permissions/{asset}/accounts/', ['GET']],
])('a client that asks what it can do at %s is told no more than there is', async (path, methods) => {
  const address = path.replaceAll('{node}', String(node['id'])).replaceAll('{asset}', String(asset['id']))
  const { actions } = (await admin.options(address)).body
  expect(Object.keys(actions as object).sort()).toEqual(methods)
})

test.each(['user', 'asset'])(
  'whom and what a grant reaches is described as it is shown: %s',
  async (kind) => {
    const grant = await add('perms/asset-permissions/', {
      name: `of one ${kind}`,
      users: [(await admin.get('users/profile/')).body['id']],
      assets: [asset['id']],
      accounts: ['@ALL'],
    })
    const path = `perms/asset-permissions/${String(grant['id'])}/${kind}s/all/`
    const [row] = (await admin.get(path)).body
    const { actions } = (await admin.options(path)).body
    expect(Object.keys(actions as object)).toEqual(['GET'])
    expect(Object.keys(actions?.['GET'] ?? {})).toEqual(Object.keys(row ?? {}))
  },
)
