import { defaultOrgId, roleIds, rootOrgId, systemOrgId } from '@sallyport/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { startTestSystem, type TestClient } from '../../testing.ts'
import { addPerson } from '../../testing-people.ts'

const system = await startTestSystem()
let admin: TestClient

async function addOrg(name: string): Promise<string> {
  const made = await admin.post('orgs/orgs/', { name })
  expect(made).toMatchObject({ status: 201 })
  return String(made.body['id'])
}
const signedIn = async (username: string, org: string, fields: Record<string, unknown> = {}) =>
  (await addPerson(system, admin, { username, ...fields }, org)).signedIn()
const current = async (client: TestClient, url = 'orgs/orgs/current/', request = {}) =>
  (await client.get(url, request)).body

beforeAll(async () => {
  admin = await system.admin()
})

describe('the organization of a request', () => {
  test('is named by query, header or cookie, by id, name or alias; else it is the default one', async () => {
    const id = await addOrg('Named')
    expect(await current(admin)).toMatchObject({ id: defaultOrgId, is_default: true })
    for (const named of [id, 'Named', id.toUpperCase()])
      expect(await current(admin, 'orgs/orgs/current/', { org: named })).toMatchObject({ id, name: 'Named' })
    expect(await current(admin, `orgs/orgs/current/?oid=${id}`, { org: 'default' })).toMatchObject({ id })
    const client = await system.admin()
    client.cookies.set('X-JMS-ORG', id)
    expect(await current(client)).toMatchObject({ id })
    expect(await current(admin, 'orgs/orgs/current/', { org: 'no such organization' })).toMatchObject({
      id: defaultOrgId,
    })
  })

  test('may be all of them, called so in the reader’s language', async () => {
    const root = { id: rootOrgId, is_root: true, is_default: false, comment: '' }
    expect(await current(admin, 'orgs/orgs/current/', { org: 'root' })).toEqual({ ...root, name: 'GLOBAL' })
    expect(await current(admin, 'orgs/orgs/current/', { org: rootOrgId, language: 'zh' })).toEqual({
      ...root,
      name: '全局组织',
    })
  })

  test('tells what it is called to those who belong to it, and to nobody else', async () => {
    const [mine, theirs] = [await addOrg('Of mine'), await addOrg('Of theirs')]
    const person = await signedIn('of-mine', mine)
    expect(await current(person, undefined, { org: mine })).toMatchObject({ id: mine, name: 'Of mine' })
    const told = await person.get('orgs/orgs/current/', { org: theirs })
    expect(told.status).toBe(404)
    expect(JSON.stringify(told.body)).not.toContain('Of theirs')
    expect(await current(admin, undefined, { org: theirs })).toMatchObject({ name: 'Of theirs' })
  })

  test('gives nobody rights it has not given', async () => {
    const [one, two] = [await addOrg('One'), await addOrg('Two')]
    const leader = await signedIn('leader-of-one', one, { org_roles: [roleIds.orgAdmin] })
    expect((await leader.get('users/users/', { org: one })).status).toBe(200)
    expect((await leader.get('users/users/', { org: two })).status).toBe(403)
    expect((await leader.get('users/users/', { org: rootOrgId })).status).toBe(403)
    expect((await leader.get('orgs/orgs/', { org: one })).status).toBe(403)
  })

  test('refuses to create where it is all of them', async () => {
    const answer = await admin.post('users/groups/', { name: 'Nowhere' }, { org: rootOrgId })
    expect(answer).toMatchObject({ status: 400, body: { code: 'root_organization_write' } })
  })
})

describe('organizations', () => {
  test('are listed with what they hold, the root one never', async () => {
    const id = await addOrg('Counted')
    await signedIn('counted', id)
    await admin.post('users/groups/', { name: 'G' }, { org: id })
    const found = (await admin.get('orgs/orgs/?name=Counted')).body
    expect(found).toMatchObject([
      { id, is_default: false, is_root: false, resource_statistics: { users_amount: 1, groups_amount: 1 } },
    ])
    const all = (await admin.get('orgs/orgs/')).body.map((row) => String(row['id']))
    expect(all).toContain(systemOrgId)
    expect(all).not.toContain(rootOrgId)
  })

  test('get an id of their own, never that of the view of all of them', async () => {
    const made = await admin.post('orgs/orgs/', { id: rootOrgId, name: 'Would be all' })
    expect(made.status).toBe(201)
    expect(String(made.body['id'])).not.toBe(rootOrgId)
  })

  test('get a root node of their name, which follows a new name', async () => {
    const id = await addOrg('Before')
    await admin.patch(`orgs/orgs/${id}/`, { name: 'After' })
    expect((await admin.get('assets/nodes/', { org: id })).body).toMatchObject([{ value: 'After' }])
    expect(await current(admin, 'orgs/orgs/current/', { org: 'After' })).toMatchObject({ id })
  })

  test('are deleted only when nothing is left in them, and never the one worked in or a built-in one', async () => {
    const id = await addOrg('Full')
    const group = await admin.post('users/groups/', { name: 'G' }, { org: id })
    expect(await admin.delete(`orgs/orgs/${id}/`)).toMatchObject({
      status: 403,
      body: { code: 'permission_denied', detail: expect.stringContaining('User group') },
    })
    await admin.delete(`users/groups/${String(group.body['id'])}/`, { org: id })
    expect(await admin.delete(`orgs/orgs/${id}/`, { org: id })).toMatchObject({
      status: 403,
      body: { code: 'org_is_current' },
    })
    expect((await admin.delete(`orgs/orgs/${id}/`)).status).toBe(204)
    expect(await admin.delete(`orgs/orgs/${systemOrgId}/`)).toMatchObject({ status: 403 })
    expect(await admin.delete(`orgs/orgs/?ids=${id}`)).toMatchObject({ status: 400, body: '' })
  })
})

describe('roles', () => {
  test('are listed by scope, built-in ones with their names in the reader’s language', async () => {
    const system = (await admin.get('rbac/system-roles/', { language: 'zh' })).body
    expect(system).toHaveLength(4)
    expect(system.find((row) => String(row['id']) === roleIds.systemAuditor)).toMatchObject({
      name: 'SystemAuditor',
      display_name: '系统审计员',
      scope: { value: 'system' },
      builtin: true,
    })
    expect((await admin.get('rbac/org-roles/?name=管理')).body).toMatchObject([{ id: roleIds.orgAdmin }])
    expect((await admin.get('rbac/org-roles/')).body).toHaveLength(3)
  })

  test('count who holds them here', async () => {
    const id = await addOrg('Holders')
    await signedIn('holder', id, { org_roles: [roleIds.orgAuditor] })
    const amount = async (org: string) =>
      (await admin.get(`rbac/org-roles/${roleIds.orgAuditor}/`, { org })).body['users_amount']
    expect(await amount(id)).toBe(1)
    expect(await amount(defaultOrgId)).toBe(0)
  })

  test('take effect at once when they are given and taken away', async () => {
    const client = await signedIn('promoted', defaultOrgId)
    const id = String((await client.get('users/profile/')).body['id'])
    expect((await client.get('users/groups/')).status).toBe(403)
    await admin.patch(`users/users/${id}/`, { org_roles: [roleIds.orgAdmin] })
    expect((await client.get('users/groups/')).status).toBe(200)
    await admin.patch(`users/users/${id}/`, { org_roles: [roleIds.orgUser] })
    expect((await client.get('users/groups/')).status).toBe(403)
  })
})

describe('public settings', () => {
  test('tell anybody what the sign-in page needs, and the signed-in the rest', async () => {
    const open = (await system.client().get('settings/public/open/')).body
    expect(open).toMatchObject({ XPACK_ENABLED: true, INTERFACE: { login_title: expect.any(String) } })
    expect(Object.keys(open).toSorted()).toEqual(['INTERFACE', 'XPACK_ENABLED'])
    expect((await system.client().get('settings/public/')).status).toBe(401)
    expect((await admin.get('settings/public/')).body).toMatchObject({
      XPACK_LICENSE_IS_VALID: true,
      XPACK_LICENSE_INFO: { corporation: 'license for test' },
      SECURITY_MAX_IDLE_TIME: 30,
      SECURITY_MFA_VERIFY_TTL: 3600,
      PASSWORD_RULE: { SECURITY_PASSWORD_MIN_LENGTH: 6 },
      TICKETS_ENABLED: true,
      EMAIL_ENABLED: false,
      ANNOUNCEMENT: {},
    })
  })
})
