import { catalogue } from '../language.ts'

export const labels = catalogue({
  en: { display_name: 'Display name', scope: 'Scope', builtin: 'Builtin' },
  zh: { display_name: '显示名称', scope: '范围', builtin: '内置' },
  ja: { display_name: '表示名', scope: 'スコープ', builtin: 'ビルトイン' },
})

export const choices = catalogue({
  en: { 'role_scope.system': 'System', 'role_scope.org': 'Organization' },
  zh: { 'role_scope.system': '系统', 'role_scope.org': '组织' },
  ja: { 'role_scope.system': 'システム', 'role_scope.org': '組織' },
})

export const models = catalogue({
  en: { 'rbac.role': 'Role', 'rbac.systemrole': 'System role', 'rbac.orgrole': 'Organization role' },
  zh: { 'rbac.role': '角色', 'rbac.systemrole': '系统角色', 'rbac.orgrole': '组织角色' },
  ja: { 'rbac.role': 'ロール', 'rbac.systemrole': 'システムロール', 'rbac.orgrole': '組織ロール' },
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
