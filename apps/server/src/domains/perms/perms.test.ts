/** What administrators grant and what people get, over HTTP; and accounts, which grants speak of. */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { defaultOrgId, roleIds, rootOrgId } from '@sallyport/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { ApiError } from '../../kernel/errors.ts'
import { callerOf } from '../../kernel/testing/caller.ts'
import { testGround } from '../../kernel/testing/ground.ts'
import { otherOrgId, startTestServer } from '../../kernel/testing/http.ts'
import { createTestDatabase } from '../../kernel/testing/index.ts'
import { accountsOfAssets, domain as accountsDomain } from '../accounts/index.ts'
import { domain as assetsDomain } from '../assets/index.ts'
import { createNotifications } from '../notifications/index.ts'
import { createOrgs } from '../orgs/index.ts'
import { createRbac, seedRoles } from '../rbac/index.ts'
import { createSettings } from '../settings/index.ts'
import { domain, permittedAccounts } from './index.ts'

const database = await createTestDatabase()
const ground = await testGround(database)
let call: ReturnType<typeof callerOf>
let isConfirmed = false
let count = 0
const fresh = (name: string) => `${name}-${++count}`

/** The person every call is made as. */
const ann = '7d1c0000-0000-4000-8000-000000000001'
const bob = '7d1c0000-0000-4000-8000-0000000000bb'
const ops = '7d1c0000-0000-4000-8000-0000000000cc'

beforeAll(async () => {
  await database.pool.query(
    `insert into organizations (id, name) values ('${defaultOrgId}', 'DEFAULT'), ('${otherOrgId}', 'Other')`,
  )
  await database.pool.query(
    `insert into users (id, name, username, email) values ('${ann}', 'Ann', 'ann', 'ann@example.com'), ('${bob}', 'Bob', 'bob', 'bob@example.com')`,
  )
  const settings = createSettings(ground)
  const orgs = createOrgs(ground, settings)
  const rbac = createRbac(ground, orgs)
  await seedRoles(database.db)
  await database.pool.query(
    `insert into role_bindings (user_id, role_id, org_id) values ('${ann}', '${roleIds.orgUser}', '${defaultOrgId}'), ('${bob}', '${roleIds.orgUser}', '${defaultOrgId}')`,
  )
  await database.pool.query(
    `insert into user_groups (id, name, org_id) values ('${ops}', 'Ops', '${defaultOrgId}')`,
  )
  await database.pool.query(
    `insert into user_group_members (user_id, usergroup_id) values ('${ann}', '${ops}')`,
  )
  const confirmed = () => (isConfirmed ? Promise.resolve() : Promise.reject(new ApiError(400, 'error')))
  const domains = [
    assetsDomain(ground, accountsOfAssets(ground, confirmed)),
    accountsDomain(ground, confirmed),
    domain({
      ...ground,
      rbac,
      notifications: createNotifications(ground, settings),
      checkConfirmed: confirmed,
    }),
  ]
  for (const one of domains) await one.seed?.()
  call = callerOf(await startTestServer(database, domains, { checkConfirmed: confirmed }), 'ann *')
})

async function made(path: string, body: unknown, org?: string) {
  const answer = await call('POST', path, body, org === undefined ? {} : { org })
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 })
  return answer.body
}
const host = (fields: Record<string, unknown> = {}) =>
  made('assets/hosts/', { name: fresh('host'), address: '10.0.0.1', platform: 1, ...fields })
const account = (asset: unknown, fields: Record<string, unknown>) =>
  made('accounts/accounts/', { name: fields['username'], secret_type: 'password', asset, ...fields })
const node = (value: string, under?: string) =>
  made(under === undefined ? 'assets/nodes/' : `assets/nodes/${under}/children/`, { value })
const grant = (fields: Record<string, unknown>) =>
  made('perms/asset-permissions/', { name: fresh('grant'), accounts: ['@ALL'], ...fields })
const mine = async (path: string) => (await call('GET', `perms/users/self/${path}`)).body
const permitted = (asset: string, who = ann) => permittedAccounts(database.db, who, asset, defaultOrgId)

describe('relations', () => {
  it('stay inside the organization of the row, whatever view they are written in', async () => {
    const elsewhere = await made(
      'assets/hosts/',
      { name: fresh('elsewhere'), address: '10.0.0.9', platform: 1 },
      otherOrgId,
    )
    const { rows } = await database.pool.query<{ id: string }>(
      `insert into user_groups (name, org_id) values ('Others', '${otherOrgId}') returning id`,
    )
    const others = rows[0]?.id ?? ''
    const one = await grant({ assets: [(await host()).id] })
    const url = `perms/asset-permissions/${one.id}/`
    const inRoot = { org: rootOrgId }
    const unknown = (field: string) => ({
      status: 400,
      body: { [field]: [expect.stringContaining('Invalid pk')] },
    })
    expect(await call('PATCH', url, { assets: [elsewhere.id] }, inRoot)).toMatchObject(unknown('assets'))
    expect(await call('PATCH', url, { user_groups: [others] }, inRoot)).toMatchObject(unknown('user_groups'))
    const asset = (await host()).id
    expect(await call('PATCH', url, { assets: [asset] }, inRoot)).toMatchObject({ status: 200 })
    const pairs = await call('GET', `perms/asset-permissions-assets-relations/?assetpermission=${one.id}`)
    const pair = `perms/asset-permissions-assets-relations/${String(pairs.body[0]?.id)}/`
    expect(await call('PATCH', pair, { asset: elsewhere.id }, inRoot)).toMatchObject(unknown('asset'))
    const foreign = (await made('perms/asset-permissions/', { name: fresh('foreign') }, otherOrgId)).id
    expect(await call('PATCH', pair, { assetpermission: foreign }, inRoot)).toMatchObject(unknown('asset'))
    const accountOf = await account(asset, { username: 'moved' })
    expect(
      await call('PATCH', `accounts/accounts/${accountOf.id}/`, { asset: elsewhere.id }, inRoot),
    ).toMatchObject(unknown('asset'))
  })
})

describe('accounts', () => {
  it('are made with the asset, and shown in short with it', async () => {
    const made = await host({
      accounts: [
        { name: 'root', username: 'root', privileged: true, secret: 'envelope:Root-1' },
        { username: 'deploy', secret_type: 'password' },
      ],
    })
    const { body } = await call('GET', `assets/hosts/${made.id}/`)
    expect(body.accounts).toEqual([
      expect.objectContaining({ name: 'deploy', username: 'deploy', privileged: false }),
      expect.objectContaining({ name: 'root', privileged: true, version: 0, secret_type: 'password' }),
    ])
    expect(JSON.stringify(body)).not.toContain('Root-1')
    const { rows } = await database.pool.query(
      'select secret from accounts where asset_id = $1 and name = $2',
      [made.id, 'root'],
    )
    expect(rows[0]?.secret).toBe(ground.secrets.seal('Root-1'))
  })

  it('never show their secret, but say whether there is one', async () => {
    const asset = await host()
    const one = await account(asset.id, { username: 'x', secret: 'S-3cret' })
    expect(one).toMatchObject({
      has_secret: true,
      asset: { id: asset.id, type: { value: 'linux', label: 'Linux' }, platform: { id: 1, name: 'Linux' } },
      su_from: null,
      source: { value: 'local', label: 'Local' },
    })
    for (const path of [
      `accounts/accounts/${one.id}/`,
      'accounts/accounts/',
      'accounts/accounts/?format=json',
    ])
      expect(JSON.stringify((await call('GET', path)).body)).not.toContain('S-3cret')
  })

  it('open only after a confirmation, to those who may', async () => {
    const asset = await host()
    const one = await account(asset.id, { username: 'x', secret: 'S-3cret' })
    const path = `accounts/account-secrets/${one.id}/`
    isConfirmed = false
    expect(await call('GET', path)).toMatchObject({ status: 400 })
    isConfirmed = true
    expect((await call('GET', path)).body).toMatchObject({ username: 'x', secret: 'S-3cret' })
    expect((await call('GET', `accounts/account-secrets/?asset=${asset.id}`)).body).toMatchObject([
      { secret: 'S-3cret' },
    ])
    expect(await call('GET', path, undefined, { as: 'bob accounts.view_account' })).toMatchObject({
      status: 403,
    })
    expect(await call('GET', path, undefined, { org: otherOrgId })).toMatchObject({ status: 404 })
    isConfirmed = false
  })

  it('remember what opened them before', async () => {
    const asset = await host()
    const one = await account(asset.id, { username: 'x', secret: 'first' })
    await call('PATCH', `accounts/accounts/${one.id}/`, { comment: 'no new secret', secret: '' })
    const changed = await call('PATCH', `accounts/accounts/${one.id}/`, { id: one.id, secret: 'second' })
    expect(changed.body.version).toBe(1)
    isConfirmed = true
    const { body } = await call('GET', `accounts/account-secrets/${one.id}/histories/`)
    expect(body).toMatchObject([{ id: one.id, secret: 'first', version: 0 }])
    isConfirmed = false
  })

  it('are unique on their asset by name, and by username with the kind of secret', async () => {
    const asset = await host()
    await account(asset.id, { name: 'one', username: 'x' })
    const again = (fields: object) =>
      call('POST', 'accounts/accounts/', { secret_type: 'password', asset: asset.id, ...fields })
    expect((await again({ name: 'two', username: 'x' })).body).toEqual({
      non_field_errors: ['The fields username, asset, secret_type must make a unique set.'],
    })
    expect((await again({ name: 'one', username: 'y' })).body).toEqual({
      non_field_errors: ['The fields name, asset must make a unique set.'],
    })
    expect(await again({ name: null, username: 'z' })).toMatchObject({ status: 201, body: { name: 'z' } })
    expect((await again({ username: 'w' })).body).toEqual({ name: ['This field is required.'] })
  })

  it.each([
    ['rsa', ['-t', 'rsa', '-b', '2048', '-m', 'PEM']],
    ['rsa in the new form', ['-t', 'rsa', '-b', '2048']],
    ['ecdsa', ['-t', 'ecdsa', '-m', 'PKCS8']],
    ['ed25519', ['-t', 'ed25519']],
  ])('take SSH keys with their passphrase, and forget the passphrase: %s', async (_name, options) => {
    const folder = await mkdtemp(join(tmpdir(), 'sallyport-key-'))
    const file = join(folder, 'key')
    await promisify(execFile)('ssh-keygen', ['-q', '-N', 'open me', '-C', '', '-f', file, ...options])
    const secret = await readFile(file, 'utf8')
    await rm(folder, { recursive: true })
    const asset = await host()
    const body = { name: 'key', username: 'k', secret_type: 'ssh_key', asset: asset.id, secret }
    for (const passphrase of ['wrong', '', undefined])
      expect(await call('POST', 'accounts/accounts/', { ...body, passphrase })).toMatchObject({
        status: 400,
        body: [expect.stringContaining('private key')],
      })
    const made = await call('POST', 'accounts/accounts/', { ...body, passphrase: 'open me' })
    expect(made.body.spec_info).toMatchObject({
      ssh_key_fingerprint: expect.stringMatching(/^([0-9a-f]{2}:?){16}/),
    })
    isConfirmed = true
    const opened = await call('GET', `accounts/account-secrets/${made.body.id}/`)
    expect(opened.body.secret).toContain('BEGIN OPENSSH PRIVATE KEY')
    isConfirmed = false
  })

  it('refuse passwords that would break what uses them', async () => {
    const asset = await host()
    const answer = await call('POST', 'accounts/accounts/', {
      name: 'x',
      username: 'x',
      secret_type: 'password',
      asset: asset.id,
      secret: `it's`,
    })
    expect(answer).toMatchObject({ status: 400, body: ["The password can not contain '"] })
  })

  it('are copied with their secret, without showing it', async () => {
    const first = await host()
    const second = await host()
    const source = await account(first.id, { username: 'x', secret: 'same' })
    isConfirmed = true
    const copy = await made('accounts/accounts/', {
      id: source.id,
      name: 'x',
      username: 'x',
      secret_type: 'password',
      asset: second.id,
    })
    expect(copy.id).not.toBe(source.id)
    expect((await call('GET', `accounts/account-secrets/${copy.id}/`)).body.secret).toBe('same')
    isConfirmed = false
  })

  it('are copied only by those who may see the secret', async () => {
    const source = await account((await host()).id, { username: 'x', secret: 'same' })
    const body = {
      id: source.id,
      name: 'x',
      username: 'x',
      secret_type: 'password',
      asset: (await host()).id,
    }
    const answer = await call('POST', 'accounts/accounts/', body, { as: 'bob accounts.add_account' })
    expect(answer).toMatchObject({ status: 403, body: { code: 'secret_copy_denied' } })
  })

  it('never come back to the secrets of a deleted one, whatever id they are made with', async () => {
    const old = await account((await host()).id, { username: 'x', secret: 'of-another-organization' })
    expect((await call('DELETE', `accounts/accounts/${old.id}/`)).status).toBe(204)
    const asset = await made(
      'assets/hosts/',
      { name: fresh('theirs'), address: '10.0.0.9', platform: 1 },
      otherOrgId,
    )
    const again = await made(
      'accounts/accounts/',
      { id: old.id, name: 'x', username: 'x', secret_type: 'password', asset: asset.id },
      otherOrgId,
    )
    expect(again.id).not.toBe(old.id)
    // Even if a row had that id: histories stay with their organization.
    await database.pool.query(`update accounts set id = '${old.id}' where id = '${again.id}'`)
    isConfirmed = true
    const histories = await call('GET', `accounts/account-secrets/${old.id}/histories/`, undefined, {
      org: otherOrgId,
    })
    isConfirmed = false
    expect(histories).toMatchObject({ status: 200 })
    expect(JSON.stringify(histories.body)).not.toContain('of-another-organization')
  })

  it('switch only from accounts of the same asset, which are offered', async () => {
    const asset = await host()
    const root = await account(asset.id, { username: 'root' })
    const user = await account(asset.id, { username: 'user' })
    const elsewhere = await account((await host()).id, { username: 'root' })
    expect(await call('PATCH', `accounts/accounts/${root.id}/`, { su_from: elsewhere.id })).toMatchObject({
      status: 400,
      body: { su_from: [expect.any(String)] },
    })
    await call('PATCH', `accounts/accounts/${root.id}/`, { su_from: user.id })
    const offered = async (id: unknown) =>
      (await call('GET', `accounts/accounts/su-from-accounts/?account=${String(id)}`)).body.map(
        ({ name }) => name,
      )
    expect(await offered(root.id)).toEqual(['user'])
    expect(await offered(user.id)).toEqual([])
    expect((await call('GET', 'accounts/accounts/username-suggestions/?username=oo')).body).toContain('root')
  })

  it('are found by their asset and its node', async () => {
    const place = await node(fresh('place'))
    const asset = await host({ nodes: [place.id], address: '10.9.9.9' })
    const one = await account(asset.id, { username: 'x' })
    for (const query of [
      `asset=${asset.id}`,
      `node_id=${place.id}`,
      'address=10.9.9.9',
      'search=10.9.9',
      'category=host&address=10.9.9.9',
    ])
      expect((await call('GET', `accounts/accounts/?${query}`)).body.map(({ id }) => id)).toEqual([one.id])
  })
})

describe('a grant', () => {
  it('allows everything for a lifetime unless it says otherwise', async () => {
    const made = await grant({ users: [ann] })
    expect(made).toMatchObject({
      is_valid: true,
      is_expired: false,
      from_ticket: false,
      users: [{ id: ann, name: 'Ann' }],
    })
    expect(made.actions?.map(({ value }) => value)).toEqual([
      'connect',
      'upload',
      'download',
      'copy',
      'paste',
    ])
    expect(await call('POST', 'perms/asset-permissions/', { name: 'x', actions: ['fly'] })).toMatchObject({
      status: 400,
      body: { actions: ['Invalid choice: fly'] },
    })
  })

  it('names accounts, no blanks', async () => {
    for (const accounts of [[''], ['root', ' ']])
      expect(
        await call('POST', 'perms/asset-permissions/', { name: fresh('grant'), users: [ann], accounts }),
      ).toMatchObject({ status: 400, body: { accounts: { [accounts.length - 1]: [expect.any(String)] } } })
  })

  it('ends after it begins, whichever of the two is said, unless it is ended by a past end', async () => {
    const refused = { status: 400, body: { date_expired: ['The end must be later than the beginning.'] } }
    const dates = { date_start: '2030-02-01T00:00:00Z', date_expired: '2030-01-01T00:00:00Z' }
    expect(await call('POST', 'perms/asset-permissions/', { name: fresh('back'), ...dates })).toMatchObject(
      refused,
    )
    const path = `perms/asset-permissions/${(await grant({ ...dates, date_expired: '2030-03-01T00:00:00Z' })).id}/`
    const { date_expired } = dates
    expect(await call('PATCH', path, { date_expired })).toMatchObject(refused)
    expect(await call('PATCH', path, { date_start: '2040-01-01T00:00:00Z' })).toMatchObject(refused)
    for (const fine of [
      { date_start: '2029-01-01T00:00:00Z', date_expired },
      { date_expired: '2020-01-01T00:00:00Z' },
    ])
      expect(await call('PATCH', path, fine)).toMatchObject({ status: 200 })
  })

  it('ends after it begins by the clock of who says so, where they name no offset', async () => {
    const { id } = await grant({ date_start: '2030/01/01 03:00:00 +0000' })
    const ending = (date_expired: string, zone: string) =>
      call('PATCH', `perms/asset-permissions/${id}/`, { date_expired }, { headers: { 'x-tz': zone } })
    expect(await ending('2030-01-01 01:00:00', 'America/New_York')).toMatchObject({
      status: 200,
      body: { date_expired: '2030/01/01 01:00:00 -0500' },
    })
    expect(await ending('2030-01-01 05:00:00', 'Asia/Tokyo')).toMatchObject({
      status: 400,
      body: { date_expired: ['The end must be later than the beginning.'] },
    })
    // The start is no longer than an hour ago there, and is to come here.
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
    expect(await ending(hourAgo, 'UTC')).toMatchObject({ status: 200 })
    expect(await ending(hourAgo, 'America/New_York')).toMatchObject({ status: 400 })
  })

  it('makes the account of a template where it covers assets without one, and is told by its username', async () => {
    const [without, having, elsewhere] = [await host(), await host(), await host()]
    await account(having.id, { username: 'deployer', secret_type: 'password' })
    const template = await made('accounts/account-templates/', {
      name: fresh('deploy'),
      username: 'deployer',
      secret_type: 'password',
      secret: 'in-the-template',
    })
    const one = await grant({
      users: [ann],
      assets: [without.id, having.id],
      accounts: ['root', `%${template.id}`],
    })
    expect(one.accounts).toEqual(['root', 'deployer'])
    const names = async (asset: Awaited<ReturnType<typeof host>>) =>
      (await call('GET', `accounts/accounts/?asset=${asset.id}`)).body.map(({ name }) => name)
    expect(await names(without)).toEqual([`${template.name}-clone`])
    expect(await names(having)).toEqual(['deployer'])
    expect(await names(elsewhere)).toEqual([])
    expect((await permitted(without.id ?? '')).map(({ username }) => username)).toEqual(['deployer'])
    const path = `perms/asset-permissions/${one.id}/`
    const unknown = await call('PATCH', path, { accounts: ['%7d1c0000-0000-4000-8000-00000000dead'] })
    expect(unknown).toMatchObject({
      status: 400,
      body: { accounts: ['There is no such account template here.'] },
    })
    expect((await call('GET', path)).body.accounts).toEqual(['root', 'deployer'])
  })

  it('reaches assets named, and those in nodes named or below', async () => {
    const outer = await node(fresh('outer'))
    const inner = await node('inner', outer.id)
    const deep = await host({ nodes: [inner.id] })
    const named = await host()
    const unnamed = await host()
    await grant({ users: [ann], nodes: [outer.id], assets: [named.id] })
    const ids = (await mine('assets/')).map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining([deep.id, named.id]))
    expect(ids).not.toContain(unnamed.id)
    const page = await mine('assets/?limit=1&search=host')
    expect(page).toMatchObject({ count: ids.length, results: [{ category: { value: 'host' } }] })
    expect((await mine(`nodes/${inner.id}/assets/`)).map(({ id }) => id)).toEqual([deep.id])
    expect((await mine('nodes/ungrouped/assets/')).map(({ id }) => id)).not.toContain(deep.id)
  })

  it('reaches people through their groups', async () => {
    const asset = await host()
    await account(asset.id, { username: 'root' })
    await grant({ user_groups: [ops], assets: [asset.id] })
    expect((await permitted(asset.id ?? '')).map(({ alias }) => alias)).toEqual(['root'])
    expect(await permitted(asset.id ?? '', bob)).toEqual([])
  })

  it('counts only while it is in force', async () => {
    const asset = await host()
    await account(asset.id, { username: 'root' })
    const one = await grant({ users: [ann], assets: [asset.id] })
    const change = (fields: object) => call('PATCH', `perms/asset-permissions/${one.id}/`, fields)
    const count = async () => (await permitted(asset.id ?? '')).length
    expect(await count()).toBe(1)
    await change({ date_expired: '2020-01-01 00:00:00 +0000' })
    expect(await count()).toBe(0)
    await change({ date_expired: '2090-01-01 00:00:00 +0000', is_active: false })
    expect(await count()).toBe(0)
    await change({ is_active: true, date_start: '2089-01-01 00:00:00 +0000' })
    expect(await count()).toBe(0)
    await change({ date_start: '2020-01-01 00:00:00 +0000' })
    expect(await count()).toBe(1)
    await call('DELETE', `perms/asset-permissions/${one.id}/`)
    expect(await count()).toBe(0)
  })

  it('joins what several grants allow for an account', async () => {
    const asset = await host()
    await account(asset.id, { username: 'root' })
    await account(asset.id, { username: 'other' })
    await account(asset.id, { username: 'ann' })
    await grant({ users: [ann], assets: [asset.id], accounts: ['root', 'nobody'], actions: ['connect'] })
    await grant({
      users: [ann],
      assets: [asset.id],
      accounts: ['root', '@USER', '@INPUT'],
      actions: ['upload'],
    })
    const { body } = await call('GET', `perms/users/self/assets/${asset.id}/accounts/`)
    expect(body.map(({ alias, actions }) => [alias, actions?.map(({ value }) => value)])).toEqual([
      ['ann', ['upload']],
      ['root', ['connect', 'upload']],
      ['@INPUT', ['upload']],
    ])
  })

  it('offers the own name to type when the asset has no such account', async () => {
    const asset = await host()
    await grant({ users: [ann], assets: [asset.id], accounts: ['@USER'] })
    expect(await permitted(asset.id ?? '')).toMatchObject([
      { alias: '@USER', id: undefined, has_username: true, has_secret: false },
    ])
  })

  it('leaves out inactive accounts, and inactive assets have none', async () => {
    const asset = await host()
    const one = await account(asset.id, { username: 'root' })
    await grant({ users: [ann], assets: [asset.id] })
    await call('PATCH', `accounts/accounts/${one.id}/`, { is_active: false })
    expect(await permitted(asset.id ?? '')).toEqual([])
    await call('PATCH', `assets/hosts/${asset.id}/`, { is_active: false })
    expect(await call('GET', `perms/users/self/assets/${asset.id}/accounts/`)).toMatchObject({ status: 404 })
  })

  it('decides the same however many grants there are on either side', async () => {
    const place = await node(fresh('crowded'))
    const asset = await host({ nodes: [place.id] })
    await account(asset.id, { username: 'root' })
    await grant({ users: [ann], nodes: [place.id] })
    const many = async (mayName: string) =>
      await database.pool.query(
        `with made as (insert into asset_permissions (name, actions, date_start, date_expired, org_id)
           select $1 || i, 31, now(), now() + interval '1 day', '${defaultOrgId}' from generate_series(1, 200) i returning id)
         ${mayName}`,
        [fresh('many')],
      )
    await many(`insert into asset_permission_users (assetpermission, "user") select id, '${ann}' from made`)
    expect((await permitted(asset.id ?? '')).length).toBe(1)
    await many(
      `insert into asset_permission_nodes (assetpermission, node) select id, '${String(place.id)}' from made`,
    )
    expect((await permitted(asset.id ?? '')).length).toBe(1)
    expect(await permitted(asset.id ?? '', bob)).toEqual([])
  })

  it('of another organization is not seen, nor named, nor made for its rows', async () => {
    const asset = await host()
    const one = await grant({ users: [ann], assets: [asset.id] })
    expect(
      await call('GET', `perms/asset-permissions/${one.id}/`, undefined, { org: otherOrgId }),
    ).toMatchObject({ status: 404 })
    expect(
      await call('POST', 'perms/asset-permissions/', { name: 'x', assets: [asset.id] }, { org: otherOrgId }),
    ).toMatchObject({ status: 400, body: { assets: [expect.any(String)] } })
    expect(
      await call(
        'POST',
        'perms/asset-permissions-assets-relations/',
        { asset: asset.id, assetpermission: one.id },
        { org: otherOrgId },
      ),
    ).toMatchObject({ status: 400 })
    expect(await call('POST', 'perms/asset-permissions/', { name: 'x' }, { org: rootOrgId })).toMatchObject({
      status: 400,
      body: { code: 'root_organization_write' },
    })
  })

  it('is not looked for with an answer that is neither yes nor no', async () => {
    for (const list of ['perms/asset-permissions', 'assets/assets'])
      expect(await call('GET', `${list}/?all=zzz`), list).toMatchObject({
        status: 400,
        body: { all: ['Must be a valid boolean.'] },
      })
    expect(await call('GET', 'assets/nodes/children/?all=zzz')).toMatchObject({
      status: 400,
      body: { all: ['"zzz" is not a valid choice.'] },
    })
  })

  it('is found by whom and what it concerns', async () => {
    const place = await node(fresh('found'))
    const asset = await host({ nodes: [place.id] })
    const one = await grant({ user_groups: [ops], nodes: [place.id], accounts: ['root'] })
    const found = async (query: string) =>
      (await call('GET', `perms/asset-permissions/?${query}`)).body.some(({ id }) => id === one.id)
    for (const query of [
      `user_id=${ann}`,
      'username=ann',
      `asset_id=${asset.id}`,
      `asset_name=${asset.name}`,
      `node_id=${place.id}`,
      'user_group=Ops',
      'accounts=root',
      'is_effective=true',
      'is_valid=true',
    ])
      expect([query, await found(query)]).toEqual([query, true])
    for (const query of [
      `user_id=${bob}`,
      `user_id=${ann}&all=false`,
      `asset_id=${asset.id}&all=false`,
      'accounts=nobody',
      'is_valid=false',
      'is_effective=false',
    ])
      expect([query, await found(query)]).toEqual([query, false])
  })

  it('shows its accounts by their assets', async () => {
    const place = await node(fresh('in order'))
    const [last, first] = [
      await host({ nodes: [place.id], name: fresh('z') }),
      await host({ nodes: [place.id], name: fresh('a') }),
    ]
    for (const [asset, username] of [
      [first.id, 'web'],
      [last.id, 'adm'],
      [first.id, 'db'],
    ] as const)
      await account(asset, { username })
    const one = await grant({ nodes: [place.id] })
    const accounts = (await call('GET', `perms/asset-permissions/${one.id}/accounts/`)).body
    expect(accounts.map(({ username }) => username)).toEqual(['db', 'web', 'adm'])
    const asked = (await call('GET', `perms/asset-permissions/${one.id}/accounts/?order=-username`)).body
    expect(asked.map(({ username }) => username)).toEqual(['web', 'db', 'adm'])
  })

  it('shows whom and what it covers, and its pairs can be changed one by one', async () => {
    const place = await node(fresh('covered'))
    const asset = await host({ nodes: [place.id], name: fresh('seen') })
    await account(asset.id, { username: 'root' })
    const one = await grant({ user_groups: [ops], nodes: [place.id] })
    const base = `perms/asset-permissions/${one.id}`
    expect((await call('GET', `${base}/assets/all/`)).body).toEqual([
      { asset: asset.id, asset_display: `${asset.name}(10.0.0.1)` },
    ])
    expect((await call('GET', `${base}/users/all/`)).body).toEqual([{ user: ann, user_display: 'Ann(ann)' }])
    expect((await call('GET', `${base}/accounts/`)).body).toMatchObject([{ username: 'root' }])
    const pairs = 'perms/asset-permissions-users-relations/'
    const pair = await made(pairs, { user: bob, assetpermission: one.id })
    expect(pair).toMatchObject({ user_display: 'Bob', assetpermission_display: one.name })
    for (const search of ['Bob', 'bob', `bob,${String(one.name)}`])
      expect([
        search,
        (await call('GET', `${pairs}?assetpermission=${one.id}&search=${search}`)).body,
      ]).toMatchObject([search, [{ user: bob }]])
    expect((await call('GET', `${pairs}?search=nobody`)).body).toEqual([])
    const assetPairs = 'perms/asset-permissions-assets-relations/'
    await made(assetPairs, { asset: asset.id, assetpermission: one.id })
    const ofAsset = `${assetPairs}?assetpermission=${one.id}`
    expect((await call('GET', `${ofAsset}&search=${String(asset.name)}`)).body).toMatchObject([
      { asset: asset.id },
    ])
    expect((await call('DELETE', `${ofAsset}&asset=${asset.id}`)).status).toBe(204)
    expect((await call('POST', pairs, { user: bob, assetpermission: one.id })).body).toHaveProperty(
      'non_field_errors',
    )
    await made(pairs, { user: ann, assetpermission: one.id })
    for (const query of [`assetpermission=${one.id}&user=`, `assetpermission=${one.id}&usre=${bob}`])
      expect([query, (await call('DELETE', `${pairs}?${query}`)).status]).toEqual([query, 400])
    expect(await call('DELETE', `${pairs}?assetpermission=${one.id}&user=${bob}`)).toMatchObject({
      status: 204,
    })
    expect((await call('GET', `${pairs}?assetpermission=${one.id}`)).body).toMatchObject([{ user: ann }])
    await call('DELETE', `${pairs}?assetpermission=${one.id}&user=${ann}`)
    expect((await call('GET', `${base}/users/all/`)).body.length).toBe(1)
    expect((await call('GET', `assets/assets/${asset.id}/perm-users/`)).body).toMatchObject([
      { username: 'ann' },
    ])
    expect((await call('GET', `assets/assets/${asset.id}/perm-user-groups/`)).body).toMatchObject([
      { name: 'Ops' },
    ])
    expect(
      (await call('GET', `assets/assets/${asset.id}/perm-users/${ann}/permissions/`)).body,
    ).toMatchObject([{ id: one.id }])
  })

  it('is only for those who may see it', async () => {
    expect(await call('GET', 'perms/asset-permissions/', undefined, { as: undefined })).toMatchObject({
      status: 401,
    })
    expect(await call('GET', 'perms/asset-permissions/', undefined, { as: 'bob' })).toMatchObject({
      status: 403,
    })
    expect(await call('GET', 'perms/users/self/assets/', undefined, { as: 'bob' })).toMatchObject({
      status: 403,
    })
    expect(
      await call('GET', `perms/users/${bob}/assets/`, undefined, { as: 'ann perms.view_myassets' }),
    ).toMatchObject({ status: 403 })
    expect(await call('GET', 'perms/users/nobody/assets/')).toMatchObject({
      status: 404,
      body: { detail: 'User object does not exist.' },
    })
  })
})

describe('the tree of what was granted', () => {
  it('shows granted nodes with all below, and the way to assets granted one by one', async () => {
    await database.pool.query('delete from asset_permissions')
    const granted = await node(fresh('granted'))
    const below = await node('below', granted.id)
    const other = await node(fresh('other'))
    const hidden = await node(fresh('hidden'))
    const inBelow = await host({ nodes: [below.id] })
    const single = await host({ nodes: [other.id] })
    await host({ nodes: [other.id] })
    await host({ nodes: [hidden.id] })
    await grant({ users: [ann], nodes: [granted.id], assets: [single.id] })
    const top = await mine('nodes/children-with-assets/tree/')
    expect(top.map(({ id }) => id)).toEqual(['favorite', '1', granted.key, other.key])
    expect(top.find(({ id }) => id === '1')?.name).toBe('DEFAULT (2)')
    expect(top.find(({ id }) => id === other.key)).toMatchObject({
      name: `${other.value} (1)`,
      isParent: true,
    })
    const inside = await mine(`nodes/children-with-assets/tree/?key=${other.key}`)
    expect(inside.map(({ id, pId }) => [id, pId])).toEqual([[single.id, other.key]])
    const under = await mine(`nodes/children-with-assets/tree/?key=${granted.key}`)
    expect(under.map(({ id }) => id)).toEqual([below.key])
    const all = await mine('nodes/all-with-assets/tree/')
    expect(all.filter(({ meta }) => meta?.type === ('asset' as unknown)).map(({ id }) => id)).toEqual(
      expect.arrayContaining([inBelow.id, single.id]),
    )
    const rows = await mine('nodes/')
    expect(rows.find(({ id }) => id === below.id)).toMatchObject({ assets_amount: 1, value: 'below' })
    expect(rows.some(({ id }) => id === hidden.id)).toBe(false)
  })

  it('has a place for favourites that are granted', async () => {
    const asset = await host()
    const lost = await host()
    await grant({ users: [ann], assets: [asset.id] })
    for (const one of [asset, lost]) await made('assets/favorite-assets/', { asset: one.id })
    expect((await mine('nodes/favorite/assets/')).map(({ id }) => id)).toEqual([asset.id])
    expect((await mine('nodes/children-with-assets/tree/?key=favorite')).map(({ id }) => id)).toEqual([
      asset.id,
    ])
  })
})
