import { ReloadOutlined, SearchOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useAccess } from '../access/access.ts'
import type { Action } from '../actions/action.ts'
import { isOffered, isOpen, refusalOf, titleOf } from '../actions/action-state.ts'
import { useRunAction } from '../actions/use-run-action.ts'
import { ApiError } from '../api/errors.ts'
import { describeError, toastText, useErrorToast } from '../feedback/errors.ts'
import { toast } from '../feedback/toast.ts'
import { readStored, writeStored } from '../storage/storage.ts'
import { useKitText, useMessages } from '../text.ts'
import styles from './tree.module.css'
import type { TreeNode } from './tree-node.ts'
import { TreeView } from './tree-view.tsx'
import type { TreeSource } from './tree-source.ts'
import { moveAction, type TreeMoves, useAskMove } from './tree-moves.tsx'
import { type TreeChoice, useReveal } from './use-reveal.ts'
import { type Tree, useTree } from './use-tree.ts'

const searchPauseMs = 600
const searchOpenKey = 'showTreeSearch'

interface TreePanelProps {
  label: string
  source: TreeSource
  isSelected: (node: TreeNode) => boolean
  onSelect: (node: TreeNode) => void
  icon?: (node: TreeNode) => ReactNode
  /** Between the heading and the tree. */
  tools?: ReactNode
  /** What is chosen where somebody else says so; the tree is opened to it. */
  choice?: TreeChoice | undefined
  /** Said in place of the mark, while what is chosen is not in view. */
  unseen?: ReactNode
  /** What can be done with a node, in groups. */
  actions?: NodeActions
  /** Gives a node another name. */
  onRename?: (node: TreeNode, name: string, tree: Tree) => Promise<unknown>
  /** How nodes are put below others; by dragging, and from their menu. */
  moves?: TreeMoves | undefined
}

export type NodeActions = (node: TreeNode, tree: Tree) => readonly (readonly Action<TreeNode>[])[]

/** A tree with its search and refresh. */
export function TreePanel(props: TreePanelProps) {
  const { label, source, isSelected, onSelect, icon, actions, onRename, moves } = props
  const t = useKitText()
  const text = useMessages()
  const access = useAccess()
  const showError = useErrorToast()
  const [searchOpen, setSearchOpen] = useState(() => readStored(searchOpenKey) === true)
  const [typed, setTyped] = useState('')
  const [search, setSearch] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => setSearch(typed.trim()), searchPauseMs)
    return () => clearTimeout(timer)
  }, [typed])
  const tree = useTree(source, search)
  const run = useRunAction()
  const askMove = useAskMove(moves, tree)
  const actionsOf = (node: TreeNode) =>
    [...(actions?.(node, tree) ?? []), moves?.may(node) === true ? [moveAction(source, moves, askMove)] : []]
      .map((group) => group.filter((action) => isOffered(action, access)))
      .filter((group) => group.length > 0)
  const entriesOf = (node: TreeNode) =>
    actionsOf(node).flatMap((group, index) => [
      ...(index > 0 ? (['divider'] as const) : []),
      ...group.map((action) => ({
        key: action.name,
        label: text(titleOf(action, node)),
        title: refusalOf(action, node),
        danger: action.danger,
        disabled: !isOpen(action, node, access),
        onSelect: () => void run(action, [node]),
      })),
    ])
  // Asked once of each node: a tree of thousands is drawn with every click.
  // oxlint-disable-next-line react/exhaustive-deps -- asked anew where somebody may do other things
  const menus = useMemo(() => new WeakMap<TreeNode, boolean>(), [access, actions, moves])
  const hasMenu = (node: TreeNode) => {
    const known = menus.get(node) ?? actionsOf(node).length > 0
    menus.set(node, known)
    return known
  }
  const selectedId = tree.visible.find(({ node }) => isSelected(node))?.node.id
  const panel = useRef<HTMLElement>(null)
  const isSought = useReveal({
    tree,
    selectedId,
    isSelected,
    choice: search ? undefined : props.choice,
    panel,
  })
  const name = async (node: TreeNode, given: string | undefined) => {
    // Another one may be named by the time of the answer.
    const stop = () => tree.startNaming((now) => (now === node.id ? undefined : now))
    if (given === undefined) {
      stop()
      return undefined
    }
    try {
      await onRename?.(node, given, tree)
    } catch (error) {
      void tree.refresh()
      const isGone = error instanceof ApiError && error.status === 404
      if (!isGone) return toastText(error, t)
      showError(error)
      stop()
      return undefined
    }
    toast.success(t('updateSuccess'))
    stop()
    return undefined
  }
  const openSearch = () => {
    writeStored(searchOpenKey, !searchOpen)
    setSearchOpen(!searchOpen)
    setTyped('')
  }
  return (
    <section ref={panel} className={styles.panel} aria-label={label}>
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
        <input
          type="search"
          className={styles.search}
          maxLength={128}
          aria-label={t('search')}
          placeholder={t('search')}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      )}
      {!tree.waiting && isSought && selectedId === undefined && props.unseen}
      {tree.error ? (
        <div className={styles.failed} role="alert">
          <p>{describeError(tree.error, t)}</p>
          <Button size="small" onClick={() => void tree.refresh()}>
            {t('retry')}
          </Button>
        </div>
      ) : tree.waiting ? (
        <p role="status">{t('loading')}</p>
      ) : tree.visible.length === 0 ? (
        <p role="status">{t('noData')}</p>
      ) : (
        <TreeView
          label={label}
          tree={tree}
          selectedId={selectedId}
          onSelect={onSelect}
          icon={icon}
          hasMenu={hasMenu}
          entriesOf={entriesOf}
          onName={name}
          moves={moves}
          onMove={askMove}
        />
      )}
    </section>
  )
}
