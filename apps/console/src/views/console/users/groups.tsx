import { UserGroup } from '@sallyport/contract/resources/users'
import { lazy } from 'react'
import { screens } from '../../../kit/screens/screens.tsx'
import { userSource } from '../sources.ts'

const GroupInfo = lazy(() => import('./group-info.tsx'))

export default screens(UserGroup, {
  list: {
    exclude: ['users'],
    defaultColumns: ['name', 'users_amount', 'comment'],
    cells: { users_amount: { label: 'users' } },
  },
  form: {
    groups: [['basic', ['name', 'users', 'comment']]],
    fields: { users: { relation: userSource, initial: [] } },
  },
  detail: {
    tabs: [{ name: 'GroupInfo', title: 'basicInformation', content: (row) => <GroupInfo row={row} /> }],
  },
})
