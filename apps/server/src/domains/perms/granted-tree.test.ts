/** Numbers of assets in trees, of an organization and of what somebody was granted, against the tables read in the plainest way. */
import { defaultOrgId } from '@sallyport/contract'
import { beforeAll, expect, test } from 'vitest'
import { startTestSystem, type TestClient } from '../../testing.ts'

const system = await startTestSystem()
const { pool } = system.database
let admin: TestClient

const amounts = { nodes: 60, assets: 150, people: 12 }

/** A tree of chance, assets in one to three of its nodes, and grants that lie within each other. */
beforeAll(async () => {
  admin = await system.admin()
  await pool.query('select setseed(0.42)')
  for (let n = 0; n < amounts.nodes; n++)
    await pool.query(
      `insert into nodes (parent_id, number, value, org_id)
       select id, $1::int, 'n' || $1::int, org_id from nodes where org_id = $2 order by random() limit 1`,
      [n, defaultOrgId],
    )
  await pool.query(
    `insert into assets (name, address, platform_id, org_id) select 'a' || n, '10.0.0.1', 1, $2 from generate_series(1, $1::int) n`,
    [amounts.assets, defaultOrgId],
  )
  await pool.query(
    `insert into asset_nodes (asset_id, node_id)
     select assets.id, placed.id from assets cross join lateral (
       select nodes.id from nodes where nodes.org_id = assets.org_id and assets.id is not null order by random()
       limit 1 + (hashtext(assets.name) & 3) / 2 * ((hashtext(assets.name) >> 3) & 3)
     ) as placed on conflict do nothing`,
  )
  // Every asset lies in a node.
  await pool.query(
    `insert into asset_nodes (asset_id, node_id) select assets.id, nodes.id from assets, nodes
     where nodes.parent_id is null and nodes.org_id = assets.org_id and not exists (select from asset_nodes where asset_id = assets.id)`,
  )
  await pool.query(
    `insert into users (name, username, email) select 'p' || n, 'p' || n, 'p' || n || '@example.com' from generate_series(1, $1::int) n`,
    [amounts.people],
  )
  await pool.query(
    `insert into asset_permissions (name, accounts, actions, date_start, date_expired, org_id)
     select 'g' || n, '["@ALL"]', 31, now() - interval '1 day', now() + interval '1 day', $2 from generate_series(1, 3 * $1::int) n`,
    [amounts.people, defaultOrgId],
  )
  await pool.query(
    `insert into asset_permission_users (assetpermission, "user")
     select g.id, u.id from asset_permissions g join users u on u.username = 'p' || (1 + substr(g.name, 2)::int % $1::int)`,
    [amounts.people],
  )
  await pool.query(
    `insert into asset_permission_nodes (assetpermission, node)
     select g.id, n.id from asset_permissions g cross join lateral (
       select id from nodes where g.id is not null and parent_id is not null order by random() limit hashtext(g.name) & 3) n
     where substr(g.name, 2)::int % 4 > 0`,
  )
  await pool.query(
    `insert into asset_permission_assets (assetpermission, asset)
     select g.id, a.id from asset_permissions g cross join lateral (
       select id from assets where g.id is not null order by random() limit 4) a
     where substr(g.name, 2)::int % 3 = 0`,
  )
})

type Row = Record<string, string>
const read = async (query: string, values: unknown[] = []) => (await pool.query<Row>(query, values)).rows

/** Each node with itself and all above it, and where each asset lies. */
async function stored() {
  const parents = new Map(
    (await read('select id, parent_id from nodes where org_id = $1', [defaultOrgId])).map((row) => [
      row['id'],
      row['parent_id'],
    ]),
  )
  const lineOf = (id: string | undefined): string[] => (id ? [id, ...lineOf(parents.get(id))] : [])
  const places = await read('select asset_id as asset, node_id as node from asset_nodes')
  return { ids: [...parents.keys()].map(String), lineOf, places: places as { asset: string; node: string }[] }
}

/** Distinct assets of these places in and below each node. */
function amountsOf(
  { lineOf }: Awaited<ReturnType<typeof stored>>,
  places: readonly { asset: string; node: string }[],
) {
  const held = new Map<string, Set<string>>()
  for (const { asset, node } of places)
    for (const id of lineOf(node)) held.set(id, (held.get(id) ?? new Set()).add(asset))
  return (id: string) => held.get(id)?.size ?? 0
}

async function checkTree(): Promise<void> {
  const all = await stored()
  const amount = amountsOf(all, all.places)
  const shown = (await admin.get('assets/nodes/children/tree/?all=1')).body.map(({ name, meta }) => [
    String(meta?.['data']?.['id']),
    Number(/\((\d+)\)$/.exec(String(name))?.[1]),
  ])
  expect(Object.fromEntries(shown)).toEqual(Object.fromEntries(all.ids.map((id) => [id, amount(id)])))
}

async function checkGranted(person: string): Promise<number> {
  const all = await stored()
  const granted = async (what: string) =>
    new Set(
      (
        await read(
          `select g.${what} as id from asset_permission_${what}s g join asset_permission_users u using (assetpermission) where u."user" = $1`,
          [person],
        )
      ).map(({ id }) => String(id)),
    )
  const [nodes, assets] = [await granted('node'), await granted('asset')]
  const isWithin = (id: string) => all.lineOf(id).some((above) => nodes.has(above))
  const places = all.places.filter(({ asset, node }) => isWithin(node) || assets.has(asset))
  const visible = new Set(
    [...all.ids.filter((id) => isWithin(id)), ...places.map(({ node }) => node)].flatMap((id) =>
      all.lineOf(id),
    ),
  )
  const amount = amountsOf(all, places)
  const [, ...shown] = (await admin.get(`perms/users/${person}/nodes/`)).body
  expect(Object.fromEntries(shown.map(({ id, assets_amount }) => [id, assets_amount]))).toEqual(
    Object.fromEntries([...visible].map((id) => [id, amount(id)])),
  )
  const list = (await admin.get(`perms/users/${person}/assets/?limit=1`)).body
  expect(list['count']).toBe(new Set(places.map(({ asset }) => asset)).size)
  return places.length
}

test('each node says how many assets lie in it and below, however many of its nodes they lie in', async () => {
  await checkTree()
})

test('and so it does to everybody for what they were granted', async () => {
  const people = await read(`select id from users where username ~ '^p[0-9]+$'`)
  const seen: number[] = []
  for (const { id } of people) seen.push(await checkGranted(String(id)))
  expect(Math.max(...seen)).toBeGreaterThan(50)
})

test('the pages of what was granted are those of the whole list, also of a group and as a file', async () => {
  const [person] = await read(`select id from users where username = 'p1'`)
  const { body: group } = await admin.post('users/groups/', { name: 'granted' })
  await pool.query(
    `insert into asset_permission_user_groups (assetpermission, usergroup)
     select assetpermission, $1 from asset_permission_users where "user" = $2`,
    [group['id'], person?.['id']],
  )
  for (const path of [
    `perms/users/${String(person?.['id'])}/nodes/`,
    `perms/user-groups/${String(group['id'])}/nodes/`,
  ]) {
    const whole = (await admin.get(path)).body
    expect(whole.length).toBeGreaterThan(8)
    const pages: unknown[] = []
    for (let offset = 0; offset < whole.length; offset += 4) {
      const { body } = await admin.get(`${path}?limit=4&offset=${offset}`)
      expect([body['count'], body['previous'] === null]).toEqual([whole.length, offset === 0])
      expect(body['next'] === null).toBe(offset + 4 >= whole.length)
      pages.push(...(body['results'] as unknown as unknown[]))
    }
    expect(pages).toEqual(whole)
    const beyond = (await admin.get(`${path}?limit=4&offset=9000`)).body
    expect(beyond).toMatchObject({ count: whole.length, results: [], next: null })
    const file = (await admin.get(`${path}?limit=4&offset=4&format=csv`)).bytes.toString()
    expect(file.trim().split('\n')).toHaveLength(5)
  }
})

test('numbers stay right when nodes are moved, and assets are put in, taken out, moved and deleted', async () => {
  const nodes = (await read('select id from nodes where parent_id is not null order by number')).map(
    ({ id }) => id,
  )
  const assets = (await read('select id from assets order by name')).map(({ id }) => id)
  const [person] = await read(`select id from users where username = 'p3'`)
  const some = (from: number) => ({ assets: assets.slice(from, from + 30) })
  await admin.put(`assets/nodes/${nodes[5]}/assets/add/`, some(0))
  await checkTree()
  await admin.put(`assets/nodes/${nodes[9]}/assets/replace/`, some(20))
  await admin.put(`assets/nodes/${nodes[5]}/assets/remove/`, some(0))
  await checkTree()
  for (const [under, moved] of [
    [59, 1],
    [58, 2],
    [3, 40],
  ] as const)
    await admin.put(`assets/nodes/${nodes[under]}/children/add/`, { nodes: [nodes[moved]] })
  await checkTree()
  await admin.delete(`assets/assets/${assets[3]}/`)
  await checkTree()
  await checkGranted(String(person?.['id']))
})

test('and they are where thousands of assets were granted to somebody', async () => {
  const [person, other] = await read(`select id from users where username in ('p1', 'p2') order by username`)
  await pool.query(
    `with made as (insert into assets (name, address, platform_id, org_id)
       select 'b' || n, '10.0.0.2', 1, $1 from generate_series(1, 6000) n returning id)
     insert into asset_nodes (asset_id, node_id) select made.id, nodes.id from made, nodes where value in ('n10', 'n20')`,
    [defaultOrgId],
  )
  await pool.query(
    `insert into asset_permission_nodes (assetpermission, node) select assetpermission, nodes.id from asset_permission_users, nodes
     where "user" = $1 and value = 'n10' on conflict do nothing`,
    [person?.['id']],
  )
  await checkTree()
  expect(await checkGranted(String(person?.['id']))).toBeGreaterThan(5000)
  await checkGranted(String(other?.['id']))
})

/** A node below the root, granted to somebody and to a group of their own. */
async function grantedNode(name: string, number: number, username: string) {
  const [person] = await read(`select id from users where username = $1`, [username])
  const { body: group } = await admin.post('users/groups/', { name })
  const [node] = await read(
    `insert into nodes (parent_id, number, value, org_id)
       select id, $1::int, $2, org_id from nodes where parent_id is null and org_id = $3 returning id`,
    [number, name, defaultOrgId],
  )
  const [grant] = await read(
    `insert into asset_permissions (name, accounts, actions, date_start, date_expired, org_id)
       values ($1, '["@ALL"]', 31, now() - interval '1 day', now() + interval '1 day', $2) returning id`,
    [name, defaultOrgId],
  )
  for (const [pairs, ...ids] of [
    ['user_group_members (usergroup_id, user_id)', group['id'], person?.['id']],
    ['asset_permission_user_groups (assetpermission, usergroup)', grant?.['id'], group['id']],
    ['asset_permission_nodes (assetpermission, node)', grant?.['id'], node?.['id']],
  ])
    await pool.query(`insert into ${String(pairs)} values ($1, $2)`, ids)
  return {
    id: node?.['id'],
    key: `1:${number}`,
    own: `perms/users/${String(person?.['id'])}`,
    ofGroup: `perms/user-groups/${String(group['id'])}`,
  }
}

/** 20,000 entries, and one that tells of more. */
async function checkCut(path: string): Promise<void> {
  const { body } = await admin.get(path)
  expect([path, body.length, body.at(-1)]).toEqual([
    path,
    20_001,
    expect.objectContaining({ name: expect.stringContaining('20000'), meta: { type: 'notice' } }),
  ])
}

test(
  'a tree of what was granted says so where it has more nodes than are answered at once',
  { timeout: 180_000 },
  async () => {
    const { id, key, own, ofGroup } = await grantedNode('crowd', 1000, 'p4')
    await pool.query(
      `insert into nodes (parent_id, number, value, org_id) select $1, n, 'c' || n, $2 from generate_series(1, 20001) n`,
      [id, defaultOrgId],
    )
    await checkCut(`${own}/nodes/tree/`)
    await checkCut(`${own}/nodes/children/tree/?key=${key}`)
    await checkCut(`${ofGroup}/nodes/children/tree/?key=${key}`)
  },
)

test(
  'and where it has more assets, whichever of them the database reads first',
  { timeout: 180_000 },
  async () => {
    const { id, key, own } = await grantedNode('machines', 1001, 'p5')
    // Named the other way round than they lie in the table.
    await pool.query(
      `with made as (insert into assets (name, address, platform_id, org_id)
       select 'c' || lpad((50000 - n)::text, 5, '0'), '10.0.0.3', 1, $2 from generate_series(1, 22000) n returning id)
     insert into asset_nodes (asset_id, node_id) select id, $1 from made`,
      [id, defaultOrgId],
    )
    await checkCut(`${own}/assets/tree/`)
    await checkCut(`${own}/nodes/children-with-assets/tree/?key=${key}`)
    await checkCut(`${own}/nodes/all-with-assets/tree/`)
  },
)
