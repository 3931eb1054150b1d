import { Node } from '@sallyport/contract/resources/nodes'
import { Segmented } from 'antd'
import { useSearchParams } from 'react-router'
import { useMemo } from 'react'
import { AppstoreOutlined, DesktopOutlined, FolderOutlined } from '@ant-design/icons'
import { addressOf } from '../../../kit/api/call.ts'
import type { TreeNode } from '../../../kit/tree/tree-node.ts'
import { treeAt } from '../../../kit/tree/tree-source.ts'
import { type NodeActions, TreePanel } from '../../../kit/tree/tree-panel.tsx'
import { useMessages } from '../../../kit/text.ts'
import { renameNode } from './node-actions.tsx'
import { useNodeMoves } from './node-moves.ts'
import { useTreeSelection } from './use-tree-selection.ts'
import styles from './assets.module.css'

interface AssetTreeProps {
  /** Assets are shown below their nodes. */
  withAssets?: boolean
  /** What the type tree counts; left out: there is only the tree of nodes. */
  counts?: 'asset' | 'account'
  /** What can be done with nodes; they can be renamed then, too. */
  actions?: NodeActions
}

const treeParameter = 'activeTreeTab'
const typeTree = 'BuiltinTree'
const nodeTree = 'CustomTree'

/** The tree of nodes, or of types, by which a list of assets or accounts is narrowed. */
export function AssetTree({ withAssets = false, counts, actions }: AssetTreeProps) {
  const text = useMessages()
  const selection = useTreeSelection()
  const [params, setParams] = useSearchParams()
  const byType = counts !== undefined && params.get(treeParameter) === typeTree
  const source = useMemo(() => {
    const assets = withAssets ? 1 : 0
    return byType
      ? treeAt(addressOf(Node, 'typeTree', {}), { assets, count_resource: counts })
      : treeAt(addressOf(Node, 'tree', {}), { assets })
  }, [byType, withAssets, counts])
  const moves = useNodeMoves()
  const tools = counts !== undefined && (
    <Segmented
      block
      size="small"
      className={styles.treeTools}
      aria-label={text('treeKind')}
      value={byType ? typeTree : nodeTree}
      options={[
        { value: nodeTree, label: text('assetTree') },
        { value: typeTree, label: text('typeTree') },
      ]}
      onChange={(kind) =>
        setParams((current) => {
          const next = new URLSearchParams(current)
          next.set(treeParameter, kind)
          return next
        })
      }
    />
  )
  return (
    <TreePanel
      key={byType ? typeTree : nodeTree}
      label={text(byType ? 'typeTree' : 'assetTree')}
      source={source}
      tools={tools}
      isSelected={selection.isSelected}
      onSelect={selection.select}
      icon={iconOf}
      {...(actions && !byType && { actions, onRename: renameNode, moves })}
    />
  )
}

function iconOf(node: TreeNode) {
  const kind = node.meta?.type
  if (kind === 'asset') return <DesktopOutlined aria-hidden />
  return kind === 'node' ? <FolderOutlined aria-hidden /> : <AppstoreOutlined aria-hidden />
}
