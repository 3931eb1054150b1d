import { defaultOrgId, permissionId, roleIds, rootOrgId } from '@sallyport/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { startTestSystem, type TestClient } from '../../testing.ts'
import { addPerson } from '../../testing-people.ts'

const system = await startTestSystem()
let admin: TestClient
let count = 0
const ids = (...names: string[]) => names.map(permissionId)

beforeAll(async () => {
  admin = await system.admin()
})

async function addRole(scope: 'system' | 'org', names: string[], fields: Record<string, unknown> = {}) {
  const made = await admin.post(`rbac/${scope}-roles/`, {
    name: `Role ${++count}`,
    scope,
    permissions: ids(...names),
    ...fields,
  })
  expect(made, JSON.stringify(made.body)).toMatchObject({ status: 201 })
  return String(made.body['id'])
}
const codesOf = async (scope: 'system' | 'org', id: string) =>
  (await admin.get(`rbac/${scope}-roles/${id}/permissions/`)).body.map((row) => String(row['codename']))

/** Somebody with the rights a role of the system gives, and those of an ordinary user. */
async function holderOf(names: string[]) {
  const role = await addRole('system', names)
  return await addPerson(system, admin, { system_roles: [roleIds.user, role] })
}

describe('roles', () => {
  test('are made with what they may hold, shown by their calls alone, and changed as a whole', async () => {
    const id = await addRole('org', ['users.view_user', 'users.add_user'])
    expect(await codesOf('org', id)).toEqual(['add_user', 'view_user'])
    const row = (await admin.get(`rbac/org-roles/${id}/`)).body
    expect(row).toMatchObject({ builtin: false, scope: { value: 'org' }, users_amount: 0 })
    expect(row).not.toHaveProperty('permissions')
    for (const list of ['roles', 'system-roles', 'org-roles']) {
      const { actions } = (await admin.options(`rbac/${list}/`)).body
      expect(actions).toMatchObject({ GET: { permissions: { write_only: true } } })
    }
    await admin.patch(`rbac/org-roles/${id}/`, { permissions: ids('users.view_usergroup') })
    expect(await codesOf('org', id)).toEqual(['view_usergroup'])
    await admin.patch(`rbac/org-roles/${id}/`, { comment: 'kept' })
    expect(await codesOf('org', id)).toEqual(['view_usergroup'])
  })

  test('hold no permission there is not, and none that their scope cannot have', async () => {
    const unknown = await admin.post('rbac/org-roles/', { name: 'X', scope: 'org', permissions: [7] })
    expect(unknown).toMatchObject({ status: 400, body: { permissions: [expect.stringContaining('7')] } })
    const [beyond] = ids('settings.change_security')
    const ofSystem = await admin.post('rbac/org-roles/', { name: 'X', scope: 'org', permissions: [beyond] })
    expect(ofSystem).toMatchObject({ status: 400, body: { permissions: expect.anything() } })
    const other = await admin.post('rbac/org-roles/', { name: 'X', scope: 'system', permissions: [] })
    expect(other).toMatchObject({ status: 400, body: { scope: expect.anything() } })
  })

  test('begin as a copy of what another one gives, a built-in one too', async () => {
    const made = await admin.post(`rbac/org-roles/?clone_from=${roleIds.orgAuditor}`, {
      name: 'Copy',
      scope: 'org',
    })
    expect(made.status).toBe(201)
    const copied = await codesOf('org', String(made.body['id']))
    expect(copied).toHaveLength(39)
    expect(copied).toEqual(await codesOf('org', roleIds.orgAuditor))
  })

  test('that are built in stay as they are, and those that are held are not deleted', async () => {
    const builtin = { status: 403, body: { code: 'role_builtin' } }
    expect(await admin.patch(`rbac/org-roles/${roleIds.orgUser}/`, { permissions: [] })).toMatchObject(
      builtin,
    )
    expect(await admin.delete(`rbac/org-roles/${roleIds.orgUser}/`)).toMatchObject(builtin)
    const id = await addRole('org', ['users.view_user'])
    const person = await addPerson(system, admin, { org_roles: [id] })
    expect(await admin.delete(`rbac/org-roles/${id}/`)).toMatchObject({
      status: 403,
      body: { code: 'role_in_use' },
    })
    expect((await admin.get(`rbac/roles/${id}/users/`)).body).toMatchObject([{ id: person.id }])
    expect((await admin.get(`rbac/roles/${id}/users/?limit=1&offset=0`)).body).toMatchObject({
      count: 1,
      next: null,
      results: [{ id: person.id }],
    })
    expect((await admin.get(`rbac/roles/${id}/users/?search=nobody-like-that`)).body).toEqual([])
    await admin.delete(`users/users/${person.id}/`)
    expect((await admin.delete(`rbac/org-roles/${id}/`)).status).toBe(204)
  })

  test('hold for what somebody asked while they had them, to its end, and for nothing asked later', async () => {
    const holder = await holderOf(['users.view_usergroup', 'users.change_usergroup'])
    const client = await holder.signedIn()
    const group = (await admin.post('users/groups/', { name: 'Waited for' })).body
    const { pool } = system.database
    const other = await pool.connect()
    const patch = (name: string) => client.patch(`users/groups/${String(group['id'])}/`, { name })
    try {
      await other.query('begin')
      await other.query('select from user_groups where id = $1 for update', [group['id']])
      const asked = patch('Asked in time')
      const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      await expect.poll(async () => (await pool.query(waiting)).rows.length).toBe(1)
      const taken = await admin.patch(`users/users/${holder.id}/`, { system_roles: [roleIds.user] })
      expect(taken.status).toBe(200)
      await other.query('commit')
      expect((await asked).status).toBe(200)
    } finally {
      other.release()
    }
    expect((await patch('Asked too late')).status).toBe(403)
    expect((await admin.get(`users/groups/${String(group['id'])}/`)).body['name']).toBe('Asked in time')
  })

  test('take effect at once, and are given no permission by whoever does not hold it, nor lose one', async () => {
    const person = await holderOf([
      'rbac.view_systemrole',
      'rbac.add_systemrole',
      'rbac.change_systemrole',
      'rbac.change_orgrole',
      'users.view_user',
    ])
    const client = await person.signedIn()
    const beyond = {
      status: 403,
      body: { code: 'permission_not_held', detail: expect.stringContaining('Delete user') },
    }
    const given = { name: 'Mine', scope: 'system' }
    expect(
      await client.post('rbac/system-roles/', { ...given, permissions: ids('users.delete_user') }),
    ).toMatchObject(beyond)
    expect(await client.post(`rbac/system-roles/?clone_from=${roleIds.systemAdmin}`, given)).toMatchObject({
      status: 403,
      body: { code: 'permission_not_held' },
    })
    const made = await client.post('rbac/system-roles/', { ...given, permissions: ids('users.view_user') })
    expect(made.status).toBe(201)
    const own = String(made.body['id'])
    expect(
      await client.patch(`rbac/system-roles/${own}/`, {
        permissions: ids('users.view_user', 'users.delete_user'),
      }),
    ).toMatchObject(beyond)
    // What is in it already may stay.
    await admin.patch(`rbac/system-roles/${own}/`, {
      permissions: ids('users.view_user', 'users.delete_user'),
    })
    expect(
      (await client.patch(`rbac/system-roles/${own}/`, { permissions: ids('users.delete_user') })).status,
    ).toBe(200)
    expect(await client.patch(`rbac/system-roles/${own}/`, { permissions: [] })).toMatchObject({
      status: 400,
      body: { permissions: [expect.stringContaining('Delete user')] },
    })
    expect(await codesOf('system', own)).toEqual(['delete_user'])
  })
})

describe('the tree of permissions', () => {
  test('is told without a role, too, and of a role by its id', async () => {
    const tree = async (query: string) => {
      const answer = await admin.get(`rbac/permissions/tree/${query}`)
      expect(answer.status).toBe(200)
      const root = answer.body.find((node) => String(node['id']) === '$ROOT$')
      return String(root?.['name']).replace(/\d\d+\)$/, 'many)')
    }
    expect(await tree('')).toBe('All permissions(0/many)')
    expect(await tree('?scope=system')).toBe('All permissions(0/many)')
    const id = await addRole('system', ['users.view_user'])
    expect(await tree(`?role=${id}`)).toBe('All permissions(1/many)')
    expect((await admin.get('rbac/permissions/tree/?scope=else')).status).toBe(400)
    const plain = await addPerson(system, admin)
    expect((await (await plain.signedIn()).get('rbac/permissions/tree/')).status).toBe(403)
  })

  const treeOf = async (scope: 'system' | 'org', id: string, language: 'en' | 'zh' = 'en') =>
    (await admin.get(`rbac/${scope}-roles/${id}/permissions/tree/`, { language })).body as unknown as Record<
      string,
      unknown
    >[]

  test('has a tick at what the role holds, and counts at what stands above', async () => {
    const id = await addRole('org', ['users.view_user', 'users.add_user', 'rbac.view_console'])
    const tree = await treeOf('org', id)
    const node = (key: string) => tree.find(({ title }) => title === key)
    expect(node('users.add_user')).toMatchObject({
      id: String(permissionId('users.add_user')),
      name: 'Add user',
      pId: 'users.user',
      isParent: false,
      iconSkin: 'add',
      checked: true,
      chkDisabled: false,
      meta: { type: 'perm' },
    })
    expect(node('users.user')).toMatchObject({
      name: 'User(2/6)',
      pId: 'users',
      checked: true,
      isParent: true,
    })
    expect(node('users')).toMatchObject({ pId: 'view_console', meta: { type: 'app' } })
    expect(node('rbac.view_console')).toMatchObject({ pId: 'view_console' })
    const root = node('$ROOT$')
    expect(root).toMatchObject({
      name: expect.stringMatching(/^All permissions\(3\/\d+\)$/),
      pId: '',
      open: true,
    })
    expect(tree.every(({ pId }) => pId === '' || tree.some((one) => one['id'] === pId))).toBe(true)
    // Leaves stand before what has others below it.
    const firstParent = tree.findIndex(({ isParent }) => isParent)
    expect(tree.slice(firstParent).every(({ isParent }) => isParent)).toBe(true)
    expect((await treeOf('org', id, 'zh')).find(({ title }) => title === 'users.add_user')).toMatchObject({
      name: '添加用户',
    })
  })

  test('of a built-in role cannot be ticked', async () => {
    const tree = await treeOf('system', roleIds.systemAdmin)
    expect(tree.every(({ chkDisabled, checked }) => chkDisabled === true && checked === true)).toBe(true)
  })

  test('is a list, too, by scope, role and code', async () => {
    const all = (await admin.get('rbac/permissions/?scope=org&limit=1')).body as unknown as Record<
      string,
      unknown
    >
    expect(Number(all['count'])).toBeGreaterThan(150)
    expect((await admin.get('rbac/permissions/?scope=org&codename=add_user')).body).toEqual([
      {
        id: permissionId('users.add_user'),
        name: 'Can add user',
        content_type: { id: expect.any(Number), app_label: 'users', model: 'user' },
        codename: 'add_user',
      },
    ])
    expect((await admin.get(`rbac/permissions/?role=${roleIds.orgUser}`)).body).toHaveLength(21)
    expect((await admin.get(`rbac/permissions/?role=${rootOrgId}`)).status).toBe(404)
  })
})

describe('holding a role', () => {
  const bind = (
    client: TestClient,
    scope: 'system' | 'org',
    user: string,
    role: string,
    org = defaultOrgId,
  ) => client.post(`rbac/${scope}-role-bindings/`, { user, role }, { org })

  test('is a row that can be made, found, and taken away, but once', async () => {
    const person = await addPerson(system, admin)
    const made = await bind(admin, 'system', person.id, roleIds.systemAuditor)
    expect(made).toMatchObject({
      status: 201,
      body: {
        user: person.id,
        role: roleIds.systemAuditor,
        role_display: 'SystemAuditor',
        user_display: expect.stringContaining(`(${person.username})`),
        scope: 'system',
        org_name: '',
      },
    })
    expect((await bind(admin, 'system', person.id, roleIds.systemAuditor)).status).toBe(400)
    const mine = `rbac/system-role-bindings/?user__username=${person.username}`
    expect((await admin.get(mine)).body).toHaveLength(2)
    expect((await admin.get(`${mine}&role=${roleIds.systemAuditor}`)).body).toHaveLength(1)
    const given = await bind(admin, 'org', person.id, roleIds.orgAuditor)
    expect(given).toMatchObject({
      status: 201,
      body: { org: defaultOrgId, scope: 'org', org_name: 'Default' },
    })
    expect(await bind(admin, 'org', person.id, roleIds.orgAuditor)).toMatchObject({
      status: 400,
      body: { role: ['Has bound this role'] },
    })
    const client = await person.signedIn()
    expect((await client.get('audits/operate-logs/')).status).toBe(200)
    for (const scope of ['system', 'org'] as const) {
      const { id } = scope === 'system' ? made.body : given.body
      expect((await admin.delete(`rbac/${scope}-role-bindings/${String(id)}/`)).status).toBe(204)
    }
    expect((await client.get('audits/operate-logs/')).status).toBe(403)
  })

  test('is given to several at once, whoever holds it already keeps it', async () => {
    const [holder, other] = [await addPerson(system, admin), await addPerson(system, admin)]
    await bind(admin, 'org', holder.id, roleIds.orgAuditor)
    const role = roleIds.orgAuditor
    const both = [holder, other].map(({ id }) => ({ user: id, role, scope: 'org' }))
    const given = await admin.post('rbac/org-role-bindings/', both)
    expect(given.status).toBe(201)
    expect(new Set(given.body.map((row) => String(row['user'])))).toEqual(new Set([holder.id, other.id]))
    for (const { id } of [holder, other])
      expect((await admin.get(`rbac/org-role-bindings/?user=${id}&role=${role}`)).body).toHaveLength(1)
    expect((await admin.post('rbac/org-role-bindings/', both)).status).toBe(201)
    expect((await admin.post('rbac/org-role-bindings/', [{ user: 'x', role }])).status).toBe(400)
  })

  test('of either scope is given and taken at one address by the system administrator alone', async () => {
    const person = await addPerson(system, admin)
    const path = 'rbac/role-bindings/'
    const give = (role: string, org?: string) =>
      admin.post(path, { user: person.id, role, ...(org && { org }) }, { org: rootOrgId })
    const ofSystem = await give(roleIds.systemAuditor)
    expect(ofSystem).toMatchObject({ status: 201, body: { scope: 'system', org: null, org_name: '' } })
    expect(await give(roleIds.systemAuditor)).toMatchObject({
      status: 400,
      body: [expect.stringContaining("'role_user'")],
    })
    expect(await give(roleIds.orgAuditor)).toMatchObject({ status: 400, body: { org: [expect.any(String)] } })
    const ofOrg = await give(roleIds.orgAuditor, defaultOrgId)
    expect(ofOrg).toMatchObject({
      status: 201,
      body: { scope: 'org', org: defaultOrgId, org_name: 'Default', role_display: 'OrgAuditor' },
    })
    expect((await give(roleIds.systemComponent)).status).toBe(400)
    const client = await person.signedIn()
    expect((await client.get('audits/operate-logs/')).status).toBe(200)
    expect((await client.post(path, { user: person.id, role: roleIds.orgAdmin })).status).toBe(403)
    for (const { body } of [ofSystem, ofOrg])
      expect((await admin.delete(`${path}${String(body['id'])}/`, { org: rootOrgId })).status).toBe(204)
    expect((await client.get('audits/operate-logs/')).status).toBe(403)
  })

  test('of the system never ends altogether, nor in an organization one stays in', async () => {
    const person = await addPerson(system, admin)
    for (const [scope, answer] of [
      ['system', { status: 400, body: { code: 'system_role_delete_error' } }],
      ['org', { status: 400, body: { error: expect.stringContaining('last role') } }],
    ] as const) {
      const rows = (await admin.get(`rbac/${scope}-role-bindings/?user=${person.id}`)).body
      expect(rows).toHaveLength(1)
      const id = String(rows[0]?.['id'])
      expect(await admin.delete(`rbac/${scope}-role-bindings/${id}/`)).toMatchObject(answer)
    }
  })

  test('is not made somebody else’s when it is the last one its holder has', async () => {
    const [holder, other] = [await addPerson(system, admin), await addPerson(system, admin)]
    for (const [scope, more, answer] of [
      ['system', roleIds.systemAuditor, { status: 400, body: { code: 'system_role_delete_error' } }],
      ['org', roleIds.orgAuditor, { status: 400, body: { error: expect.stringContaining('last role') } }],
    ] as const) {
      const held = async () =>
        (await admin.get(`rbac/${scope}-role-bindings/?user=${holder.id}`)).body.map(({ id }) => String(id))
      const [first] = await held()
      const second = String((await bind(admin, scope, holder.id, more)).body['id'])
      expect((await admin.delete(`rbac/${scope}-role-bindings/${first}/`)).status).toBe(204)
      const move = () => admin.patch(`rbac/${scope}-role-bindings/${second}/`, { user: other.id })
      expect(await move()).toMatchObject(answer)
      expect(await held()).toEqual([second])
      await bind(admin, scope, holder.id, scope === 'system' ? roleIds.user : roleIds.orgUser)
      expect((await move()).status).toBe(200)
    }
  })

  test('is given and taken by nobody who does not hold all that is in it', async () => {
    const giver = await holderOf([
      'rbac.view_systemrolebinding',
      'rbac.add_systemrolebinding',
      'rbac.delete_systemrolebinding',
      'rbac.add_orgrolebinding',
      'users.view_user',
    ])
    const client = await giver.signedIn()
    const person = await addPerson(system, admin)
    const notHeld = { status: 403, body: { code: 'role_not_held' } }
    expect(await bind(client, 'system', person.id, roleIds.systemAuditor)).toMatchObject(notHeld)
    expect(await bind(client, 'org', person.id, roleIds.orgAdmin)).toMatchObject(notHeld)
    expect(await bind(client, 'system', giver.id, roleIds.systemAdmin)).toMatchObject({ status: 403 })
    const auditor = await bind(admin, 'system', person.id, roleIds.systemAuditor)
    expect(await client.delete(`rbac/system-role-bindings/${String(auditor.body['id'])}/`)).toMatchObject(
      notHeld,
    )
    const small = await addRole('system', ['users.view_user'])
    expect((await bind(client, 'system', person.id, small)).status).toBe(201)
  })

  test('is not for people of other organizations, nor for roles of the other scope', async () => {
    const other = String((await admin.post('orgs/orgs/', { name: 'Bindings' })).body['id'])
    const person = await addPerson(system, admin)
    expect((await bind(admin, 'org', person.id, roleIds.orgAuditor, other)).status).toBe(400)
    expect((await bind(admin, 'org', person.id, roleIds.systemAuditor)).status).toBe(400)
    expect((await bind(admin, 'system', person.id, roleIds.orgAuditor)).status).toBe(400)
    expect((await bind(admin, 'org', person.id, roleIds.orgAuditor, rootOrgId)).status).toBe(400)
    // What is held goes with its organization, and does not stand in its way.
    expect((await admin.delete(`orgs/orgs/${other}/`)).status).toBe(204)
  })
})

describe('the last administrator', () => {
  test('cannot be deleted, disabled, expired or made an ordinary user, and nobody deletes oneself', async () => {
    const last = { status: 400, body: { code: 'last_administrator' } }
    const second = await addPerson(system, admin, { system_roles: [roleIds.systemAdmin] })
    const client = await second.signedIn()
    const own = `users/users/${second.id}/`
    expect(await client.delete(own)).toMatchObject({ status: 403, body: { code: 'own_account' } })
    const [first] = (await admin.get('users/users/?username=admin')).body
    const bindings = async (user: string) =>
      (await admin.get(`rbac/system-role-bindings/?user=${user}&role=${roleIds.systemAdmin}`)).body
    // The first steps back, as long as there is a second.
    const stepping = { system_roles: [roleIds.user] }
    const path = `users/users/${String(first?.['id'])}/`
    expect((await client.patch(path, stepping)).status).toBe(200)
    expect(await client.patch(own, stepping)).toMatchObject(last)
    await client.post('rbac/system-role-bindings/', { user: second.id, role: roleIds.systemAuditor })
    const [held] = (
      await client.get(`rbac/system-role-bindings/?user=${second.id}&role=${roleIds.systemAdmin}`)
    ).body
    const binding = `rbac/system-role-bindings/${String(held?.['id'])}/`
    expect(await client.delete(binding)).toMatchObject(last)
    expect(await client.patch(binding, { role: roleIds.user })).toMatchObject(last)
    expect((await client.patch(path, { system_roles: [roleIds.systemAdmin] })).status).toBe(200)
    expect(await bindings(second.id)).toHaveLength(1)
    expect((await admin.patch(own, { is_active: false })).status).toBe(200)
    expect(await admin.patch(path, stepping)).toMatchObject(last)
    expect((await admin.delete(own)).status).toBe(204)
  })
})
