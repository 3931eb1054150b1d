/** Whoever administrates one organization must not become somebody of another by way of an account. */
import { defaultOrgId, roleIds } from '@sallyport/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { settingsOf } from '../../testing-mail.ts'
import { adminPassword, startTestSystem, type TestClient } from '../../testing.ts'
import { addPerson, confirm, type TestPerson } from '../../testing-people.ts'

const system = await startTestSystem()
let admin: TestClient
let otherOrg = ''
/** Administrates the other organization only. */
let orgAdmin: TestClient
const publicKey = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8eDQIxHq2x0iR0Wn0mYFq2xRUbcB4mQqLzyUY8Ci1b laptop'

beforeAll(async () => {
  admin = await system.admin()
  // Links could be sent, by a mail server that is never asked.
  await confirm(admin, adminPassword)
  await admin.patch('settings/setting/?category=email', settingsOf({ port: 1 }))
  otherOrg = String((await admin.post('orgs/orgs/', { name: 'Other' })).body['id'])
  const leader = await addPerson(system, admin, { org_roles: [roleIds.orgAdmin] }, otherOrg)
  orgAdmin = await leader.signedIn()
})

/** As the administrator of the other organization. */
const there = {
  get: (url: string) => orgAdmin.get(url, { org: otherOrg }),
  post: (url: string, body?: unknown) => orgAdmin.post(url, body, { org: otherOrg }),
  put: (url: string, body?: unknown) => orgAdmin.put(url, body, { org: otherOrg }),
  patch: (url: string, body?: unknown) => orgAdmin.patch(url, body, { org: otherOrg }),
}
const beyond = { status: 403, body: { code: 'person_beyond_rights' } }
const notHeld = { status: 403, body: { code: 'role_not_held' } }

/** Somebody of the default organization whom the administrator of the other one has invited. */
async function invited(fields: Record<string, unknown> = {}): Promise<TestPerson> {
  const person = await addPerson(system, admin, fields)
  expect((await there.post('users/users/invite/', { users: [person.id] })).status).toBe(201)
  return person
}

describe('the sign-in of somebody who holds more than oneself', () => {
  test.each([
    ['password', { password: 'Taken-over-1' }],
    ['public key', { public_key: publicKey }],
    ['email', { email: 'mine@example.com' }],
    ['name', { name: 'Administrator' }],
    ['username', { username: 'mine' }],
    ['phone', { phone: '13800000000' }],
    ['source', { source: 'ldap' }],
    ['state', { is_active: false }],
    ['expiry', { date_expired: '2020/01/01 00:00:00 +0000' }],
    ['next password', { need_update_password: true }],
  ])('keeps its %s when its person was invited', async (_name, change) => {
    const person = await invited()
    const path = `users/users/${person.id}/`
    const { username, email } = { username: person.username, email: `${person.username}@example.com` }
    expect(await there.patch(path, change)).toMatchObject(beyond)
    expect(await there.put(path, { name: username, username, email, ...change })).toMatchObject(beyond)
    expect(await there.patch('users/users/', [{ id: person.id, ...change }])).toMatchObject(beyond)
    expect(
      await there.put('users/users/', [{ id: person.id, name: username, username, email, ...change }]),
    ).toMatchObject(beyond)
    await person.signedIn()
  })

  test.each(['password/', 'password/reset/', 'pubkey/reset/', 'unblock/'])(
    'is not touched by %s',
    async (action) => {
      const person = await invited()
      expect(
        await there.patch(`users/users/${person.id}/${action}`, { password: 'Taken-over-1' }),
      ).toMatchObject(beyond)
    },
  )

  test('is not touched by a reset of the second factor', async () => {
    const person = await invited()
    expect(await there.get(`users/users/${person.id}/mfa/reset/`)).toMatchObject(beyond)
  })

  test('is out of reach of whoever is less in the same organization', async () => {
    const chief = await addPerson(system, admin, { org_roles: [roleIds.orgAdmin] }, otherOrg)
    const { rows } = await system.database.pool.query<{ id: string }>(
      `insert into roles (name, scope, permissions) values ('Helpdesk', 'org', to_jsonb($1::text[])) returning id`,
      [['users.view_user', 'users.change_user', 'rbac.view_console']],
    )
    const helper = await addPerson(system, admin, { org_roles: [rows[0]?.id] }, otherOrg)
    const client = await helper.signedIn()
    expect(
      await client.patch(`users/users/${chief.id}/`, { password: 'Taken-over-1' }, { org: otherOrg }),
    ).toMatchObject(beyond)
    expect(
      (await client.patch(`users/users/${chief.id}/`, { comment: 'seen' }, { org: otherOrg })).status,
    ).toBe(200)
  })
})

describe('what an administrator of an organization may do', () => {
  test('is to manage people who hold nothing elsewhere', async () => {
    const person = await addPerson(system, orgAdmin, {}, otherOrg)
    const path = `users/users/${person.id}/`
    const change = {
      email: `new-${person.username}@example.com`,
      phone: '13800000000',
      public_key: publicKey,
    }
    expect((await there.patch(path, change)).status).toBe(200)
    expect((await there.patch(`${path}password/`, { password: 'Set-for-you-1' })).status).toBe(200)
    expect((await system.client().signIn(person.username, 'Set-for-you-1')).status).toBe(200)
  })

  test('is to save the form of a guest whose sign-in stays as it was', async () => {
    const person = await invited()
    const shown = (await there.get(`users/users/${person.id}/`)).body
    const form = {
      name: shown['name'],
      username: shown['username'],
      email: shown['email'],
      phone: null,
      mfa_level: 0,
      source: 'local',
      is_active: true,
      date_expired: shown['date_expired'],
      need_update_password: false,
      comment: 'a guest',
      org_roles: [roleIds.orgAuditor],
    }
    expect(await there.put(`users/users/${person.id}/`, form)).toMatchObject({
      status: 200,
      body: { comment: 'a guest', org_roles: [{ id: roleIds.orgAuditor }] },
    })
  })

  test('is to take a guest out again', async () => {
    const person = await invited()
    expect((await there.post(`users/users/${person.id}/remove/`)).status).toBe(204)
  })
})

describe('roles', () => {
  let helper: TestClient
  beforeAll(async () => {
    const { rows } = await system.database.pool.query<{ id: string }>(
      `insert into roles (name, scope, permissions) values ('Registrar', 'org', to_jsonb($1::text[])) returning id`,
      [
        [
          'users.view_user',
          'users.add_user',
          'users.change_user',
          'users.invite_user',
          'users.remove_user',
          'rbac.view_orgrolebinding',
          'rbac.add_orgrolebinding',
        ],
      ],
    )
    const person = await addPerson(system, admin, { org_roles: [rows[0]?.id, roleIds.orgUser] }, otherOrg)
    helper = await person.signedIn()
  })
  const org = () => ({ org: otherOrg })

  test('are given only by those who hold everything in them', async () => {
    const person = await addPerson(system, helper, {}, otherOrg)
    const path = `users/users/${person.id}/`
    expect(await helper.patch(path, { org_roles: [roleIds.orgAdmin] }, org())).toMatchObject(notHeld)
    expect(
      await helper.patch('users/users/', [{ id: person.id, org_roles: [roleIds.orgAdmin] }], org()),
    ).toMatchObject(notHeld)
    expect(
      await helper.post(
        'users/users/',
        { name: 'up', username: 'up', email: 'up@example.com', org_roles: [roleIds.orgAdmin] },
        org(),
      ),
    ).toMatchObject(notHeld)
    expect((await helper.patch(path, { org_roles: [roleIds.orgUser] }, org())).status).toBe(200)
  })

  test('come with an invitation only as far as the host holds them', async () => {
    const guest = await addPerson(system, admin)
    const invite = (org_roles?: string[]) =>
      helper.post('users/users/invite/', { users: [guest.id], org_roles }, org())
    expect(await invite([roleIds.orgAdmin])).toMatchObject(notHeld)
    expect((await invite()).status).toBe(201)
  })

  test('are not taken from those who hold more, by editing, inviting again or removing', async () => {
    const chief = await addPerson(system, admin, { org_roles: [roleIds.orgAdmin] }, otherOrg)
    const path = `users/users/${chief.id}/`
    expect(await helper.patch(path, { org_roles: [roleIds.orgUser] }, org())).toMatchObject(notHeld)
    expect(await helper.post('users/users/invite/', { users: [chief.id] }, org())).toMatchObject(notHeld)
    expect(await helper.post(`${path}remove/`, undefined, org())).toMatchObject(notHeld)
    expect(await helper.post(`users/users/remove/?ids=${chief.id}`, undefined, org())).toMatchObject(notHeld)
    expect((await admin.get(path, org())).body['org_roles']).toMatchObject([{ id: roleIds.orgAdmin }])
  })

  test('of the system are given only by those who hold everything in them', async () => {
    const { rows } = await system.database.pool.query<{ id: string }>(
      `insert into roles (name, scope, permissions) values ('Personnel', 'system', to_jsonb($1::text[])) returning id`,
      [
        [
          'users.view_user',
          'users.change_user',
          'users.delete_user',
          'rbac.add_systemrolebinding',
          'rbac.view_systemrolebinding',
        ],
      ],
    )
    const officer = await addPerson(system, admin, { system_roles: [rows[0]?.id, roleIds.user] })
    const client = await officer.signedIn()
    const person = await addPerson(system, admin)
    const path = `users/users/${person.id}/`
    const grant = (role: string) =>
      client.patch(path, { system_roles: [roleIds.user, role] }, { org: defaultOrgId })
    expect(await grant(roleIds.systemAuditor)).toMatchObject(notHeld)
    expect(await grant(roleIds.systemAdmin)).toMatchObject({ status: 403 })
    const chief = await addPerson(system, admin, { org_roles: [roleIds.orgAdmin] }, otherOrg)
    expect(await client.delete(`users/users/${chief.id}/`, { org: otherOrg })).toMatchObject(beyond)
    expect(await client.delete(`users/users/?ids=${chief.id}`, { org: otherOrg })).toMatchObject(beyond)
  })
})

describe('the description of people', () => {
  test('tells of roles only to those who may see them, or give them', async () => {
    const described = async (client: TestClient) => {
      const { actions } = (await client.options('users/users/', { org: otherOrg })).body
      const named = (fields: object = {}) => Object.keys(fields).filter((name) => name.endsWith('_roles'))
      return [named(actions?.['GET']), named(actions?.['POST'])]
    }
    const both = ['system_roles', 'org_roles']
    expect(await described(admin)).toEqual([both, both])
    expect(await described(orgAdmin)).toEqual([['org_roles'], ['org_roles']])
    const plain = await addPerson(system, admin, {}, otherOrg)
    expect(await described(await plain.signedIn())).toEqual([[], []])
  })
})

test('who may not see the roles of people does not find people by them either', async () => {
  const byRole = (client: TestClient) =>
    client.get(`users/users/?system_roles=${roleIds.systemAdmin}`, { org: otherOrg })
  expect((await byRole(admin)).status).toBe(200)
  expect(await byRole(orgAdmin)).toMatchObject({ status: 400, body: { system_roles: [expect.any(String)] } })
  const found = await orgAdmin.get(`users/users/?org_roles=${roleIds.orgAdmin}`, { org: otherOrg })
  expect(found.status).toBe(200)
})

describe('groups', () => {
  test('take in only members of their organization', async () => {
    const stranger = await addPerson(system, admin)
    const group = await admin.post('users/groups/', { name: 'Crew' }, { org: otherOrg })
    const pair = { user: stranger.id, usergroup: group.body['id'] }
    expect((await there.post('users/users-groups-relations/', pair)).status).toBe(400)
    const member = await addPerson(system, orgAdmin, {}, otherOrg)
    const joined = await there.post('users/users-groups-relations/', { ...pair, user: member.id })
    expect(joined.status).toBe(201)
    const row = `users/users-groups-relations/${String(joined.body['id'])}/`
    expect((await there.patch(row, { user: stranger.id })).status).toBe(400)
    // The view of all organizations makes no member of anybody either.
    const root = { org: '00000000-0000-0000-0000-000000000000' }
    expect((await admin.post('users/users-groups-relations/', pair, root)).status).toBe(400)
    expect((await admin.patch(row, { user: stranger.id }, root)).status).toBe(400)
  })

  test('are not moved to members of another organization in the view of all', async () => {
    const root = { org: '00000000-0000-0000-0000-000000000000' }
    const member = await addPerson(system, orgAdmin, {}, otherOrg)
    const own = await admin.post('users/groups/', { name: 'Own crew' }, { org: otherOrg })
    const foreign = await admin.post('users/groups/', { name: 'Foreign crew' }, { org: defaultOrgId })
    const usergroup = foreign.body['id']
    const pair = await there.post('users/users-groups-relations/', {
      user: member.id,
      usergroup: own.body['id'],
    })
    const row = `users/users-groups-relations/${String(pair.body['id'])}/`
    expect(await admin.patch(row, { usergroup }, root)).toMatchObject({ status: 400, body: { user: {} } })
    const person = `users/users/${member.id}/`
    expect(await admin.patch(person, { groups: [usergroup] }, root)).toMatchObject({
      status: 400,
      body: { groups: {} },
    })
    expect(await admin.patch(person, { groups: [own.body['id']] }, root)).toMatchObject({ status: 200 })
  })
})
