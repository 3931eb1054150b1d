/**
 * How much a gateway gets of the filters that hold for one connection. It is looked at when filters and groups are written, so that nobody is
 * kept from connecting by its size.
 */
import type { Problems } from '@sallyport/contract'
import { commandFiltersMax } from '@sallyport/contract/command-patterns'
import { type SQL, sql } from 'drizzle-orm'
import type { Executor } from '../../kernel/database/index.ts'
import { ValidationError } from '../../kernel/errors.ts'
import { commandFilterAclGroups, commandFilterAcls, commandGroups } from './tables.ts'

/** Beside its commands: names, ids, reviewers. */
const perGroup = 512
const perRule = 1024

/** Filters of an organization in force, with what gateways get of each: `id`, `bytes`. */
const sizes = (orgs: SQL): SQL =>
  sql`select rule.id, ${perRule} + sum(${perGroup}
        + octet_length(to_json(part.content)::text) + octet_length(to_json(part.pattern)::text)) as bytes
    from ${commandFilterAcls} as rule join ${commandFilterAclGroups} as held on held.commandfilteracl_id = rule.id
      join ${commandGroups} as part on part.id = held.commandgroup_id
    where rule.is_active and rule.org_id in (${orgs}) group by rule.id`

/** Whether two filters may name the same. What is typed for an account has two names, so accounts say nothing; addresses are not looked into. */
const mayMeet = sql.join(
  [
    ['users', 'username_group'],
    ['assets', 'name_group'],
  ].map(([column, group]) => {
    const [own, other] = ['own', 'other'].map((rule) => sql.raw(`${rule}.${column} -> '${group}'`))
    return sql`(${own} ? '*' or ${other} ? '*' or ${own} ?| array(select jsonb_array_elements_text(${other})))`
  }),
  sql` and `,
)

/** Of these filters those that may hold together with too much, and how many bytes that is; they are stored already. */
async function tooLarge(db: Executor, ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const these = sql`${sql.param(ids)}::uuid[]`
  const orgs = sql`select ${commandFilterAcls.org_id} from ${commandFilterAcls} where ${commandFilterAcls.id} = any(${these})`
  const { rows: all } = await db.execute<{ bytes: string }>(
    sql`select coalesce(sum(bytes), 0) as bytes from (${sizes(orgs)}) as sizes`,
  )
  // Nearly always: then nobody needs to know which of them meet.
  if (Number(all[0]?.bytes) <= commandFiltersMax) return new Map()
  const { rows } = await db.execute<{ id: string; bytes: string }>(
    sql`with sizes as materialized (${sizes(orgs)})
      select own.id, sum(sizes.bytes) as bytes from ${commandFilterAcls} as own
        join ${commandFilterAcls} as other on other.org_id = own.org_id and ${mayMeet} join sizes on sizes.id = other.id
      where own.id = any(${these}) and own.is_active group by own.id having sum(sizes.bytes) > ${commandFiltersMax}`,
  )
  return new Map(rows.map(({ id, bytes }) => [id, Number(bytes)]))
}

/**
 * Refuses filters and groups as they were written. `rows`: what was written, each with the filters it is in.
 * @throws ValidationError on that field of each row that is too much
 */
export async function checkSize(
  db: Executor,
  field: 'command_groups' | 'content',
  rows: readonly { filters: readonly string[] }[],
): Promise<void> {
  const found = await tooLarge(
    db,
    rows.flatMap(({ filters }) => filters),
  )
  if (found.size === 0) return
  const kib = (bytes: number) => Math.ceil(bytes / 1024)
  throw new ValidationError(
    rows.map(({ filters }): Problems => {
      const size = Math.max(0, ...filters.map((id) => found.get(id) ?? 0))
      const params = { size: kib(size), max: kib(commandFiltersMax) }
      return size === 0 ? {} : { [field]: [{ key: 'command_filters_too_large', params }] }
    }),
  )
}
