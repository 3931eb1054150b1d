import { type KeyboardEvent, type ReactNode, useId } from 'react'
import { useSearchParams } from 'react-router'
import { readCookie, writeCookie } from '../api/cookies.ts'
import styles from './tabs.module.css'

export interface Tab {
  /** Kept in the address (`activeTab`) and remembered for a day; compared without regard to case. */
  name: string
  title: string
  icon?: ReactNode
  badge?: ReactNode
  disabled?: boolean
  hidden?: boolean
  content: ReactNode
}

const cookieName = 'activeTab'
const dayInSeconds = 86_400

/** The tab to show: the address's, the one last used, the first. */
export function chooseTab<T extends Pick<Tab, 'name' | 'hidden' | 'disabled'>>(
  tabs: readonly T[],
  wanted: readonly (string | null | undefined)[],
): T | undefined {
  const usable = tabs.filter((tab) => !tab.hidden && !tab.disabled)
  const found = wanted.flatMap((name) =>
    name ? usable.filter((tab) => tab.name.toLowerCase() === name.toLowerCase()) : [],
  )
  return found[0] ?? usable[0]
}

/** Tabs of a page; only the one shown is there. */
export function Tabs({ tabs, initial }: { tabs: readonly Tab[]; initial?: string }) {
  const id = useId()
  const [params, setParams] = useSearchParams()
  const shown = tabs.filter((tab) => !tab.hidden)
  const active = chooseTab(shown, [params.get('activeTab'), readCookie(cookieName), initial])
  const choose = (tab: Tab) => {
    writeCookie(cookieName, tab.name, dayInSeconds)
    // The state of the last tab's list has no meaning in the next one.
    setParams({ activeTab: tab.name }, { replace: true })
  }
  const onKeyDown = (event: KeyboardEvent<HTMLButtonElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    const usable = shown.filter((tab) => !tab.disabled)
    const at = usable.findIndex((tab) => tab.name === active?.name)
    const next = step ? usable[(at + step + usable.length) % usable.length] : undefined
    if (next) {
      event.preventDefault()
      choose(next)
      document.getElementById(`${id}-${next.name}`)?.focus()
    }
  }
  return (
    <>
      <div role="tablist" className={styles.tabs}>
        {shown.map((tab) => (
          <button
            key={tab.name}
            id={`${id}-${tab.name}`}
            type="button"
            role="tab"
            disabled={tab.disabled}
            aria-selected={tab.name === active?.name}
            aria-controls={`${id}-panel`}
            tabIndex={tab.name === active?.name ? 0 : -1}
            onClick={() => choose(tab)}
            onKeyDown={onKeyDown}
          >
            {tab.icon} {tab.title} {tab.badge}
          </button>
        ))}
      </div>
      {active && (
        <div key={active.name} id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${active.name}`}>
          {active.content}
        </div>
      )}
    </>
  )
}
