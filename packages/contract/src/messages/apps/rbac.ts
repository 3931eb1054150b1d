import { catalogue } from '../language.ts'

export const labels = catalogue({
  en: {
    display_name: 'Display name',
    scope: 'Scope',
    builtin: 'Builtin',
    permissions: 'Permissions',
    clone_from: 'Copy of',
    codename: 'Code',
    content_type: 'About',
    role: 'Role',
    role_display: 'Role',
    org: 'Organization',
  },
  zh: {
    display_name: '显示名称',
    scope: '范围',
    builtin: '内置',
    permissions: '权限',
    clone_from: '复制自',
    codename: '代码',
    content_type: '对象',
    role: '角色',
    role_display: '角色',
    org: '组织',
  },
  ja: {
    display_name: '表示名',
    scope: 'スコープ',
    builtin: 'ビルトイン',
    permissions: '権限',
    clone_from: 'コピー元',
    codename: 'コード',
    content_type: '対象',
    role: 'ロール',
    role_display: 'ロール',
    org: '組織',
  },
})

export const choices = catalogue({
  en: { 'role_scope.system': 'System', 'role_scope.org': 'Organization' },
  zh: { 'role_scope.system': '系统', 'role_scope.org': '组织' },
  ja: { 'role_scope.system': 'システム', 'role_scope.org': '組織' },
})

export const models = catalogue({
  en: {
    'rbac.role': 'Role',
    'rbac.systemrole': 'System role',
    'rbac.orgrole': 'Organization role',
    'rbac.systemrolebinding': 'System role binding',
    'rbac.orgrolebinding': 'Organization role binding',
    'rbac.rolebinding': 'Role binding',
    'rbac.permission': 'Permission',
  },
  zh: {
    'rbac.role': '角色',
    'rbac.systemrole': '系统角色',
    'rbac.orgrole': '组织角色',
    'rbac.systemrolebinding': '系统角色绑定',
    'rbac.orgrolebinding': '组织角色绑定',
    'rbac.rolebinding': '角色绑定',
    'rbac.permission': '权限',
  },
  ja: {
    'rbac.role': 'ロール',
    'rbac.systemrole': 'システムロール',
    'rbac.orgrole': '組織ロール',
    'rbac.systemrolebinding': 'システムロールのバインド',
    'rbac.orgrolebinding': '組織ロールのバインド',
    'rbac.rolebinding': 'ロールのバインド',
    'rbac.permission': '権限',
  },
})

/** What built-in roles are called, by their stored name. */
export const roleNames = catalogue({
  en: {
    SystemAdmin: 'SystemAdmin',
    SystemAuditor: 'SystemAuditor',
    User: 'User',
    SystemComponent: 'SystemComponent',
    OrgAdmin: 'OrgAdmin',
    OrgAuditor: 'OrgAuditor',
    OrgUser: 'OrgUser',
  },
  zh: {
    SystemAdmin: '系统管理员',
    SystemAuditor: '系统审计员',
    User: '用户',
    SystemComponent: '系统组件',
    OrgAdmin: '组织管理员',
    OrgAuditor: '组织审计员',
    OrgUser: '组织用户',
  },
  ja: {
    SystemAdmin: 'システム管理者',
    SystemAuditor: 'システム監査員',
    User: 'ユーザー',
    SystemComponent: 'システムコンポーネント',
    OrgAdmin: '組織管理者',
    OrgAuditor: '組織監査員',
    OrgUser: '組織ユーザー',
  },
})

export const errors = catalogue({
  en: {
    role_builtin: 'Built-in roles cannot be changed or deleted.',
    role_in_use: 'The role is held by users; take it from them first.',
    role_scope_fixed: 'The scope has to be that of these roles.',
    permission_unknown: 'There is no permission {pk} for roles of this scope.',
    permission_not_removed: 'You do not hold {name} yourself, so you cannot take it from a role.',
    permission_not_held: 'You do not hold {name} yourself, so you cannot give it to a role.',
    role_already_bound: 'Has bound this role',
    system_role_bound: "Duplicate for key 'role_user' of system role binding, the user holds this role.",
    system_role_delete_error:
      'The last system role of a user cannot be taken away: at least one system role is needed.',
    last_org_role: 'User last role in org, can not be delete, you can remove user from org instead',
    last_administrator: 'The system needs at least one active system administrator.',
    own_account: 'You cannot delete your own account.',
  },
  zh: {
    role_builtin: '内置角色不能修改或删除。',
    role_in_use: '角色已绑定用户，请先解除绑定。',
    role_scope_fixed: '范围必须与此类角色一致。',
    permission_unknown: '此范围的角色没有权限 {pk}。',
    permission_not_removed: '您自己没有权限“{name}”，不能将它从角色中移除。',
    permission_not_held: '您自己没有权限“{name}”，不能将它授予角色。',
    role_already_bound: '已经绑定该角色',
    system_role_bound: '该用户已绑定此系统角色。',
    system_role_delete_error: '用户至少需要一个系统角色，不能移除最后一个。',
    last_org_role: '这是用户在该组织中的最后一个角色，不能删除，可以将用户从组织中移除。',
    last_administrator: '系统至少需要一个可用的系统管理员。',
    own_account: '不能删除自己的账号。',
  },
  ja: {
    role_builtin: 'ビルトインのロールは変更も削除もできません。',
    role_in_use: 'ユーザーに割り当てられているロールです。先に割り当てを解除してください。',
    role_scope_fixed: 'スコープはこの種類のロールと同じでなければなりません。',
    permission_unknown: 'このスコープのロールに権限 {pk} はありません。',
    permission_not_removed: '「{name}」の権限をご自身が持っていないため、ロールから外せません。',
    permission_not_held: '「{name}」の権限をご自身が持っていないため、ロールに与えられません。',
    role_already_bound: 'このロールはすでに割り当てられています',
    system_role_bound: 'このユーザーにはすでにこのシステムロールがあります。',
    system_role_delete_error:
      'ユーザーには少なくとも 1 つのシステムロールが必要です。最後の 1 つは外せません。',
    last_org_role: 'この組織での最後のロールなので削除できません。ユーザーを組織から外してください。',
    last_administrator: '有効なシステム管理者が少なくとも 1 人必要です。',
    own_account: '自分のアカウントは削除できません。',
  },
})
