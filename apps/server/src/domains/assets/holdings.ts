import { eq, type SQL, sql } from 'drizzle-orm'
import type { PgColumn, PgTable } from 'drizzle-orm/pg-core'
import type { Holding } from '../orgs/index.ts'
import { assets, domains, labels, nodes } from './tables.ts'

const countOf =
  (table: PgTable & { org_id: PgColumn }, also: SQL = sql`true`) =>
  (orgId: SQL) =>
    sql`select count(*)::int from ${table} where ${table.org_id} = ${orgId} and ${also}`

/** What organizations hold of this domain. */
export const holdings: readonly Holding[] = [
  { model: 'assets.asset', statistic: 'assets_amount', count: countOf(assets) },
  { model: 'assets.label', count: countOf(labels) },
  { model: 'assets.domain', statistic: 'domains_amount', count: countOf(domains) },
  { model: 'assets.node', count: countOf(nodes, sql`${nodes.parent_key} <> ''`) },
  {
    model: 'assets.node',
    statistic: 'nodes_amount',
    count: countOf(nodes),
    // The root of the tree goes with its organization.
    clear: async (executor, orgId) => {
      await executor.delete(nodes).where(eq(nodes.org_id, orgId))
    },
  },
]
