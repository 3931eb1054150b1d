import { FavoriteAsset } from '@sallyport/contract/resources/assets'
import { GrantedAsset } from '@sallyport/contract/resources/perms'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { FolderOutlined, StarOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useAccess } from '../../kit/access/access.ts'
import { api } from '../../kit/api/client.ts'
import { listPath, type Row } from '../../kit/api/resource.ts'
import { useErrorToast } from '../../kit/feedback/errors.ts'
import { toast } from '../../kit/feedback/toast.ts'
import { ResourceList } from '../../kit/list/resource-list.tsx'
import { Page } from '../../kit/page/page.tsx'
import { useMessages } from '../../kit/text.ts'
import type { TreeNode } from '../../kit/tree/tree-node.ts'
import { TreePanel } from '../../kit/tree/tree-panel.tsx'
import { TreeTable } from '../../kit/tree/tree-table.tsx'
import { nameOf } from '../../kit/values/name-of.ts'

const MyAssetDialog = lazy(() => import('./my-asset-dialog.tsx'))

const treeSource = { path: 'perms/users/self/nodes/children/tree/' }
const favouriteId = 'favorite'
const nodeParameter = 'node'
const nodeOf = (node: TreeNode) => node.meta?.data?.id ?? node.id

function useFavourites() {
  const text = useMessages()
  const client = useQueryClient()
  const showError = useErrorToast()
  const path = listPath(FavoriteAsset.path)
  const key = ['favourites']
  const { data } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => api.get<FavoriteAsset[]>(path, { signal }),
  })
  const ids = new Set(data?.map(({ asset }) => asset))
  const toggle = async (row: Row) => {
    const asset = String(row.id)
    try {
      if (ids.has(asset)) {
        await api.delete(path, { query: { asset } })
        toast.success(text('favouriteRemoved'))
      } else {
        await api.post(path, { asset })
        toast.success(text('favouriteAdded'))
      }
      await Promise.all([
        client.invalidateQueries({ queryKey: key }),
        client.invalidateQueries({ queryKey: ['tree', treeSource.path] }),
      ])
    } catch (error) {
      showError(error)
    }
  }
  return { isKnown: data !== undefined, has: (row: Row) => ids.has(String(row.id)), toggle }
}

/** What a person may connect to, beside the tree in which it lies. */
export default function MyAssets() {
  const text = useMessages()
  const { can } = useAccess()
  const [params, setParams] = useSearchParams()
  const [shown, setShown] = useState<Row>()
  const favourites = useFavourites()
  const node = params.get(nodeParameter)
  return (
    <Page>
      <TreeTable
        tree={
          <TreePanel
            label={text('myAssets')}
            source={treeSource}
            isSelected={(candidate) => nodeOf(candidate) === node}
            onSelect={(chosen) => setParams({ [nodeParameter]: nodeOf(chosen) })}
            icon={iconOf}
          />
        }
      >
        <ResourceList
          resource={GrantedAsset}
          path={node ? `perms/users/self/nodes/${encodeURIComponent(node)}/assets/` : GrantedAsset.path}
          describedBy={GrantedAsset.path}
          can={{ create: false, update: false, remove: false, clone: false, bulkRemove: false }}
          detailTo={false}
          exclude={['id', 'spec_info', 'protocols', 'domain']}
          defaultColumns={['name', 'address', 'platform', 'comment']}
          minColumns={['name', 'address']}
          searchExclude={['id', 'platform', 'domain']}
          cells={{
            name: {
              render: (row) => (
                <Button type="link" size="small" style={{ padding: 0 }} onClick={() => setShown(row)}>
                  {nameOf(row)}
                </Button>
              ),
            },
          }}
          rowActions={[
            {
              name: 'connect',
              title: text('connect'),
              order: 1,
              disabled: (row) => row['is_active'] !== true || !can('rbac.view_webterminal'),
              run: (row) =>
                window.open(`/luna/?login_to=${encodeURIComponent(row.id)}`, '_blank', 'noopener'),
            },
            {
              name: 'favourite',
              title: (row) => text(favourites.has(row) ? 'unfavourite' : 'favourite'),
              disabled: !favourites.isKnown,
              run: (row) => void favourites.toggle(row),
            },
          ]}
        />
      </TreeTable>
      {shown && (
        <Suspense>
          <MyAssetDialog asset={shown} onClose={() => setShown(undefined)} />
        </Suspense>
      )}
    </Page>
  )
}

function iconOf(node: TreeNode) {
  return nodeOf(node) === favouriteId ? <StarOutlined aria-hidden /> : <FolderOutlined aria-hidden />
}
