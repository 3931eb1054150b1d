import { defaultOrgId, roleIds, rootOrgId } from '@sallyport/contract'
import { generateKey } from '@sallyport/ssh/keys/generate'
import { formatPublicKeyLine } from '@sallyport/ssh/keys/public-key-text'
import { signCertificate } from '@sallyport/ssh/keys/sign-certificate'
import { beforeAll, describe, expect, test } from 'vitest'
import { startTestSystem, type TestClient } from '../../testing.ts'
import { addPerson as addPersonBy, password } from '../../testing-people.ts'

const system = await startTestSystem()
let admin: TestClient
let otherOrg = ''
/** Administrates the other organization only. */
let orgAdmin: TestClient

const addPerson = (
  fields: Record<string, unknown> = {},
  { by = admin, org }: { org?: string; by?: TestClient } = {},
) => addPersonBy(system, by, fields, org)
async function signedIn(username: string, secret = password): Promise<TestClient> {
  const client = system.client()
  expect((await client.signIn(username, secret)).status).toBe(200)
  return client
}
const at = (client: TestClient, org: string) => ({
  get: (url: string) => client.get(url, { org }),
  post: (url: string, body?: unknown) => client.post(url, body, { org }),
  patch: (url: string, body?: unknown) => client.patch(url, body, { org }),
  delete: (url: string) => client.delete(url, { org }),
})

beforeAll(async () => {
  admin = await system.admin()
  const org = await admin.post('orgs/orgs/', { name: 'Other' })
  otherOrg = String(org.body['id'])
  await addPerson({ username: 'leader', org_roles: [roleIds.orgAdmin] }, { org: otherOrg })
  orgAdmin = await signedIn('leader')
})

describe('people', () => {
  test('are created with every default the wire promises', async () => {
    const person = await addPerson({ username: 'ann', phone: '13800000000' })
    expect(person.row).toMatchObject({
      username: 'ann',
      phone: { code: '+86', phone: 13800000000 },
      mfa_level: { value: 0, label: 'Off' },
      source: { value: 'local', label: 'Local' },
      password_strategy: { value: 'email' },
      created_by: 'Administrator',
      groups: [],
      system_roles: [{ id: roleIds.user, display_name: 'User' }],
      org_roles: [{ id: roleIds.orgUser, display_name: 'OrgUser', name: 'OrgUser' }],
      is_active: true,
      is_valid: true,
      is_expired: false,
      is_first_login: true,
      is_service_account: false,
      login_blocked: false,
      last_login: null,
    })
    expect(Number(String(person.row['date_expired']).slice(0, 4))).toBe(new Date().getUTCFullYear() + 70)
  })

  test('never show a password or a key', async () => {
    const person = await addPerson()
    const shown = [
      person.row,
      (await admin.get(`users/users/${person.id}/`)).body,
      ...(await admin.get('users/users/')).body.values(),
    ]
    for (const row of shown)
      for (const name of ['password', 'password_hash', 'public_key', 'secret_key', 'otp_secret'])
        expect(row).not.toHaveProperty(name)
  })

  test('are deleted by what narrows their list, never all of them, nor whoever deletes', async () => {
    const gone = await addPerson({ comment: 'to be deleted together' })
    const stays = await addPerson()
    expect((await admin.delete('users/users/')).status).toBe(400)
    expect((await admin.delete('users/users/?is_active=true')).status).toBe(403)
    expect((await admin.delete(`users/users/?username=${String(gone.row['username'])}`)).status).toBe(204)
    expect((await admin.get(`users/users/${gone.id}/`)).status).toBe(404)
    expect((await admin.get(`users/users/${stays.id}/`)).status).toBe(200)
  })

  test('have a name for signing in and an address nobody else has', async () => {
    await addPerson({ username: 'unique' })
    const again = await admin.post('users/users/', { name: 'x', username: 'unique', email: 'x@example.com' })
    expect(again).toMatchObject({ status: 400, body: { username: ['This field must be unique.'] } })
    const mail = await admin.post('users/users/', { name: 'x', username: 'x', email: 'unique@example.com' })
    expect(mail.body).toEqual({ email: ['This field must be unique.'] })
  })

  test('have no password unless one is set for them', async () => {
    await addPerson({ username: 'mailed', password_strategy: 'email' })
    expect((await system.client().signIn('mailed', password)).status).toBe(400)
  })

  test('change no password here that is kept elsewhere', async () => {
    const made = await addPerson({ username: 'kept', source: 'ldap', need_update_password: true })
    expect((await admin.get(`users/users/${made.id}/`)).body).toMatchObject({ need_update_password: false })
    const patched = await admin.patch(`users/users/${made.id}/`, { need_update_password: true })
    expect(patched).toMatchObject({ status: 200, body: { need_update_password: false } })
  })

  test('are made to use a second factor by their level, and the next sign-in asks for it', async () => {
    const person = await addPerson()
    const path = `users/users/${person.id}/`
    expect((await admin.patch(path, { mfa_level: 2 })).body).toMatchObject({
      mfa_level: { value: 2 },
      mfa_enabled: true,
      mfa_force_enabled: true,
      is_otp_secret_key_bound: false,
    })
    expect((await system.client().signIn(person.username, password)).body).toMatchObject({
      error: 'mfa_unset',
    })
    expect((await admin.patch(path, { mfa_level: 0 })).body).toMatchObject({ mfa_enabled: false })
  })

  test('are found by name, address and role, in pages', async () => {
    const auditor = await addPerson({ username: 'findme', org_roles: [roleIds.orgAuditor] })
    const ids = async (query: string) =>
      (await admin.get(`users/users/?${query}`)).body.map((row) => String(row['id']))
    expect(await ids('search=findm')).toEqual([auditor.id])
    expect(await ids('search=FINDME@example')).toEqual([auditor.id])
    expect(await ids('org_roles=OrgAuditor')).toEqual([auditor.id])
    expect(await ids(`org_roles=${roleIds.orgAuditor}`)).toEqual([auditor.id])
    expect(await ids(`org_roles=${encodeURIComponent('组织审计员')}`)).toEqual([auditor.id])
    expect(await ids('org_roles=nobody-holds-this')).toEqual([])
    const page = await admin.get('users/users/?limit=1&fields_size=mini&search=findme')
    expect(page.body).toMatchObject({ count: 1, results: [{ id: auditor.id, username: 'findme' }] })
    expect(Object.keys(page.body['results']?.[0] ?? {}).toSorted()).toEqual(['id', 'name', 'username'])
  })

  test('belong to organizations: another one does not know them', async () => {
    const here = await addPerson()
    expect((await at(admin, otherOrg).get(`users/users/${here.id}/`)).status).toBe(404)
    expect((await at(orgAdmin, otherOrg).get(`users/users/${here.id}/`)).status).toBe(404)
    expect((await at(orgAdmin, otherOrg).patch(`users/users/${here.id}/`, { name: 'mine' })).status).toBe(404)
    expect((await at(admin, rootOrgId).get(`users/users/${here.id}/`)).status).toBe(200)
    expect((await at(orgAdmin, defaultOrgId).get('users/users/')).status).toBe(403)
    expect((await system.client().get('users/users/')).status).toBe(401)
  })

  test('made in the view of all organizations belong to the default one', async () => {
    const person = await addPerson({}, { org: rootOrgId })
    expect((await admin.get(`users/users/${person.id}/`)).body).toMatchObject({
      org_roles: [{ id: roleIds.orgUser }],
    })
  })

  test('keep roles of other organizations when those of one are replaced', async () => {
    const person = await addPerson()
    await at(admin, otherOrg).post('users/users/invite/', { users: [person.id] })
    await admin.patch(`users/users/${person.id}/`, { org_roles: [roleIds.orgAdmin] })
    expect((await at(admin, otherOrg).get(`users/users/${person.id}/`)).body['org_roles']).toMatchObject([
      { id: roleIds.orgUser },
    ])
    expect((await admin.get(`users/users/${person.id}/`)).body['org_roles']).toMatchObject([
      { id: roleIds.orgAdmin },
    ])
  })

  test('cannot switch themselves off, and the built-in administrator stays', async () => {
    const own = String((await admin.get('users/profile/')).body['id'])
    expect((await admin.patch(`users/users/${own}/`, { is_active: false })).body).toMatchObject({
      is_active: true,
    })
    const second = await addPerson({ system_roles: [roleIds.systemAdmin] })
    const other = await signedIn(second.username)
    expect((await other.patch(`users/users/${own}/`, { is_active: false })).body).toMatchObject({
      is_active: true,
    })
    expect((await other.delete(`users/users/${own}/`)).status).toBe(403)
    expect((await other.get(`users/users/${own}/`)).status).toBe(200)
  })

  test('tell beforehand who cannot be deleted, and why', async () => {
    const [chief] = (await admin.get('users/users/?username=admin&may=1')).body
    expect(chief?.['may']).toMatchObject({ update: true, delete: expect.stringContaining('built-in') })
    const person = await addPerson()
    const [other] = (await admin.get(`users/users/?username=${person.username}&may=1`)).body
    expect(other?.['may']).toMatchObject({ delete: true })
  })

  test('are deleted one by one or as chosen, never all by mistake', async () => {
    const person = await addPerson()
    const two = [await addPerson(), await addPerson()]
    expect((await admin.delete(`users/users/${person.id}/`)).status).toBe(204)
    expect((await admin.get(`users/users/${person.id}/`)).status).toBe(404)
    expect(await admin.delete('users/users/')).toMatchObject({ status: 400, body: '' })
    expect((await admin.delete(`users/users/?ids=${two.map(({ id }) => id).join(',')}`)).status).toBe(204)
    expect((await admin.get(`users/users/${two[0]?.id}/`)).status).toBe(404)
  })
})

describe('administrators of one organization', () => {
  test('see and give no roles of the system', async () => {
    const person = await addPerson({ system_roles: [roleIds.systemAdmin] }, { org: otherOrg, by: orgAdmin })
    expect(person.row).not.toHaveProperty('system_roles')
    expect(
      (await admin.get(`users/users/${person.id}/`, { org: rootOrgId })).body['system_roles'],
    ).toMatchObject([{ id: roleIds.user }])
  })

  test('cannot touch a system administrator who is a member', async () => {
    const chief = await addPerson({ system_roles: [roleIds.systemAdmin] }, { org: otherOrg })
    const here = at(orgAdmin, otherOrg)
    const path = `users/users/${chief.id}/`
    const refused = { status: 403, body: { code: 'system_admin_protected' } }
    expect(await here.patch(path, { is_active: false })).toMatchObject(refused)
    expect(await here.patch(`${path}password/`, { password: 'Taken-over-1' })).toMatchObject(refused)
    expect(await here.post(`${path}remove/`)).toMatchObject(refused)
    expect((await system.client().signIn(chief.username, password)).status).toBe(200)
  })

  test('remove people from their organization instead of deleting them', async () => {
    const person = await addPerson({}, { org: otherOrg })
    await at(admin, defaultOrgId).post('users/users/invite/', { users: [person.id] })
    const group = await at(admin, otherOrg).post('users/groups/', { name: 'Leaving', users: [person.id] })
    const here = at(orgAdmin, otherOrg)
    expect((await here.delete(`users/users/${person.id}/`)).status).toBe(403)
    expect((await here.post(`users/users/${person.id}/remove/`)).status).toBe(204)
    expect((await here.get(`users/users/${person.id}/`)).status).toBe(404)
    expect((await here.get(`users/groups/${String(group.body['id'])}/`)).body).toMatchObject({
      users_amount: 0,
    })
    expect((await admin.get(`users/users/${person.id}/`)).status).toBe(200)
  })

  test('invite anybody by name', async () => {
    const person = await addPerson({ username: 'invitee' })
    const here = at(orgAdmin, otherOrg)
    const suggested = async (query: string) =>
      await here.get(`users/users/suggestions/?${query}search=invitee`)
    for (const query of ['action=suggestion&', '', 'order=-name&', 'username=invitee&'])
      expect((await suggested(query)).body).toEqual([{ id: person.id, name: 'invitee', username: 'invitee' }])
    expect((await suggested('fields=id,email,phone&')).body).toEqual([{ id: person.id }])
    expect((await suggested('format=csv&')).bytes.toString()).not.toContain('@')
    for (const name of ['is_active', 'source', 'email', 'org_roles', 'system_roles'])
      expect(await suggested(`${name}=false&`)).toMatchObject({
        status: 400,
        body: { [name]: [expect.any(String)] },
      })
    expect(await suggested('order=email&')).toMatchObject({
      status: 400,
      body: { order: [expect.any(String)] },
    })
    const { spm } = (await here.post('common/resources/cache/', { resources: [otherOrg] })).body
    expect((await suggested(`spm=${String(spm)}&`)).body).toEqual([])
    const described = (await orgAdmin.options('users/users/suggestions/')).body['actions']
    expect(described).toEqual({
      GET: { id: expect.any(Object), name: expect.any(Object), username: expect.any(Object) },
    })
    // Whose mail goes where is told nobody, letter by letter either.
    const { email } = (await admin.get(`users/users/${person.id}/`)).body
    for (const part of [email, '@'])
      expect((await here.get(`users/users/suggestions/?search=${String(part)}`)).body).toEqual([])
    const invited = await here.post('users/users/invite/', {
      users: [person.id],
      org_roles: [roleIds.orgAuditor],
    })
    expect(invited).toMatchObject({
      status: 201,
      body: { users: [person.id], org_roles: [{ id: roleIds.orgAuditor, name: 'OrgAuditor' }] },
    })
    expect((await here.get(`users/users/${person.id}/`)).status).toBe(200)
    const unknown = await here.post('users/users/invite/', { users: [otherOrg] })
    expect(unknown).toMatchObject({
      status: 400,
      body: { users: [expect.stringContaining('does not exist')] },
    })
    expect(await at(admin, rootOrgId).post('users/users/invite/', { users: [person.id] })).toMatchObject({
      status: 400,
      body: { error: 'This is not a valid organization.' },
    })
  })
})

describe('what an administrator does for somebody', () => {
  test('sets a password; it is asked for at the next sign-in and nowhere told', async () => {
    const person = await addPerson()
    const answer = await admin.patch(`users/users/${person.id}/password/`, { password: 'Set-by-admin-1' })
    expect(answer).toMatchObject({ status: 200, body: {} })
    expect(Object.keys(answer.body)).toEqual([])
    await signedIn(person.username, 'Set-by-admin-1')
    const logs = await admin.get('audits/password-change-logs/?limit=1')
    expect(logs.body['results']).toMatchObject([
      { user: `${person.username}(${person.username})`, change_by: 'Administrator(admin)' },
    ])
  })

  test('is in the books, without what is secret', async () => {
    const person = await addPerson()
    await admin.patch(`users/users/${person.id}/`, {
      password: 'Edited-in-form-1',
      comment: 'seen',
      public_key: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8eDQIxHq2x0iR0Wn0mYFq2xRUbcB4mQqLzyUY8Ci1b laptop',
    })
    const { rows } = await system.database.pool.query<{ id: string; diff: unknown }>(
      `select id, diff from operate_logs where resource_id = $1 and action = 'update'`,
      [person.id],
    )
    expect(rows).toHaveLength(1)
    const written = JSON.stringify(rows[0]?.diff)
    expect(written).toContain('seen')
    for (const secret of ['argon2', 'Edited-in-form', 'AAAAC3']) expect(written).not.toContain(secret)
    const detail = await admin.get(`audits/operate-logs/${String(rows[0]?.id)}/?type=action_detail`)
    expect(detail.body['diff']).toContainEqual({ field: 'Comment', before: 'empty', after: 'seen' })
    expect(detail.body['diff']).toContainEqual({ field: 'Password', before: '******', after: '******' })
  })

  test('is told plainly that no mail can be sent, before somebody asks for it too', async () => {
    const person = await addPerson()
    expect(await admin.patch(`users/users/${person.id}/password/reset/`, {})).toMatchObject({
      status: 403,
      body: { code: 'mail_unavailable' },
    })
    expect((await admin.get(`users/users/${person.id}/?may=1`)).body['may']).toMatchObject({
      sendPasswordReset: expect.stringContaining('Mail is not set up'),
    })
  })

  test('takes a public key away', async () => {
    const public_key =
      'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8eDQIxHq2x0iR0Wn0mYFq2xRUbcB4mQqLzyUY8Ci1b laptop'
    const person = await addPerson({ public_key })
    expect((await admin.patch(`users/users/${person.id}/pubkey/reset/`, {})).status).toBe(200)
    const client = await signedIn(person.username)
    expect((await client.get('users/profile/')).body).toMatchObject({ public_key_comment: '' })
  })
})

describe('groups', () => {
  test('hold members of their organization only', async () => {
    const [inside, outside] = [await addPerson(), await addPerson({}, { org: otherOrg })]
    const group = await admin.post('users/groups/', { name: 'Ops', users: [inside.id] })
    expect(group).toMatchObject({
      status: 201,
      body: { users: [{ id: inside.id, name: inside.username }], users_amount: 1, org_name: 'Default' },
    })
    const id = String(group.body['id'])
    expect((await admin.patch(`users/groups/${id}/`, { users: [outside.id] })).body).toEqual({
      users: [`Invalid pk "${outside.id}" - object does not exist.`],
    })
    expect((await at(admin, otherOrg).get(`users/groups/${id}/`)).status).toBe(404)
    expect((await admin.get(`users/users/${inside.id}/`)).body['groups']).toEqual([{ id, name: 'Ops' }])
  })

  test('may be called the same in two organizations, not in one', async () => {
    expect((await admin.post('users/groups/', { name: 'Twice' })).status).toBe(201)
    expect((await admin.post('users/groups/', { name: 'Twice' })).body).toEqual({
      name: ['This field must be unique.'],
    })
    expect((await at(admin, otherOrg).post('users/groups/', { name: 'Twice' })).status).toBe(201)
  })

  test('are joined and left through their relations, too', async () => {
    const person = await addPerson()
    const group = await admin.post('users/groups/', { name: 'Related' })
    const pair = { user: person.id, usergroup: group.body['id'] }
    const joined = await admin.post('users/users-groups-relations/', [pair])
    expect(joined.body).toMatchObject([
      { ...pair, user_display: person.username, usergroup_display: 'Related' },
    ])
    const path = `users/users-groups-relations/?user=${person.id}`
    expect((await admin.get(path)).body).toHaveLength(1)
    expect((await at(admin, otherOrg).get(path)).body).toHaveLength(0)
    const foreign = await at(orgAdmin, otherOrg).post('users/users-groups-relations/', pair)
    expect(foreign.status).toBe(400)
    expect(
      (await admin.delete(`users/users-groups-relations/${String(joined.body[0]?.['id'])}/`)).status,
    ).toBe(204)
    expect((await admin.get(path)).body).toHaveLength(0)
  })

  test('are found by the names of both, and hold nobody twice', async () => {
    const person = await addPerson()
    const group = String((await admin.post('users/groups/', { name: 'Twice over' })).body['id'])
    const list = 'users/users-groups-relations/'
    const pair = { user: person.id, usergroup: group }
    expect((await admin.post(list, pair)).status).toBe(201)
    expect(await admin.post(list, pair)).toMatchObject({
      status: 400,
      body: { non_field_errors: ['The fields user, usergroup must make a unique set.'] },
    })
    for (const term of [person.username, 'Twice'])
      expect((await admin.get(`${list}?search=${term}`)).body, term).toMatchObject([pair])
    expect((await admin.get(`${list}?search=nobody-at-all`)).body).toEqual([])
  })

  test('lose the one person that is named with the group, and nobody else', async () => {
    const [first, second] = [await addPerson(), await addPerson()]
    const group = String((await admin.post('users/groups/', { name: 'Paired' })).body['id'])
    const list = 'users/users-groups-relations/'
    await admin.post(
      list,
      [first, second].map((person) => ({ user: person.id, usergroup: group })),
    )
    for (const query of [
      `usergroup=${group}`,
      `usergroup=${group}&user=`,
      `usergroup=${group}&user=${first.id}&user=${second.id}`,
      `usergroup=${group}&usre=${first.id}`,
    ])
      expect([query, (await admin.delete(`${list}?${query}`)).status]).toEqual([query, 400])
    expect((await admin.get(`${list}?usergroup=${group}`)).body).toHaveLength(2)
    expect((await admin.delete(`${list}?user=${first.id}&usergroup=${group}`)).status).toBe(204)
    expect((await admin.get(`${list}?usergroup=${group}`)).body).toMatchObject([{ user: second.id }])
    // Somebody who is no member cannot leave: refused without a word, as the compatible system does.
    expect(await admin.delete(`${list}?user=${first.id}&usergroup=${group}`)).toMatchObject({
      status: 400,
      body: {},
    })
    // Whatever finds one is enough.
    expect((await admin.delete(`${list}?usergroup=${group}`)).status).toBe(204)
    expect((await admin.get(`${list}?usergroup=${group}`)).body).toEqual([])
    expect((await admin.delete(list)).status).toBe(400)
  })
})

test('a person is left without roles by nobody who only meant to change them', async () => {
  const person = await addPerson()
  const path = `users/users/${person.id}/`
  const answer = await admin.patch(path, { org_roles: [] })
  expect(answer).toMatchObject({ status: 400, body: { org_roles: [expect.any(String)] } })
  expect((await admin.get(path)).body).toMatchObject({ org_roles: [{ id: roleIds.orgUser }] })
})

describe('one’s own profile', () => {
  test('says what one may do and where', async () => {
    const person = await addPerson()
    const client = await signedIn(person.username)
    const profile = (await client.get('users/profile/')).body
    expect(profile).toMatchObject({
      console_orgs: [],
      audit_orgs: [],
      workbench_orgs: [
        { id: rootOrgId, name: 'All organizations', is_root: true },
        { id: defaultOrgId, name: 'Default', is_default: true },
      ],
    })
    expect(profile['perms']).toContain('perms.view_myassets')
    expect(profile['perms']).toHaveLength(33)
    expect(profile).not.toHaveProperty('password')
    expect((await orgAdmin.get('users/profile/')).body).toMatchObject({
      console_orgs: [{ id: otherOrg, name: 'Other' }],
      audit_orgs: [{ id: otherOrg }],
    })
    expect((await admin.get('users/profile/')).body['console_orgs']).toMatchObject([
      { id: rootOrgId, name: 'GLOBAL' },
      { id: defaultOrgId },
      { id: otherOrg },
    ])
  })

  test('takes what is one’s own and ignores the rest', async () => {
    const person = await addPerson()
    const client = await signedIn(person.username)
    const answer = await client.patch('users/profile/', {
      wechat: 'w',
      comment: 'me',
      is_first_login: false,
      name: 'Chief',
      is_service_account: true,
      need_update_password: true,
      system_roles: [roleIds.systemAdmin],
      org_roles: [roleIds.orgAdmin],
      groups: [],
    })
    expect(answer.body).toMatchObject({
      wechat: 'w',
      comment: 'me',
      is_first_login: false,
      name: person.username,
      is_service_account: false,
      need_update_password: false,
      system_roles: [{ id: roleIds.user }],
      org_roles: [{ id: roleIds.orgUser }],
    })
  })

  test('changes the password only for who knows it, by the rules, and not back', async () => {
    const person = await addPerson()
    const client = await signedIn(person.username)
    const change = async (old_password: string, new_password: string, again = new_password) =>
      (await client.put('users/profile/password/', { old_password, new_password, new_password_again: again }))
        .body
    expect(await change('wrong', 'Another-1')).toEqual({ old_password: ['The old password is wrong.'] })
    expect(await change(password, 'Another-1', 'Another-2')).toEqual({
      new_password_again: ['The two new passwords are not the same.'],
    })
    expect(await change(password, 'ab')).toEqual({ new_password: ['The password does not meet the rules.'] })
    expect(await change(password, password)).toMatchObject({
      new_password: [expect.stringContaining('last 5')],
    })
    expect(await change(password, 'Another-1')).toEqual({})
    expect(await change('Another-1', password)).toMatchObject({
      new_password: [expect.stringContaining('last 5')],
    })
  })

  test('takes a real public key only', async () => {
    const client = await signedIn((await addPerson()).username)
    const set = (public_key: string) => client.put('users/profile/public-key/', { public_key })
    await client.post('authentication/confirm/', { confirm_type: 'password', secret_key: password })
    const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8eDQIxHq2x0iR0Wn0mYFq2xRUbcB4mQqLzyUY8Ci1b me@home'
    const { publicKey } = await generateKey('ssh-ed25519')
    // Who signed it is nobody we know.
    const certificate = await signCertificate(await generateKey('ssh-ed25519'), publicKey, {
      kind: 'user',
      serial: 1n,
      keyId: 'me',
      principals: ['me'],
      validAfter: 0,
      validBefore: Number.POSITIVE_INFINITY,
      criticalOptions: new Map(),
      extensions: new Map(),
    })
    for (const wrong of ['not a key', `no-pty ${key}`, formatPublicKeyLine(certificate), `${key}\n${key}`])
      expect(await set(wrong), wrong).toMatchObject({
        status: 400,
        body: { public_key: ['This is not a valid SSH public key.'] },
      })
    expect((await set(key)).body).toMatchObject({
      public_key_comment: 'me@home',
      public_key_hash_md5: expect.stringMatching(/^([0-9a-f]{2}:){15}[0-9a-f]{2}$/),
    })
  })

  test('describes its form', async () => {
    const form = await orgAdmin.options('users/profile/')
    expect(form.status).toBe(200)
    expect(form.body['actions']?.['PUT']?.['phone']).toMatchObject({ read_only: false })
  })
})
