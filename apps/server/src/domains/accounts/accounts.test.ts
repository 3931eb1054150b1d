/** What an account opens with leaves its machine only for those who may see it, have just said who they are, and are on the books. */
import { defaultOrgId, rootOrgId } from '@sallyport/contract'
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
/** What the books say was seen of accounts of that name. */
async function seen(name: string) {
  const answer = await admin.get(`audits/operate-logs/?action=view&resource=${name}`, { org: rootOrgId })
  return answer.body.map((row) => ({ resource: row['resource'], org: row['org_id'] }))
}
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
  expect(await seen(name)).toEqual([{ resource: name, org: defaultOrgId }])
})

test('an account that keeps its machine is edited without a question', async () => {
  const id = await account('edited')
  admin = await system.admin()
  const asset = (await admin.get(`accounts/accounts/${id}/`)).body['asset']?.['id']
  expect((await admin.patch(`accounts/accounts/${id}/`, { comment: 'x', asset })).status).toBe(200)
  expect(await seen('edited')).toEqual([])
})

test('the books name the account, whatever fields of it were asked for', async () => {
  const id = await account('asked')
  await confirm(admin)
  const answer = await admin.get(`accounts/account-secrets/${id}/?fields=secret`, { org: rootOrgId })
  expect(answer.body).toEqual({ secret: 'Root-secret-1' })
  expect(await seen('asked')).toEqual([{ resource: 'asked', org: defaultOrgId }])
})
