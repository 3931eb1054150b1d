import { type DragEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useKeptFocus } from '../focus/kept-focus.ts'
import { type MenuEntry, useMenu } from '../menu/menu.tsx'
import { useKitText } from '../text.ts'
import type { TreeMoves } from './tree-moves.tsx'
import styles from './tree.module.css'
import type { TreeNode } from './tree-node.ts'
import { type RowActs, type RowLook, TreeRow } from './tree-row.tsx'
import type { TreeChecks } from './use-tree-checks.ts'
import type { Tree } from './use-tree.ts'

export interface TreeViewProps extends RowLook {
  label: string
  tree: Tree
  selectedId?: string | undefined
  onSelect?: (node: TreeNode) => void
  /** Which nodes have a menu (right click, or its "…"); left out: none. Asked of every node each time the tree is drawn. */
  hasMenu?: (node: TreeNode) => boolean
  entriesOf?: (node: TreeNode) => readonly (MenuEntry | 'divider')[]
  /** What was typed as the name of a node; undefined: leave it. Answers why it is refused, if it is. */
  onName?: (node: TreeNode, name: string | undefined) => Promise<string | undefined>
  /** Left out: nodes cannot be ticked. */
  checks?: TreeChecks | undefined
  /** Left out: nodes cannot be dragged. */
  moves?: Pick<TreeMoves, 'may' | 'mayInto'> | undefined
  onMove?: (node: TreeNode, target: TreeNode) => void
  disabled?: boolean
  /** The keyboard begins here. */
  autoFocus?: boolean
}

/**
 * A tree in view. Arrow keys walk, open and close; Enter chooses, Space ticks where there are ticks, F2 renames and Delete deletes what
 * may be. A row is drawn again only when something of its own changes, and rows out of sight cost nothing to lay out.
 */
export function TreeView(props: TreeViewProps) {
  const { tree, label, checks, moves, selectedId, icon } = props
  const t = useKitText()
  const [focusedId, setFocusedId] = useState<string>()
  const [menuNode, setMenuNode] = useState<TreeNode>()
  const [dragged, setDragged] = useState<TreeNode>()
  const [targetId, setTargetId] = useState<string>()
  const entries = menuNode ? (props.entriesOf?.(menuNode) ?? []) : []
  const nodeMenu = useMenu({ label: `${t('more')}: ${menuNode?.name ?? ''}`, entries })
  const now = { props, menuNode, nodeMenu, dragged }
  const latest = useRef(now)
  useLayoutEffect(() => {
    latest.current = now
  })
  // The same functions for as long as the tree is there, so that rows are not drawn for them.
  const acts = useMemo((): RowActs => {
    const given = () => latest.current.props
    const mayDrop = (target: TreeNode) => {
      const node = latest.current.dragged
      return node !== undefined && node.id !== target.id && given().moves?.mayInto(node, target) === true
    }
    return {
      focus: setFocusedId,
      select: (node) => given().onSelect?.(node),
      toggle: (node, level, open) => void given().tree.toggle(node, level, open),
      check: (node) => given().checks?.toggle(node.id),
      name: async (node, name) => given().onName?.(node, name),
      more: (id) => given().tree.showMore(given().tree.parentOf(id)),
      menu: (node, opener, place) => {
        const { nodeMenu: open, menuNode: before } = latest.current
        if (open.isOpen && before?.id === node.id && !place) {
          open.close()
        } else {
          setMenuNode(node)
          open.open(opener, place)
        }
      },
      run: (node, action) => {
        const found = given()
          .entriesOf?.(node)
          .find((entry) => entry !== 'divider' && entry.key === action)
        if (found && found !== 'divider' && found.disabled !== true) found.onSelect()
      },
      drag: setDragged,
      over: (target, event: DragEvent) => {
        if (mayDrop(target)) {
          event.preventDefault()
          setTargetId(target.id)
        }
      },
      leave: (target) => setTargetId((before) => (before === target.id ? undefined : before)),
      drop: (target) => {
        const node = latest.current.dragged
        setDragged(undefined)
        setTargetId(undefined)
        if (node && mayDrop(target)) {
          given().onMove?.(node, target)
        }
      },
    }
  }, [])
  const isKnown = (id: string | undefined) => tree.visible.some(({ node }) => node.id === id)
  const tabStop = [focusedId, selectedId].find(isKnown) ?? tree.visible[0]?.node.id
  const list = useRef<HTMLUListElement>(null)
  const isEmpty = tree.visible.length === 0
  useEffect(() => {
    if (props.autoFocus && !isEmpty) list.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  }, [props.autoFocus, isEmpty])
  return (
    <>
      <ul
        ref={list}
        {...useKeptFocus('[role=treeitem]:not([data-more])')}
        role="tree"
        aria-label={label}
        aria-multiselectable={checks !== undefined}
        className={styles.tree}
      >
        {tree.visible.map(({ node, level, expanded, hidden }) => (
          <TreeRow
            key={node.id}
            node={node}
            level={level}
            isExpanded={expanded}
            hidden={hidden}
            isLoading={tree.loading.has(node.id)}
            isNaming={tree.namingId === node.id}
            isSelected={node.id === selectedId}
            isTabStop={node.id === tabStop}
            isTarget={node.id === targetId}
            isDisabled={props.disabled === true || node.chkDisabled === true}
            isMovable={moves?.may(node) === true}
            hasMenu={props.hasMenu?.(node) === true}
            isMenuOpen={nodeMenu.isOpen && menuNode?.id === node.id}
            check={checks?.stateOf(node.id)}
            icon={icon}
            acts={acts}
          />
        ))}
      </ul>
      {nodeMenu.menu}
    </>
  )
}
