import { UserGroup } from '@sallyport/contract/resources/users'
import { resourceScreens } from '../../../kit/screens/resource-screens.tsx'
import { GroupInfo } from './group-info.tsx'
import { userSource } from '../../../kit/relation/sources.ts'

export default resourceScreens({
  resource: UserGroup,
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
