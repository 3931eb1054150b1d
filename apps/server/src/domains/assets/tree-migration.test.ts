/** A database from before nodes hung on their parents keeps its trees. */
import { drizzle } from 'drizzle-orm/node-postgres'
import { sql } from 'drizzle-orm'
import { Client } from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { migrate } from '../../kernel/database/migrate.ts'
import { createEmptyDatabase, migrationsUpTo, testLog } from '../../kernel/testing/index.ts'
import { tree } from './nodes.ts'
import { nodes } from './tables.ts'

const org = '00000000-0000-0000-0000-000000000002'

test('nodes keep their keys, paths and assets, and one that was lost hangs below the root', async () => {
  const url = await createEmptyDatabase()
  await migrate(url, testLog, await migrationsUpTo('node-paths-are-read-not-kept'))
  const client = new Client(url)
  await client.connect()
  onTestFinished(() => client.end())
  await client.query(`insert into organizations (id, name) values ('${org}', 'DEFAULT')`)
  await client.query(
    `insert into nodes (key, parent_key, value, child_mark, org_id) values
       ('1', '', 'DEFAULT', 2, '${org}'), ('1:0', '1', 'A', 12, '${org}'), ('1:0:11', '1:0', 'B', 0, '${org}'),
       ('1:1', '1', 'C', 0, '${org}'), ('1:7:0', '1:7', 'D', 1, '${org}'), ('1:7:0:0', '1:7:0', 'E', 0, '${org}')`,
  )
  await client.query(
    `insert into platforms (id, name, category, type, charset) values (1, 'Linux', 'host', 'linux', 'utf-8')`,
  )
  await client.query(
    `with made as (insert into assets (name, address, platform_id, org_id)
       select 'on ' || key, '127.0.0.1', 1, org_id from nodes where key <> '1:0:11' returning id, name)
     insert into asset_nodes (asset_id, node_id) select made.id, nodes.id from made join nodes on made.name = 'on ' || nodes.key
       union all select made.id, nodes.id from made, nodes where made.name = 'on 1:0' and nodes.key = '1:1'`,
  )
  await migrate(url, testLog)
  const db = drizzle({ client })
  const found = await db.execute<{ id: string; key: string; path: string; below: number; held: string[] }>(
    sql`select id, ${tree.key()} as key, ${tree.path()} as path,
      (select count(*)::integer from (${tree.below(sql`${nodes}.id`)}) as within) as below,
      array(select assets.name from asset_nodes join assets on assets.id = asset_id where node_id = ${nodes}.id order by 1) as held
      from ${nodes} order by ${tree.numbers()}`,
  )
  expect(found.rows.map(({ key, path, below, held }) => [key, path, below, held])).toEqual([
    ['1', '/DEFAULT', 6, ['on 1']],
    ['1:0', '/DEFAULT/A', 2, ['on 1:0']],
    ['1:0:11', '/DEFAULT/A/B', 1, []],
    ['1:1', '/DEFAULT/C', 1, ['on 1:0', 'on 1:1']],
    ['1:3', '/DEFAULT/D 1:7:0', 2, ['on 1:7:0']],
    ['1:3:0', '/DEFAULT/D 1:7:0/E', 1, ['on 1:7:0:0']],
  ])
  const [root] = found.rows
  const made = await tree.child(db, { id: root?.id ?? '', parent_id: null, value: '', org_id: org }, 'next')
  expect(made).toMatchObject({ parent_id: root?.id, number: 4 })
})
