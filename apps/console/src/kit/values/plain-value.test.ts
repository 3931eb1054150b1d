import { expect, test } from 'vitest'
import { plainValue } from './plain-value.ts'

const t = (key: string) => key

test('a role is called what its language calls it, other things by their label or name', () => {
  expect(plainValue([{ id: '1', name: 'OrgAdmin', display_name: '组织管理员' }], t)).toBe('组织管理员')
  expect(plainValue({ value: 'local', label: 'Local' }, t)).toBe('Local')
  expect(plainValue({ id: '1', name: 'Default' }, t)).toBe('Default')
  expect(plainValue({ id: '1', name: 'Plain', display_name: '' }, t)).toBe('Plain')
})
