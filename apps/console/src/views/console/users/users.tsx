import { AssetPermission } from '@sallyport/contract/resources/perms'
import type { SystemRole as RoleRow } from '@sallyport/contract/resources/rbac'
import { OrgRole, SystemRole } from '@sallyport/contract/resources/rbac'
import { User } from '@sallyport/contract/resources/users'
import dayjs from 'dayjs'
import { useAccess } from '../../../kit/access/access.ts'
import { useList } from '../../../kit/api/hooks.ts'
import type { Choice } from '../../../kit/api/metadata.ts'
import { onlyWhenTrue, validOrDisabled } from '../../../kit/list/cells.tsx'
import { lazyPart } from '../../../kit/loading/lazy-part.tsx'
import { activateAction } from '../../../kit/actions/usual-actions.ts'
import { related } from '../../../kit/detail/parts.tsx'
import { bulkUpdateOf } from '../../../kit/form/bulk-update.ts'
import { type ListDeclaration, screens } from '../../../kit/screens/screens.tsx'
import { sendDate } from '../../../kit/dates/dates.ts'
import { PairText } from '../../../kit/values/pair-text.tsx'
import { nothing } from '../../../kit/values/plain-value.ts'
import { groupSource } from '../sources.ts'
import { permissionsOfOthers } from '../perms/permission-cells.tsx'
import { InviteButton } from './invite-button.tsx'
import { userFacts, userSide } from './user-facts.ts'
import { useUserForm } from './user-form.ts'
import { disableUsers, removeFromOrganization, sessionsEnding } from './user-actions.tsx'

const UserLoginRules = lazyPart(() => import('./user-login-rules.tsx'))
const UserAssets = lazyPart(() => import('./user-assets.tsx'))

/** Roles to narrow the list by, for who may see who holds them. */
function useRoleChoices(resource: typeof SystemRole, may: boolean): readonly Choice[] {
  const roles = useList<RoleRow>(resource.path, { limit: 100 }, { enabled: may })
  return (roles.data?.results ?? []).map(({ id, display_name: label }) => ({ value: id, label }))
}

function useUserList(): ListDeclaration<typeof User> {
  const { can, inRoot, hasLicence } = useAccess()
  // Nobody holds an organization's role in the view of all of them.
  const hasOrgRoles = hasLicence && !inRoot && can(['rbac.view_orgrole', 'rbac.view_orgrolebinding'])
  const hasSystemRoles = can(['rbac.view_systemrole', 'rbac.view_systemrolebinding'])
  const systemRoles = useRoleChoices(SystemRole, hasSystemRoles)
  const orgRoles = useRoleChoices(OrgRole, hasOrgRoles)
  return {
    ...userList,
    exclude: hasLicence && !inRoot ? userList.exclude : [...userList.exclude, 'org_roles'],
    searchFields: [
      ...(hasSystemRoles
        ? [{ name: 'system_roles', label: 'console:systemRoles', choices: systemRoles } as const]
        : []),
      ...(hasOrgRoles ? [{ name: 'org_roles', label: 'console:orgRoles', choices: orgRoles } as const] : []),
    ],
  }
}

const userList = {
  headerActions: <InviteButton />,
  cells: {
    username: { leastPx: 80 },
    email: { leastPx: 128, render: ({ email }) => <PairText text={email || nothing} /> },
    source: { widthPx: 66 },
    groups: { wrap: true, widthPx: 84 },
    system_roles: { wrap: true, widthPx: 100 },
    org_roles: { wrap: true, widthPx: 96 },
    login_blocked: onlyWhenTrue((row) => row.login_blocked),
    is_first_login: onlyWhenTrue((row) => row.is_first_login),
    can_public_key_auth: onlyWhenTrue((row) => row.can_public_key_auth),
    need_update_password: onlyWhenTrue((row) => row.need_update_password),
    is_valid: validOrDisabled,
    is_expired: onlyWhenTrue((row) => row.is_expired),
  },
  rowActions: [removeFromOrganization],
  removeConsequence: sessionsEnding,
  bulkActions: [disableUsers, activateAction(User), removeFromOrganization],
  bulkUpdate: bulkUpdateOf(User, {
    fields: ['groups', 'date_expired', 'comment'],
    specs: {
      groups: { relation: groupSource },
      date_expired: { initial: sendDate(dayjs().add(36_500, 'day')) },
    },
  }),
  exclude: [
    'password_strategy',
    'is_otp_secret_key_bound',
    'mfa_enabled',
    'mfa_force_enabled',
    'is_service_account',
    'avatar_url',
  ],
  defaultColumns: ['name', 'username', 'email', 'groups', 'system_roles', 'org_roles', 'source', 'is_valid'],
  minColumns: ['name', 'username'],
} as const satisfies ListDeclaration<typeof User>

export default screens(User, {
  list: useUserList,
  form: useUserForm,
  detail: {
    removeConsequence: sessionsEnding,
    tabs: [
      { name: 'UserInfo', title: 'basicInformation', main: userFacts, side: userSide },
      {
        name: 'UserGrantedAssets',
        title: 'console:grantedAssets',
        permission: 'perms.view_userassets',
        content: (row) => <UserAssets row={row} />,
      },
      {
        name: 'UserAssetPermissionRules',
        title: 'assetPermissions',
        main: related(AssetPermission, { by: 'user_id', ...permissionsOfOthers }),
      },
      {
        name: 'UserLoginACLList',
        title: 'loginRules',
        permission: 'acls.view_loginacl',
        content: (row) => <UserLoginRules row={row} />,
      },
    ],
  },
})
