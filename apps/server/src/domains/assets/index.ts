import { AssetCategories } from '@sallyport/contract'
import { type Counted, keptCount } from '../../kernel/counts/counts.ts'
import type { Executor } from '../../kernel/database/index.ts'
import type { Domain } from '../../kernel/domain.ts'
import type { Ground } from '../../kernel/ground.ts'
import { provide } from '../../kernel/resource/calls.ts'
import { assetsServed, type AccountsOfAssets } from './assets.ts'
import { categoryCalls } from './categories.ts'
import { domainServed } from './domains.ts'
import { favoriteServed } from './favourites.ts'
import { labelServed } from './labels.ts'
import { nodeServed } from './node-binding.ts'
import { nodeCalls } from './node-calls.ts'
import { ensureRoot, renameRoot } from './nodes.ts'
import { platformsServed } from './platforms.ts'
import { seed } from './seed.ts'
import { assetCounts, assetNodeCounts, assetNodes, assets } from './tables.ts'
import { healShared } from './tree.ts'

export { type AccountsOfAssets, allAssets } from './assets.ts'
export { withReason } from './connectivity.ts'
export { assetFilters, underNode, underNodes } from './filters.ts'
export { ensureRoot, fullValue as nodePath, tree as nodeTree } from './nodes.ts'
export { platformsRead } from './platforms.ts'
export {
  assetNodeCounts,
  assetNodes,
  assets,
  domains,
  favoriteAssets,
  nodeBranches,
  nodes,
  platforms,
} from './tables.ts'
export {
  assetReading,
  assetRelation,
  domainRelation,
  isGateway,
  labelAsset,
  nodeRelation,
  platformRelation,
} from './reading.ts'
export {
  cutTree,
  inSeveralNodes,
  nodeOfTree,
  parentKeyOf,
  readAtMost,
  readNodes,
  readTreeAssets,
  type ReadNode,
} from './tree.ts'

const ofAll: Counted = { table: assets, counts: assetCounts }
const ofNodes: Counted = { table: assetNodes, counts: assetNodeCounts, heal: healShared }
/** What the tree shows amounts by. */
export const assetsCounted: readonly Counted[] = [ofAll, ofNodes]

/** Assets of all organizations, as a licence counts them. */
export async function countAssets(executor: Executor): Promise<number> {
  const { rows } = await executor.execute<{ count: string }>(keptCount(ofAll, undefined))
  return Number(rows[0]?.count)
}

/** Assets, platforms, nodes, domains, labels and favourites. */
export function domain(ground: Pick<Ground, 'database' | 'secrets'>, accountsOf: AccountsOfAssets): Domain {
  const { all, hosts, gateways, others } = assetsServed(accountsOf)
  return {
    name: 'assets',
    resources: [
      platformsServed(accountsOf),
      nodeServed(nodeCalls(ground.secrets, all, accountsOf)),
      domainServed(accountsOf),
      labelServed,
      favoriteServed,
      all,
      hosts,
      ...others,
      gateways,
    ],
    services: [provide(AssetCategories, categoryCalls)],
    counted: [ofNodes],
    seed: () => seed(ground.database.db),
    // The root of the tree is called as its organization is.
    onRecord: async (ctx, events) => {
      for (const event of events) {
        if (event.type !== 'created' && event.type !== 'updated') continue
        if (event.resource.model !== 'organization') continue
        const org = { id: event.id, name: String(event.after?.['name']) }
        if (event.type === 'created') await ensureRoot(ctx.db, org)
        else await renameRoot(ctx.db, org)
      }
    },
  }
}
