/** A person's granted assets, as the server tells them. */
import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../kit/api/client.ts'
import { currentOrganizationId } from '../person.tsx'

export interface GrantedAsset {
  id: string
  name: string
  address: string
  is_active: boolean
  org_name: string
  platform: { id: number | string; name: string }
  protocols: { name: string; port: number }[]
}

export interface GrantedAccount {
  alias: string
  name: string
  username: string
  has_secret: boolean
}

export interface ConnectMethod {
  value: string
  label: string
  type: string
  component: string
}

export interface TreeNode {
  id: string
  name: string
  title: string
  /** The id of the node above; empty at the top. */
  pId: string
  isParent: boolean
  iconSkin?: string
  /** The asset is switched off. */
  chkDisabled?: boolean
  meta?: { type?: string; data?: { platform_type?: string } }
}

export const isAssetNode = (node: TreeNode) => node.meta?.type === 'asset'

export const favoriteKey = 'favorite'

/** One level of the tree; without a key the top. Asked again with `rebuild` when the person presses refresh. */
export function useTreeLevel(key: string | undefined, enabled = true) {
  return useQuery({
    queryKey: ['granted-tree', currentOrganizationId(), key ?? ''],
    queryFn: ({ signal }) =>
      api.get<TreeNode[]>('perms/users/self/nodes/children-with-assets/tree/', { query: { key }, signal }),
    enabled,
  })
}

const searchPageSize = 20

export function useAssetSearch(text: string) {
  return useInfiniteQuery({
    queryKey: ['granted-search', currentOrganizationId(), text],
    queryFn: ({ pageParam, signal }) =>
      api.get<{ count: number; results: GrantedAsset[] }>('perms/users/self/assets/', {
        query: { search: text, limit: searchPageSize, offset: pageParam },
        signal,
      }),
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
  const rows = await api.get<GrantedAsset[] | { results: GrantedAsset[] }>('perms/users/self/assets/', {
    query: { id },
  })
  return (Array.isArray(rows) ? rows : rows.results).find((row) => row.id === id)
}

export const loadAccounts = (assetId: string) =>
  api.get<GrantedAccount[]>(`perms/users/self/assets/${encodeURIComponent(assetId)}/accounts/`)

export const loadConnectMethods = () =>
  api.get<Record<string, ConnectMethod[]>>('terminal/components/connect-methods/')

/** The person's favourites; `onError` is told when a change did not succeed. */
export function useFavorites(onError: (error: Error) => void) {
  const client = useQueryClient()
  const queryKey = ['favorites']
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => api.get<{ asset: string }[]>('assets/favorite-assets/', { signal }),
  })
  const ids = new Set(data?.map((row) => row.asset))
  const toggle = useMutation({
    mutationFn: (assetId: string) =>
      ids.has(assetId)
        ? api.delete('assets/favorite-assets/', { query: { asset: assetId } })
        : api.post('assets/favorite-assets/', { asset: assetId }),
    onError,
    onSettled: async () => {
      await client.invalidateQueries({ queryKey })
      await client.invalidateQueries({ queryKey: ['granted-tree', currentOrganizationId(), favoriteKey] })
    },
  })
  return { isFavorite: (assetId: string) => ids.has(assetId), toggle }
}
