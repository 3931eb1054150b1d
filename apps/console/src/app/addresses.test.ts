import { expect, test } from 'vitest'
import { addressInOtherOrganization } from './start/organizations.ts'
import { historyAddress, isSignInAddress, safeNext } from './addresses.ts'

const origin = 'https://bastion.example'

test('signing in leads on to the page asked for', () => {
  expect(safeNext('/ui/console/users/groups?limit=15#top', origin)).toBe(
    '/ui/console/users/groups?limit=15#top',
  )
  expect(safeNext('/luna/?login_to=7', origin)).toBe('/luna/?login_to=7')
})

test.each([
  null,
  '',
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example/',
  '/\t/evil.example',
  '/\n/evil.example',
  'javascript:alert(1)',
  'ui/console',
  '/core/auth/login/?next=/ui/',
  '/core/auth/logout/',
])('signing in never leads to another site or back to itself: %j', (next) => {
  expect(safeNext(next, origin)).toBe('/ui/')
})

test('an old link with # is taken to its address in the browser history', () => {
  expect(historyAddress('#/audit/sessions/sessions?order=-date_start')).toBe(
    '/ui/audit/sessions/sessions?order=-date_start',
  )
  expect(historyAddress('#content')).toBeUndefined()
  expect(historyAddress('')).toBeUndefined()
})

test('the sign-in page has two addresses', () => {
  expect(['/core/auth/login/', '/core/auth/login', '/ui/login'].every(isSignInAddress)).toBe(true)
  expect(['/ui/', '/ui/login/more', '/core/auth/logout/'].some(isSignInAddress)).toBe(false)
})

test('in another organization a detail page becomes its list, and filters are dropped', () => {
  const id = '5b0c6d4e-0f4e-4f0e-9d0e-1c2d3e4f5a6b'
  expect(addressInOtherOrganization(`/ui/console/users/groups/${id}/update`)).toBe(
    '/ui/console/users/groups/',
  )
  expect(addressInOtherOrganization('/ui/console/users/groups?search=x')).toBe('/ui/console/users/groups')
})
