import { UserGroup, UserGroupRelation } from '@sallyport/contract/resources/users'
import { facts, members } from '../../../kit/detail/parts.tsx'
import { screens } from '../../../kit/screens/screens.tsx'
import { userSource } from '../sources.ts'

export default screens(UserGroup, {
  list: {
    unread: ['users'],
    defaultColumns: ['name', 'users_amount', 'comment'],
  },
  form: {
    groups: [['basic', ['name', 'users', 'comment']]],
    fields: { users: { relation: userSource, initial: [] } },
  },
  detail: {
    tabs: [
      {
        name: 'GroupInfo',
        title: 'basicInformation',
        main: facts(UserGroup, { exclude: ['users'] }),
        side: members(UserGroup, 'users', {
          title: 'members',
          source: userSource,
          pairs: { resource: UserGroupRelation, own: 'usergroup', other: 'user' },
        }),
      },
    ],
  },
})
