import { expect, test } from 'vitest'
import { inSameOrganization, leadingTo, nextPage } from './navigation.tsx'

test('a link stays in the organization the address names, and names none where it names none', () => {
  expect(inSameOrganization('/console/users/users?page=2#x', '?oid=7&activeTab=A')).toBe(
    '/console/users/users?page=2&oid=7#x',
  )
  expect(inSameOrganization('/console/users/users', '?oid=7')).toBe('/console/users/users?oid=7')
  expect(inSameOrganization('/console/users/users?oid=8', '?oid=7')).toBe('/console/users/users?oid=8')
  expect(inSameOrganization('/console/users/users?page=2', '?page=1')).toBe('/console/users/users?page=2')
})

test('an address leads on to the page of the console that was asked for, and to no other site', () => {
  const wanted = '/audit/sessions/sessions?oid=7&page=2'
  const [, search = ''] = leadingTo('/profile/improvement', wanted).split('/profile/improvement')
  expect(nextPage(search)).toBe(wanted)
  for (const next of [
    '//evil.example/',
    '/\\evil.example',
    'https://evil.example/',
    'x',
    '',
    '/\n/evil.example',
  ])
    expect(nextPage(`?${new URLSearchParams({ next })}`), next).toBeUndefined()
  expect(nextPage('')).toBeUndefined()
})
