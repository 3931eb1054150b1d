/** Network zones and their gateways as an administrator meets them, over HTTP. */
import { defaultOrgId } from '@sallyport/contract'
import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Answered, callerOf } from '../../kernel/testing/caller.ts'
import { testGround } from '../../kernel/testing/ground.ts'
import { startTestServer } from '../../kernel/testing/http.ts'
import { createTestDatabase } from '../../kernel/testing/index.ts'
import { domain } from './index.ts'

const database = await createTestDatabase()
const ground = await testGround(database)
let call: ReturnType<typeof callerOf>
let count = 0
const fresh = (name: string) => `${name}-${++count}`

beforeAll(async () => {
  await database.pool.query(`insert into organizations (id, name) values ('${defaultOrgId}', 'DEFAULT')`)
  await database.pool.query(
    `insert into users (id, name, username, email) values ('7d1c0000-0000-4000-8000-000000000001', 'ann', 'ann', 'ann@example.com')`,
  )
  const own = domain(ground, {
    make: () => Promise.resolve(),
    checkMayMove: () => Promise.resolve(),
    checkMayMoveAll: () => Promise.resolve(),
    listed: sql`'[]'::json`,
    amount: sql`0`,
  })
  await own.seed?.()
  call = callerOf(await startTestServer(database, [own]), 'ann *')
})

async function made(path: string, body: Record<string, unknown>) {
  const answer = await call('POST', path, body)
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 })
  return answer.body
}
const machine = (list: 'hosts' | 'gateways', fields: Record<string, unknown> = {}) =>
  made(`assets/${list}/`, { name: fresh(list), address: '192.0.2.1', platform: 1, ...fields })
const mini = ({ id, name }: Answered) => ({ id, name })
const zone = (fields: Record<string, unknown> = {}) =>
  made('assets/domains/', { name: fresh('zone'), ...fields })
const now = async (path: string) => (await call('GET', path)).body

describe('zones', () => {
  it('hold assets and gateways, each told by itself and counted', async () => {
    const host = await machine('hosts')
    const own = await zone({ assets: [host.id], comment: 'Behind the wall' })
    const gateway = await machine('gateways', { domain: own.id })
    expect(await now(`assets/domains/${own.id}/`)).toMatchObject({
      name: own.name,
      comment: 'Behind the wall',
      assets: [mini(host)],
      gateways: [mini(gateway)],
      asset_count: 1,
      gateway_count: 1,
      org_id: defaultOrgId,
    })
    expect((await now(`assets/hosts/${host.id}/`)).domain).toEqual(mini(own))
    expect((await now(`assets/hosts/${host.id}/gateways/?limit=10`)).results).toMatchObject([mini(gateway)])
    expect((await now(`assets/gateways/?domain=${own.id}`)).map((row) => mini(row))).toEqual([mini(gateway)])
  })

  it('keep their gateways, and without a word about assets those, too', async () => {
    const [first, second] = [await machine('hosts'), await machine('hosts')]
    const own = await zone({ assets: [first.id] })
    const gateway = await machine('gateways', { domain: own.id })
    await call('PATCH', `assets/domains/${own.id}/`, { comment: 'x' })
    const put = await call('PUT', `assets/domains/${own.id}/`, { name: own.name })
    expect(put.body).toMatchObject({ assets: [mini(first)], gateways: [mini(gateway)] })
    const changed = await call('PATCH', `assets/domains/${own.id}/`, { assets: [second.id] })
    expect(changed.body).toMatchObject({ assets: [mini(second)], gateways: [mini(gateway)] })
    expect((await now(`assets/hosts/${first.id}/`)).domain).toBeNull()
  })

  it('take no gateway among their assets but their own, which stays one', async () => {
    const [own, other] = [await zone(), await zone()]
    const gateway = await machine('gateways', { domain: other.id })
    const free = await machine('gateways')
    for (const { id, name } of [gateway, free])
      expect(await call('PATCH', `assets/domains/${own.id}/`, { assets: [id] })).toMatchObject({
        status: 400,
        body: { assets: [`“${name}” is a gateway: choose its domain where it is changed itself.`] },
      })
    expect((await now(`assets/gateways/${gateway.id}/`)).domain).toMatchObject({ id: other.id })
    expect(await call('PATCH', `assets/domains/${other.id}/`, { assets: [gateway.id] })).toMatchObject({
      status: 200,
      body: { assets: [], gateways: [mini(gateway)] },
    })
  })

  it('are called differently in one organization', async () => {
    const own = await zone()
    expect(await call('POST', 'assets/domains/', { name: own.name })).toMatchObject({
      status: 400,
      body: { name: ['This field must be unique.'] },
    })
  })

  it('take no asset whose platform has none, from either side', async () => {
    const own = await zone()
    const kind = { category: 'host', type: 'linux', charset: 'utf-8', domain_enabled: false }
    const platform = await made('assets/platforms/', { name: fresh('bare'), ...kind })
    const bare = await machine('hosts', { platform: platform.id, domain: own.id })
    expect(bare.domain).toBeNull()
    const refused = {
      status: 400,
      body: { assets: [`The platform of “${bare.name}” has no domains: it cannot be put into one.`] },
    }
    expect(await call('PATCH', `assets/domains/${own.id}/`, { assets: [bare.id] })).toMatchObject(refused)
    expect(await call('POST', 'assets/domains/', { name: fresh('zone'), assets: [bare.id] })).toMatchObject(
      refused,
    )
    expect((await now(`assets/hosts/${bare.id}/`)).domain).toBeNull()
  })

  it('leave their assets and gateways behind when they are deleted', async () => {
    const host = await machine('hosts')
    const own = await zone({ assets: [host.id] })
    const gateway = await machine('gateways', { domain: own.id })
    expect((await call('DELETE', `assets/domains/${own.id}/`)).status).toBe(204)
    expect((await now(`assets/hosts/${host.id}/`)).domain).toBeNull()
    expect((await now(`assets/gateways/${gateway.id}/`)).domain).toBeNull()
  })
})

describe('gateways', () => {
  it('are hosts on the platform of that name, whatever platform was sent, and stay it', async () => {
    const own = await machine('gateways')
    expect(own).toMatchObject({
      platform: { name: 'Gateway' },
      category: { value: 'host' },
      protocols: [{ name: 'ssh', port: 22 }],
    })
    const changed = await call('PATCH', `assets/gateways/${own.id}/`, { platform: 1 })
    expect(changed.body).toMatchObject({ platform: { name: 'Gateway' } })
    expect((await now(`assets/hosts/${own.id}/`)).platform?.name).toBe('Gateway')
    const host = await machine('hosts')
    expect((await call('GET', `assets/gateways/${host.id}/`)).status).toBe(404)
  })

  it('are found by the name of their zone', async () => {
    const own = await zone({ name: 'Reactor hall' })
    const gateway = await machine('gateways', { domain: own.id })
    expect((await now('assets/gateways/?search=reactor')).map((row) => mini(row))).toEqual([mini(gateway)])
  })

  it('are described as hosts are, so that their form is the same', async () => {
    const { body } = await call('OPTIONS', 'assets/gateways/')
    expect(body.actions?.POST).toMatchObject({
      name: { required: true },
      platform: { required: true },
      domain: { required: false },
    })
  })
})
