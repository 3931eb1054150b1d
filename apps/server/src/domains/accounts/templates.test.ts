/** Account templates: what many accounts have in common, kept once, used often, and shown to those alone who may see secrets. */
import { defaultOrgId, rootOrgId } from '@sallyport/contract'
import { Keygen } from '@sallyport/ssh/testing/keygen'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminPassword, startTestSystem, type TestClient } from '../../testing.ts'
import { addHolder, confirm as confirmWith } from '../../testing-people.ts'

const system = await startTestSystem()
const keygen = new Keygen()
afterAll(() => keygen.dispose())
let admin: TestClient
let made = 0
beforeAll(async () => {
  admin = await system.admin()
})

const path = 'accounts/account-templates/'
const fresh = (name: string) => `${name}-${++made}`
async function template(fields: Record<string, unknown> = {}) {
  const { status, body } = await admin.post(path, {
    name: fresh('template'),
    username: 'root',
    secret_type: 'password',
    secret: 'Template-secret-1',
    ...fields,
  })
  expect({ status, body }).toMatchObject({ status: 201 })
  return body
}
const hostOf = (fields: Record<string, unknown> = {}) =>
  admin.post('assets/hosts/', { name: fresh('host'), address: '192.0.2.1', platform: 1, ...fields })
const confirm = (client: TestClient) => confirmWith(client, adminPassword)

test('a template never shows its secret, but says whether there is one', async () => {
  const one = await template({ privileged: true })
  expect(one).toMatchObject({
    has_secret: true,
    username: 'root',
    secret_type: { value: 'password', label: 'Password' },
    privileged: true,
    is_active: true,
    spec_info: {},
    org_id: defaultOrgId,
  })
  for (const list of [path, `${path}${String(one['id'])}/`, `${path}?format=csv`])
    expect(JSON.stringify((await admin.get(list)).body)).not.toContain('Template-secret-1')
})

test('what opens a template is told after a confirmation, and is in the books', async () => {
  const one = await template()
  const at = `accounts/account-template-secrets/${String(one['id'])}/`
  admin = await system.admin()
  for (const protectedPath of [at, 'accounts/account-template-secrets/'])
    expect(await admin.get(protectedPath)).toMatchObject({ status: 400, body: { code: 'mfa' } })
  await confirm(admin)
  expect((await admin.get(at)).body).toMatchObject({ secret: 'Template-secret-1' })
  const books = await admin.get(`audits/operate-logs/?action=view&resource=${String(one['name'])}`, {
    org: rootOrgId,
  })
  expect(books.body).toMatchObject([{ resource_type: 'Account template', org_id: defaultOrgId }])
})

test('templates are called by a name that is unique in the organization, and found by what they can be used for', async () => {
  const key = keygen.generate('template', '-t', 'ed25519').privateText
  const [password, ssh, token] = [
    await template(),
    await template({ secret_type: 'ssh_key', secret: key }),
    await template({ secret_type: 'token', secret: 't' }),
  ]
  const again = await admin.post(path, { name: String(password['name']), secret_type: 'password' })
  expect(again).toMatchObject({ status: 400, body: { name: ['This field must be unique.'] } })
  const all = [password, ssh, token].map(({ id }) => id)
  const usable = async (protocols: string) =>
    (await admin.get(`${path}?protocols=${protocols}`)).body
      .map(({ id }) => id)
      .filter((id) => all.includes(id))
  expect(await usable('rdp')).toEqual([password['id']])
  expect(new Set(await usable('ssh,nonsense'))).toEqual(new Set([password['id'], ssh['id']]))
  expect(await usable('k8s')).toEqual([token['id']])
  expect(await usable('nonsense')).toEqual([])
  expect((await admin.get(`${path}?name=${String(ssh['name'])}`)).body).toMatchObject([
    { spec_info: { ssh_key_fingerprint: expect.any(String) } },
  ])
})

test.each([
  ['password', "it's", 'can not contain'],
  ['ssh_key', 'nonsense', 'Not a private key'],
])('a %s that cannot be one is refused', async (secret_type, secret, sentence) => {
  const answer = await admin.post(path, { name: fresh('bad'), secret_type, secret })
  expect(answer).toMatchObject({ status: 400, body: [expect.stringContaining(sentence)] })
})

test('an account made of a template has its secret, alone or with its asset, and is no longer bound to it', async () => {
  const one = await template()
  const account = { id: one['id'], template: true, name: 'root', username: 'root', secret_type: 'password' }
  const alone = await admin.post('accounts/accounts/', { ...account, asset: (await hostOf()).body['id'] })
  expect(alone).toMatchObject({ status: 201, body: { has_secret: true } })
  const asset = await hostOf({ accounts: [account] })
  expect(asset, JSON.stringify(asset.body)).toMatchObject({ status: 201 })
  await admin.patch(`${path}${String(one['id'])}/`, { secret: 'Template-secret-2' })
  expect((await admin.delete(`${path}${String(one['id'])}/`)).status).toBe(204)
  await confirm(admin)
  const opened = (await admin.get(`accounts/account-secrets/?asset=${String(asset.body['id'])}`)).body
  expect(opened).toMatchObject([{ username: 'root', secret: 'Template-secret-1' }])
  expect(opened[0]?.['id']).not.toBe(one['id'])
})

test('a template that is not there, or whose secret is of another type, makes no account', async () => {
  const account = { template: true, name: 'x', username: 'x', asset: (await hostOf()).body['id'] }
  const missing = { ...account, id: '11111111-1111-4111-8111-111111111111', secret_type: 'password' }
  expect(await admin.post('accounts/accounts/', missing)).toMatchObject({
    status: 400,
    body: { template: [expect.any(String)] },
  })
  const other = { ...account, id: (await template())['id'], secret_type: 'token' }
  expect(await admin.post('accounts/accounts/', other)).toMatchObject({
    status: 400,
    body: { secret_type: [expect.any(String)] },
  })
})

test('a template is used by those who may see templates', async () => {
  const person = await addHolder(system, admin, 'accounts.add_account', 'assets.view_asset')
  const one = await template()
  const account = { id: one['id'], template: true, name: 'y', username: 'y', secret_type: 'password' }
  const answer = await person.post('accounts/accounts/', { ...account, asset: (await hostOf()).body['id'] })
  expect(answer).toMatchObject({ status: 403, body: { code: 'template_use_denied' } })
})
