/** The open terminals of the workspace: plain data and pure changes, so that the page only draws them. */
import type { TerminalState } from '../../kit/terminal/terminal-socket.ts'
import type { Choice, ConnectionToken } from './connecting.ts'

export interface TerminalTab {
  key: string
  title: string
  assetId: string
  assetName: string
  choice: Choice
  /** A secret was typed for it, so a new token needs the old one or another question. */
  isManual: boolean
  token: ConnectionToken
  /** Counts the connections of this tab: a new number is a new session in the same place. */
  generation: number
  phase: TerminalState['phase']
}

export interface TabsState {
  tabs: TerminalTab[]
  activeKey: string | undefined
}

export type TabsAction =
  | { do: 'open'; tab: Omit<TerminalTab, 'key' | 'title' | 'generation' | 'phase'> }
  | { do: 'renew'; key: string; token: ConnectionToken; choice: Choice; isManual: boolean }
  | { do: 'activate'; key: string }
  | { do: 'close'; key: string }
  | { do: 'rename'; key: string; title: string }
  | { do: 'phase'; key: string; phase: TerminalTab['phase'] }
  | { do: 'move'; key: string; by: number }

export const noTabs: TabsState = { tabs: [], activeKey: undefined }

/** A title that no other tab has: `web-01`, `web-01 (2)`, … */
function freeTitle(name: string, tabs: TerminalTab[]) {
  const taken = new Set(tabs.map((tab) => tab.title))
  let title = name
  for (let count = 2; taken.has(title); count += 1) title = `${name} (${count})`
  return title
}

let lastKey = 0

export function reduceTabs(state: TabsState, action: TabsAction): TabsState {
  const change = (key: string, values: Partial<TerminalTab>) => ({
    ...state,
    tabs: state.tabs.map((tab) => (tab.key === key ? { ...tab, ...values } : tab)),
  })
  switch (action.do) {
    case 'open': {
      lastKey += 1
      const key = `t${lastKey}`
      const title = freeTitle(action.tab.assetName, state.tabs)
      const tab: TerminalTab = { ...action.tab, key, title, generation: 1, phase: 'asking' }
      return { tabs: [...state.tabs, tab], activeKey: key }
    }
    case 'renew': {
      const tab = state.tabs.find(({ key }) => key === action.key)
      if (!tab) return state
      const { token, choice, isManual } = action
      return change(action.key, {
        token,
        choice,
        isManual,
        generation: tab.generation + 1,
        phase: 'asking',
      })
    }
    case 'activate':
      return { ...state, activeKey: action.key }
    case 'close': {
      const index = state.tabs.findIndex(({ key }) => key === action.key)
      const tabs = state.tabs.filter(({ key }) => key !== action.key)
      const neighbour = tabs[Math.min(index, tabs.length - 1)]?.key
      return { tabs, activeKey: state.activeKey === action.key ? neighbour : state.activeKey }
    }
    case 'rename':
      return action.title.trim() === ''
        ? state
        : change(action.key, { title: action.title.trim().slice(0, 128) })
    case 'phase':
      return change(action.key, { phase: action.phase })
    case 'move': {
      const from = state.tabs.findIndex(({ key }) => key === action.key)
      const tabs = [...state.tabs]
      const [tab] = tabs.splice(from, 1)
      if (!tab) return state
      tabs.splice(Math.max(0, Math.min(tabs.length, from + action.by)), 0, tab)
      return { ...state, tabs }
    }
    default:
      return action satisfies never
  }
}

export const isRunning = (tab: TerminalTab) => tab.phase === 'live' || tab.phase === 'reconnecting'
