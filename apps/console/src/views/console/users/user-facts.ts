import { User, UserGroupRelation } from '@sallyport/contract/resources/users'
import { validOrDisabled } from '../../../kit/list/cells.tsx'
import { facts, members, quick } from '../../../kit/detail/parts.tsx'
import { phoneText } from '../../../kit/values/phone-text.ts'
import { groupSource } from '../sources.ts'
import { disableUsers, resetMfa, resetPassword, resetSshKey, unblock } from './user-actions.tsx'

/** A person's account. */
export const userFacts = facts(User, {
  fields: [
    'id',
    'name',
    'username',
    'is_valid',
    'email',
    'phone',
    'wecom_id',
    'dingtalk_id',
    'feishu_id',
    'org_roles',
    'system_roles',
    'mfa_level',
    'source',
    'created_by',
    'date_joined',
    'date_expired',
    'date_password_last_updated',
    'last_login',
    'comment',
  ],
  values: { is_valid: validOrDisabled.render, phone: (row) => phoneText(row.phone) || '-' },
})

/** What can be done with it at once, and the groups the person is in. */
export const userSide = [
  quick(User, {
    toggles: [{ field: 'is_active', title: 'activate', off: disableUsers }],
    actions: [resetMfa, resetPassword, resetSshKey, unblock],
  }),
  members(User, 'groups', {
    title: 'userGroups',
    source: groupSource,
    pairs: { resource: UserGroupRelation, own: 'user', other: 'usergroup' },
  }),
]
