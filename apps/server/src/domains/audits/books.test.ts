/** Whatever is done to people and what they sign in with is on the books: by whom, in which organization, what differs, and no secret. */
import { defaultOrgId, roleIds, rootOrgId } from '@sallyport/contract'
import { beforeAll, expect, test } from 'vitest'
import { startTestSystem, type TestAnswer, type TestClient } from '../../testing.ts'
import { addPerson, type TestPerson } from '../../testing-people.ts'
import { type Booked, booked as bookedIn, recordsOf as recordsIn } from './testing.ts'

const system = await startTestSystem()
let admin: TestClient
let otherOrg = ''
/** Administrates the other organization. */
let leader: TestClient
const secretKey = 'AAAAC3NzaC1lZDI1NTE5AAAAIJ8eDQIxHq2x0iR0Wn0mYFq2xRUbcB4mQqLzyUY8Ci1b'
const newPassword = 'Never-in-the-books-1'

beforeAll(async () => {
  admin = await system.admin()
  otherOrg = String((await admin.post('orgs/orgs/', { name: 'Other' })).body['id'])
  const person = await addPerson(
    system,
    admin,
    { username: 'leader', org_roles: [roleIds.orgAdmin] },
    otherOrg,
  )
  leader = await person.signedIn()
})

/** What the books say of this, as one record or several. */
const recordsOf = (work: () => Promise<TestAnswer>) => recordsIn(system, work)
const booked = () => bookedIn(system)
const there = (work: (org: { org: string }) => Promise<TestAnswer>) => () => work({ org: otherOrg })
const ofUser = (person: TestPerson, org_id: string, user = 'leader(leader)') => ({
  user,
  action: 'update',
  resource_type: 'users.user',
  resource: person.username,
  org_id,
})

test('an invitation, with the roles it gives', async () => {
  const guest = await addPerson(system, admin)
  const records = await recordsOf(
    there((org) => leader.post('users/users/invite/', { users: [guest.id] }, org)),
  )
  expect(records).toMatchObject([ofUser(guest, otherOrg)])
  expect(JSON.stringify(records[0]?.diff)).toContain('OrgUser')
})

test('a removal, alone and with others', async () => {
  const [one, two] = [
    await addPerson(system, leader, {}, otherOrg),
    await addPerson(system, leader, {}, otherOrg),
  ]
  expect(
    await recordsOf(there((org) => leader.post(`users/users/${one.id}/remove/`, undefined, org))),
  ).toMatchObject([ofUser(one, otherOrg)])
  expect(
    await recordsOf(there((org) => leader.post(`users/users/remove/?ids=${two.id}`, undefined, org))),
  ).toMatchObject([ofUser(two, otherOrg)])
})

test.each([
  ['unblocking', (id: string, org: { org: string }) => leader.patch(`users/users/${id}/unblock/`, {}, org)],
  [
    'a reset of the key',
    (id: string, org: { org: string }) => leader.patch(`users/users/${id}/pubkey/reset/`, {}, org),
  ],
  [
    'a reset of the second factor',
    (id: string, org: { org: string }) => leader.get(`users/users/${id}/mfa/reset/`, org),
  ],
  [
    'a password set for somebody',
    (id: string, org: { org: string }) =>
      leader.patch(`users/users/${id}/password/`, { password: newPassword }, org),
  ],
  [
    'a key set for somebody',
    (id: string, org: { org: string }) =>
      leader.patch(`users/users/${id}/`, { public_key: `ssh-ed25519 ${secretKey} laptop` }, org),
  ],
  [
    'a key set for several',
    (id: string, org: { org: string }) =>
      leader.patch('users/users/', [{ id, public_key: `ssh-ed25519 ${secretKey} laptop` }], org),
  ],
])('%s', async (_what, work) => {
  const person = await addPerson(system, leader, {}, otherOrg)
  const records = await recordsOf(there((org) => work(person.id, org)))
  expect(records).toMatchObject([ofUser(person, otherOrg)])
})

test('a key and a file password of one’s own', async () => {
  const person = await addPerson(system, admin)
  const client = await person.signedIn()
  await client.post('authentication/confirm/', { confirm_type: 'password', secret_key: person.password })
  const by = `${person.username}(${person.username})`
  const own = { user: by, action: 'update', resource_type: 'users.profile', resource: person.username }
  expect(
    await recordsOf(() =>
      client.put('users/profile/public-key/', { public_key: `ssh-ed25519 ${secretKey} laptop` }),
    ),
  ).toMatchObject([own])
  const keys = { new_secret_key: newPassword, new_secret_key_again: newPassword }
  expect(await recordsOf(() => client.put('users/profile/secret-key/', keys))).toMatchObject([own])
  const [made, ...more] = await recordsOf(() => client.post('authentication/access-keys/'))
  expect(more).toEqual([])
  expect(made).toMatchObject({ user: by, action: 'create', resource_type: 'authentication.accesskey' })
})

test('who joins and leaves a group by a relation, as a change of the group', async () => {
  const person = await addPerson(system, leader, {}, otherOrg)
  const group = await leader.post('users/groups/', { name: 'Crew' }, { org: otherOrg })
  const pair = { user: person.id, usergroup: group.body['id'] }
  const ofGroup = { action: 'update', resource_type: 'users.usergroup', resource: 'Crew', org_id: otherOrg }
  const joined = await recordsOf(there((org) => leader.post('users/users-groups-relations/', pair, org)))
  expect(joined).toMatchObject([{ ...ofGroup, diff: { users: ['', person.username] } }])
  const relations = await leader.get(`users/users-groups-relations/?user=${person.id}`, { org: otherOrg })
  const path = `users/users-groups-relations/${String(relations.body[0]?.['id'])}/`
  // In the view of all organizations the record is still the group's.
  const left = await recordsOf(() => admin.delete(path, { org: rootOrgId }))
  expect(left).toMatchObject([{ ...ofGroup, diff: { users: [person.username, ''] } }])
})

test('a component that registers', async () => {
  const before = (await booked()).length
  await system.component('new-gateway')
  expect((await booked()).slice(before)).toMatchObject([
    { user: 'System', action: 'create', resource_type: 'terminal.terminal', resource: 'new-gateway' },
  ])
})

const inOther = () => ({ org: otherOrg })
const made = async (url: string, body: unknown, client = leader): Promise<string> => {
  const answer = await client.post(url, body, inOther())
  expect(answer.status, JSON.stringify(answer.body)).toBe(201)
  return String(answer.body['id'])
}
const twin = async () => (await addPerson(system, leader, { name: 'Same Name' }, otherOrg)).id
const host = async (name: string) =>
  await made('assets/hosts/', {
    name,
    address: '192.0.2.9',
    platform: 1,
    protocols: [{ name: 'ssh', port: 22 }],
  })
const diffOfOne = (records: readonly Booked[]) => {
  expect(records).toHaveLength(1)
  return records[0]?.diff ?? {}
}

test('a right that moves from one person to their namesake, alone and in bulk', async () => {
  const [one, other] = [await twin(), await twin()]
  const granted = { assets: [], accounts: ['@ALL'], actions: ['connect'] }
  const grant = await made('perms/asset-permissions/', { name: 'Twins', users: [one], ...granted })
  const group = await made('users/groups/', { name: 'Twins', users: [one] })
  for (const path of [`perms/asset-permissions/${grant}/`, `users/groups/${group}/`]) {
    const records = await recordsOf(() => leader.patch(path, { users: [other] }, inOther()))
    expect(diffOfOne(records)).toEqual({ users: [`Same Name (id ${one})`, `Same Name (id ${other})`] })
  }
  for (const [path, id] of [
    ['perms/asset-permissions/', grant],
    ['users/groups/', group],
  ] as const) {
    const records = await recordsOf(() => leader.patch(path, [{ id, users: [one] }], inOther()))
    expect(diffOfOne(records)).toEqual({ users: [`Same Name (id ${other})`, `Same Name (id ${one})`] })
  }
})

test('a right that moves to another node of the same name', async () => {
  const tree = await leader.get('assets/nodes/?limit=1', inOther())
  const root = String(tree.body['results']?.[0]?.['id'])
  const [left, right] = [
    await made(`assets/nodes/${root}/children/`, { value: 'left' }),
    await made(`assets/nodes/${root}/children/`, { value: 'right' }),
  ]
  const [a, b] = [
    await made(`assets/nodes/${left}/children/`, { value: 'same' }),
    await made(`assets/nodes/${right}/children/`, { value: 'same' }),
  ]
  const grant = await made('perms/asset-permissions/', {
    name: 'Nodes',
    nodes: [a],
    accounts: ['@ALL'],
    actions: ['connect'],
  })
  const records = await recordsOf(() =>
    leader.patch(`perms/asset-permissions/${grant}/`, { nodes: [b] }, inOther()),
  )
  expect(diffOfOne(records)['nodes']).toEqual([expect.stringContaining(a), expect.stringContaining(b)])
})

test('the port of a protocol, and a label of the same name', async () => {
  const id = await host('ports')
  const port = await recordsOf(() =>
    leader.patch(`assets/hosts/${id}/`, { protocols: [{ name: 'ssh', port: 2299 }] }, inOther()),
  )
  expect(diffOfOne(port)).toEqual({ protocols: ['ssh (port 22)', 'ssh (port 2299)'] })
  const [one, two] = [
    await made('assets/labels/', { name: 'stage', value: 'test' }),
    await made('assets/labels/', { name: 'stage', value: 'live' }),
  ]
  await leader.patch(`assets/hosts/${id}/`, { labels: [{ pk: one }] }, inOther())
  const label = await recordsOf(() =>
    leader.patch(`assets/hosts/${id}/`, { labels: [{ pk: two }] }, inOther()),
  )
  expect(diffOfOne(label)['labels']).toEqual([
    expect.stringMatching(/^stage .*value test/),
    expect.stringMatching(/^stage .*value live/),
  ])
})

test('what was added to a long list and taken from it, and where a long text begins to differ', async () => {
  const accounts = Array.from({ length: 90 }, (_, index) => `account-number-${index}`)
  const grant = await made('perms/asset-permissions/', {
    name: 'Long',
    accounts: [...accounts, 'root'],
    actions: ['connect'],
  })
  const path = `perms/asset-permissions/${grant}/`
  const records = await recordsOf(() =>
    leader.patch(path, { accounts: [...accounts, '@ALL', 'backup'] }, inOther()),
  )
  expect(diffOfOne(records)).toEqual({ accounts: ['…,root', '…,@ALL,backup'] })
  const comment = 'x'.repeat(1100)
  await leader.patch(path, { comment }, inOther())
  const changed = await recordsOf(() => leader.patch(path, { comment: `${comment}y` }, inOther()))
  expect(diffOfOne(changed)).toEqual({
    comment: [`…${'x'.repeat(64)}`, `…${'x'.repeat(64)}y`],
  })
  // The same values once more are no change.
  expect(await recordsOf(() => leader.patch(path, { comment: `${comment}y` }, inOther()))).toEqual([])
})

const brief = (records: readonly Booked[]) =>
  records.map((one) => `${one.action} ${one.resource_type} ${one.resource}`).toSorted()

test('a label that is made or changed by way of one asset, as what happened to the label of all', async () => {
  const labels = [{ name: 'env', value: 'test' }]
  const first = await host('labelled-1')
  const path = (id: string) => `assets/hosts/${id}/`
  const create = () => leader.patch(path(first), { labels }, inOther())
  expect(brief(await recordsOf(create))).toEqual(['create assets.label env', 'update assets.host labelled-1'])
  const id = (await leader.get(path(first), inOther())).body['labels']?.[0]?.['id']
  const second = await host('labelled-2')
  const same = () => leader.patch(path(second), { labels: [{ id, ...labels[0] }] }, inOther())
  expect(brief(await recordsOf(same))).toEqual(['update assets.host labelled-2'])
  const change = () => leader.patch(path(second), { labels: [{ id, value: 'prod' }] }, inOther())
  const changed = (await recordsOf(change)).find(({ resource_type }) => resource_type === 'assets.label')
  expect(changed).toMatchObject({ action: 'update', resource: 'env', diff: { value: ['test', 'prod'] } })
  // It is the label of others, too: who may not change labels does not change them here.
  const { rows } = await system.database.pool.query<{ id: string }>(
    `insert into roles (name, scope, permissions) values ('Assets only', 'org', to_jsonb($1::text[])) returning id`,
    [['assets.view_asset', 'assets.change_asset']],
  )
  const editor = await addPerson(system, admin, { org_roles: [rows[0]?.id] }, otherOrg)
  const client = await editor.signedIn()
  const write = (label: object) => client.patch(path(second), { labels: [label] }, inOther())
  expect((await write({ id, name: 'mine' })).status).toBe(403)
  expect((await write({ id, name: 'env', value: 'prod' })).status).toBe(200)
})

test('every node that is made on the way to another, and every one that goes with it', async () => {
  const create = () => leader.post('assets/nodes/', { full_value: '/a/b/c' }, inOther())
  expect(brief(await recordsOf(create))).toEqual(['a', 'b', 'c'].map((name) => `create assets.node ${name}`))
  const found = await leader.get('assets/nodes/?value=a', inOther())
  const remove = () => leader.delete(`assets/nodes/${String(found.body[0]?.['id'])}/`, inOther())
  const removed = await recordsOf(remove)
  expect(brief(removed)).toEqual(['a', 'b', 'c'].map((name) => `delete assets.node ${name}`))
  expect(removed.find(({ resource }) => resource === 'c')?.diff).toMatchObject({
    full_value: ['/Other/a/b/c', ''],
  })
  await create()
  const both = await leader.get('assets/nodes/?value=a&value=b', inOther())
  const ids = [...both.body].map(({ id }) => String(id)).join(',')
  const removeBoth = await recordsOf(() => leader.delete(`assets/nodes/?ids=${ids}`, inOther()))
  expect(brief(removeBoth)).toEqual(brief(removed))
})

test('and never a secret', async () => {
  const all = JSON.stringify(await booked())
  expect(all).toContain('******')
  for (const secret of [secretKey, newPassword, 'argon2']) expect(all).not.toContain(secret)
  expect((await booked()).every(({ org_id }) => [otherOrg, defaultOrgId].includes(org_id))).toBe(true)
})
