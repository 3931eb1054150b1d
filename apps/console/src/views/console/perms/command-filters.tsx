import { CommandFilterAcl, CommandGroup } from '@sallyport/contract/resources/command-filters'
import { facts, quick } from '../../../kit/detail/parts.tsx'
import { screens } from '../../../kit/screens/screens.tsx'
import { CommandFilters } from './command-rules.tsx'
import { rejectsEverybody, ruleFields, ruleValues } from './rule-parts.ts'

const names = (rows: readonly { name: string }[]) => rows.map(({ name }) => name).join(', ')

/** What may be typed on which asset. */
export default screens(CommandFilterAcl, {
  page: CommandFilters,
  form: {
    groups: [
      ['basic', ['name']],
      ['console:ruleUsers', ['users.username_group']],
      ['console:ruleAssets', ['assets.name_group', 'assets.address_group']],
      ['accountGroup', ['accounts.username_group']],
      ['commandGroups', ['command_groups']],
      ['console:actionsGroup', ['action', 'reviewers']],
      ['other', ['priority', 'is_active', 'comment']],
    ],
    fields: {
      ...ruleFields,
      command_groups: {
        // Without one a filter is about nothing.
        required: true,
        relation: { path: CommandGroup.path, query: { fields_size: 'mini', order: 'name' } },
      },
    },
    asks: (values) => (rejectsEverybody(values) ? 'console:filterRejectsAll' : undefined),
  },
  detail: {
    tabs: [
      {
        name: 'Detail',
        title: 'basicInformation',
        main: facts(CommandFilterAcl, {
          fields: [
            'name',
            'users_username_group',
            'assets_name_group',
            'assets_address_group',
            'accounts_username_group',
            'command_groups',
            'action',
            'reviewers',
            'priority',
            'comment',
            'date_created',
            'created_by',
          ],
          values: { ...ruleValues, command_groups: (row) => names(row.command_groups) },
        }),
        side: quick(CommandFilterAcl, { toggles: [{ field: 'is_active', title: 'activate' }] }),
      },
    ],
  },
})
