import { LoginAssetAcl } from '@sallyport/contract/resources/login-asset-acls'
import { facts, quick } from '../../../kit/detail/parts.tsx'
import { screens } from '../../../kit/screens/screens.tsx'
import { rejectsEverybody, ruleFields, ruleValues, unlisted } from './rule-parts.ts'

/** Who may connect to which asset with which account. */
export default screens(LoginAssetAcl, {
  list: {
    can: { import: false, export: false },
    exclude: unlisted,
    defaultColumns: ['name', 'priority', 'action', 'is_active', 'comment'],
    minColumns: ['name'],
  },
  form: {
    groups: [
      ['basic', ['name', 'priority']],
      ['console:ruleUsers', ['users.username_group']],
      ['console:ruleAssets', ['assets.name_group', 'assets.address_group']],
      ['accountGroup', ['accounts.username_group']],
      ['console:actionsGroup', ['action', 'reviewers']],
      ['other', ['is_active', 'comment']],
    ],
    fields: ruleFields,
    asks: (values) => (rejectsEverybody(values) ? 'console:ruleRejectsAll' : undefined),
  },
  detail: {
    tabs: [
      {
        name: 'Detail',
        title: 'console:loginRuleDetail',
        main: facts(LoginAssetAcl, {
          fields: [
            'name',
            'users_username_group',
            'assets_name_group',
            'assets_address_group',
            'accounts_username_group',
            'action',
            'reviewers',
            'priority',
            'comment',
            'date_created',
            'created_by',
          ],
          values: ruleValues,
        }),
        side: quick(LoginAssetAcl, { toggles: [{ field: 'is_active', title: 'activate' }] }),
      },
    ],
  },
})
