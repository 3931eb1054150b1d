import { ReloadOutlined, SearchOutlined } from '@ant-design/icons'
import { Button, Input } from 'antd'
import type { MenuProps } from 'antd'
import { type ReactNode, useEffect, useState } from 'react'
import { describeError } from '../feedback/errors.ts'
import { readStored, writeStored } from '../storage/storage.ts'
import { useKitText } from '../text.ts'
import { useNodeActions } from './node-actions.ts'
import styles from './tree.module.css'
import type { TreeNode } from './tree-node.ts'
import { TreeView } from './tree-view.tsx'
import { type TreeSource, useTree } from './use-tree.ts'

const searchPauseMs = 600
const searchOpenKey = 'showTreeSearch'

interface TreePanelProps {
  label: string
  source: TreeSource
  isSelected: (node: TreeNode) => boolean
  onSelect: (node: TreeNode) => void
  icon?: (node: TreeNode) => ReactNode
  /** Nodes can be created, renamed and deleted. */
  editable?: boolean
  /** Between the heading and the tree. */
  tools?: ReactNode
  /** More entries of a node's menu; `refresh` asks for the tree again after a change. */
  menu?: (node: TreeNode, refresh: () => Promise<unknown>) => NonNullable<MenuProps['items']>
}

/** A tree with its search and refresh. */
export function TreePanel(props: TreePanelProps) {
  const { label, source, isSelected, onSelect, icon, editable, menu } = props
  const t = useKitText()
  const [searchOpen, setSearchOpen] = useState(() => readStored(searchOpenKey) === true)
  const [typed, setTyped] = useState('')
  const [search, setSearch] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed.trim()), searchPauseMs)
    return () => clearTimeout(timer)
  }, [typed])
  const tree = useTree(source, search)
  const actions = useNodeActions(tree)
  const nodeMenu = (node: TreeNode, level: number) => [
    ...(editable ? actions.menu(node, level) : []),
    ...(menu?.(node, tree.refresh) ?? []),
  ]
  const openSearch = () => {
    writeStored(searchOpenKey, !searchOpen)
    setSearchOpen(!searchOpen)
    setTyped('')
  }
  return (
    <section className={styles.panel} aria-label={label}>
      <header>
        <h2>{label}</h2>
        <Button
          type="text"
          size="small"
          icon={<SearchOutlined aria-hidden />}
          aria-label={t('search')}
          aria-expanded={searchOpen}
          onClick={openSearch}
        />
        <Button
          type="text"
          size="small"
          icon={<ReloadOutlined aria-hidden />}
          aria-label={t('refresh')}
          onClick={() => void tree.refresh()}
        />
      </header>
      {props.tools}
      {searchOpen && (
        <Input
          allowClear
          maxLength={128}
          aria-label={t('search')}
          placeholder={t('search')}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
      {tree.error ? (
        <p role="alert">{describeError(tree.error, t)}</p>
      ) : tree.waiting ? (
        <p role="status">{t('loading')}</p>
      ) : tree.visible.length === 0 ? (
        <p role="status">{t('noData')}</p>
      ) : (
        <TreeView
          label={label}
          tree={tree}
          selectedId={tree.visible.find(({ node }) => isSelected(node))?.node.id}
          onSelect={onSelect}
          icon={icon}
          menu={editable || menu ? nodeMenu : undefined}
          naming={actions.naming}
        />
      )}
    </section>
  )
}
