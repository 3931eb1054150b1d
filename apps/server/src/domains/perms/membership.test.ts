/** Organizations, people and what they were granted, in the whole server with real sign-ins. */
import { defaultOrgId } from '@sallyport/contract'
import { beforeAll, expect, it } from 'vitest'
import { startTestSystem, type TestBody, type TestClient } from '../../testing.ts'

const password = 'Battery-staple-7'
let admin: TestClient
let person: TestClient
let personId: string
let asset: TestBody

async function made(path: string, body: unknown, org?: string): Promise<TestBody> {
  const answer = await admin.post(path, body, org === undefined ? {} : { org })
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 })
  return answer.body
}

beforeAll(async () => {
  const system = await startTestSystem()
  admin = await system.admin()
  const user = await made('users/users/', {
    name: 'Eve',
    username: 'eve',
    email: 'eve@example.com',
    password_strategy: 'custom',
    password,
    need_update_password: false,
  })
  personId = String(user['id'])
  person = system.client()
  expect(await person.signIn('eve', password)).toMatchObject({ status: 200 })
  asset = await made('assets/hosts/', {
    name: 'web-01',
    address: '10.0.0.1',
    platform: 1,
    accounts: [{ name: 'root', username: 'root', secret: 'Very-secret-1' }],
  })
})

it('a person sees what is granted, from the next request on, and nothing else', async () => {
  expect((await person.get('perms/users/self/assets/')).body).toEqual([])
  const grant = await made('perms/asset-permissions/', {
    name: 'eve to web',
    users: [personId],
    assets: [asset['id']],
    accounts: ['@ALL'],
  })
  expect((await person.get('perms/users/self/assets/')).body).toMatchObject([{ name: 'web-01' }])
  const accounts = await person.get(`perms/users/self/assets/${String(asset['id'])}/accounts/`)
  expect(accounts.body).toMatchObject([{ alias: 'root', has_secret: true }])
  for (const path of [
    'assets/hosts/',
    'accounts/accounts/',
    `perms/users/${personId}/assets/`,
    'perms/asset-permissions/',
  ])
    expect([path, (await person.get(path)).status]).toEqual([path, 403])
  await admin.patch(`perms/asset-permissions/${String(grant['id'])}/`, { is_active: false })
  expect((await person.get('perms/users/self/assets/')).body).toEqual([])
  await admin.patch(`perms/asset-permissions/${String(grant['id'])}/`, { is_active: true })
})

it('who leaves an organization leaves its grants', async () => {
  const answer = await admin.post(`users/users/${personId}/remove/`, {}, { org: defaultOrgId })
  expect([200, 204]).toContain(answer.status)
  expect((await admin.get('perms/asset-permissions/?search=eve')).body).toMatchObject([{ users: [] }])
})

it('an organization is born with a tree, tells what it holds, and is deleted only when it holds nothing', async () => {
  const org = String((await made('orgs/orgs/', { name: 'Branch' }))['id'])
  const roots = await admin.get('assets/nodes/', { org })
  expect(roots.body).toMatchObject([{ value: 'Branch', full_value: '/Branch' }])
  const host = await made('assets/hosts/', { name: 'b', address: 'x', platform: 1 }, org)
  expect((await admin.get(`orgs/orgs/${org}/`)).body['resource_statistics']).toMatchObject({
    assets_amount: 1,
    nodes_amount: 1,
    asset_perms_amount: 0,
  })
  expect(await admin.delete(`orgs/orgs/${org}/`)).toMatchObject({ status: 403 })
  await admin.patch(`orgs/orgs/${org}/`, { name: 'Renamed' })
  expect((await admin.get('assets/nodes/', { org })).body).toMatchObject([{ full_value: '/Renamed' }])
  await admin.delete(`assets/hosts/${String(host['id'])}/`, { org })
  expect(await admin.delete(`orgs/orgs/${org}/`)).toMatchObject({ status: 204 })
})

it('secrets open after a confirmation only, and the books say so', async () => {
  const list = await admin.get(`accounts/accounts/?asset=${String(asset['id'])}`)
  const id = String(list.body[0]?.['id'])
  const path = `accounts/account-secrets/${id}/`
  expect(await admin.get(path)).toMatchObject({ status: 400, body: { code: 'mfa' } })
  const confirmed = await admin.post('authentication/confirm/', {
    confirm_type: 'password',
    secret_key: 'Correct-horse-9',
  })
  expect(confirmed.status).toBe(200)
  expect((await admin.get(path)).body).toMatchObject({ secret: 'Very-secret-1' })
  const logs = await admin.get(`audits/operate-logs/?action=view`)
  expect(logs.body).toMatchObject([{ resource: `root@${String(asset['name'])}`, action: { value: 'view' } }])
})
