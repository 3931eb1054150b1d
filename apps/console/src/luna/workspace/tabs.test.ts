import { describe, expect, it } from 'vitest'
import { noTabs, reduceTabs, type TabsAction } from './tabs.ts'

const choice = { protocol: 'ssh', account: 'root', method: 'web_cli' }
const open = (assetName: string): TabsAction => ({
  do: 'open',
  tab: { assetId: assetName, assetName, choice, isManual: false, token: { id: 'x', value: 'y' } },
})
const after = (...actions: TabsAction[]) => actions.reduce(reduceTabs, noTabs)

describe('the open terminals', () => {
  it('names several on one host apart and shows the newest', () => {
    const { tabs, activeKey } = after(open('web'), open('db'), open('web'), open('web'))
    expect(tabs.map(({ title }) => title)).toEqual(['web', 'db', 'web (2)', 'web (3)'])
    expect(activeKey).toBe(tabs[3]?.key)
  })

  it('shows the neighbour when the shown one is closed, and the shown one when another is', () => {
    const state = after(open('a'), open('b'), open('c'))
    const [a, b, c] = state.tabs.map(({ key }) => key)
    const shown = reduceTabs(state, { do: 'activate', key: b ?? '' })
    expect(reduceTabs(shown, { do: 'close', key: b ?? '' }).activeKey).toBe(c)
    expect(reduceTabs(shown, { do: 'close', key: a ?? '' }).activeKey).toBe(b)
    expect(reduceTabs(state, { do: 'close', key: c ?? '' }).activeKey).toBe(b)
  })

  it('moves within the row and keeps a name when the new one is empty', () => {
    const state = after(open('a'), open('b'), open('c'))
    const key = state.tabs[0]?.key ?? ''
    const moved = reduceTabs(reduceTabs(state, { do: 'move', key, by: 9 }), {
      do: 'rename',
      key,
      title: '  ',
    })
    expect(moved.tabs.map(({ title }) => title)).toEqual(['b', 'c', 'a'])
  })
})
