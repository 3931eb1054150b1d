import { catalogue } from '../language.ts'

export const labels = catalogue({
  en: { users: 'User', users_amount: 'Users amount' },
  zh: { users: '用户', users_amount: '用户数量' },
  ja: { users: 'ユーザー', users_amount: 'ユーザー数' },
})

export const models = catalogue({
  en: { 'users.usergroup': 'User group' },
  zh: { 'users.usergroup': '用户组' },
  ja: { 'users.usergroup': 'ユーザーグループ' },
})
