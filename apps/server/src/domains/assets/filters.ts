/** Filters every list of assets takes. Each answers a condition on the table `assets`. */
import { isUuid } from '@sallyport/contract'
import { eq, inArray, type SQL, sql } from 'drizzle-orm'
import { containing } from '../../kernel/database/index.ts'
import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { isKey } from '../../kernel/tree/tree.ts'
import { tree } from './nodes.ts'
import { assetLabels, assetNodes, assets, domains, labels, platforms } from './tables.ts'

type Query = Readonly<Record<string, string>>
const maxListed = 1000

const ofPlatforms = (condition: SQL) =>
  sql`${assets.platform_id} in (select ${platforms.id} from ${platforms} where ${condition})`
const isTrue = (value: string) => value.toLowerCase() === 'true'
/** Filters of numbers-as-words: `1`, `true`, `yes`. */
const isYes = (value: string | undefined) => value !== undefined && /^(1|true|yes)$/i.test(value)

const labelled = (condition: SQL) =>
  sql`exists (
    select 1
    from ${assetLabels}
    join ${labels} on ${labels.id} = ${assetLabels.label_id}
    where ${assetLabels.asset_id} = ${assets.id} and ${condition})`

function pair(text: string): { name: string; value: string } | undefined {
  const at = text.search(/[:#]/)
  return at < 0 ? undefined : { name: text.slice(0, at), value: text.slice(at + 1) }
}
const carries = ({ name, value }: { name: string; value: string }) =>
  sql`${labels.name} = ${name} and ${labels.value} = ${value}`

const heldBy = (nodeIds: SQL): SQL =>
  sql`${assets.id} in (select held.asset_id from (${nodeIds}) as within join ${assetNodes} as held on held.node_id = within.id)`

/** Assets of a node and (unless only its own are wanted) of everything below it. */
export const underNode = (nodeId: string | SQL, onlyDirect: boolean): SQL =>
  heldBy(onlyDirect ? sql`select ${nodeId}::uuid as id` : tree.below(nodeId))

/** Assets of these nodes and of everything below them. */
export const underNodes = (nodeIds: readonly string[]): SQL => heldBy(tree.belowThese(nodeIds))

/** @throws ValidationError on what is neither an id nor a key; of a node that is not here there are no assets. */
const byNode =
  (name: string) =>
  (value: string, _ctx: Context, query: Query): SQL => {
    if (!isUuid(value) && !isKey(value)) throw invalid(name, 'not_uuid')
    const onlyDirect =
      isYes(query['show_current_asset']) || (query['all'] !== undefined && !isYes(query['all']))
    // Assets of another organization's node are not in this list.
    return underNode(isUuid(value) ? value : tree.idOf(value), onlyDirect)
  }

/** Flags of the platform: its own columns or parts of its automation. */
export const platformFlag = (name: string): SQL =>
  name === 'domain_enabled'
    ? sql`${platforms.domain_enabled}`
    : name === 'su_enabled'
      ? sql`${platforms.su_enabled}`
      : sql`coalesce((${platforms.automation} ->> ${sql.raw(`'${name}'`)})::boolean, false)`
const byFlag = (name: string) => (value: string) => ofPlatforms(sql`${platformFlag(name)} = ${isTrue(value)}`)

export const assetFilters = {
  type: (value: string) => ofPlatforms(eq(platforms.type, value)),
  category: (value: string) => ofPlatforms(sql`${platforms.category} = ${value}`),
  platform: (value: string) =>
    /^\d{1,9}$/.test(value) ? eq(assets.platform_id, Number(value)) : ofPlatforms(eq(platforms.name, value)),
  domain: (value: string) =>
    isUuid(value)
      ? eq(assets.domain_id, value)
      : sql`${assets.domain_id} in (select ${domains.id} from ${domains} where ${domains.name} ilike ${containing(value)})`,
  labels: (value: string) => {
    const wanted = pair(value)
    return labelled(
      wanted
        ? carries(wanted)
        : sql`(${labels.name} ilike ${containing(value)} or ${labels.value} ilike ${containing(value)})`,
    )
  },
  label: (value: string) => {
    const wanted = pair(value)
    return wanted ? labelled(sql`${labels.is_active} and ${carries(wanted)}`) : sql`false`
  },
  node: byNode('node'),
  node_id: byNode('node_id'),
  ips: (value: string) => {
    const addresses = value.split(',', maxListed).filter((address) => address !== '')
    return addresses.length === 0 ? sql`false` : inArray(assets.address, addresses)
  },
  domain_enabled: byFlag('domain_enabled'),
  ping_enabled: byFlag('ping_enabled'),
  gather_facts_enabled: byFlag('gather_facts_enabled'),
  change_secret_enabled: byFlag('change_secret_enabled'),
  push_account_enabled: byFlag('push_account_enabled'),
  verify_account_enabled: byFlag('verify_account_enabled'),
  gather_accounts_enabled: byFlag('gather_accounts_enabled'),
} as const
