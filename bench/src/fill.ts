/** Fills a database with an organization of the size the product is built for. Everything by SQL, in seconds. */
import { Client } from 'pg'

export const org = '00000000-0000-0000-0000-000000000002'

/** 100 groups of 100 nodes below the root, `assets` hosts spread over them. */
export async function fillHosts(url: string, assets: number): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(
      `insert into nodes (parent_id, number, value, org_id)
       select id, g, 'group-' || g, org_id from nodes, generate_series(1000, 1099) g where org_id = $1 and parent_id is null`,
      [org],
    )
    await client.query(
      `insert into nodes (parent_id, number, value, org_id)
       select id, n, 'node-' || n, org_id from nodes, generate_series(1, 100) n where org_id = $1 and value like 'group-%'`,
      [org],
    )
    await client.query(
      `insert into assets (name, address, platform_id, protocols, org_id)
       select 'host-' || lpad(n::text, 6, '0'), '10.' || n / 65536 || '.' || n / 256 % 256 || '.' || n % 256, 1,
         '[{"name":"ssh","port":22}]', $1 from generate_series(1, $2::int) n`,
      [org, assets],
    )
    await client.query('analyze nodes, assets')
    await client.query(
      `insert into asset_nodes (asset_id, node_id)
       select a.id, n.id
       from (select id, row_number() over (order by name) - 1 as at from assets where name like 'host-%') a
       join (select id, row_number() over (order by parent_id, number) - 1 as at from nodes where org_id = $1 and value like 'node-%') n on n.at = a.at % 10000`,
      [org],
    )
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}

/**
 * `amount` permissions of the hard kind: half name this person with hosts elsewhere, half name this host with other people. Replaces
 * those of an earlier call.
 */
export async function fillPermissions(
  url: string,
  amount: number,
  person: string,
  asset: string,
): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`delete from asset_permissions where name like 'bench-%'`)
    await client.query(
      `insert into users (name, username, email) select 'crowd-' || n, 'crowd-' || n, 'crowd-' || n || '@example.com'
       from generate_series(1, 200) n on conflict do nothing`,
    )
    await client.query(
      `insert into asset_permissions (name, accounts, actions, date_start, date_expired, org_id)
       select 'bench-' || n, '["@ALL"]', 31, now() - interval '1 day', now() + interval '1 year', $1 from generate_series(1, $2::int) n`,
      [org, amount],
    )
    await client.query(
      `create temporary table numbered as select id, substr(name, 7)::int as n from asset_permissions where name like 'bench-%'`,
    )
    await client.query(
      `insert into asset_permission_users (assetpermission, "user")
       select id, case when n % 2 = 0 then $1::uuid else (select id from users where username = 'crowd-' || (n % 200 + 1)) end from numbered`,
      [person],
    )
    await client.query(
      `insert into asset_permission_assets (assetpermission, asset)
       select id, case when n % 2 = 1 then $1::uuid else (select id from assets where name = 'host-' || lpad((90000 + n)::text, 6, '0')) end
       from numbered`,
      [asset],
    )
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}

/**
 * `amount` command filters with a group of 20 commands each, of which every tenth holds for that person anywhere, half name the person and
 * another network, and the others name somebody else; and as many asset login rules of the last two kinds.
 */
export async function fillRules(url: string, amount: number, username: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const about = (every: number) => `
    json_build_object('username_group', json_build_array(case when n % 2 = 0 or n % ${every} = 0 then $3::text else 'crowd-' || n end)),
    json_build_object('name_group', json_build_array('*'),
      'address_group', json_build_array(case when n % ${every} = 0 then '*' else '192.168.' || n || '.0/24' end)),
    '{"username_group":["*"]}'::json`
  try {
    await client.query(
      `insert into command_groups (name, type, content, pattern, ignore_case, org_id)
       select 'bench-' || n, 'command', string_agg('command-' || n || '-' || c, E'\n'),
         string_agg('\\bcommand-' || n || '-' || c, '|'), true, $1
       from generate_series(1, $2::int) n, generate_series(1, 20) c group by n`,
      [org, amount],
    )
    await client.query(
      `insert into command_filter_acls (name, users, assets, accounts, action, org_id)
       select 'bench-' || n, ${about(10)}, 'reject', $1 from generate_series(1, $2::int) n`,
      [org, amount, username],
    )
    await client.query(
      `insert into command_filter_acl_groups (commandfilteracl_id, commandgroup_id)
       select a.id, g.id from command_filter_acls a join command_groups g on g.name = a.name`,
    )
    await client.query(
      `insert into login_asset_acls (name, users, assets, accounts, action, org_id)
       select 'bench-' || n, ${about(1000)}, 'reject', $1 from generate_series(1, $2::int) n`,
      [org, amount, username],
    )
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}

/** Puts them in force, or none of them. */
export async function switchRules(url: string, isInForce: boolean): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    for (const table of ['command_filter_acls', 'login_asset_acls'])
      await client.query(`update ${table} set is_active = $1`, [isInForce])
  } finally {
    await client.end()
  }
}
