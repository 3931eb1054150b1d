import { expect, test } from 'vitest'
import { inSameOrganization } from './navigation.tsx'

test('a link stays in the organization the address names, and names none where it names none', () => {
  expect(inSameOrganization('/console/users/users?page=2#x', '?oid=7&activeTab=A')).toBe(
    '/console/users/users?page=2&oid=7#x',
  )
  expect(inSameOrganization('/console/users/users', '?oid=7')).toBe('/console/users/users?oid=7')
  expect(inSameOrganization('/console/users/users?oid=8', '?oid=7')).toBe('/console/users/users?oid=8')
  expect(inSameOrganization('/console/users/users?page=2', '?page=1')).toBe('/console/users/users?page=2')
})
