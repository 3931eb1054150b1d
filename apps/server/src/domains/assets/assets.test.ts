/** Platforms, nodes and assets as an administrator meets them, over HTTP. */
import { defaultOrgId, rootOrgId } from '@sallyport/contract'
import { sql } from 'drizzle-orm'
import { Connection } from 'pg'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { callerOf } from '../../kernel/testing/caller.ts'
import { testGround } from '../../kernel/testing/ground.ts'
import { otherOrgId, startTestServer } from '../../kernel/testing/http.ts'
import { createTestDatabase } from '../../kernel/testing/index.ts'
import { domain } from './index.ts'

const database = await createTestDatabase()
const ground = await testGround(database)
let call: ReturnType<typeof callerOf>
let count = 0
const fresh = (name: string) => `${name}-${++count}`

beforeAll(async () => {
  await database.pool.query(
    `insert into organizations (id, name) values ('${defaultOrgId}', 'DEFAULT'), ('${otherOrgId}', 'Other')`,
  )
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
  await own.seed?.()
  call = callerOf(await startTestServer(database, [own]), 'ann *')
})

async function made(path: string, body: Record<string, unknown>, org?: string) {
  const answer = await call('POST', path, body, org === undefined ? {} : { org })
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 201 })
  return answer.body
}
const host = (fields: Record<string, unknown> = {}, org?: string) =>
  made('assets/hosts/', { name: fresh('host'), address: '10.0.0.1', platform: 1, ...fields }, org)
const node = (value: string, under?: string) =>
  made(under === undefined ? 'assets/nodes/' : `assets/nodes/${under}/children/`, { value })
/** How many statements something costs. */
async function statementsOf<T>(work: () => Promise<T>): Promise<{ answer: T; statements: number }> {
  // Once for each that has parameters, whatever is prepared.
  const query = vi.spyOn(Connection.prototype as unknown as { bind: () => void }, 'bind')
  const answer = await work()
  const statements = query.mock.calls.length
  query.mockRestore()
  expect(statements).toBeGreaterThan(0)
  return { answer, statements }
}
const rootNode = async () => (await call('GET', 'assets/nodes/?key=1')).body[0]

describe('platforms', () => {
  it('are all there after the first start, with the ids of the wire', async () => {
    const { body } = await call('GET', 'assets/platforms/')
    expect(body.map(({ id, name }) => [id, name])).toMatchObject({ 0: [1, 'Linux'], 27: [28, 'Kubernetes'] })
    const linux = await call('GET', 'assets/platforms/Linux/')
    expect(linux.body).toMatchObject({
      id: 1,
      internal: true,
      category: { value: 'host', label: 'Host' },
      su_enabled: true,
      automation: { ansible_enabled: true, ping_method: 'posix_ping' },
      protocols: [
        {
          name: 'ssh',
          port: 22,
          primary: true,
          secret_types: ['password', 'ssh_key'],
          setting: { sftp_home: '/tmp', old_ssh_version: false },
        },
        { name: 'telnet', primary: false },
        { name: 'vnc' },
        { name: 'rdp' },
      ],
    })
  })

  it('that are built in cannot be changed or deleted, by id or name', async () => {
    for (const path of ['assets/platforms/1/', 'assets/platforms/Linux/']) {
      expect(await call('PATCH', path, { comment: 'x' })).toMatchObject({
        status: 403,
        body: { detail: 'Internal platform' },
      })
      expect(await call('DELETE', path)).toMatchObject({ status: 403 })
    }
  })

  it('of our own take what their type can do, and stay while assets use them', async () => {
    const own = await made('assets/platforms/', {
      name: 'Own',
      category: 'host',
      type: 'linux',
      charset: 'utf-8',
      protocols: [{ name: 'ssh', port: 2200, default: true }],
    })
    expect(own.automation).toMatchObject({ ansible_enabled: true, gather_facts_method: 'gather_facts_posix' })
    const kept = await host({ platform: own.id })
    expect(kept.protocols).toEqual([{ name: 'ssh', port: 2200 }])
    expect(await call('DELETE', `assets/platforms/${own.id}/`)).toMatchObject({
      status: 400,
      body: { code: 'referenced_by_others' },
    })
    expect(
      await call('POST', 'assets/platforms/', {
        name: 'Odd',
        category: 'host',
        type: 'mysql',
        charset: 'gbk',
      }),
    ).toMatchObject({ status: 400, body: { type: [expect.stringContaining('does not belong')] } })
  })

  it('have names of letters, digits and three signs, which is said of others', async () => {
    const kind = { category: 'host', type: 'linux' }
    expect(await call('POST', 'assets/platforms/', { name: 'Näme_6-x+', ...kind })).toMatchObject({
      status: 201,
    })
    expect(await call('POST', 'assets/platforms/', { name: 'Name 6', ...kind })).toMatchObject({
      status: 400,
      body: { name: ['Only letters, digits, underscores, hyphens and plus signs are allowed.'] },
    })
  })

  it('of a kind without a choice of charset are made and replaced without one', async () => {
    const kind = { category: 'database', type: 'mysql' }
    const own = await made('assets/platforms/', { name: 'Tables', ...kind })
    expect(own.charset).toMatchObject({ value: 'utf-8' })
    const replaced = await call('PUT', `assets/platforms/${own.id}/`, { name: 'Tables-2', ...kind })
    expect(replaced).toMatchObject({ status: 200, body: { name: 'Tables-2', charset: { value: 'utf-8' } } })
  })

  it('of our own speak what their type does, the primary protocol always', async () => {
    const kind = { category: 'host', type: 'linux', charset: 'utf-8' }
    const own = await made('assets/platforms/', { name: 'Speaking', ...kind })
    expect(own.protocols).toMatchObject([{ name: 'ssh', port: 22, primary: true }])
    const ssh = { name: 'ssh', port: 22 }
    for (const [protocols, told] of [
      [[ssh, { name: 'mysql', port: 3306 }], 'Platforms of the type "linux" have no protocol mysql.'],
      [[ssh, { name: 'gopher', port: 70 }], 'Platforms of the type "linux" have no protocol gopher.'],
      [[{ name: 'telnet', port: 23 }], 'The primary protocol ssh is missing.'],
      [[], 'The primary protocol ssh is missing.'],
    ] as const) {
      const refused = { status: 400, body: { protocols: [told] } }
      expect(await call('PATCH', `assets/platforms/${own.id}/`, { protocols })).toMatchObject(refused)
      expect(await call('POST', 'assets/platforms/', { name: 'Odd', ...kind, protocols })).toMatchObject(
        refused,
      )
    }
    expect(
      await call('PATCH', `assets/platforms/${own.id}/`, { category: 'database', type: 'mysql' }),
    ).toMatchObject({ status: 400, body: { protocols: [expect.stringContaining('no protocol ssh')] } })
  })

  it('know their protocols by name: another number takes no settings away, and none from another protocol', async () => {
    const kind = { category: 'host', type: 'linux', charset: 'utf-8' }
    const setting = { sftp_enabled: false, sftp_home: '/srv' }
    const own = await made('assets/platforms/', {
      name: 'Numbered',
      ...kind,
      protocols: [{ name: 'ssh', port: 22, default: true, setting }],
    })
    const path = `assets/platforms/${own.id}/`
    const ssh = { id: 1, name: 'ssh', default: true, setting }
    for (const sent of [{ id: 5 }, {}, { id: 1 }])
      expect(await call('PATCH', path, { protocols: [{ ...sent, name: 'ssh', port: 2222 }] })).toMatchObject({
        status: 200,
        body: { protocols: [{ ...ssh, port: 2222 }] },
      })
    const swapped = [
      { id: 2, name: 'ssh', port: 22 },
      { id: 1, name: 'telnet', port: 23 },
    ]
    expect(await call('PATCH', path, { protocols: swapped })).toMatchObject({
      status: 200,
      body: { protocols: [ssh, { id: 2, default: false, setting: { sftp_home: '/tmp' } }] },
    })
  })

  it('take no protocol without a name or a port, in a change either, so that no asset gets one', async () => {
    const protocols = [{ name: 'ssh', port: 22 }]
    const own = await made('assets/platforms/', {
      name: 'Whole',
      category: 'host',
      type: 'linux',
      charset: 'utf-8',
      protocols,
    })
    const required = ['This field is required.']
    for (const [sent, told] of [
      [{}, { name: required, port: required }],
      [{ name: 'ssh' }, { port: required }],
    ])
      expect(await call('PATCH', `assets/platforms/${own.id}/`, { protocols: [sent] })).toMatchObject({
        status: 400,
        body: { protocols: [told] },
      })
    const kept = await host({ platform: own.id })
    expect(kept.protocols).toEqual(protocols)
    expect(await call('PATCH', `assets/hosts/${kept.id}/`, { protocols: [{}] })).toMatchObject({
      status: 400,
      body: { protocols: [{ name: required }] },
    })
  })
})

describe('hosts', () => {
  it('get the protocols of their platform and the root node when they name none', async () => {
    const made = await host()
    expect(made).toMatchObject({
      platform: { id: 1, name: 'Linux' },
      nodes: [{ name: 'DEFAULT' }],
      nodes_display: ['/DEFAULT'],
      protocols: [{ name: 'ssh', port: 22 }],
      category: { value: 'host', label: 'Host' },
      type: { value: 'linux', label: 'Linux' },
      connectivity: { value: '-', label: 'Unknown' },
      auto_info: { ansible_enabled: true, domain_enabled: true },
      is_active: true,
      info: {},
    })
    expect(made).not.toHaveProperty('accounts')
  })

  it('keep their protocols when something else is changed', async () => {
    const made = await host({ protocols: [{ name: 'ssh', port: 2222 }] })
    const patched = await call('PATCH', `assets/hosts/${made.id}/`, { is_active: false })
    expect(patched.body).toMatchObject({ is_active: false, protocols: [{ name: 'ssh', port: 2222 }] })
  })

  it.each([
    [{ protocols: [{ name: 'telnet', port: 23 }] }, { protocols: ['Protocol is required: ssh'] }],
    [{ protocols: [{ name: 'ssh' }] }, { protocols: ['ssh: port out of range (1-65535)'] }],
    [{ protocols: [{ name: 'ssh', port: 70_000 }] }, { protocols: [{ port: [expect.any(String)] }] }],
    [{ nodes: [] }, { nodes: ['This list may not be empty.'] }],
    [{ platform: 17 }, { platform: [expect.stringContaining('MySQL')] }],
    [{ platform: 999 }, { platform: [expect.any(String)] }],
    [{ labels: [{ name: 'env' }] }, { labels: ['A label needs a name and a value.'] }],
  ])('are refused with %j', async (fields, problems) => {
    const answer = await call('POST', 'assets/hosts/', {
      name: fresh('bad'),
      address: 'x',
      platform: 1,
      ...fields,
    })
    expect(answer).toMatchObject({ status: 400, body: problems })
  })

  it('are called by a name that is unique in the organization only', async () => {
    const { name } = await host()
    expect(await call('POST', 'assets/hosts/', { name, address: 'x', platform: 1 })).toMatchObject({
      status: 400,
      body: { name: ['This field must be unique.'] },
    })
    await host({ name }, otherOrgId)
  })

  it('carry labels, by name and value or by id', async () => {
    const first = await host({ labels: [{ name: 'env', value: 'prod' }] })
    const label = first.labels?.[0]?.id
    const others = [await host({ labels: [{ id: label }] }), await host({ labels: [{ pk: label }] })]
    others.push(await host({ labels: [label] }))
    for (const other of others) expect(other.labels).toEqual(first.labels)
    const found = await call('GET', 'assets/hosts/?labels=env:prod')
    expect(new Set(found.body.map(({ id }) => id))).toEqual(new Set([first, ...others].map(({ id }) => id)))
  })

  it('carry many labels that cost no more statements than few, and no more than a hundred', async () => {
    const labelled = (hosts: number, labels: number) => {
      const name = fresh('label')
      return Array.from({ length: hosts }, () => ({
        name: fresh('host'),
        address: '10.0.0.1',
        platform: 1,
        labels: Array.from({ length: labels }, (_, at) => ({ name, value: String(at) })),
      }))
    }
    const few = await statementsOf(() => call('POST', 'assets/hosts/', labelled(2, 2)))
    const many = await statementsOf(() => call('POST', 'assets/hosts/', labelled(30, 40)))
    expect([many.answer.status, many.statements]).toEqual([201, few.statements])
    const made = many.answer.body as unknown as { id: string; labels: { name: string; value: string }[] }[]
    expect(made.every(({ labels }) => labels.length === 40)).toBe(true)
    const [first, ...others] = made
    const changes = made.map(({ id, labels }) => ({ id, labels: labels.slice(0, 2) }))
    const patched = await statementsOf(() => call('PATCH', 'assets/hosts/', changes))
    const one = await statementsOf(() => call('PATCH', 'assets/hosts/', changes.slice(0, 1)))
    expect(patched.statements).toBe(one.statements)
    expect((await call('GET', `assets/hosts/${others[0]?.id}/`)).body.labels).toEqual(
      first?.labels.slice(0, 2),
    )
    expect((await call('POST', 'assets/hosts/', labelled(1, 101))).body).toEqual([
      { labels: ['Ensure this field has no more than 100 items.'] },
    ])
  })

  it('that name labels which are not there, or incompletely, are told which', async () => {
    const nobody = '7d1c0000-0000-4000-8000-00000000dead'
    const rows = [[{ name: 'env', value: 'prod' }], [{ id: nobody }], [{ name: 'env' }]].map((labels) => ({
      name: fresh('host'),
      address: '10.0.0.1',
      platform: 1,
      labels,
    }))
    expect(await call('POST', 'assets/hosts/', rows)).toMatchObject({
      status: 400,
      body: [
        {},
        { labels: [expect.stringContaining(nobody)] },
        { labels: ['A label needs a name and a value.'] },
      ],
    })
  })

  it('of another organization do not exist here', async () => {
    const elsewhere = await host({}, otherOrgId)
    for (const method of ['GET', 'PATCH', 'DELETE'] as const)
      expect(
        await call(method, `assets/hosts/${elsewhere.id}/`, method === 'PATCH' ? {} : undefined),
      ).toMatchObject({
        status: 404,
      })
    expect(await call('GET', `assets/hosts/${elsewhere.id}/`, undefined, { org: rootOrgId })).toMatchObject({
      status: 200,
    })
  })

  it('are changed where all organizations are seen, and stay in theirs', async () => {
    const elsewhere = await host({}, otherOrgId)
    const changed = { comment: 'seen from above' }
    for (const body of [changed, [{ id: elsewhere.id, ...changed }]])
      expect(
        await call('PATCH', `assets/hosts/${Array.isArray(body) ? '' : `${elsewhere.id}/`}`, body, {
          org: rootOrgId,
        }),
      ).toMatchObject({ status: 200 })
    expect(await call('GET', `assets/hosts/${elsewhere.id}/`, undefined, { org: otherOrgId })).toMatchObject({
      status: 200,
      body: { ...changed, org_id: otherOrgId },
    })
  })

  it('are only for those who may see them', async () => {
    expect(await call('GET', 'assets/hosts/', undefined, { as: undefined })).toMatchObject({ status: 401 })
    expect(await call('GET', 'assets/hosts/', undefined, { as: 'bob' })).toMatchObject({ status: 403 })
    expect(await call('POST', 'assets/hosts/', {}, { as: 'bob assets.view_asset' })).toMatchObject({
      status: 403,
    })
  })

  it('are made by category, listed together', async () => {
    const answer = await call('POST', 'assets/assets/', { name: 'x' })
    expect(answer).toMatchObject({ status: 400, body: { error: expect.stringContaining('category') } })
    const made = await host()
    const detail = await call('GET', `assets/assets/${made.id}/`)
    expect(detail.body).toMatchObject({ id: made.id, info: {}, spec_info: {}, accounts: [] })
    const suggested = await call('GET', `assets/assets/suggestions/?search=${made.name}&action=suggestion`)
    expect(suggested.body).toEqual([{ id: made.id, name: made.name, address: '10.0.0.1' }])
  })

  it('describe what their platform offers', async () => {
    const { body } = await call('OPTIONS', 'assets/hosts/?platform=5')
    const post = body.actions?.POST
    expect(post?.category?.choices).toEqual([{ value: 'host', label: 'Host' }])
    expect(post?.type?.choices).toEqual([{ value: 'windows', label: 'Windows' }])
    expect(post?.protocols?.child?.children?.name?.choices?.map(({ value }) => value)).toEqual([
      'rdp',
      'ssh',
      'vnc',
    ])
  })

  it('are favourites of one person', async () => {
    const made = await host()
    expect(await call('POST', 'assets/favorite-assets/', { asset: made.id })).toMatchObject({ status: 201 })
    expect(await call('POST', 'assets/favorite-assets/', { asset: made.id })).toMatchObject({ status: 400 })
    expect((await call('GET', 'assets/favorite-assets/')).body).toEqual([{ asset: made.id }])
    const more = [await host(), await host(), await host()].map(({ id }) => ({ asset: id }))
    const [first, ...others] = more
    const one = await statementsOf(() => call('POST', 'assets/favorite-assets/', [first]))
    const several = await statementsOf(() => call('POST', 'assets/favorite-assets/', others))
    expect([several.answer.status, several.statements]).toEqual([201, one.statements])
    expect(await call('POST', 'assets/favorite-assets/', [first, ...others])).toMatchObject({ status: 400 })
    for (const { asset } of more) await call('DELETE', `assets/favorite-assets/?asset=${String(asset)}`)
    expect(await call('DELETE', `assets/favorite-assets/?asset=${made.id}`)).toMatchObject({ status: 204 })
    const none = await call('DELETE', `assets/favorite-assets/?asset=${made.id}`)
    expect([none.status, none.body]).toEqual([400, ''])
  })
})

describe('nodes', () => {
  it('have a root called as the organization, and number their children', async () => {
    const root = await rootNode()
    expect(root).toMatchObject({ key: '1', value: 'DEFAULT', name: 'DEFAULT', full_value: '/DEFAULT' })
    const first = await made('assets/nodes/children/', {})
    const second = await made('assets/nodes/children/', {})
    expect([first.value, second.value]).toEqual(['New node 1', 'New node 2'])
    expect(first.key).toMatch(/^1:\d+$/)
  })

  it('are made along a path', async () => {
    const last = await made('assets/nodes/', { full_value: '/DEFAULT/Europe/Berlin' })
    expect(last.full_value).toBe('/DEFAULT/Europe/Berlin')
    expect((await made('assets/nodes/', { full_value: '/Europe/Paris' })).key).toMatch(
      new RegExp(`^${last.key?.replace(/:\d+$/, '')}:`),
    )
  })

  it('refuse slashes and names taken by a sibling', async () => {
    await node('Twice')
    for (const value of ['Twice', 'a/b'])
      expect(await call('POST', 'assets/nodes/', { value })).toMatchObject({
        status: 400,
        body: { value: [expect.any(String)] },
      })
  })

  it('take everything below along when they are renamed or moved', async () => {
    const a = await node('A')
    const b = await node('B', a.id)
    const c = await node('C', b.id)
    const target = await node('Target')
    await host({ nodes: [c.id] })
    await call('PATCH', `assets/nodes/${b.id}/`, { value: 'B2' })
    expect((await call('GET', `assets/nodes/${c.id}/`)).body.full_value).toBe('/DEFAULT/A/B2/C')
    const moved = await call('PUT', `assets/nodes/${target.id}/children/add/`, { nodes: [b.id] })
    expect(moved).toMatchObject({ status: 200, body: 'OK' })
    const below = (await call('GET', `assets/nodes/${c.id}/`)).body
    expect(below.full_value).toBe('/DEFAULT/Target/B2/C')
    expect(below.key).toMatch(new RegExp(`^${target.key}:`))
    const held = async (id: unknown) =>
      (await call('GET', `assets/nodes/${String(id)}/assets/?all=1`)).body.length
    expect([await held(target.id), await held(a.id)]).toEqual([1, 0])
    expect(await call('PUT', `assets/nodes/${c.id}/children/add/`, { nodes: [b.id] })).toMatchObject({
      status: 400,
    })
  })

  it('stand whole however many make, rename, move and delete them at once', async () => {
    const [left, right] = [await node(fresh('left')), await node(fresh('right'))]
    const middle = await node(fresh('middle'), left.id)
    const post = (under: unknown, value: string) =>
      call('POST', `assets/nodes/${String(under)}/children/`, { value })
    const move = (to: unknown) =>
      call('PUT', `assets/nodes/${String(to)}/children/add/`, { nodes: [middle.id] })
    const answers = await Promise.all([
      ...Array.from({ length: 8 }, (_none, n) => post(middle.id, `child ${n % 4}`)),
      move(right.id),
      call('PATCH', `assets/nodes/${middle.id}/`, { value: fresh('called otherwise') }),
      move(left.id),
      ...Array.from({ length: 4 }, (_none, n) => post(left.id, `sibling ${n}`)),
      call('DELETE', `assets/nodes/${right.id}/`),
    ])
    expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    const tree = (await call('GET', 'assets/nodes/children/tree/?all=all')).body
    expect(tree.map(({ pId }) => pId).filter((above) => !tree.some(({ id }) => id === above))).toEqual([''])
    const { rows: twice } = await database.pool.query(
      'select parent_id, value from nodes group by 1, 2 having count(*) > 1',
    )
    expect(twice).toEqual([])
    const { rows: astray } = await database.pool.query(
      `with recursive line (id, above) as (
         select id, parent_id from nodes where id in (select parent_id from nodes)
         union all
         select line.id, nodes.parent_id from line join nodes on nodes.id = line.above
       )
       select id, count(*) from line group by id
       except select branch_id, count(*) from node_branches group by branch_id`,
    )
    expect(astray).toEqual([])
  })

  it('are found by parts of their path', async () => {
    const place = fresh('Place')
    const deep = await made('assets/nodes/', { full_value: `/DEFAULT/${place}/Rooms/Cellar` })
    const found = async (text: string) =>
      (await call('GET', `assets/nodes/?search=${encodeURIComponent(text)}`)).body.map(({ id }) => id)
    expect(await found(place)).toContain(deep.id)
    expect(await found(`${place}/Rooms/Cell`)).toEqual([deep.id])
    expect(await found(`${place}/Cellar`)).toEqual([])
  })

  it('say so where a tree has more than is answered at once', async () => {
    const under = await node(fresh('crowded'))
    await database.pool.query(
      `insert into nodes (parent_id, number, value, org_id) select $1, n, 'n' || n, $2 from generate_series(1000, 21000) n`,
      [under.id, defaultOrgId],
    )
    const tree = (await call('GET', `assets/nodes/children/tree/?key=${under.key}`)).body
    expect(tree).toHaveLength(20_001)
    expect(tree.at(-1)).toMatchObject({ name: expect.stringContaining('20000'), meta: { type: 'notice' } })
    await database.pool.query(`delete from nodes where parent_id = $1`, [under.id])
  })

  it('cannot be deleted while they hold assets, and never at the root', async () => {
    const outer = await node('Outer')
    const inner = await node('Inner', outer.id)
    const held = await host({ nodes: [inner.id] })
    expect(await call('DELETE', `assets/nodes/${outer.id}/`)).toMatchObject({
      status: 403,
      body: { error: expect.any(String) },
    })
    expect(await call('PUT', `assets/nodes/${inner.id}/assets/remove/`, { assets: [held.id] })).toMatchObject(
      {
        status: 200,
        body: { assets: [] },
      },
    )
    expect((await call('GET', `assets/hosts/${held.id}/`)).body.nodes?.[0]?.name).toBe('DEFAULT')
    expect(await call('DELETE', `assets/nodes/${outer.id}/`)).toMatchObject({ status: 204 })
    expect(await call('GET', `assets/nodes/${inner.id}/`)).toMatchObject({ status: 404 })
    const root = await rootNode()
    expect(await call('DELETE', `assets/nodes/${root?.id}/`)).toMatchObject({ status: 403 })
    expect(await call('PATCH', `assets/nodes/${root?.id}/`, { value: 'X' })).toMatchObject({ status: 400 })
  })

  it('show how many assets lie below, in a tree read level by level', async () => {
    const top = await node('Counted')
    const low = await node('Low', top.id)
    const both = await host({ nodes: [top.id, low.id] })
    await host({ nodes: [low.id] })
    const tree = (await call('GET', `assets/nodes/children/tree/?key=1`)).body
    expect(tree.find(({ id }) => id === top.key)).toMatchObject({
      name: 'Counted (2)',
      pId: '1',
      isParent: true,
    })
    const inside = (await call('GET', `assets/nodes/children/tree/?key=${top.key}&assets=1`)).body
    expect(inside.map(({ id, pId }) => [id, pId])).toEqual([
      [low.key, top.key],
      [both.id, top.key],
    ])
    const found = (await call('GET', 'assets/nodes/children/tree/?search=low&all=all')).body
    expect(found.map(({ id }) => id)).toEqual(expect.arrayContaining(['1', top.key, low.key]))
    const { length } = (await call('GET', 'assets/assets/')).body
    expect(found.find(({ id }) => id === '1')).toMatchObject({ name: `DEFAULT (${length})` })
  })

  it('filter lists of assets, with or without what lies below', async () => {
    const top = await node('Filter')
    const low = await node('Below', top.id)
    await host({ nodes: [low.id] })
    const amount = async (query: string) =>
      (await call('GET', `assets/hosts/?node=${top.id}${query}`)).body.length
    expect([await amount(''), await amount('&show_current_asset=1')]).toEqual([1, 0])
  })

  it('belong to their organization', async () => {
    const here = await node('Mine')
    expect(await call('GET', `assets/nodes/${here.id}/`, undefined, { org: otherOrgId })).toMatchObject({
      status: 404,
    })
    expect(
      await call(
        'POST',
        'assets/hosts/',
        { name: 'x', address: 'y', platform: 1, nodes: [here.id] },
        { org: otherOrgId },
      ),
    ).toMatchObject({ status: 400, body: { nodes: [expect.stringContaining('does not exist')] } })
  })
})

describe('types', () => {
  it('are told to anybody, with what they can do', async () => {
    const { body } = await call('GET', 'assets/categories/', undefined, { as: undefined })
    expect(body.map(({ value }) => value)).toEqual(['host', 'device', 'database', 'web', 'cloud'])
    expect(body[0]?.types?.[0]).toMatchObject({ value: 'linux', constraints: { su_enabled: true } })
    const one = await call('GET', 'assets/categories/constraints/?category=host&type=windows')
    expect(one.body.protocols?.[0]).toMatchObject({ name: 'rdp', primary: true })
  })

  it('make a tree with the number of assets of each', async () => {
    const tree = (await call('GET', 'assets/nodes/category/tree/')).body
    expect(tree[0]).toMatchObject({ id: 'ROOT', name: 'All types' })
    expect(tree.find(({ id }) => id === 'ROOT_HOST_LINUX')?.name).toMatch(/^Linux\(\d+\)$/)
  })

  it(
    'say so in that tree where a platform has more assets than are answered at once',
    { timeout: 180_000 },
    async () => {
      const { rows } = await database.pool.query<{ id: number }>(
        `insert into platforms (name, category, type, charset) values ('crowded', 'host', 'linux', 'utf-8') returning id`,
      )
      const id = rows[0]?.id
      await database.pool.query(
        `insert into assets (name, address, platform_id, org_id) select 'crowd ' || n, '10.0.0.9', $1, $2 from generate_series(1, 20001) n`,
        [id, defaultOrgId],
      )
      const tree = (await call('GET', `assets/nodes/category/tree/?assets=1&key=${id}`)).body
      expect(tree).toHaveLength(20_001)
      expect(tree.at(-1)).toMatchObject({ name: expect.stringContaining('20000'), meta: { type: 'notice' } })
      await database.pool.query(`delete from assets where platform_id = $1`, [id])
    },
  )
})
