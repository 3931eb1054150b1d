import type { MenuProps } from 'antd'
import { lazy, Suspense, useState } from 'react'
import { useAccess } from '../../../kit/access/access.ts'
import { useMessages } from '../../../kit/text.ts'
import type { TreeNode } from '../../../kit/tree/tree-node.ts'
import { type Change, type ChangeRequest, type Refresh, titles } from './node-change.ts'

const AssetsOfNodeDialog = lazy(() => import('./assets-of-node-dialog.tsx'))
const NodeInfoDialog = lazy(() => import('./node-info-dialog.tsx'))

/** What can be done with the assets of a node, and how much of it the list shows. */
export function useNodeMenu(onlyDirect: boolean, setOnlyDirect: (only: boolean) => void) {
  const text = useMessages()
  const { can, inRoot } = useAccess()
  const [request, setRequest] = useState<ChangeRequest>()
  const [shown, setShown] = useState<TreeNode>()

  const menu = (node: TreeNode, refresh: Refresh): NonNullable<MenuProps['items']> => {
    if (node.meta?.type !== 'node') return []
    const forbidden = inRoot || !can('assets.change_assetnodes')
    const ask = (change: Change) => ({
      key: change,
      label: text(titles[change]),
      disabled: forbidden,
      onClick: () => setRequest({ change, node, refresh }),
    })
    return [
      { type: 'divider' },
      ask('add'),
      ask('replace'),
      ask('remove'),
      { type: 'divider' },
      {
        key: 'direct',
        label: text(onlyDirect ? 'showAllBelow' : 'showOnlyDirect'),
        onClick: () => setOnlyDirect(!onlyDirect),
      },
      { type: 'divider' },
      { key: 'info', label: text('nodeInformation'), onClick: () => setShown(node) },
    ]
  }
  const dialogs = (
    <Suspense>
      {request && <AssetsOfNodeDialog {...request} onClose={() => setRequest(undefined)} />}
      {shown && <NodeInfoDialog node={shown} onClose={() => setShown(undefined)} />}
    </Suspense>
  )
  return { menu, dialogs }
}
