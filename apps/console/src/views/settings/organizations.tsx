import { Organization } from '@sallyport/contract/resources/orgs'
import { User } from '@sallyport/contract/resources/users'
import { listPath } from '../../kit/api/resource.ts'
import { facts, related } from '../../kit/detail/parts.tsx'
import { screens } from '../../kit/screens/screens.tsx'
import { type MessageKey, useMessages } from '../../kit/text.ts'

type Amount = keyof Organization['resource_statistics']

const amounts = {
  users_amount: 'settings:usersAmount',
  groups_amount: 'settings:groupsAmount',
  assets_amount: 'settings:assetsAmount',
  asset_perms_amount: 'settings:assetPermsAmount',
} as const satisfies Partial<Record<Amount, MessageKey>>
const amountNames = Object.keys(amounts) as (keyof typeof amounts)[]

const amountColumn = (name: keyof typeof amounts) => ({
  label: amounts[name],
  render: ({ resource_statistics: held }: Organization) => held[name],
})

/** In the question before organizations are deleted: what has to go first. */
function Holdings({ organizations }: { organizations: readonly Organization[] }) {
  const text = useMessages()
  const held = organizations.flatMap(({ resource_statistics: amountsOf }) =>
    amountNames.filter((name) => amountsOf[name] > 0).map((name) => ({ name, amount: amountsOf[name] })),
  )
  if (held.length === 0) return <p>{text('settings:orgIsEmpty')}</p>
  return (
    <>
      <p>{text('settings:orgHolds')}</p>
      <ul>
        {held.map(({ name, amount }) => (
          <li key={name}>
            {text(amounts[name])}: {amount}
          </li>
        ))}
      </ul>
    </>
  )
}
const holdings = (organizations: readonly Organization[]) => <Holdings organizations={organizations} />

export default screens(Organization, {
  list: {
    can: {
      remove: ({ is_default: isDefault }) => !isDefault,
      bulkRemove: false,
      import: false,
      export: false,
    },
    columns: ['name', ...amountNames, 'comment', 'is_default', 'date_created', 'created_by', 'id'],
    defaultColumns: ['name', ...amountNames, 'comment'],
    extra: {
      users_amount: amountColumn('users_amount'),
      groups_amount: amountColumn('groups_amount'),
      assets_amount: amountColumn('assets_amount'),
      asset_perms_amount: amountColumn('asset_perms_amount'),
    },
    removeConsequence: holdings,
  },
  form: { groups: [['basic', ['name', 'comment']]], canAddAnother: false },
  detail: {
    removeConsequence: holdings,
    tabs: [
      {
        name: 'OrganizationDetail',
        title: 'basicInformation',
        main: facts(Organization, {
          fields: ['id', 'name', 'created_by', 'resource_statistics', 'date_created', 'comment'],
        }),
      },
      {
        name: 'OrganizationMembers',
        title: 'members',
        main: related(User, {
          at: ({ id }: Organization) => `${listPath(User.path)}?oid=${id}`,
          columns: ['name', 'username', 'email', 'org_roles', 'is_valid'],
        }),
      },
    ],
  },
})
