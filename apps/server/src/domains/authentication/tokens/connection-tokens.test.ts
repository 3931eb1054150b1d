import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { defaultOrgId, roleIds, rootOrgId } from '@sallyport/contract'
import { droppedFields } from '@sallyport/contract/gateway/dropped'
import { tokenSecretSchema } from '@sallyport/contract/gateway/grants'
import { beforeAll, describe, expect, test } from 'vitest'
import { startTestSystem, type TestBody, type TestClient } from '../../../testing.ts'

const system = await startTestSystem()
let admin: TestClient
let ann: TestClient
let annId = ''
let hostId = ''
let grantId = ''
/** Signs like a registered gateway. */
let gateway: (path: string, body: unknown) => Promise<{ status: number; body: TestBody }>

const password = 'A-password-of-9'
async function created(client: TestClient, path: string, body: unknown): Promise<TestBody> {
  const answer = await client.post(path, body)
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 })
  return answer.body
}
const addPerson = async (username: string) => {
  const fields = { name: username, username, email: `${username}@example.com` }
  return await created(admin, 'users/users/', { ...fields, password_strategy: 'custom', password })
}

beforeAll(async () => {
  admin = await system.admin()
  annId = String((await addPerson('ann'))['id'])
  ann = system.client()
  await ann.signIn('ann', password)
  const host = await created(admin, 'assets/hosts/', {
    name: 'web-1',
    address: '192.0.2.10',
    platform: 1,
    protocols: [{ name: 'ssh', port: 2022 }],
    accounts: [
      { name: 'root', username: 'root', secret_type: 'password', secret: 'Root-secret-1' },
      { name: 'empty', username: 'empty', secret_type: 'password' },
    ],
  })
  hostId = String(host['id'])
  const grant = await created(admin, 'perms/asset-permissions/', {
    name: 'ann on web-1',
    users: [annId],
    assets: [hostId],
    accounts: ['@ALL', '@INPUT'],
    actions: ['connect', 'upload'],
  })
  grantId = String(grant['id'])

  const bootstrap = await readFile(join(system.ground.config.dataDir, 'keys/bootstrap_token'), 'utf8')
  const component = await system
    .client({ headers: { authorization: `BootstrapToken ${bootstrap.trim()}` } })
    .post('users/service-account-registrations/', { name: 'gateway' })
  const key = component.body['access_key']
  gateway = async (path, body) => {
    const address = `/api/v1/authentication/super-connection-token/${path}`
    const date = new Date().toUTCString()
    const method = path === 'renewal/' ? 'patch' : 'post'
    const text = `(request-target): ${method} ${address}\ndate: ${date}`
    const signature = createHmac('sha256', String(key?.['secret'])).update(text).digest('base64')
    const authorization = `Signature keyId="${String(key?.['id'])}",algorithm="hmac-sha256",headers="(request-target) date",signature="${signature}"`
    return await system.client()[method](address, body, { headers: { date, authorization } })
  }
})

const wanted = (fields: Record<string, unknown> = {}) => ({
  asset: hostId,
  account: 'root',
  protocol: 'ssh',
  connect_method: 'web_cli',
  ...fields,
})
const token = (fields: Record<string, unknown> = {}) =>
  created(ann, 'authentication/connection-token/', wanted(fields))
const contents = (id: unknown) => gateway('secret/', { id })

describe('a connection token', () => {
  test('is made for who may connect, and says for how long', async () => {
    const made = await token()
    expect(made).toMatchObject({
      user: { id: annId, name: 'ann' },
      asset: { id: hostId, name: 'web-1' },
      account: 'root',
      actions: [{ value: 'connect' }, { value: 'upload' }],
      user_display: 'ann(ann)',
      asset_display: 'web-1(192.0.2.10)',
      is_active: true,
      is_expired: false,
      from_ticket: null,
      from_ticket_info: {},
      org_name: 'Default',
      value: expect.stringMatching(/^\w{16}$/),
    })
    expect(Number(made['expire_time'])).toBeGreaterThan(290)
    expect(JSON.stringify(made)).not.toContain('Root-secret-1')
  })

  test('opens the account for a gateway, once', async () => {
    const made = await token()
    expect(await contents(made['id'])).toMatchObject({
      status: 200,
      body: {
        id: made['id'],
        value: made['value'],
        user: { id: annId, username: 'ann', email: 'ann@example.com' },
        asset: { id: hostId, address: '192.0.2.10', protocols: [{ name: 'ssh', port: 2022 }] },
        account: {
          name: 'root',
          username: 'root',
          secret_type: { value: 'password' },
          secret: 'Root-secret-1',
        },
        platform: {
          name: 'Linux',
          category: { value: 'host', label: 'Host' },
          type: { value: 'linux' },
          charset: { value: 'utf-8', label: 'UTF-8' },
          su_method: null,
          protocols: expect.arrayContaining([
            expect.objectContaining({
              name: 'ssh',
              port: 22,
              primary: true,
              secret_types: ['password', 'ssh_key'],
              setting: expect.objectContaining({ sftp_enabled: true }) as unknown,
            }),
          ]) as unknown,
          date_created: expect.stringMatching(/^\d{4}(\/\d\d){2} (\d\d:){2}\d\d [+-]\d{4}$/) as unknown,
        },
        protocol: 'ssh',
        actions: [{ value: 'connect' }, { value: 'upload' }],
        expire_at: expect.any(Number),
        connect_method: { value: 'web_cli', type: 'web', component: 'koko' },
      },
    })
    expect(await contents(made['id'])).toMatchObject({
      status: 400,
      body: { id: 'Token is expired', code: 'connection_token_expired' },
    })
    expect((await ann.get('authentication/connection-token/')).body.map((row) => row['id'])).not.toContain(
      made['id'],
    )
  })

  test('is given to one of two gateways that come at once', async () => {
    const made = await token()
    const answers = await Promise.all([contents(made['id']), contents(made['id'])])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400])
  })

  test('is told in the words of the contract, and nothing besides', async () => {
    const { body } = await contents((await token())['id'])
    expect(droppedFields(tokenSecretSchema, body)).toEqual([])
  })

  test('carries what was typed by hand where the account has no secret, and only there', async () => {
    const typed = await token({ account: '@INPUT', input_username: 'guest', input_secret: 'Typed-1' })
    expect((await contents(typed['id'])).body['account']).toMatchObject({
      name: '@INPUT',
      username: 'guest',
      secret: 'Typed-1',
    })
    const empty = await token({ account: 'empty', input_secret: 'Typed-2' })
    expect((await contents(empty['id'])).body['account']).toMatchObject({
      username: 'empty',
      secret: 'Typed-2',
    })
    const stored = await token({ account: 'root', input_secret: 'Typed-3' })
    expect((await contents(stored['id'])).body['account']).toMatchObject({ secret: 'Root-secret-1' })
    const { rows } = await system.database.pool.query<{ input_secret: string | null }>(
      'select input_secret from connection_tokens where input_secret is not null',
    )
    expect(rows.map((row) => row.input_secret).join()).not.toContain('Typed')
  })

  test.each([
    ['an account that is not there', { account: 'nobody' }, { code: 'perm_account_invalid' }],
    ['an account nobody granted by that name', { account: '@USER' }, { code: 'perm_account_invalid' }],
    [
      'a protocol the asset does not speak',
      { protocol: 'telnet' },
      { protocol: ['"telnet" is not a valid choice.'] },
    ],
    [
      'an asset that is not there',
      { asset: '7d1c0000-0000-4000-8000-000000000009' },
      { asset: [expect.stringContaining('does not exist')] },
    ],
  ])('is not made for %s', async (_, fields, body) => {
    const answer = await ann.post('authentication/connection-token/', wanted(fields))
    expect(answer).toMatchObject({ status: 400, body })
  })

  test('is not made for somebody without a grant', async () => {
    await addPerson('zoe')
    const zoe = system.client()
    await zoe.signIn('zoe', password)
    const answer = await zoe.post('authentication/connection-token/', wanted())
    expect(answer).toMatchObject({ status: 400, body: { code: 'perm_account_invalid' } })
  })

  test('belongs to one person: others neither see it nor end it', async () => {
    const made = await token()
    const path = `authentication/connection-token/${String(made['id'])}/`
    expect((await admin.get(path)).status).toBe(404)
    expect((await admin.patch(`${path}expire/`)).status).toBe(404)
    expect((await admin.post('authentication/connection-token/exchange/', { id: made['id'] })).status).toBe(
      404,
    )
    expect((await ann.get(path)).status).toBe(200)
    expect((await ann.patch(`${path}expire/`)).status).toBe(204)
    expect((await contents(made['id'])).status).toBe(400)
  })

  test('opens nothing once the grant is gone', async () => {
    const made = await token()
    const used = await token()
    await contents(used['id'])
    await admin.patch(`perms/asset-permissions/${grantId}/`, { is_active: false })
    expect(await contents(made['id'])).toMatchObject({ status: 400, body: { code: 'perm_account_invalid' } })
    const again = await ann.post('authentication/connection-token/exchange/', { id: used['id'] })
    expect(again).toMatchObject({ status: 400, body: { code: 'perm_account_invalid' } })
    await admin.patch(`perms/asset-permissions/${grantId}/`, { is_active: true })
    expect((await contents(made['id'])).status).toBe(400)
  })

  test('is not made for somebody who has left the organization', async () => {
    const leaver = String((await addPerson('leaver'))['id'])
    const client = system.client()
    await client.signIn('leaver', password)
    await created(admin, 'perms/asset-permissions/', {
      name: 'leaver',
      users: [leaver],
      assets: [hostId],
      accounts: ['@ALL'],
    })
    await created(client, 'authentication/connection-token/', wanted())
    expect((await admin.post(`users/users/${leaver}/remove/`)).status).toBe(204)
    const answer = await client.post('authentication/connection-token/', wanted())
    expect(answer).toMatchObject({ status: 400, body: { code: 'perm_account_invalid' } })
  })

  test('is exchanged for a new one to connect again, with what was typed', async () => {
    const old = await token({ account: '@INPUT', input_username: 'guest', input_secret: 'Typed-9' })
    await contents(old['id'])
    const again = await created(ann, 'authentication/connection-token/exchange/', { id: old['id'] })
    expect(again['id']).not.toBe(old['id'])
    expect(again['value']).not.toBe(old['value'])
    expect((await contents(again['id'])).body['account']).toMatchObject({
      username: 'guest',
      secret: 'Typed-9',
    })
  })

  test('opens nothing any more once it was exchanged', async () => {
    const old = await token()
    const again = await created(ann, 'authentication/connection-token/exchange/', { id: old['id'] })
    expect((await contents(old['id'])).status).toBe(400)
    expect((await contents(again['id'])).status).toBe(200)
  })

  test('is one leave to connect, however often it is exchanged', async () => {
    const old = await token()
    const exchange = (id: unknown) => created(ann, 'authentication/connection-token/exchange/', { id })
    const made = await Promise.all(Array.from({ length: 5 }, () => exchange(old['id'])))
    const again = await exchange(made[0]?.['id'])
    // What was exchanged for another opens nothing.
    for (const { id } of made) expect((await contents(id)).status).toBe(400)
    expect((await contents(again['id'])).status).toBe(200)
    // Used, it serves to connect again.
    expect((await contents((await exchange(old['id']))['id'])).status).toBe(200)
  })

  test('is exchanged by nobody but its person', async () => {
    const made = await token()
    const path = 'authentication/connection-token/exchange/'
    expect((await admin.post(path, { id: made['id'] })).status).toBe(404)
    expect((await ann.post(path, { id: 'no id' })).status).toBe(400)
  })

  test.each([
    ['was disabled', 'is_active = false'],
    ['whose account has expired', "date_expired = now() - interval '1 second'"],
  ])('opens nothing for somebody who %s, nor is it renewed', async (_who, change) => {
    const gone = await addPerson(`gone${change.length}`)
    await created(admin, 'perms/asset-permissions/', {
      name: `${String(gone['name'])} on web-1`,
      users: [gone['id']],
      assets: [hostId],
      accounts: ['@ALL'],
      actions: ['connect'],
    })
    const [taken, renewed] = await Promise.all(
      [1, 2].map(async () => (await gateway('', { ...wanted(), user: gone['id'] })).body['id']),
    )
    await system.database.pool.query(`update users set ${change} where id = $1`, [gone['id']])
    expect((await gateway('renewal/', { id: renewed })).body).toMatchObject({ code: 'perm_account_invalid' })
    expect((await contents(taken)).body).toMatchObject({ code: 'perm_account_invalid' })
  })

  test('is answered at its older address, too', async () => {
    const made = await created(ann, 'users/connection-token/', wanted())
    const listed = (await ann.get('users/connection-token/')).body
    expect([...listed].map(({ id }) => id)).toContain(made['id'])
    expect((await ann.patch(`users/connection-token/${String(made['id'])}/expire/`)).status).toBe(204)
    expect((await contents(made['id'])).status).toBe(400)
  })

  test('describes what it takes', async () => {
    const { actions } = (await ann.options('authentication/connection-token/')).body
    expect(actions).toMatchObject({ GET: { account: {} }, POST: { account: { required: true } } })
  })

  test('that waits for an approval is not exchanged for one that does not', async () => {
    const waiting = await token({ is_active: false })
    expect((await contents(waiting['id'])).status).toBe(400)
    const answer = await ann.post('authentication/connection-token/exchange/', { id: waiting['id'] })
    expect(answer.status).toBe(404)
  })

  test('tells its value to whoever made it, and in no list', async () => {
    const made = await token()
    expect(made['value']).toMatch(/^\w{16}$/)
    for (const row of (await ann.get('authentication/connection-token/')).body)
      expect(row).not.toHaveProperty('value')
  })

  test('tells a desktop client what to run', async () => {
    const made = await token({ connect_method: 'ssh' })
    const answer = await ann.get(`authentication/connection-token/${String(made['id'])}/client-url/`)
    const [, encoded = ''] = String(answer.body['url']).split('jms://')
    expect(JSON.parse(Buffer.from(encoded, 'base64').toString())).toMatchObject({
      id: made['id'],
      command: expect.stringMatching(new RegExp(`^ssh JMS-${String(made['id'])}@\\S+ -p 2222$`)),
    })
  })
})

describe('gateways', () => {
  test('make tokens for the people they let in, with these people’s rights', async () => {
    const made = await gateway('', { ...wanted({ connect_method: 'ssh' }), user: annId })
    expect(made).toMatchObject({ status: 201, body: { user: { id: annId }, connect_method: 'ssh' } })
    expect((await contents(made.body['id'])).body).toMatchObject({ account: { secret: 'Root-secret-1' } })
    const zoe = await addPerson('zoe2')
    const refused = await gateway('', { ...wanted(), user: zoe['id'] })
    expect(refused).toMatchObject({ status: 400, body: { code: 'perm_account_invalid' } })
  })

  test('renew a token that is in use', async () => {
    const made = await token()
    expect((await gateway('renewal/', { id: made['id'] })).body).toMatchObject({ ok: true })
  })

  test('do not use a token up for somebody who does not know its value', async () => {
    const made = await token()
    const owner = await system.component('a third gateway')
    const base = 'authentication/super-connection-token/'
    const wrong = await gateway('secret/', { id: made['id'], value: 'a guess' })
    expect(wrong).toMatchObject({ status: 400, body: { code: 'connection_token_expired' } })
    expect((await owner.get(`${base}owner/?id=${String(made['id'])}`)).body).toEqual({ username: 'ann' })
    expect((await gateway('secret/', { id: made['id'], value: made['value'] })).status).toBe(200)
    expect((await owner.get(`${base}owner/?id=${String(made['id'])}`)).status).toBe(400)
  })

  test('use the tokens they made themselves, and nobody else’s, whatever they ask for', async () => {
    const other = await system.component('another gateway')
    const base = 'authentication/super-connection-token/'
    const made = (await gateway('', { ...wanted(), user: annId })).body
    expect((await other.patch(`${base}renewal/`, { id: made['id'] })).status).toBe(403)
    expect(await other.post(`${base}secret/`, { id: made['id'] })).toMatchObject({
      status: 400,
      body: { code: 'connection_token_expired' },
    })
    // One that a person made is for whichever gateway they come to; it is good once, even when a gateway asks to leave it.
    const own = await token()
    expect((await other.post(`${base}secret/`, { id: own['id'], expire_now: false })).status).toBe(200)
    expect((await other.post(`${base}secret/`, { id: own['id'], expire_now: false })).status).toBe(400)
    expect((await contents(made['id'])).status).toBe(200)
  })

  test('show their tokens to administrators of the system by organization, and to those of an organization not at all', async () => {
    const path = 'authentication/super-connection-token/'
    const other = await created(admin, 'orgs/orgs/', { name: 'Tokens elsewhere' })
    const chief = await addPerson('orgchief')
    await admin.patch(`users/users/${String(chief['id'])}/`, { org_roles: [roleIds.orgAdmin] })
    const signedIn = system.client()
    await signedIn.signIn('orgchief', password)
    await token()
    const count = async (client: TestClient, org: string) => {
      const answer = await client.get(`${path}?limit=1`, { org })
      return answer.status === 200 ? Number(answer.body['count']) : answer.status
    }
    expect(await count(signedIn, defaultOrgId)).toBe(403)
    expect(await count(admin, defaultOrgId)).toBeGreaterThan(0)
    expect(await count(admin, String(other['id']))).toBe(0)
    expect(await count(admin, rootOrgId)).toBe(await count(admin, defaultOrgId))
    // It is no reason to keep an organization.
    expect((await admin.delete(`orgs/orgs/${String(other['id'])}/`, { org: defaultOrgId })).status).toBe(204)
  })

  test('alone do so: no person connects as another or reads a secret this way, not even an administrator', async () => {
    const made = await token()
    const base = 'authentication/super-connection-token/'
    expect((await admin.post(`${base}secret/`, { id: made['id'] })).status).toBe(403)
    expect((await admin.post(base, { ...wanted(), user: annId })).status).toBe(403)
    expect((await ann.get(base)).status).toBe(403)
    // With its value they would come in with a native client.
    const shown = [...(await admin.get(base)).body, (await admin.get(`${base}${String(made['id'])}/`)).body]
    expect(shown.map((row) => row['id'])).toContain(made['id'])
    expect(JSON.stringify(shown)).not.toContain(String(made['value']))
  })
})

test('whom to sign in as first is told where the platform lets accounts switch, with its secret, to gateways alone', async () => {
  const platform = await created(admin, 'assets/platforms/', {
    name: 'Linux-without-su',
    category: 'host',
    type: 'linux',
    charset: 'utf-8',
    protocols: [{ name: 'ssh', port: 22 }],
    su_enabled: false,
  })
  const made = async (name: string, onPlatform: unknown) => {
    const deploy = { name: 'deploy', username: 'deploy', secret_type: 'password', secret: 'Deploy-secret-1' }
    const fields = { name, address: '192.0.2.20', platform: onPlatform, accounts: [deploy] }
    const asset = (await created(admin, 'assets/hosts/', fields))['id']
    const [from] = (await admin.get(`accounts/accounts/?asset=${String(asset)}`)).body
    const root = { asset, name: 'root', username: 'root', secret_type: 'password', secret: 'Root-secret-1' }
    await created(admin, 'accounts/accounts/', { ...root, su_from: from?.['id'] })
    await created(admin, 'perms/asset-permissions/', {
      name,
      users: [annId],
      assets: [asset],
      accounts: ['@ALL'],
    })
    return { asset, from: String(from?.['id']) }
  }
  const [switching, direct] = [await made('with-su', 1), await made('without-su', platform['id'])]
  const told = async (asset: unknown) => (await contents((await token({ asset }))['id'])).body
  expect(tokenSecretSchema.parse(await told(switching.asset)).account).toMatchObject({
    username: 'root',
    su_from: { username: 'deploy', secret: 'Deploy-secret-1' },
  })
  expect((await told(direct.asset))['account']).toMatchObject({ username: 'root', su_from: null })
  await admin.patch(`accounts/accounts/${switching.from}/`, { is_active: false })
  expect(await told(switching.asset)).toMatchObject({ code: 'su_from_inactive' })
})
