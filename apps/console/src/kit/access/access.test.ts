import { expect, test } from 'vitest'
import { accessOf } from './access.ts'

const access = accessOf(['users.view_user', 'ops.view_adhoc'], false)

test('every entry of a permission list must hold, alternatives inside an entry may', () => {
  expect(access.can('users.view_user')).toBe(true)
  expect(access.can([['ops.view_playbook', 'ops.view_adhoc']])).toBe(true)
  expect(access.can(['users.view_user', 'users.add_user'])).toBe(false)
  expect(access.can(undefined)).toBe(true)
  expect(access.canDo('delete', { app: 'users', model: 'user', path: 'users/users/' })).toBe(false)
})
