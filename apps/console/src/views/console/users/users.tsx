import { User } from '@sallyport/contract/resources/users'
import { lazy } from 'react'
import { screens } from '../../../kit/screens/screens.tsx'
import { userForm } from './user-form.ts'
import { activateUsers, disableUsers, removeFromOrganization } from './user-actions.ts'

const UserInfo = lazy(() => import('./user-info.tsx'))
const UserAssets = lazy(() => import('./user-assets.tsx'))
const UserPermissions = lazy(() => import('./user-permissions.tsx'))

export default screens(User, {
  list: {
    rowActions: [removeFromOrganization],
    bulkActions: [disableUsers, activateUsers, removeFromOrganization],
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
  form: userForm,
  detail: {
    tabs: [
      { name: 'UserInfo', title: 'basicInformation', content: (row) => <UserInfo row={row} /> },
      {
        name: 'UserGrantedAssets',
        title: 'grantedAssets',
        permission: 'perms.view_userassets',
        content: (row) => <UserAssets row={row} />,
      },
      {
        name: 'UserAssetPermissionRules',
        title: 'assetPermissions',
        permission: 'perms.view_assetpermission',
        content: (row) => <UserPermissions row={row} />,
      },
    ],
  },
})
