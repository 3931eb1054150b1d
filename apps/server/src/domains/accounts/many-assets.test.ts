/** One account for many assets, with a word about each. */
import { rootOrgId } from '@sallyport/contract'
import { beforeAll, expect, test } from 'vitest'
import { addHolder, confirm } from '../../testing-people.ts'
import { adminPassword, startTestSystem, type TestClient } from '../../testing.ts'

const system = await startTestSystem()
let admin: TestClient
let made = 0
beforeAll(async () => {
  admin = await system.admin()
  await confirm(admin, adminPassword)
})

const list = 'accounts/accounts/'
const bulk = `${list}bulk/`
const root = { name: 'root', username: 'root', secret_type: 'password', secret: 'Root-secret-1' }
async function hosts(count: number, fields: Record<string, unknown> = {}): Promise<string[]> {
  const bodies = Array.from({ length: count }, () => ({
    name: `many-${String(++made).padStart(4, '0')}`,
    address: '192.0.2.1',
    platform: 1,
    ...fields,
  }))
  const answer = await admin.post('assets/hosts/', bodies)
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 })
  return answer.body.map(({ id }) => String(id))
}
const secretsOf = async (asset: string | undefined) =>
  (await admin.get(`accounts/account-secrets/?asset=${asset}`)).body.map(({ username, secret }) => [
    username,
    secret,
  ])

test('an account is added to the assets named and to all below a node, each of them once', async () => {
  const node = (await admin.post('assets/nodes/', { value: 'many' })).body
  const inner = (await admin.post(`assets/nodes/${String(node['id'])}/children/`, { value: 'inner' })).body
  const [named, below] = [await hosts(2), await hosts(2, { nodes: [inner['id']] })]
  const answer = await admin.post(bulk, { ...root, assets: [...named, below[0]], nodes: [node['id']] })
  expect(answer.status).toBe(200)
  expect(answer.body).toHaveLength(4)
  expect(answer.body[0]).toEqual({
    asset: { id: named[0], name: expect.stringContaining('many-'), address: '192.0.2.1' },
    state: { value: 'created', label: 'Created' },
    error: null,
    account: expect.any(String),
  })
  for (const asset of [...named, ...below])
    expect(await secretsOf(asset)).toEqual([['root', 'Root-secret-1']])
  const books = await admin.get('audits/operate-logs/?action=create&resource_type=Account', {
    org: rootOrgId,
  })
  expect(books.body.filter(({ resource }) => String(resource).startsWith('root@many-'))).toHaveLength(4)
})

test('where such an account is there already it is left alone, changed, or told as an error, as was asked', async () => {
  const [free, same, named] = await hosts(3)
  await admin.post(list, { ...root, secret: 'Old-secret-1', asset: same })
  await admin.post(list, { ...root, username: 'other', secret: 'Old-secret-1', asset: named })
  const assets = [free, same, named]
  const add = async (on_invalid: string, secret: string) =>
    (await admin.post(bulk, { ...root, secret, assets, on_invalid })).body.map(({ state, error }) => [
      String(state?.['value']),
      error === null ? null : String(error),
    ])
  const isThere = expect.stringContaining('already')
  expect(await add('skip', 'New-secret-1')).toEqual([
    ['created', null],
    ['skipped', isThere],
    ['skipped', isThere],
  ])
  expect(await add('error', 'New-secret-2')).toEqual(assets.map(() => ['error', isThere]))
  expect(await secretsOf(same)).toEqual([['root', 'Old-secret-1']])
  expect(await add('update', 'New-secret-3')).toEqual([
    ['updated', null],
    ['updated', null],
    ['error', 'Another account of the asset has this name.'],
  ])
  expect(await secretsOf(same)).toEqual([['root', 'New-secret-3']])
  expect(await secretsOf(named)).toEqual([['other', 'Old-secret-1']])
})

test('of a template what is not said is the template’s', async () => {
  const template = { name: 'Deployer', username: 'deploy', secret_type: 'password', secret: 'Of-template-1' }
  const { id } = (await admin.post('accounts/account-templates/', template)).body
  const assets = await hosts(2)
  const answer = await admin.post(bulk, { template: id, assets, name: 'deployer here' })
  expect(answer.body.map(({ state }) => state?.['value'])).toEqual(['created', 'created'])
  const { body } = await admin.get(`${list}?asset=${assets[0]}`)
  expect(body).toMatchObject([{ name: 'deployer here', username: 'deploy', has_secret: true }])
  expect(await secretsOf(assets[1])).toEqual([['deploy', 'Of-template-1']])
})

test('what cannot be added to any asset is refused as a whole', async () => {
  const [asset] = await hosts(1)
  const missing = '11111111-1111-4111-8111-111111111111'
  const send = (fields: object) => admin.post(bulk, { ...root, ...fields })
  expect(await send({})).toMatchObject({ status: 400, body: { assets: [expect.any(String)] } })
  expect(await send({ assets: [asset, missing] })).toMatchObject({
    status: 400,
    body: { assets: [expect.stringContaining(missing)] },
  })
  expect(await send({ assets: [asset], template: missing })).toMatchObject({
    status: 400,
    body: { template: [expect.any(String)] },
  })
  expect(await send({ assets: [asset], secret_type: 'ssh_key' })).toMatchObject({
    status: 400,
    body: [expect.stringContaining('private key')],
  })
  expect(await admin.post(bulk, { assets: [asset], secret: 'x' })).toMatchObject({
    status: 400,
    body: { name: [expect.any(String)] },
  })
  expect((await admin.get(`${list}?asset=${asset}`)).body).toEqual([])
})

test('of those who add the same at once, the later leave it alone as they asked', async () => {
  const assets = await hosts(20)
  const add = () => admin.post(bulk, { ...root, assets, on_invalid: 'skip' })
  const answers = await Promise.all([add(), add(), add()])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  const states = answers.flatMap(({ body }) => body.map((row) => String(row['state']?.['value'])))
  expect(states.filter((state) => state === 'created')).toHaveLength(20)
  expect(states.filter((state) => state === 'skipped')).toHaveLength(40)
})

test('who may only add changes none that are there', async () => {
  const person = await addHolder(system, admin, 'accounts.add_account', 'accounts.view_account')
  const [asset] = await hosts(1)
  const add = (on_invalid: string) => person.post(bulk, { ...root, assets: [asset], on_invalid })
  expect((await add('skip')).body).toMatchObject([{ state: { value: 'created' } }])
  expect((await add('update')).status).toBe(403)
})

test('a thousand assets get their account at once', async () => {
  const assets = await hosts(1000)
  const begunMs = performance.now()
  const answer = await admin.post(bulk, { ...root, assets })
  expect(answer.body).toHaveLength(1000)
  // By the set: one by one it would be some ten thousand statements.
  expect(performance.now() - begunMs).toBeLessThan(30_000)
  expect((await admin.get(`${list}?username=root&limit=1&search=many`)).status).toBe(200)
})
