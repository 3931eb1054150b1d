import { FavoriteAsset } from '@sallyport/contract/resources/assets'
import { MyGrants } from '@sallyport/contract/resources/grants'
import { GrantedAsset } from '@sallyport/contract/resources/perms'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { FolderOutlined, StarOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { Suspense, useState } from 'react'
import { lazyPart } from '../../kit/loading/lazy-part.tsx'
import { useSearchParams } from 'react-router'
import type { Action } from '../../kit/actions/action.ts'
import { addressOf, call } from '../../kit/api/call.ts'
import { api } from '../../kit/api/client.ts'
import { listPath } from '../../kit/api/resource.ts'
import { toast } from '../../kit/feedback/toast.ts'
import { namesOnDemand } from '../../kit/list/names-on-demand.tsx'
import { ResourceList } from '../../kit/list/resource-list.tsx'
import { Page } from '../../kit/page/page.tsx'
import { useMessages } from '../../kit/text.ts'
import { idOfNode, type TreeNode } from '../../kit/tree/tree-node.ts'
import { treeAt } from '../../kit/tree/tree-source.ts'
import { TreePanel } from '../../kit/tree/tree-panel.tsx'
import { TreeTable } from '../../kit/tree/tree-table.tsx'
import { nameOf } from '../../kit/values/name-of.ts'
import { connectTo } from './connect.ts'

const MyAssetDialog = lazyPart(() => import('./my-asset-dialog.tsx'))

const treeSource = treeAt(addressOf(MyGrants, 'childNodeTree', {}))
const favouriteId = 'favorite'
const nodeParameter = 'node'

function useFavouriteAction() {
  const text = useMessages()
  const client = useQueryClient()
  const path = listPath(FavoriteAsset.path)
  const key = ['favourites']
  const { data } = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => api.get<FavoriteAsset[]>(path, { signal }),
  })
  const ids = new Set(data?.map(({ asset }) => asset))
  const toggle: Action<GrantedAsset> = {
    name: 'favourite',
    title: ({ id }) => (ids.has(id) ? 'workbench:unfavourite' : 'workbench:favourite'),
    when: () => data !== undefined,
    call: async ([row]) => {
      if (row === undefined) return
      const asset = row.id
      if (ids.has(asset)) {
        await call(FavoriteAsset, 'remove', { query: { asset } })
        toast.success(text('workbench:favouriteRemoved'))
      } else {
        await api.post(path, { asset })
        toast.success(text('workbench:favouriteAdded'))
      }
      await Promise.all([
        client.invalidateQueries({ queryKey: key }),
        client.invalidateQueries({ queryKey: ['tree', ...treeSource.key] }),
      ])
    },
  }
  return toggle
}

const connect: Action<GrantedAsset> = {
  name: 'connect',
  title: 'workbench:connect',
  order: 1,
  when: (asset, { can }) => asset.is_active && can('rbac.view_webterminal'),
  call: ([asset]) => asset && connectTo(asset.id),
}

const accountsOfMine = namesOnDemand('accounts', 'self', (asset, signal) =>
  call(MyGrants, 'accounts', { asset }, { signal }),
)

/** What a person may connect to, beside the tree in which it lies. */
export default function MyAssets() {
  const text = useMessages()
  const [params, setParams] = useSearchParams()
  const [shown, setShown] = useState<GrantedAsset>()
  const favourite = useFavouriteAction()
  const node = params.get(nodeParameter)
  return (
    <Page>
      <TreeTable
        tree={
          <TreePanel
            label={text('myAssets')}
            source={treeSource}
            isSelected={(candidate) => idOfNode(candidate) === node}
            onSelect={(chosen) =>
              setParams((current) => {
                const next = new URLSearchParams(current)
                next.set(nodeParameter, idOfNode(chosen))
                next.delete('page')
                return next
              })
            }
            icon={iconOf}
          />
        }
      >
        <ResourceList
          resource={GrantedAsset}
          path={node ? addressOf(MyGrants, 'nodeAssets', { node }) : GrantedAsset.path}
          describedBy={GrantedAsset.path}
          can="look"
          detailTo={false}
          columns={[
            'name',
            'address',
            'accounts',
            'platform',
            'comment',
            'category',
            'type',
            'is_active',
            'org_id',
            'org_name',
          ]}
          defaultColumns={['name', 'address', 'accounts', 'platform']}
          minColumns={['name', 'address']}
          searchExclude={['id', 'platform', 'domain']}
          extra={{ accounts: accountsOfMine }}
          cells={{
            address: { widthPx: 132 },
            name: {
              render: (row) => (
                <Button
                  type="link"
                  size="small"
                  style={{ height: 'auto', padding: 0, textAlign: 'start', whiteSpace: 'normal' }}
                  onClick={() => setShown(row)}
                >
                  {nameOf(row)}
                </Button>
              ),
            },
          }}
          rowActions={[connect, favourite]}
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
  return idOfNode(node) === favouriteId ? <StarOutlined aria-hidden /> : <FolderOutlined aria-hidden />
}
