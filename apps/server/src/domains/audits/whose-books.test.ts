/** What happened in an organization is in its books, and nothing else is: whoever did it, and whichever view they did it in. */
import { defaultOrgId, roleIds, rootOrgId, systemOrgId } from '@sallyport/contract'
import { beforeAll, expect, test } from 'vitest'
import { adminPassword, startTestSystem, type TestAnswer, type TestClient } from '../../testing.ts'
import { addPerson } from '../../testing-people.ts'
import { recordsOf as recordsIn } from './testing.ts'

const system = await startTestSystem()
let admin: TestClient
let otherOrg = ''
let thirdOrg = ''
/** Administrates the other organization. */
let leader: TestClient
const root = { org: rootOrgId }
const inOther = () => ({ org: otherOrg })
const confirm = (client: TestClient, secret_key: string) =>
  client.post('authentication/confirm/', { confirm_type: 'password', secret_key })

beforeAll(async () => {
  admin = await system.admin()
  await confirm(admin, adminPassword)
  otherOrg = String((await admin.post('orgs/orgs/', { name: 'Other' })).body['id'])
  thirdOrg = String((await admin.post('orgs/orgs/', { name: 'Third' })).body['id'])
  const person = await addPerson(system, admin, { org_roles: [roleIds.orgAdmin] }, otherOrg)
  leader = await person.signedIn()
  await confirm(leader, person.password)
})

/** What the books say of this, as one record or several. */
const recordsOf = (work: () => Promise<TestAnswer>) => recordsIn(system, work)
const made = async (url: string, body: unknown, org = otherOrg): Promise<string> => {
  const answer = await admin.post(url, body, { org })
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return String(answer.body['id'])
}
const host = (name: string, org = otherOrg) =>
  made(
    'assets/hosts/',
    { name, address: '192.0.2.9', platform: 1, protocols: [{ name: 'ssh', port: 22 }] },
    org,
  )

test('who and what a grant names by a relation is a change of the grant, in its organization and among its activities', async () => {
  const people = [
    await addPerson(system, leader, {}, otherOrg),
    await addPerson(system, leader, {}, otherOrg),
  ]
  const nodes = await leader.get('assets/nodes/?limit=1', inOther())
  const node = String(nodes.body['results']?.[0]?.['id'])
  const grant = await made('perms/asset-permissions/', { name: 'Pairs', accounts: ['@ALL'] })
  const ofGrant = {
    action: 'update',
    resource_type: 'perms.assetpermission',
    resource: 'Pairs',
    org_id: otherOrg,
  }
  const [one, another] = people
  for (const [path, field, id, told, name] of [
    ['users', 'user', one?.id, 'users', one?.username],
    ['user-groups', 'usergroup', await made('users/groups/', { name: 'Granted' }), 'user_groups', 'Granted'],
    ['assets', 'asset', await host('granted'), 'assets', 'granted'],
    ['nodes', 'node', node, 'nodes', '/Other'],
  ] as const) {
    const url = `perms/asset-permissions-${path}-relations/`
    const pair = { [field]: id, assetpermission: grant }
    const come = await recordsOf(() => leader.post(url, pair, inOther()))
    expect(come).toMatchObject([{ ...ofGrant, diff: { [told]: ['', name] } }])
    const gone = await recordsOf(() => admin.delete(`${url}?${field}=${id}&assetpermission=${grant}`, root))
    expect(gone).toMatchObject([{ ...ofGrant, diff: { [told]: [name, ''] } }])
  }
  const pairs = 'perms/asset-permissions-users-relations/'
  const pair = await made(pairs, { user: one?.id, assetpermission: grant })
  const moved = await recordsOf(() => admin.patch(`${pairs}${pair}/`, { user: another?.id }, root))
  expect(moved).toMatchObject([{ ...ofGrant, diff: { users: [one?.username, another?.username] } }])
  const activities = await leader.get(`audits/activities/?resource_id=${grant}`, inOther())
  expect(activities.body).toHaveLength(11)
})

test('what people do to their own things goes to an organization of theirs, whichever they name', async () => {
  const person = await addPerson(system, leader, {}, otherOrg)
  const client = await person.signedIn()
  await confirm(client, person.password)
  const own = { resource_type: 'authentication.accesskey', org_id: otherOrg }
  for (const org of [thirdOrg, systemOrgId, rootOrgId, defaultOrgId, otherOrg])
    expect(await recordsOf(() => client.post('authentication/access-keys/', {}, { org }))).toMatchObject([
      own,
    ])
  const change = () => client.patch('users/profile/', { comment: 'mine' }, { org: thirdOrg })
  expect(await recordsOf(change)).toMatchObject([{ resource_type: 'users.profile', org_id: otherOrg }])
  // Who administers the whole system belongs everywhere.
  const byAdmin = () => admin.post('authentication/access-keys/', {}, { org: thirdOrg })
  expect(await recordsOf(byAdmin)).toMatchObject([{ org_id: thirdOrg }])
})

const seen = (resource: string, org_id: string) => ({
  action: 'view',
  resource_type: 'accounts.account',
  resource,
  org_id,
})
const openAll = (query: string, client = leader, org = otherOrg) =>
  recordsOf(() => client.get(`accounts/account-secrets/${query}`, { org }))
const account = async (name: string, org: string) =>
  await made(
    'accounts/accounts/',
    { name, username: name, secret: 's3cret', secret_type: 'password', asset: await host(`of ${name}`, org) },
    org,
  )

test('who reads all secrets is on the books with that, whatever else is in the address', async () => {
  await account('root', otherOrg)
  const all = seen('Export all', otherOrg)
  for (const query of [
    '',
    '?format=json&order=name&limit=10&display=1&fields=name',
    '?x=Export only one account',
    `?${'nothing'.repeat(30)}=1&_=2`,
  ])
    expect(await openAll(query)).toEqual([expect.objectContaining(all)])
  const filtered = await openAll('?username=root&search=roo&nothing=else')
  expect(filtered).toMatchObject([seen('Export filtered: username=root,search=roo', otherOrg)])
})

test('who reads secrets in the view of all organizations is in the books of each whose secrets were read', async () => {
  const [there, elsewhere] = [await account('there', otherOrg), await account('elsewhere', thirdOrg)]
  const read = async (query: string) =>
    (await openAll(query, admin, rootOrgId)).map((one) => `${one.org_id} ${one.resource}`).toSorted()
  const inEach = (resource: string, ...orgs: string[]) =>
    [rootOrgId, ...orgs].map((org) => `${org} ${resource}`).toSorted()
  expect(await read('')).toEqual(inEach('Export all', otherOrg, thirdOrg))
  const filtered = inEach('Export filtered: username=elsewhere', thirdOrg)
  expect(await read('?username=elsewhere')).toEqual(filtered)
  // A page is what was read.
  expect(await read('?order=name&limit=1')).toEqual(inEach('Export all', thirdOrg))
  expect(await read(`?ids=${there}`)).toEqual(inEach(`Export filtered: ids=${there}`, otherOrg))
  const single = () => admin.get(`accounts/account-secrets/${elsewhere}/`, root)
  expect(await recordsOf(single)).toMatchObject([seen('elsewhere@of elsewhere', thirdOrg)])
})

test('an auditor of an organization reads what the administrator did there, and nothing of the whole system', async () => {
  const { body: me } = await admin.get('users/profile/')
  const auditor = await (
    await addPerson(system, admin, { org_roles: [roleIds.orgAuditor] }, otherOrg)
  ).signedIn()
  await made('users/groups/', { name: 'Told' })
  const secret = await admin.post('users/groups/', { name: 'Elsewhere' }, { org: systemOrgId })
  expect(secret.status).toBe(201)
  const told = await auditor.get(`audits/activities/?resource_id=${String(me['id'])}`, inOther())
  expect(JSON.stringify(told.body)).toContain('Told')
  expect(JSON.stringify(told.body)).not.toContain('Elsewhere')
})

test('who is new under the name of somebody before reads their own sign-ins only', async () => {
  const before = await addPerson(system, admin)
  await before.signedIn()
  expect((await admin.delete(`users/users/${before.id}/`)).status).toBe(204)
  const { rows } = await system.database.pool.query<{ count: string }>(
    'select count(*) from login_logs where username = $1',
    [before.username],
  )
  expect(Number(rows[0]?.count)).toBeGreaterThan(0)
  const after = await addPerson(system, admin, { username: before.username })
  const client = await after.signedIn()
  expect((await client.get('audits/my-login-logs/')).body).toHaveLength(1)
})
