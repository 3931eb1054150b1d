import { expect, test } from 'vitest'
import { chooseTab } from './tabs.tsx'

const tabs = [
  { name: 'Info' },
  { name: 'Secret', hidden: true },
  { name: 'Users' },
  { name: 'Log', disabled: true },
]
const chosen = (...wanted: (string | null | undefined)[]) => chooseTab(tabs, wanted)?.name

test('the tab of the address comes before the one used last, and that before the first', () => {
  expect(chosen('users', 'Info')).toBe('Users')
  expect(chosen(null, 'Users', 'Info')).toBe('Users')
  expect(chosen(null, 'Gone', 'users')).toBe('Users')
  expect(chosen(null, undefined)).toBe('Info')
})

test('a tab that is hidden or closed is never shown', () => {
  expect(chosen('Secret')).toBe('Info')
  expect(chosen('Log', 'Secret', 'Users')).toBe('Users')
  expect(chooseTab([{ name: 'Secret', hidden: true }], ['Secret'])).toBeUndefined()
})
