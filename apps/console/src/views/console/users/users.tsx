import { AssetPermission } from '@sallyport/contract/resources/perms'
import { User } from '@sallyport/contract/resources/users'
import { lazyPart } from '../../../kit/loading/lazy-part.tsx'
import { activateAction } from '../../../kit/actions/usual-actions.ts'
import { related } from '../../../kit/detail/parts.tsx'
import { bulkUpdateOf } from '../../../kit/form/bulk-update.ts'
import { screens } from '../../../kit/screens/screens.tsx'
import { groupSource } from '../sources.ts'
import { permissionsOfOthers } from '../perms/permission-cells.tsx'
import { InviteButton } from './invite-button.tsx'
import { userFacts, userSide } from './user-facts.ts'
import { useUserForm } from './user-form.ts'
import { disableUsers, removeFromOrganization, sessionsEnding } from './user-actions.tsx'

const UserLoginRules = lazyPart(() => import('./user-login-rules.tsx'))
const UserAssets = lazyPart(() => import('./user-assets.tsx'))

export default screens(User, {
  list: {
    headerActions: <InviteButton />,
    rowActions: [removeFromOrganization],
    removeConsequence: sessionsEnding,
    bulkActions: [disableUsers, activateAction(User), removeFromOrganization],
    bulkUpdate: bulkUpdateOf(User, {
      fields: ['groups', 'date_expired', 'comment'],
      specs: { groups: { relation: groupSource } },
    }),
    exclude: [
      'password_strategy',
      'is_otp_secret_key_bound',
      'mfa_enabled',
      'mfa_force_enabled',
      'is_service_account',
      'avatar_url',
    ],
    defaultColumns: [
      'name',
      'username',
      'email',
      'groups',
      'system_roles',
      'org_roles',
      'source',
      'is_valid',
    ],
    minColumns: ['name', 'username'],
  },
  form: useUserForm,
  detail: {
    removeConsequence: sessionsEnding,
    tabs: [
      { name: 'UserInfo', title: 'basicInformation', main: userFacts, side: userSide },
      {
        name: 'UserLoginRules',
        title: 'loginRules',
        permission: 'acls.view_loginacl',
        content: (row) => <UserLoginRules row={row} />,
      },
      {
        name: 'UserGrantedAssets',
        title: 'grantedAssets',
        permission: 'perms.view_userassets',
        content: (row) => <UserAssets row={row} />,
      },
      {
        name: 'UserAssetPermissionRules',
        title: 'assetPermissions',
        main: related(AssetPermission, { by: 'user_id', ...permissionsOfOthers }),
      },
    ],
  },
})
