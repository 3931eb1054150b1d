import { defaultOrgId, modelLabel, Organization, orgNames } from '@sallyport/contract'
import { eq, type SQL, sql } from 'drizzle-orm'
import { callerOf, type Context } from '../../kernel/context.ts'
import { ApiError, forbidden } from '../../kernel/errors.ts'
import { type CallsOf, type Served, serve } from '../../kernel/resource/binding.ts'
import { missing } from '../../kernel/resource/read.ts'
import { system, within } from '../../kernel/resource/rows.ts'
import type { Orgs } from './service.ts'
import { organizations } from './tables.ts'

/** A subquery for the ids of those who belong to an organization. */
export type MemberIds = (orgId: SQL) => SQL

/** What other domains keep inside organizations: every binding of rows an organization has, once for each table. */
function holdingsOf(all: readonly Served[]): Served[] {
  const tables = new Set<unknown>()
  return all.filter(({ binding: { rows, table } }) => {
    const isHeld = (rows.of === 'org' || rows.of === 'shared' || rows.of === 'members') && !rows.outlives
    if (!isHeld || tables.has(table)) return false
    tables.add(table)
    return true
  })
}
const heldBy = ({ binding }: Served, orgId: SQL) =>
  sql`${binding.table} where ${within(binding.rows, orgId) ?? sql`false`}`

/** An organization shows how much it holds, and cannot be deleted while it holds anything. */
export function organizationServed(orgs: Orgs, all: readonly Served[], memberIds: MemberIds): Served {
  const holdings = holdingsOf(all)
  const statistics = holdings.flatMap((holding) => {
    const { held } = holding.binding
    const count = sql`select count(*)::int from ${heldBy(holding, sql`${organizations.id}`)}`
    return held?.statistic === undefined ? [] : [sql`${sql.raw(`'${held.statistic}'`)}, (${count})`]
  })
  return serve(Organization, {
    table: organizations,
    rows: system,
    computed: {
      resource_statistics: sql`json_build_object(${sql.join(statistics, sql`, `)})`,
      is_default: sql`${organizations.id} = ${defaultOrgId}::uuid`,
      is_root: sql`false`,
    },
    calls: orgCalls(orgs, memberIds),
    may: (ctx, row, action) => {
      if (action !== 'delete') return true
      if (row.builtin) return 'org_is_builtin'
      return row.id === ctx.org.id ? 'org_is_current' : true
    },
    saved: (ctx) => orgs.changed(ctx.db),
    removing: async (ctx, rows) => {
      for (const { id } of rows) {
        if (id === ctx.settings.AUTH_LDAP_SYNC_ORG_ID) throw forbidden('org_is_ldap_target')
        await empty(ctx, id, holdings)
      }
      await orgs.changed(ctx.db)
    },
  })
}

/** @throws ApiError 403 when the organization holds anything but what goes with it, which is removed. */
async function empty(ctx: Context, id: string, holdings: readonly Served[]): Promise<void> {
  for (const holding of holdings) {
    const { goes } = holding.binding.held ?? {}
    const here = heldBy(holding, sql`${id}::uuid`)
    const staying = await ctx.db.execute(
      sql`select 1 from ${here}${goes ? sql` and not ${goes}` : sql``} limit 1`,
    )
    const kind = modelLabel(holding.resource, ctx.language)
    if (staying.rows.length > 0)
      throw new ApiError(403, 'org_not_empty', { params: { kind }, knownAs: 'permission_denied' })
    if (goes) await ctx.db.execute(sql`delete from ${here} and ${goes}`)
  }
}

const orgCalls = (orgs: Orgs, memberIds: MemberIds): CallsOf<typeof Organization, typeof organizations> => ({
  current: async (ctx, { served }) => {
    const { id, is_default, is_root } = ctx.org
    if (is_root) return { id, name: await orgs.rootName(ctx.language), is_default, is_root, comment: '' }
    const [row] = await ctx.db.select().from(organizations).where(eq(organizations.id, id))
    // Who belongs to an organization may do something in it; everybody else is not told what it is called.
    const belongs = await ctx.db.execute(
      sql`select 1 where ${callerOf(ctx).id}::uuid in (${memberIds(sql`${id}::uuid`)})`,
    )
    if (row === undefined || !(belongs.rows.length > 0 || ctx.can('orgs.view_organization')))
      throw missing(served)
    return { id, name: row.name, is_default, is_root, comment: row.comment }
  },

  deleteListed: () => Promise.reject(new ApiError(400, 'bulk_delete_refused', { body: () => undefined })),
})

export const allJoinedName = (language: Context['language']) => orgNames[language].alljoined
