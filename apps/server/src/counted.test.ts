/** Every table whose counts are kept has what keeps them: nothing else would notice that they stand still. */
import { getTableColumns, getTableName } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { countedBy } from './compose.ts'
import { createDomains } from './domains.ts'
import { healCounts } from './kernel/counts/counts.ts'
import { startTestSystem } from './testing.ts'

const system = await startTestSystem()
const { pool, db } = system.database
const { list } = await createDomains(system.ground)
const all = countedBy(list)

interface Trigger {
  name: string
  args: string[]
}

test.each(all.map((counted) => ({ ...counted, name: getTableName(counted.table) })))(
  'counts of $name are kept at each kind of statement, by the columns they have',
  async ({ table, counts }) => {
    const { rows } = await pool.query<Trigger>(
      `select tgname as name, string_to_array(encode(tgargs, 'escape'), '\\000') as args from pg_trigger
       where tgrelid = $1::regclass and tgfoid = 'count_rows'::regproc order by 1`,
      [getTableName(table)],
    )
    const name = getTableName(table)
    expect(rows.map((row) => row.name)).toEqual(
      ['in', 'none', 'on', 'out'].map((what) => `${name}_counted_${what}`),
    )
    const columns = Object.keys(getTableColumns(counts)).filter((column) => column !== 'amount')
    for (const { args } of rows) expect(args.slice(0, 2)).toEqual([getTableName(counts), columns.join(', ')])
  },
)

test('a list says how many there are after rows came and went, in one organization and in all', async () => {
  const admin = await system.admin()
  const countIn = async (org?: string) =>
    (await admin.get('assets/hosts/?limit=1', org === undefined ? {} : { org })).body['count']
  const hosts = Array.from({ length: 7 }, (_none, n) => ({
    name: `counted-${n}`,
    address: '10.0.0.1',
    platform: 1,
  }))
  const made = await admin.post('assets/hosts/', hosts)
  expect(made.status).toBe(201)
  expect(await countIn()).toBe(7)
  const [first] = made.body as unknown as { id: string }[]
  await admin.delete(`assets/hosts/${first?.id}/`)
  expect(await countIn()).toBe(6)
  const other = await admin.post('orgs/orgs/', { name: 'Other' })
  expect(await countIn(String(other.body['id']))).toBe(0)
  expect(await countIn('00000000-0000-0000-0000-000000000000')).toBe(6)
  for (const counted of all) expect(await healCounts(db, counted)).toBe(0)
})
