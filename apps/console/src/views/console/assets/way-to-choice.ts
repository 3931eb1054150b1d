import { Asset } from '@sallyport/contract/resources/assets'
import { Node } from '@sallyport/contract/resources/nodes'
import type { QueryClient } from '@tanstack/react-query'
import { api } from '../../../kit/api/client.ts'
import { queryKeys } from '../../../kit/api/keys.ts'
import { detailPath } from '../../../kit/api/resource.ts'

/**
 * The way to what a list is narrowed to in the tree of nodes, by the ids of its nodes, topmost first. The key of a node
 * begins with those of all above it, as `1:4:2`; an asset stands in the first of its nodes.
 */
export async function wayToChoice(
  client: QueryClient,
  query: Readonly<Record<string, string>>,
): Promise<readonly string[]> {
  const read = <R>(path: string, id: string) =>
    client.fetchQuery({
      queryKey: queryKeys.detail(path, id),
      queryFn: ({ signal }) => api.get<R>(detailPath(path, id), { signal }),
    })
  const { asset_id: assetId, node_id: nodeId } = query
  const asset = assetId === undefined ? undefined : await read<Asset>(Asset.path, assetId)
  const place = asset?.nodes[0]?.id ?? nodeId
  if (place === undefined) return []
  const { key } = await read<Node>(Node.path, place)
  const parts = key.split(':')
  const way = parts.map((_part, at) => parts.slice(0, at + 1).join(':'))
  return asset ? [...way, asset.id] : way
}
