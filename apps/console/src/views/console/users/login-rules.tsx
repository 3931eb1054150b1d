import { LoginAcl } from '@sallyport/contract/resources/acls'
import { facts, quick } from '../../../kit/detail/parts.tsx'
import { someHours, wholeWeek } from '../../../kit/form/week/hours.ts'
import { lazyPart } from '../../../kit/loading/lazy-part.tsx'
import { screens } from '../../../kit/screens/screens.tsx'
import { userSource } from '../sources.ts'
import { LoginRuleText } from './login-rule-text.tsx'

const WeekGrid = lazyPart(async () => ({
  default: (await import('../../../kit/form/week/week-grid.tsx')).WeekGrid,
}))

const asksPeople = (action: unknown) => action === 'review' || action === 'notice'

/** From where and when people may log in. */
export default screens(LoginAcl, {
  list: {
    exclude: ['rules', 'reviewers'],
    defaultColumns: ['name', 'priority', 'is_active', 'user', 'action', 'comment'],
    minColumns: ['name'],
  },
  form: {
    groups: [
      ['basic', ['name', 'priority']],
      ['console:usersGroup', ['user']],
      ['console:loginRuleGroup', ['rules.ip_group', 'rules.time_period']],
      ['console:actionsGroup', ['action', 'reviewers']],
      ['other', ['is_active', 'comment']],
    ],
    fields: {
      priority: { required: true },
      user: { relation: userSource },
      'rules.ip_group': { widget: 'list', help: 'console:ipGroupHelp', initial: ['*'] },
      'rules.time_period': {
        widget: WeekGrid,
        required: true,
        initial: wholeWeek,
        rules: [someHours],
      },
      action: { initial: 'reject' },
      reviewers: {
        relation: userSource,
        required: true,
        hidden: (values) => !asksPeople(values['action']),
      },
    },
    presets: (search) => {
      const user = search.get('user')
      return user === null ? {} : { initial: { user } }
    },
  },
  detail: {
    tabs: [
      {
        name: 'Detail',
        title: 'console:loginRuleDetail',
        main: facts(LoginAcl, {
          fields: ['name', 'user', 'rules', 'action', 'priority', 'date_created', 'created_by', 'reviewers'],
          values: {
            rules: ({ rules }) => <LoginRuleText rules={rules} />,
            reviewers: (row) => row.reviewers.map(({ name }) => name).join(', '),
          },
        }),
        side: quick(LoginAcl, { toggles: [{ field: 'is_active', title: 'activate' }] }),
      },
    ],
  },
})
