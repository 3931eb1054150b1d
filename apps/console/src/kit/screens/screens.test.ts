import { AssetPermission } from '@sallyport/contract/resources/perms'
import { User, UserGroup } from '@sallyport/contract/resources/users'
import { expect, expectTypeOf, test } from 'vitest'
import { screens } from './screens.tsx'

const field = 'name'

test('a screen is what it declares: a list and a form without a detail', () => {
  const made = screens(UserGroup, {
    list: { defaultColumns: ['name', 'users_amount'] },
    form: { groups: [['basic', ['name', 'comment']]] },
  })
  expect(Object.keys(made).toSorted()).toEqual(['create', 'list', 'update'])
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
  screens(User, { list: { rowActions: [{ name: 'go', title: 'view', permission: 'users.veiw_user' }] } })
  // @ts-expect-error a filter
  screens(AssetPermission, { list: { searchFields: [{ name: 'usernmae', label: 'username' }] } })
  // @ts-expect-error a filter that is not offered
  screens(AssetPermission, { list: { searchExclude: ['from_tickte'] } })
  // @ts-expect-error what the list is asked for
  screens(AssetPermission, { list: { query: { user_di: '1' } } })
  // @ts-expect-error a text
  screens(User, { list: { rowActions: [{ name: 'go', title: 'veiw' }] } })
  // @ts-expect-error a field of the form
  screens(User, { form: { groups: [['basic', ['nmae']]] } })
  const tab = { name: 'a', title: 'users', content: String } as const
  // @ts-expect-error the permission of a tab
  screens(User, { detail: { tabs: [{ ...tab, permission: 'users.see' }] } })
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
