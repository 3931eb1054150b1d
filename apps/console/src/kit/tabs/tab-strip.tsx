import type { KeyboardEvent, ReactNode } from 'react'
import styles from './tabs.module.css'

export interface TabTitle {
  name: string
  title: string
  icon?: ReactNode
  badge?: ReactNode
  disabled?: boolean
}

interface TabStripProps {
  /** Of the tabs, with their names behind it; what they show is called `{id}-panel`. */
  id: string
  tabs: readonly TabTitle[]
  active: string | undefined
  onChoose: (name: string) => void
}

/** The titles of tabs, walked with the arrow keys. */
export function TabStrip({ id, tabs, active, onChoose }: TabStripProps) {
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    const usable = tabs.filter((tab) => !tab.disabled)
    const at = usable.findIndex(({ name }) => name === active)
    const next = step ? usable[(at + step + usable.length) % usable.length] : undefined
    if (next) {
      event.preventDefault()
      onChoose(next.name)
      document.getElementById(`${id}-${next.name}`)?.focus()
    }
  }
  return (
    <div role="tablist" className={styles.tabs}>
      {tabs.map((tab) => (
        <button
          key={tab.name}
          id={`${id}-${tab.name}`}
          type="button"
          role="tab"
          disabled={tab.disabled}
          aria-selected={tab.name === active}
          aria-controls={`${id}-panel`}
          tabIndex={tab.name === active ? 0 : -1}
          onClick={() => onChoose(tab.name)}
          onKeyDown={onKeyDown}
        >
          {tab.icon} {tab.title} {tab.badge}
        </button>
      ))}
    </div>
  )
}
