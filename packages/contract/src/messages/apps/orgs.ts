import { catalogue } from '../language.ts'

export const labels = catalogue({
  en: {
    resource_statistics: 'Resource statistics',
    groups_amount: 'User groups',
    assets_amount: 'Assets',
    nodes_amount: 'Nodes',
    domains_amount: 'Domains',
    asset_perms_amount: 'Asset permissions',
    is_default: 'Default',
    is_root: 'Root',
  },
  zh: {
    resource_statistics: '资源统计',
    groups_amount: '用户组数量',
    assets_amount: '资产数量',
    nodes_amount: '节点数量',
    domains_amount: '网域数量',
    asset_perms_amount: '资产授权数量',
    is_default: '默认',
    is_root: '全局',
  },
  ja: {
    resource_statistics: 'リソースの統計',
    groups_amount: 'ユーザーグループ数',
    assets_amount: '資産数',
    nodes_amount: 'ノード数',
    domains_amount: 'ネットワークドメイン数',
    asset_perms_amount: '資産権限数',
    is_default: 'デフォルト',
    is_root: 'グローバル',
  },
})

export const models = catalogue({
  en: { 'orgs.organization': 'Organization' },
  zh: { 'orgs.organization': '组织' },
  ja: { 'orgs.organization': '組織' },
})

/** Names of the organizations no one made. */
export const names = catalogue({
  en: { root: 'GLOBAL', alljoined: 'All organizations' },
  zh: { root: '全局组织', alljoined: '所有组织' },
  ja: { root: 'グローバル組織', alljoined: 'すべての組織' },
})

export const errors = catalogue({
  en: {
    org_is_current: 'The current organization cannot be deleted; switch to another one first.',
    org_is_builtin: 'This organization is part of the system and cannot be deleted.',
    org_is_ldap_target:
      'Users from LDAP are imported into this organization; choose another one there first.',
    org_not_empty: 'The organization still has {kind}; remove them first.',
  },
  zh: {
    org_is_current: '不能删除当前组织，请先切换到其他组织。',
    org_is_builtin: '该组织是系统内置组织，不能删除。',
    org_is_ldap_target: 'LDAP 用户会导入到该组织，请先在那里选择其他组织。',
    org_not_empty: '组织中还有{kind}，请先删除。',
  },
  ja: {
    org_is_current: '現在の組織は削除できません。先に別の組織へ切り替えてください。',
    org_is_builtin: 'この組織はシステムの一部のため削除できません。',
    org_is_ldap_target: 'LDAP のユーザーはこの組織に取り込まれます。先に別の組織を選んでください。',
    org_not_empty: '組織にはまだ{kind}があります。先に削除してください。',
  },
})
