/** Texts of the settings view; part of the console's catalogue. */
export const en = {
  settingsBasic: 'Basic settings',
  settingsSecurity: 'Security',
  settingsFeatures: 'Features',
  settingsAnnouncement: 'Announcement',
  settingsSessions: 'Sessions and components',
  settingsLogin: 'Login',
  loginChallengeHelp:
    'The login page has a field for a code that is checked together with the password, as some directories want it.',
  loginCaptchaHelp:
    'Asked for where a login failed within the last hour, and before a forgotten password is mailed.',
  settingsLimits: 'Login limits',
  settingsPasswords: 'Password rules',
  settingsLicense: 'License',
  licenceNone:
    'There is no valid licence: this is the community edition. Import a licence to manage roles and organizations.',
  licenceEdition: 'License',
  importLicence: 'Import licence',
  removeLicence: 'Remove licence',
  removeLicenceAsk:
    'What is licensed can then be seen, and no longer changed, until a licence is imported again.',
  licenceImported: 'The licence was imported',
  licenceRemoved: 'The licence was removed',
  technologyConsult: 'Technical consulting',
  settingsClean: 'Period clean',
  settingsRecords: 'Records',
  cleanHelp: 'What is older is deleted for good, every day at 02:00 (UTC).',
}

type Messages = Record<keyof typeof en, string>

export const zh: Messages = {
  settingsBasic: '基本设置',
  settingsSecurity: '安全设置',
  settingsFeatures: '功能',
  settingsAnnouncement: '公告',
  settingsSessions: '会话与组件',
  settingsLogin: '登录认证',
  loginChallengeHelp: '登录页面会增加一个输入框，其内容与密码一起校验，供需要动态码的目录服务使用。',
  loginCaptchaHelp: '最近一小时内有登录失败的地址，以及找回密码之前，需要输入验证码。',
  settingsLimits: '登录限制',
  settingsPasswords: '密码规则',
  settingsLicense: '许可证',
  licenceNone: '没有有效的许可证：当前为社区版。导入许可证后可以管理角色和组织。',
  licenceEdition: '许可证',
  importLicence: '导入许可证',
  removeLicence: '移除许可证',
  removeLicenceAsk: '移除后，许可证功能仅可查看、不能修改，直到重新导入许可证。',
  licenceImported: '许可证已导入',
  licenceRemoved: '许可证已移除',
  technologyConsult: '技术咨询',
  settingsClean: '定期清理',
  settingsRecords: '记录',
  cleanHelp: '超过期限的内容每天 02:00（UTC）清理，无法恢复。',
}

export const ja: Messages = {
  settingsBasic: '基本設定',
  settingsSecurity: 'セキュリティ',
  settingsFeatures: '機能',
  settingsAnnouncement: 'お知らせ',
  settingsSessions: 'セッションとコンポーネント',
  settingsLogin: 'ログイン',
  loginChallengeHelp:
    'ログインページに、パスワードと一緒に確認されるコードの入力欄が表示されます(ディレクトリーによっては必要です)。',
  loginCaptchaHelp: '過去 1 時間以内にログインに失敗したアドレスと、パスワードの再設定の前に求められます。',
  settingsLimits: 'ログインの制限',
  settingsPasswords: 'パスワードのルール',
  settingsLicense: 'ライセンス',
  licenceNone:
    '有効なライセンスがないため、コミュニティ版です。ライセンスをインポートするとロールと組織を管理できます。',
  licenceEdition: 'ライセンス',
  importLicence: 'ライセンスをインポート',
  removeLicence: 'ライセンスを削除',
  removeLicenceAsk: '再びライセンスをインポートするまで、ライセンス対象は閲覧のみで変更できなくなります。',
  licenceImported: 'ライセンスをインポートしました',
  licenceRemoved: 'ライセンスを削除しました',
  technologyConsult: '技術相談',
  settingsClean: '定期クリーンアップ',
  settingsRecords: '記録',
  cleanHelp: '期間を過ぎたものは毎日 02:00（UTC）に削除され、元に戻せません。',
}
