/** What an account switches from: another one of its asset, and never in a circle. Checked once all rows of a write are stored. */
import type { Account, ErrorKey, Problems } from '@sallyport/contract'
import { sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import { ValidationError } from '../../kernel/errors.ts'
import type { SavedOf } from '../../kernel/resource/binding.ts'
import { assets } from '../assets/index.ts'
import { accounts } from './tables.ts'

type Saved = SavedOf<typeof Account, typeof accounts>

const mayBreak = ({ input, before }: Saved) =>
  typeof input.su_from === 'string' ||
  (before !== undefined && input.asset !== undefined && input.asset !== before.asset_id)

/** @throws ValidationError with what is wrong with each row */
export async function checkSwitches(ctx: Context, rows: readonly Saved[]): Promise<void> {
  const changed = rows.filter((row) => mayBreak(row))
  if (changed.length === 0) return
  const of = [...new Set(changed.map(({ after }) => after.asset_id))]
  // Two changes that are fine by themselves could close a circle between them: those of one asset follow each other.
  await ctx.db.execute(
    sql`select 1 from ${assets} where ${assets.id} = any(${sql.param(of)}::uuid[]) order by ${assets.id} for no key update`,
  )
  const ids = sql`${sql.param(changed.map(({ id }) => id))}::uuid[]`
  const found = await ctx.db.execute<{ id: string; key: ErrorKey }>(
    sql`with recursive chain (first, at) as (
        select one.id, one.su_from_id from ${accounts} as one where one.id = any(${ids}) and one.su_from_id is not null
        union
        select chain.first, next.su_from_id from chain join ${accounts} as next on next.id = chain.at
          where chain.at <> chain.first and next.su_from_id is not null),
      judged (id, key) as (
        select one.id, case
          when source.asset_id <> one.asset_id then 'su_from_other_asset'
          when exists (select 1 from chain where chain.first = one.id and chain.at = one.id) then 'su_from_cycle'
          when exists (select 1 from ${accounts} as other
            where other.su_from_id = one.id and other.asset_id <> one.asset_id) then 'su_from_held'
        end
        from ${accounts} as one left join ${accounts} as source on source.id = one.su_from_id where one.id = any(${ids}))
      select id, key from judged where key is not null`,
  )
  if (found.rows.length === 0) return
  const problems = new Map(found.rows.map(({ id, key }) => [id, key]))
  throw new ValidationError(
    rows.map(({ id }): Problems => {
      const key = problems.get(id)
      return key === undefined ? {} : { [key === 'su_from_held' ? 'asset' : 'su_from']: [{ key }] }
    }),
  )
}
