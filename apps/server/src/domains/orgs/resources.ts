import { defaultOrgId, find, models, Organization, orgNames } from '@sallyport/contract'
import { eq, type SQL, sql } from 'drizzle-orm'
import type { Context } from '../../kernel/context.ts'
import type { Executor } from '../../kernel/database/index.ts'
import { ApiError, forbidden } from '../../kernel/errors.ts'
import { route, type Route } from '../../kernel/http/route.ts'
import { type Served, serve } from '../../kernel/resource/binding.ts'
import type { Settings } from '../settings/index.ts'
import type { Orgs } from './service.ts'
import { organizations } from './tables.ts'

/**
 * Something other domains keep inside organizations. An organization shows how much of it there is, and cannot be deleted while there is
 * any. Handed in by who puts the domains together, because this domain knows none of them.
 */
export interface Holding {
  /** `app.model`, for the sentence that refuses the deletion. */
  model: string
  /** The key in `resource_statistics`, where it is shown. */
  statistic?: string
  /** Removes them with the organization; without it they stand in the way of deleting it. */
  clear?: (executor: Executor, orgId: string) => Promise<void>
  /** How many this organization holds. */
  count: (orgId: SQL) => SQL
}

export function organizationServed(orgs: Orgs, settings: Settings, holdings: readonly Holding[]): Served {
  const own = sql`${organizations.id}`
  const statistics = holdings.flatMap(({ statistic, count }) =>
    statistic === undefined ? [] : [sql`${sql.raw(`'${statistic}'`)}, (${count(own)})`],
  )
  return serve(Organization, {
    table: organizations,
    computed: {
      resource_statistics: sql`json_build_object(${sql.join(statistics, sql`, `)})`,
      is_default: sql`${organizations.id} = ${defaultOrgId}::uuid`,
      is_root: sql`false`,
    },
    saved: (ctx) => orgs.changed(ctx.db),
    removing: async (ctx, rows) => {
      for (const row of rows) {
        const id = String(row['id'])
        if (row['builtin'] === true) throw forbidden('org_is_builtin')
        if (id === ctx.org.id) throw forbidden('org_is_current')
        if (id === (await settings.get('AUTH_LDAP_SYNC_ORG_ID'))) throw forbidden('org_is_ldap_target')
        await refuseIfNotEmpty(ctx, id, holdings)
        for (const { clear } of holdings) await clear?.(ctx.db, id)
      }
      await orgs.changed(ctx.db)
    },
  })
}

async function refuseIfNotEmpty(ctx: Context, id: string, holdings: readonly Holding[]): Promise<void> {
  for (const { model, count, clear } of holdings) {
    if (clear) continue
    const found = await ctx.db.execute<{ amount: string }>(sql`select (${count(sql`${id}::uuid`)}) as amount`)
    if (Number(found.rows[0]?.amount) > 0)
      throw forbidden('org_not_empty', { kind: find(models, ctx.language, model) ?? model })
  }
}

export const routesOf = (orgs: Orgs): Route[] => [
  route({
    method: 'GET',
    path: '/api/v1/orgs/orgs/current/',
    access: 'valid_user',
    handler: async (ctx) => {
      const { id, is_default, is_root } = ctx.org
      if (is_root) return { id, name: await orgs.rootName(ctx.language), is_default, is_root, comment: '' }
      const [row] = await ctx.db
        .select({ name: organizations.name, comment: organizations.comment })
        .from(organizations)
        .where(eq(organizations.id, id))
      return { id, name: row?.name ?? ctx.org.name, is_default, is_root, comment: row?.comment ?? '' }
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/v1/orgs/orgs/',
    access: { permission: 'orgs.delete_organization' },
    // Organizations are deleted one by one or not at all.
    handler: () => Promise.reject(new ApiError(400, 'bulk_delete_refused', { body: () => undefined })),
  }),
]

export const allJoinedName = (language: Context['language']) => orgNames[language].alljoined
