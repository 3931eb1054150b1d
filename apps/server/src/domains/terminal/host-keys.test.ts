import { createHash, randomBytes } from 'node:crypto'
import { defaultOrgId, roleIds, rootOrgId } from '@sallyport/contract'
import { describe, expect, test } from 'vitest'
import { serverKeys } from '../../kernel/secrets/tables.ts'
import { startTestSystem } from '../../testing.ts'
import { hangUp, link, listenOn, person } from './testing.ts'

const system = await startTestSystem()
const admin = await system.admin()
const one = await system.component('one')
const two = await system.component('two')
const org = defaultOrgId
const other = String((await admin.post('orgs/orgs/', { name: 'Other' })).body['id'])

/** A public key in wire form, as far as anybody here looks into it. */
function newKey(algorithm = 'ssh-ed25519') {
  const name = Buffer.from(algorithm)
  const length = Buffer.alloc(4)
  length.writeUInt32BE(name.length)
  const bytes = Buffer.concat([length, name, randomBytes(36)])
  const digest = createHash('sha256').update(bytes).digest('base64').replace(/=+$/, '')
  return { algorithm, key: bytes.toString('base64'), fingerprint: `SHA256:${digest}` }
}
type Key = ReturnType<typeof newKey>

let hosts = 0
async function newHost(): Promise<{ asset: string; address: string }> {
  const made = await admin.post(
    'assets/hosts/',
    {
      name: `host-${++hosts}`,
      address: `10.0.0.${hosts}`,
      platform: 1,
      protocols: [{ name: 'ssh', port: 22 }],
    },
    { org },
  )
  expect(made.status).toBe(201)
  return { asset: String(made.body['id']), address: `10.0.0.${hosts}:22` }
}
const show = (gateway: typeof one, target: { asset: string; address: string }, { algorithm, key }: Key) =>
  gateway.post('terminal/host-keys/seen/', { ...target, algorithm, key })
const accepted = async (gateway: typeof one, target: Record<string, string>) =>
  (await gateway.get(`terminal/host-keys/accepted/?${new URLSearchParams(target).toString()}`)).body
const listed = async (target: { asset: string }) =>
  (await admin.get(`terminal/host-keys/?asset=${target.asset}`, { org })).body
const logged = async (resource: string) =>
  (await admin.get(`audits/operate-logs/?limit=20&search=${encodeURIComponent(resource)}`, { org })).body[
    'results'
  ]?.map((row) => [String(row['action']?.['value']), String(row['user'])])

describe('the host key of a target', () => {
  test('is taken at the first visit, and known to every gateway from then on', async () => {
    const target = await newHost()
    const key = newKey()
    expect(await accepted(two, target)).toEqual({ keys: [] })
    expect((await show(one, target, key)).body).toEqual({ state: 'accepted', keys: [key] })
    expect(await accepted(two, target)).toEqual({ keys: [key] })
    expect((await show(two, target, key)).body).toMatchObject({ state: 'accepted' })
    expect(await listed(target)).toMatchObject([
      {
        asset: { id: target.asset, name: `host-${hosts}` },
        address: target.address,
        algorithm: 'ssh-ed25519',
        fingerprint: key.fingerprint,
        state: { value: 'accepted', label: 'Accepted' },
        terminal: { name: 'one' },
        org_name: 'Default',
      },
    ])
    expect(await logged(target.address)).toEqual([['create', expect.stringContaining('one')]])
    // Another address of the asset is another machine.
    expect(await accepted(one, { ...target, address: '10.9.9.9:22' })).toEqual({ keys: [] })
  })

  test('that answers at a new place of the asset waits for a decision, unless it is the one known before', async () => {
    const target = await newHost()
    const known = newKey()
    await show(one, target, known)
    const moved = { asset: target.asset, address: '10.0.9.9:22299' }
    const place = { address: '10.0.9.9', protocols: [{ name: 'ssh', port: 22_299 }] }
    expect((await admin.patch(`assets/hosts/${target.asset}/`, place, { org })).status).toBe(200)
    expect((await show(one, moved, newKey())).body).toEqual({ state: 'pending', keys: [] })
    const again = await newHost()
    await show(one, again, known)
    expect(
      (await admin.patch(`assets/hosts/${again.asset}/`, { ...place, address: '10.0.9.8' }, { org })).status,
    ).toBe(200)
    const elsewhere = { asset: again.asset, address: '10.0.9.8:22299' }
    expect((await show(two, elsewhere, known)).body).toMatchObject({ state: 'accepted' })
  })

  test.each(['evil.example:1', '10.0.0.1:1', '<img src=x>\n\u001B[31m', '10.0.0.1:22\u0000'])(
    'is not taken for a place where the asset is not: %j',
    async (address) => {
      const target = await newHost()
      expect((await show(one, { ...target, address }, newKey())).status).toBe(400)
      expect(await listed(target)).toEqual([])
    },
  )

  test('of several first visits at once, one counts', async () => {
    const target = await newHost()
    const keys = Array.from({ length: 6 }, () => newKey())
    const answers = await Promise.all(keys.map((key, at) => show(at % 2 ? one : two, target, key)))
    const states = answers.map(({ body }) => String(body['state']))
    expect(states.filter((state) => state === 'accepted')).toHaveLength(1)
    expect(states.filter((state) => state === 'pending')).toHaveLength(5)
  })

  test('of two that are accepted at once, the later takes the place of the other', async () => {
    const target = await newHost()
    for (let at = 0; at < 3; at++) await show(one, target, newKey())
    const pending = (await listed(target)).filter((row) => String(row['state']?.['value']) === 'pending')
    // Both are about to take the place of the one there is.
    const holding = await system.database.pool.connect()
    await holding.query('begin')
    await holding.query("select from host_keys where asset_id = $1 and state = 'accepted' for update", [
      target.asset,
    ])
    const answers = pending.map((row) =>
      admin.post(`terminal/host-keys/${String(row['id'])}/accept/`, undefined, { org }),
    )
    const waiting = async () =>
      (
        await system.database.pool.query(
          "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        )
      ).rowCount
    await expect.poll(waiting).toBe(2)
    await holding.query('commit')
    holding.release()
    for (const answer of await Promise.all(answers)) expect(answer.status).toBe(200)
    expect((await accepted(one, target))['keys']).toHaveLength(1)
  })

  test('that changed is refused until an administrator accepts it, and then takes the place of the old one', async () => {
    const target = await newHost()
    const [old, changed] = [newKey(), newKey('ecdsa-sha2-nistp256')]
    await show(one, target, old)
    expect((await show(two, target, changed)).body).toEqual({ state: 'pending', keys: [old] })
    expect((await show(one, target, changed)).body).toMatchObject({ state: 'pending' })
    const pending = (await listed(target)).find(
      (row) => row['fingerprint'] === (changed.fingerprint as never),
    )
    expect(pending).toMatchObject({ state: { value: 'pending' }, terminal: { name: 'two' } })
    const url = `terminal/host-keys/${String(pending?.['id'])}/`
    expect((await admin.post(`${url}accept/`, undefined, { org })).body).toMatchObject({
      state: { value: 'accepted' },
      updated_by: 'Administrator(admin)',
    })
    expect(await accepted(one, target)).toEqual({ keys: [changed] })
    expect((await show(one, target, old)).body).toEqual({ state: 'refused', keys: [changed] })
    expect(await logged(changed.fingerprint)).toContainEqual(['update', 'Administrator(admin)'])
    expect((await admin.post(`${url}refuse/`, undefined, { org })).status).toBe(200)
    expect((await show(one, target, changed)).body).toEqual({ state: 'refused', keys: [] })
  })

  test('that is refused after it was accepted is told to every gateway, whose connections may stand on it', async () => {
    const target = await newHost()
    const [known, changed] = [newKey(), newKey()]
    const gateway = await link(one, await listenOn(system.http), 'boot-1')
    gateway.report([])
    const { pool } = system.database
    const heard = () => pool.query(`select 1 from terminals where boot_id = 'boot-1'`)
    await expect.poll(async () => (await heard()).rowCount).toBe(1)
    for (const key of [known, changed]) await show(one, target, key)
    const refuse = async (key: Key) => {
      const row = (await listed(target)).find((one) => String(one['fingerprint']) === key.fingerprint)
      return await admin.post(`terminal/host-keys/${String(row?.['id'])}/refuse/`, undefined, { org })
    }
    // Nobody has connected to what was never accepted.
    expect((await refuse(changed)).status).toBe(200)
    expect((await refuse(known)).status).toBe(200)
    await expect
      .poll(() => gateway.tasks)
      .toMatchObject([{ name: 'host_key_refused', args: known.fingerprint, kwargs: { asset: target.asset } }])
    await hangUp(gateway)
  })

  test('shown anew by a hostile machine again and again fills no table', async () => {
    const target = await newHost()
    await show(one, target, newKey())
    for (let times = 0; times < 14; times++) await show(one, target, newKey())
    expect(await listed(target)).toHaveLength(11)
  })

  test('is seen and decided with the right to it, in its organization', async () => {
    const target = await newHost()
    await show(one, target, newKey())
    const user = await person(system, admin, 'user')
    const orgAdmin = await person(system, admin, 'orgadmin', roleIds.orgAdmin)
    const id = String((await listed(target))[0]?.['id'])
    expect((await user.client.get('terminal/host-keys/', { org })).status).toBe(403)
    expect((await user.client.post(`terminal/host-keys/${id}/accept/`, undefined, { org })).status).toBe(403)
    expect((await one.post(`terminal/host-keys/${id}/accept/`)).status).toBe(403)
    expect((await admin.get(`terminal/host-keys/${id}/`, { org: other })).status).toBe(404)
    expect((await admin.post(`terminal/host-keys/${id}/accept/`, undefined, { org: other })).status).toBe(404)
    // Who sees all organizations decides there as well.
    expect((await admin.post(`terminal/host-keys/${id}/accept/`, undefined, { org: rootOrgId })).status).toBe(
      200,
    )
    expect((await orgAdmin.client.post(`terminal/host-keys/${id}/refuse/`, undefined, { org })).status).toBe(
      200,
    )
    expect((await orgAdmin.client.delete(`terminal/host-keys/${id}/`, { org })).status).toBe(204)
    expect((await show(one, target, newKey())).body).toMatchObject({ state: 'accepted' })
    expect((await orgAdmin.client.get('terminal/host-keys/', { org: other })).status).toBe(403)
  })

  test('is told by components only, for assets there are, as what it is', async () => {
    const target = await newHost()
    expect((await show(admin as typeof one, target, newKey())).status).toBe(403)
    const nowhere = { ...target, asset: '00000000-0000-4000-8000-00000000dead' }
    expect((await show(one, nowhere, newKey())).status).toBe(404)
    expect((await show(one, target, { ...newKey(), algorithm: 'ssh-rsa' })).status).toBe(400)
  })
})

describe('the host keys of gateways', () => {
  test('are those the first gateway offered, for all of them, and sealed at rest', async () => {
    const pem = (text: string) =>
      `-----BEGIN OPENSSH PRIVATE KEY-----\n${text}\n-----END OPENSSH PRIVATE KEY-----\n`
    const [first, second] = [[pem('first'), pem('first-rsa')], [pem('second')]]
    expect((await one.post('terminal/host-keys/own/', { keys: first })).body).toEqual({ keys: first })
    expect((await two.post('terminal/host-keys/own/', { keys: second })).body).toEqual({ keys: first })
    expect(JSON.stringify(await system.database.db.select().from(serverKeys))).not.toContain('first')
    expect((await admin.post('terminal/host-keys/own/', { keys: second }, { org })).status).toBe(403)
    expect((await one.post('terminal/host-keys/own/', { keys: ['x'] })).status).toBe(400)
  })
})
