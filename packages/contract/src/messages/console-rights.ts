/** Texts of the console's screens of organizations and roles; part of the console's catalogue. */
export const en = {
  role: 'role',
  roles: 'Roles',
  systemRoles: 'System roles',
  orgRoles: 'Organization roles',
  roleUsers: 'Users of the role',
  rolePermissionsLater: 'What the role may is chosen on its page, once it is saved.',
  organizationOne: 'organization',
  createOrganization: 'Create organization',
  organizationList: 'Organization list',
  usersAmount: 'Users',
  groupsAmount: 'User groups',
  assetsAmount: 'Assets',
  assetPermsAmount: 'Asset permissions',
  orgHolds: 'An organization can be deleted once it is empty. This one still holds:',
  orgIsEmpty: 'It holds nothing any more.',
  holdings: 'What it holds',
  noRightToIt: 'You have no permission for this.',
  resetMfaAsks:
    'The second factor of {{name}} is removed. Where one is required, they set up a new one at the next login.',
  resetPasswordAsks:
    'A link to choose a new password is sent to {{email}}. It is valid for an hour; until then the old password no longer works.',
  resetSshKeyAsks:
    'The public SSH key of {{name}} is removed. They cannot log in with it until they set a new one in their profile.',
  unblockAsks: '{{name}} can try to log in again at once; failed logins are counted from zero.',
}

type Messages = Record<keyof typeof en, string>

export const zh: Messages = {
  role: '角色',
  roles: '角色列表',
  systemRoles: '系统角色',
  orgRoles: '组织角色',
  roleUsers: '角色用户',
  rolePermissionsLater: '保存后，在角色详情页设置权限。',
  organizationOne: '组织',
  createOrganization: '创建组织',
  organizationList: '组织列表',
  usersAmount: '用户数量',
  groupsAmount: '用户组数量',
  assetsAmount: '资产数量',
  assetPermsAmount: '资产授权数量',
  orgHolds: '组织为空后才能删除。该组织中还有：',
  orgIsEmpty: '该组织中已没有任何内容。',
  holdings: '组织内容',
  noRightToIt: '您没有此权限。',
  resetMfaAsks: '将移除 {{name}} 的多因子认证；需要多因子认证时，下次登录须重新绑定。',
  resetPasswordAsks: '设置新密码的链接将发送到 {{email}}，一小时内有效；在此之前旧密码不再可用。',
  resetSshKeyAsks: '将移除 {{name}} 的 SSH 公钥；在个人信息中设置新公钥之前，无法用它登录。',
  unblockAsks: '{{name}} 可以立即重新登录，失败次数重新计算。',
}

export const ja: Messages = {
  role: 'ロール',
  roles: 'ロール',
  systemRoles: 'システムロール',
  orgRoles: '組織ロール',
  roleUsers: 'ロールのユーザー',
  rolePermissionsLater: '権限は保存後、ロールの画面で設定します。',
  organizationOne: '組織',
  createOrganization: '組織を作成',
  organizationList: '組織一覧',
  usersAmount: 'ユーザー数',
  groupsAmount: 'ユーザーグループ数',
  assetsAmount: '資産数',
  assetPermsAmount: '資産権限数',
  orgHolds: '組織は空になると削除できます。この組織に残っているもの:',
  orgIsEmpty: 'この組織にはもう何もありません。',
  holdings: '組織の内容',
  noRightToIt: 'この操作の権限がありません。',
  resetMfaAsks: '{{name}} の多要素認証を解除します。必要な場合は次回ログイン時に設定し直します。',
  resetPasswordAsks:
    '新しいパスワードを設定するリンクを {{email}} に送ります。有効期間は 1 時間で、それまで古いパスワードは使えません。',
  resetSshKeyAsks:
    '{{name}} の SSH 公開鍵を削除します。プロフィールで新しい鍵を設定するまで、鍵ではログインできません。',
  unblockAsks: '{{name}} はすぐにログインし直せます。失敗回数は 0 から数え直します。',
}
