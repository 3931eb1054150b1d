/** A person's granted assets, as the server tells them. */
import { FavoriteAsset } from '@sallyport/contract/resources/assets'
import { type ConnectMethod, Components } from '@sallyport/contract/resources/components'
import { MyGrants } from '@sallyport/contract/resources/grants'
import type { GrantedAsset, PermittedAccountRow } from '@sallyport/contract/resources/perms'
import type { TreeNode } from '@sallyport/contract/resource/tree'
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { call } from '../../kit/api/call.ts'
import { api } from '../../kit/api/client.ts'
import { listPath, pageOf } from '../../kit/api/resource.ts'
import { currentOrganizationId } from '../person.tsx'

export type { ConnectMethod, GrantedAsset, PermittedAccountRow as GrantedAccount, TreeNode }

export const isAssetNode = (node: TreeNode) => node.meta?.type === 'asset'

export const favoriteKey = 'favorite'

/** One level of the tree; without a key the top. Asked again with `rebuild` when the person presses refresh. */
export function useTreeLevel(key: string | undefined, enabled = true) {
  return useQuery({
    queryKey: ['granted-tree', currentOrganizationId(), key ?? ''],
    queryFn: ({ signal }) => call(MyGrants, 'childTree', { query: { key } }, { signal }),
    enabled,
  })
}

const searchPageSize = 20

export function useAssetSearch(text: string) {
  return useInfiniteQuery({
    queryKey: ['granted-search', currentOrganizationId(), text],
    queryFn: async ({ pageParam, signal }) => {
      const query = { search: text, limit: searchPageSize, offset: pageParam }
      return pageOf(await call(MyGrants, 'assets', { query }, { signal }))
    },
    initialPageParam: 0,
    getNextPageParam: (last, pages) => {
      const loaded = pages.length * searchPageSize
      return loaded < last.count ? loaded : undefined
    },
    enabled: text !== '',
  })
}

/** One granted asset; undefined when it is not, or no longer, granted. */
export async function loadAsset(id: string): Promise<GrantedAsset | undefined> {
  const { results } = pageOf(await call(MyGrants, 'assets', { query: { id } }))
  return results.find((row) => row.id === id)
}

export const loadAccounts = (asset: string) => call(MyGrants, 'accounts', { asset })

export const loadConnectMethods = () => call(Components, 'connectMethods', {})

const favoritesPath = listPath(FavoriteAsset.path)

/** The person's favourites; `onError` is told when a change did not succeed. */
export function useFavorites(onError: (error: Error) => void) {
  const client = useQueryClient()
  const queryKey = ['favorites']
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.get<FavoriteAsset[]>(favoritesPath, { signal }),
  })
  const ids = new Set(data?.map((row) => row.asset))
  const toggle = useMutation({
    mutationFn: (assetId: string) =>
      ids.has(assetId)
        ? call(FavoriteAsset, 'remove', { query: { asset: assetId } })
        : api.post(favoritesPath, { asset: assetId }),
    onError,
    onSettled: async () => {
      await client.invalidateQueries({ queryKey })
      await client.invalidateQueries({ queryKey: ['granted-tree', currentOrganizationId(), favoriteKey] })
    },
  })
  return { isFavorite: (assetId: string) => ids.has(assetId), toggle }
}
