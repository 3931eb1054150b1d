import { type KeyboardEvent, useEffect, useRef } from 'react'

export interface MenuItem {
  key: string
  label: string
  danger?: boolean
  disabled?: boolean
  onSelect: () => void
}

/** A small menu at a point of the page; arrow keys move, Escape and a click elsewhere close it. */
export function Menu({
  items,
  at,
  onClose,
}: {
  items: MenuItem[]
  at: { x: number; y: number }
  onClose: () => void
}) {
  const ref = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const menu = ref.current
    if (!menu) return undefined
    menu.style.left = `${Math.max(4, Math.min(at.x, window.innerWidth - menu.offsetWidth - 8))}px`
    menu.style.top = `${Math.max(4, Math.min(at.y, window.innerHeight - menu.offsetHeight - 8))}px`
    menu.querySelector<HTMLElement>('button:not(:disabled)')?.focus()
    const onPointerDown = (event: PointerEvent) => {
      if (event.target instanceof Node && !menu.contains(event.target)) onClose()
    }
    document.addEventListener('pointerdown', onPointerDown, true)
    return () => document.removeEventListener('pointerdown', onPointerDown, true)
  }, [at, onClose])
  const onKeyDown = (event: KeyboardEvent) => {
    const buttons = [...(ref.current?.querySelectorAll<HTMLElement>('button:not(:disabled)') ?? [])]
    const index = buttons.findIndex((button) => button === document.activeElement)
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (event.key === 'Escape' || event.key === 'Tab') onClose()
    else if (step !== 0) buttons[(index + step + buttons.length) % buttons.length]?.focus()
    else return
    event.preventDefault()
  }
  return (
    <div ref={ref} className="menu" role="menu" tabIndex={-1} onKeyDown={onKeyDown}>
      {items.map((item) => (
        <button
          key={item.key}
          type="button"
          role="menuitem"
          className={item.danger ? 'menu-item is-danger' : 'menu-item'}
          disabled={item.disabled}
          onClick={() => {
            onClose()
            item.onSelect()
          }}
        >
          {item.label}
        </button>
      ))}
    </div>
  )
}
