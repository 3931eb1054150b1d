import { useEffect, useState } from 'react'
import type { TerminalKey, TerminalView } from '../../kit/terminal/terminal-view.ts'
import { useText } from '../text.ts'

const keys: [key: TerminalKey, label: string][] = [
  ['escape', 'Esc'],
  ['tab', 'Tab'],
  ['left', '←'],
  ['up', '↑'],
  ['down', '↓'],
  ['right', '→'],
  ['home', 'Home'],
  ['end', 'End'],
  ['pageup', 'PgUp'],
  ['pagedown', 'PgDn'],
]

/** Keys that a touch keyboard lacks. Ctrl and Alt hold for the next key. */
export function KeyBar({ view }: { view: TerminalView }) {
  const t = useText()
  const [sticky, setSticky] = useState({ ctrl: false, alt: false })
  useEffect(() => view.onSticky(setSticky), [view])
  // Pressing must not take the focus from the terminal, or the touch keyboard closes.
  const keepFocus = (event: { preventDefault(): void }) => event.preventDefault()
  return (
    <div
      className="key-bar"
      role="toolbar"
      aria-label={t('keyBar')}
      onPointerDown={keepFocus}
      onMouseDown={keepFocus}
    >
      <button
        type="button"
        aria-pressed={sticky.ctrl}
        onClick={() => view.setSticky({ ...sticky, ctrl: !sticky.ctrl })}
      >
        Ctrl
      </button>
      <button
        type="button"
        aria-pressed={sticky.alt}
        onClick={() => view.setSticky({ ...sticky, alt: !sticky.alt })}
      >
        Alt
      </button>
      {keys.map(([key, label]) => (
        <button key={key} type="button" onClick={() => view.pressKey(key)}>
          {label}
        </button>
      ))}
    </div>
  )
}
