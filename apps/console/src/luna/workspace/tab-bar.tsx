import { type KeyboardEvent, type MouseEvent, useState } from 'react'
import { type MenuEntry, pointOf, useMenu } from '../../kit/menu/menu.tsx'
import { useText } from '../text.ts'
import { Icon } from '../ui/icons.tsx'
import type { TerminalTab } from './tabs.ts'

interface TabBarProps {
  tabs: TerminalTab[]
  activeKey: string | undefined
  onActivate: (key: string) => void
  onClose: (key: string) => void
  onRename: (key: string, title: string) => void
  onMove: (key: string, by: number) => void
  onDuplicate: (tab: TerminalTab) => void
  onReconnect: (tab: TerminalTab) => void
  onCloseOthers: (key: string) => void
}

/** The row of open terminals: arrows move, F2 or a double click renames, Alt with arrows reorders, Delete closes. */
export function TabBar(props: TabBarProps) {
  const { tabs, activeKey, onActivate, onClose, onRename, onMove } = props
  const t = useText()
  const [renaming, setRenaming] = useState<string>()
  const [menuOf, setMenuOf] = useState<TerminalTab>()
  const [dragged, setDragged] = useState<string>()

  const onKeyDown = (event: KeyboardEvent<HTMLElement>, tab: TerminalTab, index: number) => {
    if (event.target !== event.currentTarget) return
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    const neighbour = tabs[(index + step + tabs.length) % tabs.length]
    if (step !== 0 && event.altKey) onMove(tab.key, step)
    else if (step !== 0 && neighbour) {
      onActivate(neighbour.key)
      document.getElementById(`tab-${neighbour.key}`)?.focus()
    } else if (event.key === 'F2') setRenaming(tab.key)
    else if (event.key === 'Delete') onClose(tab.key)
    else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
      setMenuOf(tab)
      open(event.currentTarget)
    } else return
    event.preventDefault()
  }
  const openMenu = (event: MouseEvent<HTMLElement>, tab: TerminalTab) => {
    event.preventDefault()
    setMenuOf(tab)
    open(event.currentTarget, pointOf(event))
  }
  const items = (tab: TerminalTab): MenuEntry[] => [
    { key: 'duplicate', label: t('duplicateTab'), onSelect: () => props.onDuplicate(tab) },
    { key: 'reconnect', label: t('reconnect'), onSelect: () => props.onReconnect(tab) },
    { key: 'rename', label: t('rename'), onSelect: () => setRenaming(tab.key) },
    { key: 'close', label: t('close'), onSelect: () => onClose(tab.key) },
    {
      key: 'others',
      label: t('closeOthers'),
      disabled: tabs.length < 2,
      danger: true,
      onSelect: () => props.onCloseOthers(tab.key),
    },
  ]
  const { open, menu } = useMenu({ label: menuOf?.title ?? '', entries: menuOf ? items(menuOf) : [] })

  return (
    <>
      <div className="tab-bar" role="tablist" aria-label={t('terminals')}>
        {tabs.map((tab, index) => (
          <div
            key={tab.key}
            id={`tab-${tab.key}`}
            role="tab"
            tabIndex={tab.key === activeKey ? 0 : -1}
            aria-selected={tab.key === activeKey}
            aria-controls={`panel-${tab.key}`}
            aria-keyshortcuts="Delete"
            className="tab"
            title={tab.title}
            draggable={renaming !== tab.key}
            onClick={() => onActivate(tab.key)}
            onDoubleClick={() => setRenaming(tab.key)}
            onAuxClick={(event) => event.button === 1 && onClose(tab.key)}
            onContextMenu={(event) => openMenu(event, tab)}
            onKeyDown={(event) => onKeyDown(event, tab, index)}
            onDragStart={() => setDragged(tab.key)}
            onDragOver={(event) => {
              event.preventDefault()
              const from = tabs.findIndex(({ key }) => key === dragged)
              if (dragged !== undefined && from !== index) onMove(dragged, index - from)
            }}
            onDragEnd={() => setDragged(undefined)}
          >
            <span className={`tab-state is-${tab.phase}`} role="img" aria-label={t(`phase_${tab.phase}`)} />
            {renaming === tab.key ? (
              <input
                className="tab-rename"
                defaultValue={tab.title}
                maxLength={128}
                aria-label={t('rename')}
                autoFocus
                onFocus={(event) => event.target.select()}
                onBlur={(event) => {
                  onRename(tab.key, event.target.value)
                  setRenaming(undefined)
                }}
                onKeyDown={(event) => {
                  if (event.key === 'Enter') event.currentTarget.blur()
                  if (event.key === 'Escape') setRenaming(undefined)
                }}
              />
            ) : (
              <TabTitle title={tab.title} />
            )}
            {/* Of a tab nothing inside is told; by keyboard and assistive software Delete and the menu close it. */}
            <span
              className="icon-button tab-close"
              aria-hidden
              title={t('closeTab', { name: tab.title })}
              onClick={(event) => {
                event.stopPropagation()
                onClose(tab.key)
              }}
            >
              <Icon name="close" />
            </span>
          </div>
        ))}
      </div>
      {menu}
    </>
  )
}

/** A number at the end stays in view where the text before it is cut: by it tabs of the same asset are told apart. */
function TabTitle({ title }: { title: string }) {
  const at = title.search(/ \(\d+\)$/u)
  const end = at === -1 ? title.length : at
  return (
    <span className="tab-title">
      <span>{title.slice(0, end)}</span>
      {title.slice(end)}
    </span>
  )
}
