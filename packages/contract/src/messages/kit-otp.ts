/** Setting up an authenticator app, and the hours of a week. */
export const en = {
  weekAll: 'Select all',
  weekNone: 'Clear selection',
  weekNever: 'No hour of the week is selected: the rule would never apply.',
  otpInstall:
    'Install an authenticator app on your phone, for example FreeOTP, Aegis, Google Authenticator or Microsoft Authenticator.',
  otpShowQr: 'Show the QR code',
  otpScan: 'Scan the QR code with the app, then enter the code it shows.',
  otpQrLabel: 'QR code for the authenticator app',
  otpKey: 'Or enter this key by hand',
  otpCode: 'Code of the app',
  otpBind: 'Check and set up',
  otpRecoveryTitle: 'Keep these recovery codes',
  otpRecoveryHelp:
    'Each of them replaces a code of the app once, should you lose your phone. They are shown only now: print them, or keep them where your passwords are.',
  otpRecoverySaved: 'I have kept the recovery codes',
  otpContinue: 'Continue',
}
type Messages = Record<keyof typeof en, string>

export const zh: Messages = {
  weekAll: '全选',
  weekNone: '清除选择',
  weekNever: '未选择任何时段：该规则将永远不会生效。',
  otpInstall:
    '请在手机上安装身份验证器应用，例如 FreeOTP、Aegis、Google Authenticator 或 Microsoft Authenticator。',
  otpShowQr: '显示二维码',
  otpScan: '使用应用扫描二维码，然后输入应用显示的验证码。',
  otpQrLabel: '身份验证器应用的二维码',
  otpKey: '或手动输入此密钥',
  otpCode: '应用中的验证码',
  otpBind: '验证并绑定',
  otpRecoveryTitle: '请保存这些恢复码',
  otpRecoveryHelp:
    '手机丢失时，每个恢复码可以代替一次验证码。它们只在此时显示：请打印，或与您的密码保存在一起。',
  otpRecoverySaved: '我已保存恢复码',
  otpContinue: '继续',
}

export const ja: Messages = {
  weekAll: 'すべて選択',
  weekNone: '選択を解除',
  weekNever: '時間帯が選択されていません。このルールが適用されることはありません。',
  otpInstall:
    'スマートフォンに認証アプリ（FreeOTP、Aegis、Google Authenticator、Microsoft Authenticator など）をインストールしてください。',
  otpShowQr: 'QR コードを表示',
  otpScan: 'アプリで QR コードを読み取り、表示されたコードを入力してください。',
  otpQrLabel: '認証アプリ用の QR コード',
  otpKey: 'またはこのキーを手動で入力',
  otpCode: 'アプリのコード',
  otpBind: '確認して設定',
  otpRecoveryTitle: 'リカバリーコードを保管してください',
  otpRecoveryHelp:
    'スマートフォンを紛失したときに、それぞれ 1 回だけアプリのコードの代わりに使えます。表示されるのは今だけです。印刷するか、パスワードと同じ場所に保管してください。',
  otpRecoverySaved: 'リカバリーコードを保管しました',
  otpContinue: '続ける',
}
