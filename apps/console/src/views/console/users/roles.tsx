import { OrgRole, OrgRoleBinding, SystemRole, SystemRoleBinding } from '@sallyport/contract/resources/rbac'
import { rootOrgId } from '@sallyport/contract/constants'
import { useQueryClient } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { useAccess } from '../../../kit/access/access.ts'
import { api } from '../../../kit/api/client.ts'
import { queryKeys } from '../../../kit/api/keys.ts'
import { listPath } from '../../../kit/api/resource.ts'
import { facts, related } from '../../../kit/detail/parts.tsx'
import { onlyWhenTrue } from '../../../kit/list/cells.tsx'
import { ResourceList } from '../../../kit/list/resource-list.tsx'
import { lazyPart } from '../../../kit/loading/lazy-part.tsx'
import { Page } from '../../../kit/page/page.tsx'
import { Link } from '../../../kit/routes/navigation.tsx'
import { screenPaths } from '../../../kit/screens/paths.ts'
import { screens } from '../../../kit/screens/screens.tsx'
import { Tabs } from '../../../kit/tabs/tabs.tsx'
import { useMessages } from '../../../kit/text.ts'
import { userSource } from '../sources.ts'

const RolePermissions = lazyPart(() => import('./role-permissions.tsx'))
const RelationCard = lazyPart(async () => ({
  default: (await import('../../../kit/detail/relation-card.tsx')).RelationCard,
}))

const scopes = {
  system: { resource: SystemRole, bindings: SystemRoleBinding },
  org: { resource: OrgRole, bindings: OrgRoleBinding },
} as const
type Scope = keyof typeof scopes
const baseOf = (scope: Scope) => `/console/users/roles?scope=${scope}`

/** Gives the role to more people; who holds it is listed beside. */
function AddHolders({ scope, role }: { scope: Scope; role: string }) {
  const text = useMessages()
  const client = useQueryClient()
  const { canDo, inRoot } = useAccess()
  const { resource, bindings } = scopes[scope]
  const isOpen = canDo('add', bindings) && !(scope === 'org' && inRoot)
  const add = async (users: readonly (string | number)[]) => {
    await api.post(
      listPath(bindings.path),
      users.map((user) => ({ user, role, scope })),
    )
    for (const { path } of [bindings, resource])
      await client.invalidateQueries({ queryKey: queryKeys.resource(path) })
  }
  const source =
    scope === 'system' ? { ...userSource, query: { ...userSource.query, oid: rootOrgId } } : userSource
  return (
    <RelationCard title={text('members')} source={source} add={isOpen ? add : undefined} remove={undefined} />
  )
}

const roleScreens = (scope: Scope) => {
  const { resource, bindings } = scopes[scope]
  return screens(resource, {
    form: {
      base: baseOf(scope),
      presets: () => ({ initial: { scope } }),
      groups: [
        ['basic', ['name', 'scope']],
        ['other', ['comment']],
      ],
      fields: { scope: { disabled: true, help: 'console:rolePermissionsLater' } },
      nextTo: ({ id }) => screenPaths(baseOf(scope)).detail(id),
    },
    detail: {
      base: baseOf(scope),
      can: { update: ({ builtin }) => !builtin, remove: ({ builtin }) => !builtin },
      called: ({ display_name: name }) => name,
      tabs: [
        {
          name: 'RoleInfo',
          title: 'basicInformation',
          main: facts(resource, {
            fields: [
              'display_name',
              'scope',
              'builtin',
              'created_by',
              'date_created',
              'date_updated',
              'comment',
            ],
          }),
          side: { show: (row) => <RolePermissions role={row} /> },
        },
        {
          name: 'RoleUsers',
          title: 'console:roleUsers',
          main: related(bindings, {
            by: 'role',
            can: { create: false, update: false, clone: false, bulkRemove: false, import: 'create' },
            base: '/console/users/roles',
            detailTo: false,
            columns: scope === 'org' ? ['user_display', 'org_name'] : ['user_display'],
            searchExclude: ['user', 'scope', 'role', ...(scope === 'org' ? (['org'] as const) : [])],
          }),
          side: { show: ({ id }) => <AddHolders scope={scope} role={id} /> },
        },
      ],
    },
  })
}
const made = { system: roleScreens('system'), org: roleScreens('org') }

const useScope = (): Scope => (useSearchParams()[0].get('scope') === 'org' ? 'org' : 'system')

export function RoleCreate() {
  const { create: Create } = made[useScope()]
  return Create && <Create />
}
export function RoleUpdate() {
  const { update: Update } = made[useScope()]
  return Update && <Update />
}
export function RoleDetail() {
  const { detail: Detail } = made[useScope()]
  return Detail && <Detail />
}

function RoleList({ scope }: { scope: Scope }) {
  const base = baseOf(scope)
  return (
    <ResourceList
      resource={scopes[scope].resource}
      base={base}
      can={{
        update: ({ builtin }) => !builtin,
        remove: ({ builtin }) => !builtin,
        bulkRemove: false,
        import: 'create',
      }}
      exclude={['name', 'permissions']}
      defaultColumns={['display_name', 'users_amount', 'builtin', 'comment']}
      minColumns={['display_name']}
      searchExclude={['scope']}
      cells={{
        builtin: onlyWhenTrue(({ builtin }) => builtin === true),
        display_name: {
          render: ({ id, display_name: name }) => <Link to={screenPaths(base).detail(id)}>{name}</Link>,
        },
      }}
    />
  )
}

/** Roles of the system, and those of organizations. */
export default function RolesPage() {
  const text = useMessages()
  const { can, hasLicence } = useAccess()
  return (
    <Page>
      <Tabs
        tabs={[
          {
            name: 'SysRoleList',
            title: text('console:systemRoles'),
            hidden: !can('rbac.view_systemrole'),
            content: <RoleList scope="system" />,
          },
          {
            name: 'OrgRoleList',
            title: text('console:orgRoles'),
            hidden: !(hasLicence && can('rbac.view_orgrole')),
            content: <RoleList scope="org" />,
          },
        ]}
      />
    </Page>
  )
}
