import { CaretRightOutlined, LoadingOutlined, MoreOutlined } from '@ant-design/icons'
import { type KeyboardEvent, type ReactNode, useState } from 'react'
import { type MenuEntry, pointOf, useMenu } from '../menu/menu.tsx'
import { useKitText } from '../text.ts'
import styles from './tree.module.css'
import type { TreeNode, VisibleNode } from './tree-node.ts'
import type { Tree } from './use-tree.ts'

interface TreeViewProps {
  label: string
  tree: Tree
  selectedId: string | undefined
  onSelect: (node: TreeNode) => void
  icon?: (node: TreeNode) => ReactNode
  /** Entries of a node's menu (right click, or its "…"); none for no menu. */
  entriesOf?: ((node: TreeNode) => readonly (MenuEntry | 'divider')[]) | undefined
  /** What was typed as the name of a node; undefined: leave it. */
  onName: (node: TreeNode, name: string | undefined) => void
}

/** A tree in view. Arrow keys walk, open and close; Enter chooses. */
export function TreeView(props: TreeViewProps) {
  const { tree, label } = props
  const t = useKitText()
  const [focusedId, setFocusedId] = useState<string>()
  const first = tree.visible[0]?.node.id
  const tabStop = tree.visible.some(({ node }) => node.id === focusedId)
    ? focusedId
    : (props.selectedId ?? first)
  return (
    <ul role="tree" aria-label={label} className={styles.tree}>
      {tree.visible.map((item) => (
        <TreeRow
          key={item.node.id}
          {...props}
          item={item}
          tabStop={item.node.id === tabStop}
          onFocus={() => setFocusedId(item.node.id)}
          moreText={t('more')}
        />
      ))}
    </ul>
  )
}

interface TreeRowProps extends TreeViewProps {
  item: VisibleNode
  tabStop: boolean
  moreText: string
  onFocus: () => void
}

function TreeRow({
  item,
  tree,
  selectedId,
  onSelect,
  icon,
  entriesOf,
  onName,
  tabStop,
  moreText,
  onFocus,
}: TreeRowProps) {
  const { node, level, expanded } = item
  const label = `${moreText}: ${node.name}`
  const entries = entriesOf?.(node) ?? []
  const { trigger, open, menu } = useMenu({ label, entries })
  const indent = { paddingInlineStart: level * 14 - 8 }
  return (
    <>
      <li
        role="treeitem"
        aria-level={level}
        aria-expanded={node.isParent ? expanded : undefined}
        aria-selected={node.id === selectedId}
        tabIndex={tabStop ? 0 : -1}
        className={styles.row}
        style={indent}
        title={node.title}
        onFocus={onFocus}
        onClick={() => onSelect(node)}
        onKeyDown={(event) => onTreeKey(event, item, tree, onSelect)}
        onContextMenu={(event) => {
          if (entries.length > 0) {
            event.preventDefault()
            open(event.currentTarget, pointOf(event))
          }
        }}
      >
        <span
          className={styles.twist}
          data-open={expanded}
          data-leaf={!node.isParent}
          aria-hidden
          onClick={(event) => {
            event.stopPropagation()
            if (node.isParent) {
              void tree.toggle(node, level, !expanded)
            }
          }}
        >
          {tree.loading.has(node.id) ? <LoadingOutlined /> : <CaretRightOutlined />}
        </span>
        {icon?.(node)}
        {tree.namingId === node.id ? (
          <NameBox name={node.meta?.data?.value ?? node.name} onName={(name) => onName(node, name)} />
        ) : (
          <span className={styles.name}>{node.name}</span>
        )}
        {entries.length > 0 && (
          <button type="button" tabIndex={-1} className={styles.more} aria-label={label} {...trigger}>
            <MoreOutlined aria-hidden />
          </button>
        )}
      </li>
      {menu}
      {item.hidden > 0 && (
        <li role="none" style={indent}>
          <button
            type="button"
            className={styles.moreNodes}
            onClick={() => tree.showMore(tree.parentOf(node.id))}
          >
            {moreText} ({item.hidden})
          </button>
        </li>
      )}
    </>
  )
}

const longestName = 128

function NameBox({ name, onName }: { name: string; onName: (name: string | undefined) => void }) {
  const t = useKitText()
  const [text, setText] = useState(name)
  const finish = () => onName(text.trim() && text.trim() !== name ? text.trim() : undefined)
  return (
    <input
      autoFocus
      className={styles.naming}
      aria-label={t('name')}
      value={text}
      maxLength={longestName}
      onClick={(event) => event.stopPropagation()}
      onFocus={(event) => event.target.select()}
      onChange={(event) => setText(event.target.value)}
      onBlur={finish}
      onKeyDown={(event) => {
        event.stopPropagation()
        if (event.key === 'Enter') {
          event.currentTarget.blur()
        } else if (event.key === 'Escape') {
          onName(undefined)
        }
      }}
    />
  )
}

function onTreeKey(
  event: KeyboardEvent<HTMLLIElement>,
  { node, level, expanded }: VisibleNode,
  tree: Tree,
  onSelect: (node: TreeNode) => void,
): void {
  if (event.target !== event.currentTarget) {
    return
  }
  const items = [
    ...(event.currentTarget.parentElement?.querySelectorAll<HTMLElement>('[role=treeitem]') ?? []),
  ]
  const at = items.indexOf(event.currentTarget)
  const parentAt = items.findLastIndex((item, index) => index < at && Number(item.ariaLevel) < level)
  const focus = (index: number) => items[index]?.focus()
  const actions: Record<string, () => void> = {
    ArrowDown: () => focus(at + 1),
    ArrowUp: () => focus(at - 1),
    Home: () => focus(0),
    End: () => focus(items.length - 1),
    ArrowRight: () => (node.isParent && !expanded ? void tree.toggle(node, level, true) : focus(at + 1)),
    ArrowLeft: () => (node.isParent && expanded ? void tree.toggle(node, level, false) : focus(parentAt)),
    Enter: () => onSelect(node),
    ' ': () => onSelect(node),
  }
  const action = actions[event.key]
  if (action) {
    event.preventDefault()
    action()
  }
}
