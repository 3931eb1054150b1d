/** Texts of the settings view; part of the console's catalogue. */
export const en = {
  settingsBasic: 'Basic settings',
  settingsSecurity: 'Security',
  settingsFeatures: 'Features',
  settingsAnnouncement: 'Announcement',
  settingsSessions: 'Sessions and components',
  settingsLogin: 'Login',
  settingsLimits: 'Login limits',
  settingsPasswords: 'Password rules',
}

type Messages = Record<keyof typeof en, string>

export const zh: Messages = {
  settingsBasic: '基本设置',
  settingsSecurity: '安全设置',
  settingsFeatures: '功能',
  settingsAnnouncement: '公告',
  settingsSessions: '会话与组件',
  settingsLogin: '登录认证',
  settingsLimits: '登录限制',
  settingsPasswords: '密码规则',
}

export const ja: Messages = {
  settingsBasic: '基本設定',
  settingsSecurity: 'セキュリティ',
  settingsFeatures: '機能',
  settingsAnnouncement: 'お知らせ',
  settingsSessions: 'セッションとコンポーネント',
  settingsLogin: 'ログイン',
  settingsLimits: 'ログインの制限',
  settingsPasswords: 'パスワードのルール',
}
