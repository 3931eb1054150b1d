import { Account } from '@sallyport/contract/resources/accounts'
import { Asset } from '@sallyport/contract/resources/assets'
import { Node } from '@sallyport/contract/resources/nodes'
import { useQueryClient } from '@tanstack/react-query'
import { Segmented } from 'antd'
import { useMemo } from 'react'
import { AppstoreOutlined, DesktopOutlined, FolderOutlined } from '@ant-design/icons'
import { addressOf } from '../../../kit/api/call.ts'
import type { TreeNode } from '../../../kit/tree/tree-node.ts'
import { treeAt } from '../../../kit/tree/tree-source.ts'
import { type NodeActions, TreePanel } from '../../../kit/tree/tree-panel.tsx'
import { useMessages } from '../../../kit/text.ts'
import { ChosenElsewhere } from './chosen-elsewhere.tsx'
import { renameNode } from './node-actions.tsx'
import { useNodeMoves } from './node-moves.ts'
import { type TreeKind, type TreeSelection, useTreeSelection } from './use-tree-selection.ts'
import { wayToChoice } from './way-to-choice.ts'
import styles from './assets.module.css'

interface AssetTreeProps {
  /** Assets are shown below their nodes. */
  withAssets?: boolean
  /** What the type tree counts; left out: there is only the tree of nodes. */
  counts?: 'asset' | 'account'
  /** What can be done with nodes; they can be renamed then, too. */
  actions?: NodeActions
}

/** The tree of nodes, or of types, by which the list of a page is narrowed. */
export function AssetTree(props: AssetTreeProps) {
  return <SelectingTree {...props} selection={useTreeSelection()} />
}

/** The same for a list anywhere. */
export function SelectingTree({
  withAssets = false,
  counts,
  actions,
  selection,
}: AssetTreeProps & { selection: TreeSelection }) {
  const text = useMessages()
  const byType = counts !== undefined && selection.kind === 'types'
  const source = useMemo(() => {
    const assets = withAssets ? 1 : 0
    const counted = [counts === 'account' ? Account.path : Asset.path]
    return byType
      ? { ...treeAt(addressOf(Node, 'typeTree', {}), { assets, count_resource: counts }), counted }
      : { ...treeAt(addressOf(Node, 'tree', {}), { assets }), counted }
  }, [byType, withAssets, counts])
  const moves = useNodeMoves()
  const client = useQueryClient()
  const { query, hasChoice } = selection
  const choice = useMemo(
    () => (hasChoice ? { key: JSON.stringify(query), wayTo: () => wayToChoice(client, query) } : undefined),
    [client, query, hasChoice],
  )
  const tools = counts !== undefined && (
    <Segmented<TreeKind>
      block
      size="small"
      className={styles.treeTools}
      aria-label={text('console:treeKind')}
      value={selection.kind}
      options={[
        { value: 'nodes', label: text('console:assetTree') },
        { value: 'types', label: text('console:typeTree') },
      ]}
      onChange={selection.setKind}
    />
  )
  return (
    <TreePanel
      key={byType ? 'types' : 'nodes'}
      label={text(byType ? 'console:typeTree' : 'console:assetTree')}
      source={source}
      tools={tools}
      isSelected={selection.isSelected}
      onSelect={selection.select}
      choice={choice}
      unseen={selection.hasChoice && <ChosenElsewhere selection={selection} />}
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
