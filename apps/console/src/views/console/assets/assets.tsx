import { Asset } from '@sallyport/contract/resources/assets'
import { useMemo, useState } from 'react'
import {
  AppstoreOutlined,
  CloudOutlined,
  DatabaseOutlined,
  DesktopOutlined,
  GlobalOutlined,
  HddOutlined,
} from '@ant-design/icons'
import { useSearchParams } from 'react-router'
import type { Action } from '../../../kit/actions/action.ts'
import { Page } from '../../../kit/page/page.tsx'
import { screens } from '../../../kit/screens/screens.tsx'
import { readStored, writeStored } from '../../../kit/storage/storage.ts'
import { Tabs } from '../../../kit/tabs/tabs.tsx'
import { useMessages } from '../../../kit/text.ts'
import type { TreeNode } from '../../../kit/tree/tree-node.ts'
import type { NodeActions } from '../../../kit/tree/tree-panel.tsx'
import { TreeTable } from '../../../kit/tree/tree-table.tsx'
import { AllAssets, AssetsOf, updateAsset } from './asset-list.tsx'
import { assetTabs } from './asset-tabs.tsx'
import { AssetTree } from './asset-tree.tsx'
import { categories } from './categories.ts'
import { HostKeysWait, HostKeyWaits } from './host-key-notice.tsx'
import { nodeActions } from './node-actions.tsx'

const onlyDirectKey = 'showCurrentAsset'
const icons = {
  host: <DesktopOutlined aria-hidden />,
  device: <HddOutlined aria-hidden />,
  database: <DatabaseOutlined aria-hidden />,
  cloud: <CloudOutlined aria-hidden />,
  web: <GlobalOutlined aria-hidden />,
}

/** All assets beside the trees that narrow them. */
function BesideTrees() {
  const [params] = useSearchParams()
  const [onlyDirect, setOnlyDirect] = useState(() => readStored(onlyDirectKey) === true)
  const actions = useMemo((): NodeActions => {
    const showing: Action<TreeNode> = {
      name: 'direct',
      title: onlyDirect ? 'console:showAllBelow' : 'console:showOnlyDirect',
      call: () => {
        writeStored(onlyDirectKey, !onlyDirect)
        setOnlyDirect(!onlyDirect)
      },
    }
    return (of, tree) => nodeActions(of, tree, showing)
  }, [onlyDirect])
  const isNarrowed = params.has('node_id')
  const query = useMemo(
    () => (isNarrowed ? { show_current_asset: onlyDirect ? 1 : 0 } : {}),
    [isNarrowed, onlyDirect],
  )
  return (
    <TreeTable tree={<AssetTree counts="asset" actions={actions} />}>
      <AllAssets query={query} />
    </TreeTable>
  )
}

function AssetList() {
  const text = useMessages()
  return (
    <Page>
      <HostKeysWait />
      <Tabs
        tabs={[
          {
            name: 'all',
            title: text('console:allCategories'),
            icon: <AppstoreOutlined aria-hidden />,
            isPlain: true,
            content: <BesideTrees />,
          },
          ...categories.map(({ category, tab, title }) => ({
            name: tab,
            title: text(title),
            icon: icons[category],
            content: <AssetsOf category={category} />,
          })),
        ]}
      />
    </Page>
  )
}

export default screens(Asset, {
  page: AssetList,
  detail: {
    actions: [updateAsset],
    notice: (asset) => <HostKeyWaits asset={asset} />,
    tabs: assetTabs,
  },
})
