import { createContext, type ReactNode, useCallback, useContext, useEffect, useId, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { readCookie, writeCookie } from '../api/cookies.ts'
import { TabStrip, type TabTitle } from './tab-strip.tsx'

/** Its name is kept in the address (`activeTab`) and remembered for a day; compared without regard to case. */
export interface Tab extends TabTitle {
  hidden?: boolean
  /** Lists in it keep their state in the address under plain names; for one of the tabs at most. */
  isPlain?: boolean
  content: ReactNode
}

const parameter = 'activeTab'
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

const TabContext = createContext('')

/** The tab something stands in; empty outside of tabs, and in a plain one. */
export function useTab(): string {
  return useContext(TabContext)
}

/** The tab a page of these shows now; `own` is what its address is about, where the address names none itself. */
export function useShownTab<T extends Pick<Tab, 'name' | 'hidden' | 'disabled'>>(
  tabs: readonly T[],
  own?: string,
): T | undefined {
  const [params] = useSearchParams()
  return chooseTab(tabs, [params.get(parameter), own, readCookie(cookieName)])
}

/** Tabs of a page; only the one shown is there. What the address says beside the tab stays, so a tab left is found again. */
export function Tabs({ tabs, own }: { tabs: readonly Tab[]; own?: string | undefined }) {
  const id = useId()
  const [params, setParams] = useSearchParams()
  const shown = tabs.filter((tab) => !tab.hidden)
  const named = params.get(parameter)
  const active = useShownTab(shown, own)
  const show = useCallback(
    (name: string) =>
      setParams(
        (current) => {
          const next = new URLSearchParams(current)
          next.set(parameter, name)
          return next
        },
        { replace: true, preventScrollReset: true },
      ),
    [setParams],
  )
  const isUnnamed = named === null && active !== undefined && active !== shown.find((tab) => !tab.disabled)
  useEffect(() => {
    // Chosen by what was used last, which the next page may change: Back must find it in the address.
    if (isUnnamed) {
      show(active.name)
    }
  }, [isUnnamed, active?.name, show])
  const chosen = useRef<string>(undefined)
  const choose = (name: string) => {
    chosen.current = name
    show(name)
  }
  useEffect(() => {
    // Once it is shown: where something typed would be lost the person is asked, and may stay.
    if (named !== null && named === chosen.current) {
      writeCookie(cookieName, named, dayInSeconds)
    }
  }, [named])
  return (
    <>
      <TabStrip id={id} tabs={shown} active={active?.name} onChoose={choose} />
      {active && (
        <div key={active.name} id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${active.name}`}>
          <TabContext value={active.isPlain ? '' : active.name}>{active.content}</TabContext>
        </div>
      )}
    </>
  )
}
