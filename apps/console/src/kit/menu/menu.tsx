import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import styles from './menu.module.css'
import { nextEntry, typedEntry } from './menu-keys.ts'

export interface MenuEntry {
  key: string
  label: string
  icon?: ReactNode
  /** Why it is closed, or more about it. */
  title?: string | undefined
  danger?: boolean | undefined
  disabled?: boolean | undefined
  /** The one in force. */
  current?: boolean | undefined
  onSelect: () => void
}

/** Leads to entries of its own, which take the place of those around it: there is room for them on a phone, too. */
export interface MenuBranch extends Omit<MenuEntry, 'onSelect'> {
  entries: readonly MenuEntry[]
}

interface MenuProps {
  label: string
  entries: readonly (MenuEntry | MenuBranch | 'divider')[]
  /** Where it opens: below what was pressed, or where it was pressed. */
  place: DOMRect
  /** What was pressed; it has the focus again when the menu is gone. */
  opener: HTMLElement
  /** Offers a field that narrows the entries. */
  search?: string | undefined
  onClose: () => void
}

/** With the pointer at a place of the page, for a menu that opens there. */
export function pointOf(event: MouseEvent): DOMRect {
  return new DOMRect(event.clientX, event.clientY, 0, 0)
}

/**
 * A menu over the page. Arrow keys, Home and End walk its entries, letters find them, Enter chooses, Escape and a
 * click elsewhere close; whoever had the keyboard's focus before has it again afterwards. The right arrow key and
 * Enter lead into a branch, the left one and Escape out of it.
 */
function Menu({ label, entries, place, opener, search, onClose }: MenuProps) {
  const panel = useRef<HTMLDivElement>(null)
  const typed = useRef({ text: '', at: 0 })
  const [sought, setSought] = useState('')
  const [branch, setBranch] = useState<MenuBranch>()
  useOpen(panel, place, opener, onClose)
  useBranch(panel, place, branch)
  const words = sought.trim().toLowerCase()
  const listed = branch?.entries ?? entries
  const shown = words
    ? listed.filter((entry) => entry !== 'divider' && entry.label.toLowerCase().includes(words))
    : listed
  const enter = (next: MenuBranch | undefined) => {
    setSought('')
    setBranch(next)
  }
  const choose = (entry: MenuEntry | MenuBranch) => {
    if ('entries' in entry) {
      enter(entry)
      return
    }
    onClose()
    entry.onSelect()
  }
  const items = () => [
    ...(panel.current?.querySelectorAll<HTMLButtonElement>('[role=menuitem]:not(:disabled)') ?? []),
  ]
  const onKeyDown = (event: KeyboardEvent) => {
    const all = items()
    const at = all.findIndex((item) => item === document.activeElement)
    const inField = event.target instanceof HTMLInputElement
    if (branch && !inField && (event.key === 'Escape' || event.key === 'ArrowLeft')) {
      event.preventDefault()
      event.stopPropagation()
      enter(undefined)
      return
    }
    if (event.key === 'ArrowRight' && all[at]?.ariaHasPopup) {
      event.preventDefault()
      all[at].click()
      return
    }
    if (event.key === 'Escape' || event.key === 'Tab') {
      event.preventDefault()
      event.stopPropagation()
      onClose()
      return
    }
    if (inField && event.key === 'Enter') {
      event.preventDefault()
      all[0]?.click()
      return
    }
    const next =
      nextEntry(event.key, at, all.length) ??
      (inField || event.ctrlKey || event.metaKey || event.altKey
        ? undefined
        : typedEntry(
            typed.current,
            event,
            all.map((item) => item.textContent ?? ''),
            at,
          ))
    if (next !== undefined && !(inField && (event.key === 'Home' || event.key === 'End'))) {
      event.preventDefault()
      all[next]?.focus()
    }
  }
  return (
    <div ref={panel} role="presentation" popover="manual" className={styles.panel} onKeyDown={onKeyDown}>
      {search !== undefined && (
        <input
          className={styles.search}
          type="search"
          maxLength={128}
          placeholder={search}
          aria-label={search}
          value={sought}
          onChange={(event) => setSought(event.target.value)}
        />
      )}
      <div role="menu" aria-label={branch?.label ?? label} tabIndex={-1} className={styles.entries}>
        {branch && (
          <button
            type="button"
            role="menuitem"
            tabIndex={-1}
            className={styles.back}
            onClick={(event) => {
              event.stopPropagation()
              enter(undefined)
            }}
          >
            <span aria-hidden>‹</span>
            {branch.label}
          </button>
        )}
        {shown.map((entry, index) =>
          entry === 'divider' ? (
            // Dividers have no name, and never change places.
            <hr key={`divider ${index}`} />
          ) : (
            <button
              key={entry.key}
              type="button"
              role="menuitem"
              tabIndex={-1}
              disabled={entry.disabled}
              title={entry.title}
              aria-haspopup={'entries' in entry ? 'menu' : undefined}
              aria-current={entry.current || undefined}
              data-key={entry.key}
              data-danger={entry.danger || undefined}
              onClick={(event) => {
                event.stopPropagation()
                choose(entry)
              }}
            >
              {entry.icon}
              {entry.label}
              {'entries' in entry && (
                <span aria-hidden className={styles.more}>
                  ›
                </span>
              )}
            </button>
          ),
        )}
      </div>
    </div>
  )
}

const edgePx = 8

/** Below its place, or above it where there is no room below; always within the page. */
function putAt(panel: HTMLElement, place: DOMRect): void {
  const { width, height } = panel.getBoundingClientRect()
  const below = place.bottom + height + edgePx <= innerHeight
  panel.style.top = `${below ? place.bottom : Math.max(edgePx, place.top - height)}px`
  panel.style.left = `${Math.max(edgePx, Math.min(place.left, innerWidth - width - edgePx))}px`
  panel.style.minWidth = `${place.width}px`
}

/** Shows the panel in its place, gives it the focus and takes it away again. */
function useOpen(
  panel: RefObject<HTMLDivElement | null>,
  place: DOMRect,
  opener: HTMLElement,
  onClose: () => void,
): void {
  useLayoutEffect(() => {
    const element = panel.current
    if (!element) return
    element.showPopover()
    putAt(element, place)
  }, [panel, place])
  const close = useRef(onClose)
  useEffect(() => {
    close.current = onClose
  })
  useEffect(() => {
    const element = panel.current
    const first =
      element?.querySelector<HTMLElement>('input') ??
      element?.querySelector<HTMLElement>('[aria-current]:not(:disabled)') ??
      element?.querySelector<HTMLElement>('[role=menuitem]:not(:disabled)') ??
      // With nothing to choose the keys still close it.
      element?.querySelector<HTMLElement>('[role=menu]')
    first?.focus({ preventScroll: true })
    const onPress = (event: PointerEvent) => {
      const isOutside = (inside: HTMLElement | null) =>
        !(event.target instanceof Node && inside?.contains(event.target))
      if (isOutside(element) && isOutside(opener)) close.current()
    }
    const leave = () => close.current()
    document.addEventListener('pointerdown', onPress, true)
    addEventListener('resize', leave)
    addEventListener('blur', leave)
    return () => {
      document.removeEventListener('pointerdown', onPress, true)
      removeEventListener('resize', leave)
      removeEventListener('blur', leave)
      // What opened meanwhile, a dialog or a field, keeps the focus.
      const now = document.activeElement
      if (now === null || now === document.body || element?.contains(now)) {
        opener.focus({ preventScroll: true })
      }
    }
  }, [panel, opener])
}

/** Shows a branch in the place of the menu: its first entry has the focus, and the one that led to it afterwards. */
function useBranch(panel: RefObject<HTMLDivElement | null>, place: DOMRect, branch?: MenuBranch): void {
  const last = useRef(branch)
  useLayoutEffect(() => {
    const element = panel.current
    const left = last.current
    last.current = branch
    if (!element || branch === left) return
    putAt(element, place)
    const next = branch ? '[data-key]:not(:disabled)' : `[data-key="${CSS.escape(left?.key ?? '')}"]`
    const heir =
      element.querySelector<HTMLElement>(next) ?? element.querySelector<HTMLElement>('[role=menuitem]')
    heir?.focus({ preventScroll: true })
  }, [panel, place, branch])
}

/** A menu and what the button that opens it needs. */
export function useMenu({ label, entries, search }: Pick<MenuProps, 'label' | 'entries' | 'search'>) {
  const [opened, setOpened] = useState<{ opener: HTMLElement; place: DOMRect }>()
  const open = (opener: HTMLElement, place = opener.getBoundingClientRect()) => setOpened({ opener, place })
  const trigger = {
    'aria-haspopup': 'menu',
    'aria-expanded': opened !== undefined,
    onClick: (event: MouseEvent<HTMLElement>) => {
      event.stopPropagation()
      if (opened) {
        setOpened(undefined)
      } else {
        open(event.currentTarget)
      }
    },
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      if (event.key === 'ArrowDown') {
        event.preventDefault()
        open(event.currentTarget)
      }
    },
  } as const
  const menu = opened && (
    <Menu label={label} entries={entries} search={search} {...opened} onClose={() => setOpened(undefined)} />
  )
  return { trigger, open, menu, isOpen: opened !== undefined, close: () => setOpened(undefined) }
}

interface MenuButtonProps extends Pick<MenuProps, 'label' | 'entries' | 'search'> {
  className?: string | undefined
  title?: string | undefined
  children: ReactNode
}

/** A button that opens a menu of the same name. */
export function MenuButton({ label, entries, search, className, title, children }: MenuButtonProps) {
  const { trigger, menu } = useMenu({ label, entries, search })
  return (
    <>
      <button {...trigger} type="button" className={className} title={title} aria-label={label}>
        {children}
      </button>
      {menu}
    </>
  )
}
