import { Account } from '@sallyport/contract/resources/accounts'
import { Asset } from '@sallyport/contract/resources/assets'
import { AssetPermission } from '@sallyport/contract/resources/perms'
import { User, UserGroup, UserGroupRelation as Pair } from '@sallyport/contract/resources/users'
import { expect, expectTypeOf, test } from 'vitest'
import type { Action } from '../actions/action.ts'
import { calling } from '../actions/calling.ts'
import { addressOf, call } from '../api/call.ts'
import { facts, members, quick, related } from '../detail/parts.tsx'
import { screens } from './screens.tsx'

const field = 'name'
const fromUsers = { title: 'members', source: { path: 'users/users/' } } as const

test('a screen is what it declares: a list and a form without a detail', () => {
  const made = screens(UserGroup, {
    list: { defaultColumns: ['name', 'users_amount'] },
    form: { groups: [['basic', ['name', 'comment']]] },
  })
  expect(Object.keys(made).toSorted()).toEqual(['about', 'create', 'list', 'update'])
})

test('a typo in a screen does not compile', () => {
  // @ts-expect-error a column that is no field
  screens(User, { list: { columns: [field, 'usernmae'] } })
  // @ts-expect-error a default column
  screens(User, { list: { defaultColumns: [field, 'emial'] } })
  // @ts-expect-error a cell
  screens(User, { list: { cells: { usrname: { widthPx: 80 } } } })
  // @ts-expect-error a field of the row in a cell
  screens(User, { list: { cells: { name: { render: (row) => row.usrname } } } })
  // @ts-expect-error a permission
  screens(User, { list: { rowActions: [{ name: 'go', title: 'activate', permission: 'users.veiw_user' }] } })
  // @ts-expect-error a filter
  screens(AssetPermission, { list: { searchFields: [{ name: 'usernmae', label: 'users' }] } })
  // @ts-expect-error a filter that is not offered
  screens(AssetPermission, { list: { searchExclude: ['from_tickte'] } })
  // @ts-expect-error what the list is asked for
  screens(AssetPermission, { list: { query: { user_di: '1' } } })
  // @ts-expect-error a text
  screens(User, { list: { rowActions: [{ name: 'go', title: 'veiw' }] } })
  // @ts-expect-error a text of a view
  screens(User, { list: { rowActions: [{ name: 'go', title: 'console:veiwSecret' }] } })
  // @ts-expect-error the view of a text
  screens(User, { list: { rowActions: [{ name: 'go', title: 'consol:viewSecret' }] } })
  // @ts-expect-error a field of the form
  screens(User, { form: { groups: [['basic', ['nmae']]] } })
  const tab = { name: 'a', title: 'users', content: String } as const
  // @ts-expect-error the permission of a tab
  screens(User, { detail: { tabs: [{ ...tab, permission: 'users.see' }] } })
})

test('a typo in the parts of a detail does not compile', () => {
  const shown = { name: 'a', title: 'users' } as const
  screens(Asset, {
    detail: {
      tabs: [
        { ...shown, main: facts(Asset, { fields: ['name'] }), side: members(Asset, 'nodes', fromUsers) },
        { ...shown, main: related(Account, { by: 'asset', columns: ['name'] }) },
      ],
    },
  })
  // @ts-expect-error a fact that is no field
  facts(Asset, { fields: ['nmae'] })
  // @ts-expect-error what the related rows are narrowed by
  related(Account, { by: 'aset' })
  // @ts-expect-error a column of the related rows
  related(Account, { by: 'asset', columns: ['usrname'] })
  // @ts-expect-error a field that holds no rows
  members(Asset, 'name', fromUsers)
  // @ts-expect-error a field that is none
  members(UserGroup, 'usres', fromUsers)
  // @ts-expect-error how the pairs call the row
  members(UserGroup, 'users', { ...fromUsers, pairs: { resource: Pair, own: 'group', other: 'user' } })
  // @ts-expect-error a switch of a field that is no yes or no
  quick(Asset, { toggles: [{ field: 'name', title: 'activate' }] })
  // @ts-expect-error facts of another resource
  screens(User, { detail: { tabs: [{ ...shown, main: facts(Asset) }] } })
  // @ts-expect-error a call the resource does not declare
  const call1 = () => addressOf(AssetPermission, 'allUser', { id: '1' })
  // @ts-expect-error what a declared call is given
  const call2 = () => addressOf(AssetPermission, 'allUsers', {})
  const unblock = { name: 'unblock', title: 'activate' } as const
  const typo: Action<User> = {
    ...unblock,
    // @ts-expect-error the name of a call an action makes
    call: ([user]) => user && call(User, 'unblok', { id: user.id }),
  }
  // @ts-expect-error the name of the call an action is
  const typo2 = () => calling(User, 'unblok')
  // @ts-expect-error a call that is made on no row
  const typo3 = () => calling(User, 'removeListed')
  expect([typo.call, call1, call2, typo2, typo3]).toHaveLength(5)
})

test('columns and fields of the screen itself are named where they are declared', () => {
  screens(UserGroup, {
    list: {
      defaultColumns: ['name', 'size'],
      extra: { size: { label: 'users', render: (row) => row.users.length } },
    },
    form: { groups: [['basic', ['name', 'sure']]], own: { sure: { widget: 'checkbox', label: 'users' } } },
  })
  // @ts-expect-error an own column's name with a typo
  screens(UserGroup, { list: { columns: ['sise'], extra: { size: { label: 'users', render: String } } } })
})

test('the row is the one of the contract', () => {
  screens(UserGroup, {
    list: { can: { update: (row) => (expectTypeOf(row).toEqualTypeOf<UserGroup>(), true) } },
    detail: {
      tabs: [
        { name: 'a', title: 'users', content: (row) => (expectTypeOf(row).toEqualTypeOf<UserGroup>(), '') },
      ],
    },
  })
})
