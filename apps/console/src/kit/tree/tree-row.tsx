import { CaretRightOutlined, LoadingOutlined, MoreOutlined } from '@ant-design/icons'
import { type DragEvent, type KeyboardEvent, memo, type ReactNode, useId, useRef, useState } from 'react'
import { toast } from '../feedback/toast.ts'
import { pointOf } from '../menu/menu.tsx'
import { useKitText } from '../text.ts'
import type { CheckState } from './tree-checks.ts'
import styles from './tree.module.css'
import type { TreeNode } from './tree-node.ts'

export interface RowLook {
  icon?: ((node: TreeNode) => ReactNode) | undefined
}

/** What can be done with a row of a tree; always the same functions. */
export interface RowActs {
  focus: (id: string) => void
  select: (node: TreeNode) => void
  toggle: (node: TreeNode, level: number, open: boolean) => void
  check: (node: TreeNode) => void
  /** Answers why it is refused, if it is. */
  name: (node: TreeNode, name: string | undefined) => Promise<string | undefined>
  more: (id: string) => void
  menu: (node: TreeNode, opener: HTMLElement, place?: DOMRect) => void
  /** What its menu holds under that name, if it does. */
  run: (node: TreeNode, action: string) => void
  drag: (node: TreeNode | undefined) => void
  over: (target: TreeNode, event: DragEvent) => void
  leave: (target: TreeNode) => void
  drop: (target: TreeNode) => void
}

interface TreeRowProps extends RowLook {
  node: TreeNode
  level: number
  isExpanded: boolean
  /** Siblings that follow and are not shown yet. */
  hidden: number
  isLoading: boolean
  isNaming: boolean
  isSelected: boolean
  isTabStop: boolean
  /** What is dragged would be dropped here. */
  isTarget: boolean
  isDisabled: boolean
  isMovable: boolean
  hasMenu: boolean
  isMenuOpen: boolean
  /** Left out: it cannot be ticked. */
  check: CheckState | undefined
  acts: RowActs
}

const ariaChecked = { on: true, some: 'mixed', off: false } as const

/** A node in view. */
export const TreeRow = memo(function TreeRow(props: TreeRowProps) {
  const { node, level, isExpanded, acts, check, hasMenu, isMovable } = props
  const t = useKitText()
  const indent = { paddingInlineStart: level * 14 - 8 }
  return (
    <>
      <li
        role="treeitem"
        aria-label={node.name}
        aria-level={level}
        aria-expanded={node.isParent ? isExpanded : undefined}
        aria-selected={check === undefined ? props.isSelected : undefined}
        aria-checked={check && ariaChecked[check]}
        aria-disabled={props.isDisabled || undefined}
        tabIndex={props.isTabStop ? 0 : -1}
        className={styles.row}
        style={indent}
        title={node.title}
        data-target={props.isTarget || undefined}
        draggable={isMovable}
        onFocus={() => acts.focus(node.id)}
        onClick={() => acts.select(node)}
        onKeyDown={(event) => onTreeKey(event, props)}
        onContextMenu={(event) => {
          if (hasMenu) {
            event.preventDefault()
            acts.menu(node, event.currentTarget, pointOf(event))
          }
        }}
        onDragStart={(event) => {
          event.dataTransfer.effectAllowed = 'move'
          acts.drag(node)
        }}
        onDragEnd={() => acts.drag(undefined)}
        onDragOver={(event) => acts.over(node, event)}
        onDragLeave={() => acts.leave(node)}
        onDrop={(event) => {
          event.preventDefault()
          acts.drop(node)
        }}
      >
        <span
          className={styles.twist}
          data-open={isExpanded}
          data-leaf={!node.isParent}
          aria-hidden
          onClick={(event) => {
            event.stopPropagation()
            if (node.isParent) {
              acts.toggle(node, level, !isExpanded)
            }
          }}
        >
          {props.isLoading ? <LoadingOutlined /> : <CaretRightOutlined />}
        </span>
        {check && (
          <input
            type="checkbox"
            tabIndex={-1}
            aria-label={node.name}
            className={styles.check}
            checked={check === 'on'}
            disabled={props.isDisabled}
            ref={(element) => {
              if (element) {
                element.indeterminate = check === 'some'
              }
            }}
            onClick={(event) => event.stopPropagation()}
            onChange={() => acts.check(node)}
          />
        )}
        {props.icon?.(node)}
        {props.isNaming ? (
          <NameBox name={node.meta?.data?.value ?? node.name} onName={(name) => acts.name(node, name)} />
        ) : (
          <span className={styles.name}>{node.name}</span>
        )}
        {hasMenu && (
          <button
            type="button"
            tabIndex={-1}
            className={styles.more}
            aria-label={`${t('more')}: ${node.name}`}
            aria-haspopup="menu"
            aria-expanded={props.isMenuOpen}
            onClick={(event) => {
              event.stopPropagation()
              acts.menu(node, event.currentTarget)
            }}
          >
            <MoreOutlined aria-hidden />
          </button>
        )}
      </li>
      {props.hidden > 0 && (
        <li role="treeitem" aria-level={level} data-more style={indent}>
          <button type="button" className={styles.moreNodes} onClick={() => acts.more(node.id)}>
            {t('more')} ({props.hidden})
          </button>
        </li>
      )}
    </>
  )
})

/** The button for more of them stands in a row of its own, and is gone to by Tab. */
const nodeRow = '[role=treeitem]:not([data-more])'
const longestName = 128

interface NameBoxProps {
  name: string
  onName: (name: string | undefined) => Promise<string | undefined>
}

/** Where the name of a node is typed. One that is refused stays, with the reason, until it is mended or given up. */
function NameBox({ name, onName }: NameBoxProps) {
  const t = useKitText()
  const problemId = useId()
  const box = useRef<HTMLInputElement>(null)
  const leftBy = useRef<string>(undefined)
  const [text, setText] = useState(name)
  const [refused, setRefused] = useState<{ name: string; why: string }>()
  const [isBusy, setBusy] = useState(false)
  const given = text.trim()
  const problem = refused?.name === given ? refused.why : undefined
  const finish = async () => {
    const key = leftBy.current
    leftBy.current = undefined
    if (isBusy) return
    const isGivenUp = key === 'Escape' || (key === undefined && problem !== undefined)
    if (isGivenUp || given === '' || given === name) {
      void onName(undefined)
      return
    }
    const row = box.current?.closest(nodeRow)
    setBusy(true)
    const why = await onName(given)
    setBusy(false)
    if (why === undefined) return
    setRefused({ name: given, why })
    if (!box.current) toast.error(why)
    // Unless the person has gone on elsewhere.
    else if (document.activeElement === row || document.activeElement === document.body) box.current.focus()
  }
  return (
    <>
      <input
        ref={box}
        autoFocus
        className={styles.naming}
        aria-label={t('name')}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : problemId}
        readOnly={isBusy}
        value={text}
        maxLength={longestName}
        onClick={(event) => event.stopPropagation()}
        onFocus={(event) => text === name && event.target.select()}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => void finish()}
        onKeyDown={(event) => {
          event.stopPropagation()
          if (event.key === 'Enter' || event.key === 'Escape') {
            leftBy.current = event.key
            // The row it stood in is where the keyboard goes on.
            event.currentTarget.closest<HTMLElement>(nodeRow)?.focus()
          }
        }}
      />
      {problem !== undefined && (
        <span id={problemId} role="alert" className={styles.problem}>
          {problem}
        </span>
      )}
    </>
  )
}

function onTreeKey(event: KeyboardEvent<HTMLLIElement>, props: TreeRowProps): void {
  if (event.target !== event.currentTarget) {
    return
  }
  const { node, level, isExpanded, acts } = props
  const items = [...(event.currentTarget.parentElement?.querySelectorAll<HTMLElement>(nodeRow) ?? [])]
  const at = items.indexOf(event.currentTarget)
  const parentAt = items.findLastIndex((item, index) => index < at && Number(item.ariaLevel) < level)
  const focus = (index: number) => items[index]?.focus()
  const choose = () => acts.select(node)
  const actions: Record<string, () => void> = {
    ArrowDown: () => focus(at + 1),
    ArrowUp: () => focus(at - 1),
    Home: () => focus(0),
    End: () => focus(items.length - 1),
    ArrowRight: () => (node.isParent && !isExpanded ? acts.toggle(node, level, true) : focus(at + 1)),
    ArrowLeft: () => (node.isParent && isExpanded ? acts.toggle(node, level, false) : focus(parentAt)),
    Enter: choose,
    F2: () => acts.run(node, 'rename'),
    Delete: () => acts.run(node, 'delete'),
    ' ': () => (props.check === undefined ? choose() : props.isDisabled || acts.check(node)),
  }
  const action = actions[event.key]
  if (action) {
    event.preventDefault()
    action()
  }
}
