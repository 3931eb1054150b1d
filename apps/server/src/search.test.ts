/** Every list can be searched at any size: of what grows, each searched text has an index that finds parts of it. */
import { modelOf } from '@sallyport/contract'
import { getTableName, sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { createDomains } from './domains.ts'
import { columnOf } from './kernel/resource/fields.ts'
import { startTestSystem } from './testing.ts'

/** Some hundreds of rows, which somebody enters by hand, or, of tokens, which are good for minutes. */
const small = new Set([
  'access_keys',
  'connection_tokens',
  'domains',
  'labels',
  'login_acls',
  'organizations',
  'platforms',
  'roles',
  'terminals',
  'user_groups',
])

const system = await startTestSystem()

test('every text that is searched in a table that grows has an index on its trigrams', async () => {
  const found = await system.database.db.execute<{ indexed: string }>(
    sql`select t.relname || '.' || a.attname as indexed
      from pg_index i
      join pg_class t on t.oid = i.indrelid
      join pg_opclass o on o.oid = i.indclass[0] and o.opcname = 'gin_trgm_ops'
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = i.indkey[0]`,
  )
  const indexed = new Set(found.rows.map((row) => row.indexed))
  const domains = await createDomains(system.ground)
  const lacking = domains.list
    .flatMap(({ resources = [] }) => resources)
    .flatMap(({ resource, binding: { table, codes } }) =>
      Object.entries(resource.fields).flatMap(([name, { kind, options }]) => {
        if (options.search !== true && options.filter !== 'contained') return []
        // Of what has few values, those are compared with what is sought.
        if (kind.kind === 'choice' || kind.kind === 'boolean' || codes?.[name]) return []
        const column = `${getTableName(table)}.${columnOf(table, name)?.name}`
        return small.has(getTableName(table)) || indexed.has(column)
          ? []
          : [`${modelOf(resource)}: ${column}`]
      }),
    )
  expect(lacking).toEqual([])
})
