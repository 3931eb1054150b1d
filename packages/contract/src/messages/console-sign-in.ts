/** Between the password and the first page. */
export const en = {
  mfaTitle: 'Second factor',
  mfaHint: 'Enter the code your authenticator app shows now.',
  mfaCode: 'Code',
  mfaRecoveryHint: 'Enter one of the recovery codes you kept. It can be used once.',
  mfaRecoveryCode: 'Recovery code',
  mfaUseRecovery: 'Use a recovery code',
  mfaUseApp: 'Use the authenticator app',
  mfaCodeRequired: 'Enter the code.',
  mfaCheck: 'Check and log in',
  mfaSetupTitle: 'Set up a second factor',
  mfaSetupWhy:
    'Logging in here needs a second factor. Set it up once; you will be asked for a code from then on.',
  waitTitle: 'Waiting for confirmation',
  waitHint: 'Somebody has to confirm this login. This page goes on by itself.',
  waitCancel: 'Cancel the login',
}
type Messages = Record<keyof typeof en, string>

export const zh: Messages = {
  mfaTitle: '多因子认证',
  mfaHint: '请输入身份验证器应用当前显示的验证码。',
  mfaCode: '验证码',
  mfaRecoveryHint: '请输入您保存的一个恢复码，每个只能使用一次。',
  mfaRecoveryCode: '恢复码',
  mfaUseRecovery: '使用恢复码',
  mfaUseApp: '使用身份验证器应用',
  mfaCodeRequired: '请输入验证码。',
  mfaCheck: '验证并登录',
  mfaSetupTitle: '设置多因子认证',
  mfaSetupWhy: '在此登录需要多因子认证。请设置一次，之后登录时会要求输入验证码。',
  waitTitle: '等待确认',
  waitHint: '需要有人确认此次登录，确认后页面会自动继续。',
  waitCancel: '取消登录',
}

export const ja: Messages = {
  mfaTitle: '多要素認証',
  mfaHint: '認証アプリに今表示されているコードを入力してください。',
  mfaCode: 'コード',
  mfaRecoveryHint: '保管しているリカバリーコードを 1 つ入力してください。使えるのは 1 回だけです。',
  mfaRecoveryCode: 'リカバリーコード',
  mfaUseRecovery: 'リカバリーコードを使う',
  mfaUseApp: '認証アプリを使う',
  mfaCodeRequired: 'コードを入力してください。',
  mfaCheck: '確認してログイン',
  mfaSetupTitle: '多要素認証の設定',
  mfaSetupWhy:
    'ここにログインするには多要素認証が必要です。一度設定すると、次回からコードの入力が求められます。',
  waitTitle: '確認待ち',
  waitHint: 'このログインには他の人の確認が必要です。確認されると自動的に続行します。',
  waitCancel: 'ログインを取り消す',
}
