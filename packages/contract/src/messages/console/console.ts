import * as users from './console/users.ts'
import * as assets from './console/assets.ts'
import * as accounts from './console/accounts.ts'
import * as perms from './console/perms.ts'
import { together } from '../language.ts'

/** Texts of the console view. English is the source of the keys; each area has a file, and what several say alike stands here. */
export const en = together(users.en, assets.en, accounts.en, perms.en, {
  actionsGroup: 'Actions',
  address: 'IP/Host',
  assetName: 'Asset name',
  assetsGroup: 'Assets',
  nodes: 'Nodes',
  usersGroup: 'Users',
  viewPermissions: 'View permissions',
  loginRuleDetail: 'Rule detail',
  testNow: 'Test',
})
type Messages = Record<keyof typeof en, string>

export const zh: Messages = together(users.zh, assets.zh, accounts.zh, perms.zh, {
  actionsGroup: '动作',
  address: 'IP/主机',
  assetName: '资产名称',
  assetsGroup: '资产',
  nodes: '节点',
  usersGroup: '用户',
  viewPermissions: '查看授权',
  loginRuleDetail: '规则详情',
  testNow: '测试',
})

export const ja: Messages = together(users.ja, assets.ja, accounts.ja, perms.ja, {
  actionsGroup: 'アクション',
  address: 'IP/ホスト',
  assetName: '資産名',
  assetsGroup: '資産',
  nodes: 'ノード',
  usersGroup: 'ユーザー',
  viewPermissions: '権限を表示',
  loginRuleDetail: 'ルールの詳細',
  testNow: 'テスト',
})
