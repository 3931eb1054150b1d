/**
 * Fills a database with the largest organization the product is built for: 100,000 assets, 10,000 nodes eight deep, 20,000 people,
 * 5,000 permissions, 300,000 accounts, and books of some hundred thousand lines. Everything by SQL.
 */
import { roleIds } from '@sallyport/contract'
import { Client } from 'pg'
import { org } from './fill.ts'

export const sizes = { assets: 100_000, people: 20_000, groups: 200, permissions: 5000, lines: 200_000 }

/** Below the root: the name of a level's nodes, below which, and how many there are in all. */
const levels = [
  ['estate', undefined, 1],
  ['region', 'estate', 10],
  ['site', 'region', 100],
  ['hall', 'site', 500],
  ['row', 'hall', 1500],
  ['rack', 'row', 4000],
  ['shelf', 'rack', 2888],
  ['office', 'estate', 1],
  ['wide', 'office', 1000],
] as const
/** Those that hold assets. */
const holding = ['rack', 'shelf', 'wide']
/** Every so many assets one lies in a second node. */
const everyShared = 10

type Sql = (text: string, values?: unknown[]) => Promise<unknown>

async function fillNodes(sql: Sql): Promise<void> {
  for (const [at, [name, above, amount]] of levels.entries())
    await sql(
      `insert into nodes (parent_id, number, value, org_id)
       select above.id, $5 + n, $2 || '-' || n, above.org_id
       from generate_series(0, $4::int - 1) n
       join (select id, org_id, row_number() over (order by number, id) - 1 as at, count(*) over () as amount from nodes
         where org_id = $1 and case when $3::text is null then parent_id is null else value ~ ('^' || $3 || '-[0-9]+$') end) above
         on above.at = n % above.amount`,
      [org, name, above ?? null, amount, (at + 1) * 10_000],
    )
  await sql(
    `update nodes set child_mark = 100000 where org_id = $1 and exists (select from nodes as child where child.parent_id = nodes.id)`,
    [org],
  )
}

async function fillAssets(sql: Sql): Promise<void> {
  await sql(`insert into domains (name, org_id) select 'zone-' || n, $1 from generate_series(1, 20) n`, [org])
  await sql(
    `insert into labels (name, value, org_id) select 'label-' || n / 10, 'value-' || n % 10, $1 from generate_series(0, 199) n`,
    [org],
  )
  // Nine of ten are hosts of one platform, the others of all there are.
  await sql(
    `with numbered as (select id, row_number() over (order by id) - 1 as at, count(*) over () as amount from platforms),
       zones as (select id, row_number() over (order by id) - 1 as at from domains where org_id = $1)
     insert into assets (name, address, platform_id, domain_id, protocols, connectivity, comment, org_id, date_created)
     select 'host-' || lpad(n::text, 6, '0'), '10.' || n / 65536 || '.' || n / 256 % 256 || '.' || n % 256,
       case when n % 10 = 0 then other.id else 1 end, zones.id, '[{"name":"ssh","port":22}]', (array['-', 'ok', 'err'])[1 + n % 3],
       'filled as number ' || n, $1, now() - n * interval '1 minute'
     from generate_series(1, $2::int) n join numbered other on other.at = n / 10 % other.amount
       left join zones on zones.at = n % 40`,
    [org, sizes.assets],
  )
  await sql('analyze nodes, assets')
  await sql(
    `with asset as (select id, row_number() over (order by name) as at from assets where org_id = $1),
       holder as (select id, row_number() over (order by number, id) - 1 as at, count(*) over () as amount from nodes
         where org_id = $1 and split_part(value, '-', 1) = any($2))
     insert into asset_nodes (asset_id, node_id)
     select asset.id, holder.id from asset join holder on holder.at = asset.at % holder.amount
     union all
     select asset.id, holder.id from asset join holder on asset.at % $3 = 0 and holder.at = (asset.at + 1) % holder.amount`,
    [org, holding, everyShared],
  )
  await sql(
    `with numbered as (select id, row_number() over (order by name, value) - 1 as at from labels where org_id = $1)
     insert into asset_labels (asset_id, label_id)
     select asset.id, numbered.id from (select id, row_number() over (order by name) as at from assets where org_id = $1) asset
       join numbered on asset.at % 2 = 0 and numbered.at = asset.at / 2 % 200`,
    [org],
  )
  await sql(
    `insert into accounts (name, username, asset_id, privileged, org_id)
     select username, username, assets.id, username = 'root', org_id from assets, unnest(array['root', 'deploy', 'admin']) username
     where org_id = $1`,
    [org],
  )
  await sql(
    `insert into host_keys (asset_id, address, algorithm, key, fingerprint, state, org_id)
     select id, address || ':22', 'ssh-ed25519', 'AAAA' || md5(name), 'SHA256:' || md5(name), 'accepted', org_id from assets
     where org_id = $1 and platform_id = 1`,
    [org],
  )
}

async function fillPeople(sql: Sql): Promise<void> {
  await sql(
    `insert into users (name, username, email, date_expired) select 'Person ' || n, 'person-' || lpad(n::text, 5, '0'),
       'person-' || n || '@example.com', now() + interval '10 years' from generate_series(1, $1::int) n`,
    [sizes.people],
  )
  await sql(
    `insert into role_bindings (user_id, role_id, org_id)
     select id, $1::uuid, null::uuid from users where username like 'person-%'
     union all select id, $2::uuid, $3::uuid from users where username like 'person-%'`,
    [roleIds.user, roleIds.orgUser, org],
  )
  await sql(
    `insert into user_groups (name, org_id) select 'group-' || lpad(n::text, 3, '0'), $1 from generate_series(1, $2::int) n`,
    [org, sizes.groups],
  )
  // Each is in two groups; the first is in a hundred.
  await sql(
    `with numbered as (select id, substr(name, 7)::int as n from user_groups where org_id = $1 and name like 'group-%')
     insert into user_group_members (user_id, usergroup_id)
     select users.id, numbered.id from users join numbered
       on numbered.n in (1 + substr(username, 8)::int % $2, 1 + (substr(username, 8)::int + 7) % $2)
       where username like 'person-%'
     union select users.id, numbered.id from users join numbered on numbered.n <= 100 where username = 'person-00001'`,
    [org, sizes.groups],
  )
}

/**
 * A thousand of the permissions are of the groups of the first person, ten each: half over single nodes high up, which together are above
 * all assets. The others are of single groups and people over single nodes and assets.
 */
async function fillPermissions(sql: Sql): Promise<void> {
  await sql(
    `insert into asset_permissions (name, accounts, actions, date_start, date_expired, org_id)
     select 'grant-' || lpad(n::text, 4, '0'), '["@ALL"]', 31, now() - interval '1 day', now() + interval '1 year', $1
     from generate_series(1, $2::int) n`,
    [org, sizes.permissions],
  )
  await sql('analyze asset_permissions')
  const numbered = `numbered as (select id, substr(name, 7)::int as n from asset_permissions where org_id = $1 and name like 'grant-%')`
  await sql(
    `with ${numbered}, groups as (select id, substr(name, 7)::int as n from user_groups where org_id = $1 and name like 'group-%')
     insert into asset_permission_user_groups (assetpermission, usergroup)
     select numbered.id, groups.id from numbered join groups
       on groups.n = case when numbered.n <= 1000 then 1 + numbered.n % 100 else 101 + numbered.n % 100 end`,
    [org],
  )
  await sql(
    `with ${numbered} insert into asset_permission_users (assetpermission, "user")
     select numbered.id, users.id from numbered join users on numbered.n > 1000 and username = 'person-' || lpad((numbered.n * 3)::text, 5, '0')`,
    [org],
  )
  await sql(
    `with ${numbered}, high as (select id, row_number() over (order by value) - 1 as at, count(*) over () as amount from nodes
         where org_id = $1 and value ~ '^(region|site|hall|row|wide)-'),
       low as (select id, row_number() over (order by value) - 1 as at, count(*) over () as amount from nodes
         where org_id = $1 and value ~ '^(rack|shelf)-')
     insert into asset_permission_nodes (assetpermission, node)
     select numbered.id, high.id from numbered join high on numbered.n <= 1000 and high.at = numbered.n * 3 % high.amount
     union all select numbered.id, nodes.id from numbered join nodes on numbered.n = 1000 and nodes.org_id = $1 and nodes.value = 'estate-0'
     union all select numbered.id, low.id from numbered join low on numbered.n > 1000 and low.at = numbered.n % low.amount`,
    [org],
  )
  await sql(
    `with ${numbered} insert into asset_permission_assets (assetpermission, asset)
     select numbered.id, assets.id from numbered join assets on assets.org_id = $1 and assets.name = 'host-' || lpad((numbered.n * 7)::text, 6, '0')`,
    [org],
  )
}

async function fillBooks(sql: Sql): Promise<void> {
  const lines = 'generate_series(1, $2::int) n'
  const person = `'person-' || lpad((1 + n % 20000)::text, 5, '0')`
  await sql(
    `insert into sessions ("user", asset, account, account_id, protocol, remote_addr, is_finished, org_id, date_start, date_end)
     select ${person}, 'host-' || lpad((n % 100000)::text, 6, '0'), 'root(root)', '', 'ssh', '10.1.' || n / 256 % 256 || '.' || n % 256,
       true, $1, now() - n * interval '1 minute', now() - n * interval '1 minute' + interval '9 minutes' from ${lines}`,
    [org, sizes.lines],
  )
  await sql(
    `insert into commands ("user", asset, account, session, input, output, risk_level, org_id, timestamp, sequence)
     select "user", asset, account, id, 'ls -l /srv/' || left(id::text, 8), 'total 0', 0, org_id, extract(epoch from date_start)::int, 1
     from sessions where org_id = $1 limit $2`,
    [org, sizes.lines],
  )
  await sql(
    `insert into login_logs (username, type, ip, city, user_agent, status, datetime)
     select ${person}, 'W', '10.2.' || n / 256 % 256 || '.' || n % 256, 'LAN', 'Firefox', n % 10 > 0, now() - n * interval '1 minute'
     from generate_series(1, $1::int) n`,
    [sizes.lines],
  )
  await sql(
    `insert into operate_logs ("user", action, resource_type, resource, remote_addr, org_id, diff, datetime)
     select ${person}, 'update', 'assets.host', 'host-' || lpad((n % 100000)::text, 6, '0'), '10.2.3.4', $1, '{"comment": ["a", "b"]}',
       now() - n * interval '1 minute' from ${lines}`,
    [org, sizes.lines],
  )
  await sql(
    `insert into password_change_logs ("user", user_id, change_by, remote_addr, datetime)
     select name, id, name, '10.2.3.4', now() - row_number() over () * interval '1 minute' from users where username like 'person-%'`,
  )
}

/** What lists are narrowed by, by the name of the filter. The person is the one with the most grants: in a hundred groups, by a thousand permissions, over all assets. */
export interface Known {
  user_id: string
  node: string
  node_id: string
  nodes: string
  node_name: string
  asset_id: string
  user_group_id: string
  [filter: string]: string
}

export async function fillLarge(url: string): Promise<Known> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const sql: Sql = (text, values) => client.query(text, values)
  try {
    for (const fill of [fillNodes, fillAssets, fillPeople, fillPermissions, fillBooks]) {
      await fill(sql)
      // What follows joins with it.
      await sql('vacuum analyze')
    }
    const { rows } = await client.query<Pick<Known, 'user_id' | 'node' | 'asset_id' | 'user_group_id'>>(
      `select (select id from users where username = 'person-00001') as user_id, (select id from nodes where value = 'estate-0') as node,
         (select id from assets where name = 'host-000700') as asset_id, (select id from user_groups where name = 'group-001') as user_group_id`,
    )
    const [found] = rows
    if (found === undefined) throw new Error('nothing was filled')
    const { node } = found
    return {
      ...found,
      node_id: node,
      nodes: node,
      node_name: 'estate-0',
      username: 'person-00001',
      asset_name: 'host-000700',
      user_group: 'group-001',
    }
  } finally {
    await client.end()
  }
}
