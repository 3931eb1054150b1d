/** Everything between the name and the first page: second factors, login rules, captcha. */
import { catalogue } from '../language.ts'

export const models = catalogue({
  en: {
    'authentication.mfa': 'MFA',
    'authentication.signin': 'Login',
    'authentication.temptoken': 'Temporary password',
    'authentication.passkey': 'Passkey',
    'authentication.usersession': 'Login session',
    'authentication.loginconfirmticket': 'Login confirmation',
  },
  zh: {
    'authentication.mfa': 'MFA',
    'authentication.signin': '登录',
    'authentication.temptoken': '临时密码',
    'authentication.passkey': '通行密钥',
    'authentication.usersession': '登录会话',
    'authentication.loginconfirmticket': '登录复核',
  },
  ja: {
    'authentication.mfa': 'MFA',
    'authentication.signin': 'ログイン',
    'authentication.temptoken': '一時パスワード',
    'authentication.passkey': 'パスキー',
    'authentication.usersession': 'ログインセッション',
    'authentication.loginconfirmticket': 'ログインの確認',
  },
})

export const labels = catalogue({
  en: {
    'authentication.temptoken.secret': 'Temporary password',
    'authentication.temptoken.verified': 'Used',
    'authentication.temptoken.is_valid': 'Valid',
    'authentication.temptoken.date_verified': 'Used on',
    'authentication.usersession.remote_addr': 'Address',
    'authentication.usersession.user_agent': 'Browser',
    'authentication.usersession.date_last_used': 'Last used',
    'authentication.usersession.is_current': 'This browser',
  },
  zh: {
    'authentication.temptoken.secret': '临时密码',
    'authentication.temptoken.verified': '已使用',
    'authentication.temptoken.is_valid': '有效',
    'authentication.temptoken.date_verified': '使用日期',
    'authentication.usersession.remote_addr': 'IP 地址',
    'authentication.usersession.user_agent': '浏览器',
    'authentication.usersession.date_last_used': '最近使用',
    'authentication.usersession.is_current': '当前浏览器',
  },
  ja: {
    'authentication.temptoken.secret': '一時パスワード',
    'authentication.temptoken.verified': '使用済み',
    'authentication.temptoken.is_valid': '有効',
    'authentication.temptoken.date_verified': '使用日',
    'authentication.usersession.remote_addr': 'IP アドレス',
    'authentication.usersession.user_agent': 'ブラウザー',
    'authentication.usersession.date_last_used': '最終使用',
    'authentication.usersession.is_current': 'このブラウザー',
  },
})

export const calls = catalogue({
  en: {
    'authentication.temptoken.create': 'Create',
    'authentication.usersession.end': 'End',
    'authentication.passkey.register': 'Add a passkey',
    'authentication.passkey.remove': 'Remove a passkey',
    'authentication.mfa.bindOtp': 'Set up OTP',
    'authentication.mfa.disableOtp': 'Remove OTP',
    'authentication.mfa.renewRecoveryCodes': 'Make new recovery codes',
  },
  zh: {
    'authentication.temptoken.create': '创建',
    'authentication.usersession.end': '结束',
    'authentication.passkey.register': '添加通行密钥',
    'authentication.passkey.remove': '移除通行密钥',
    'authentication.mfa.bindOtp': '绑定虚拟 MFA',
    'authentication.mfa.disableOtp': '解绑虚拟 MFA',
    'authentication.mfa.renewRecoveryCodes': '重新生成恢复码',
  },
  ja: {
    'authentication.temptoken.create': '作成',
    'authentication.usersession.end': '終了',
    'authentication.passkey.register': 'パスキーの追加',
    'authentication.passkey.remove': 'パスキーの削除',
    'authentication.mfa.bindOtp': 'OTP の設定',
    'authentication.mfa.disableOtp': 'OTP の解除',
    'authentication.mfa.renewRecoveryCodes': 'リカバリーコードの再発行',
  },
})

/** What a second factor is called, and what is typed for it. */
export const texts = catalogue({
  en: {
    'mfa.sms': 'SMS',
    'mfa.sms.placeholder': 'Code from the SMS',
    'mfa.email': 'Email',
    'mfa.email.placeholder': 'Code from the e-mail',
    'mfa.otp': 'OTP',
    'mfa.otp.placeholder': 'OTP verification code',
  },
  zh: {
    'mfa.sms': '短信',
    'mfa.sms.placeholder': '短信中的验证码',
    'mfa.email': '邮件',
    'mfa.email.placeholder': '邮件中的验证码',
    'mfa.otp': '虚拟 MFA',
    'mfa.otp.placeholder': '虚拟 MFA 验证码',
  },
  ja: {
    'mfa.sms': 'SMS',
    'mfa.sms.placeholder': 'SMS のコード',
    'mfa.email': 'メール',
    'mfa.email.placeholder': 'メールのコード',
    'mfa.otp': 'OTP',
    'mfa.otp.placeholder': 'OTP 認証コード',
  },
})

export const errors = catalogue({
  en: {
    passkey_failed: 'The passkey was not accepted. Try again, or log in another way.',
    passkey_too_many: 'No more than {max} passkeys can be kept.',
    temp_token_off: 'Temporary passwords are switched off.',
    captcha_failed: 'The digits are not the ones shown. Enter those of the new picture.',
    session_empty: 'The login has timed out or was not begun here. Begin again.',
    mfa_required: 'MFA required',
    mfa_unset: 'MFA unset, please set first',
    mfa_unset_here: 'MFA is required and not set up yet. Set it up now.',
    mfa_failed:
      'The code is wrong, or was used already. Tries left: {times}; after that MFA is locked for {minutes minute|minutes}.',
    block_mfa:
      'MFA is locked. Ask an administrator to unlock it, or try again after {minutes minute|minutes}.',
    mfa_code_wait: 'A code was sent already. Wait {seconds second|seconds} before the next.',
    mfa_type_unavailable: 'This kind of code is not available here.',
    mfa_already_bound: 'OTP is set up already. Remove it first.',
    mfa_not_bound: 'OTP is not set up.',
    mfa_not_started: 'Begin with the QR code again: this one is too old.',
    mfa_code_wrong: 'The code is wrong. Check that the clock of your phone is right.',
    login_confirm_wait: 'The login waits for somebody to confirm it.',
  },
  zh: {
    passkey_failed: '通行密钥未被接受。请重试，或使用其他方式登录。',
    passkey_too_many: '最多保存 {max} 个通行密钥。',
    temp_token_off: '未启用临时密码。',
    captcha_failed: '验证码不正确，请输入新图片中的数字。',
    session_empty: '登录已超时或不是在此处开始的，请重新登录。',
    mfa_required: '需要 MFA 认证',
    mfa_unset: 'MFA 未设置，请先设置',
    mfa_unset_here: '必须使用 MFA，但尚未设置，请现在设置。',
    mfa_failed: '验证码错误或已被使用。您还可以尝试 {times} 次（MFA 将被临时锁定 {minutes} 分钟）',
    block_mfa: 'MFA 已被锁定（请联系管理员解锁或 {minutes} 分钟后重试）',
    mfa_code_wait: '验证码已发送，请在 {seconds} 秒后重试。',
    mfa_type_unavailable: '此处不支持该类型的验证码。',
    mfa_already_bound: '虚拟 MFA 已绑定，请先解绑。',
    mfa_not_bound: '虚拟 MFA 未绑定。',
    mfa_not_started: '二维码已失效，请重新获取。',
    mfa_code_wrong: '验证码错误，请检查手机时间是否正确。',
    login_confirm_wait: '登录正在等待他人确认。',
  },
  ja: {
    passkey_failed: 'パスキーが受け付けられませんでした。もう一度試すか、別の方法でログインしてください。',
    passkey_too_many: 'パスキーは {max} 個まで登録できます。',
    temp_token_off: '一時パスワードは無効になっています。',
    captcha_failed: '画像の数字と一致しません。新しい画像の数字を入力してください。',
    session_empty: 'ログインの期限が切れたか、ここで開始されていません。最初からやり直してください。',
    mfa_required: 'MFA 認証が必要です',
    mfa_unset: 'MFA が設定されていません。先に設定してください',
    mfa_unset_here: 'MFA が必要ですが、まだ設定されていません。今設定してください。',
    mfa_failed:
      'コードが正しくないか、使用済みです。あと {times} 回試行できます（MFA は一時的に {minutes} 分間ロックされます）',
    block_mfa: 'MFA がロックされています（管理者に解除を依頼するか、{minutes} 分後に再試行してください）',
    mfa_code_wait: 'コードは送信済みです。{seconds} 秒後にもう一度お試しください。',
    mfa_type_unavailable: 'この種類のコードはここでは利用できません。',
    mfa_already_bound: 'OTP は設定済みです。先に解除してください。',
    mfa_not_bound: 'OTP は設定されていません。',
    mfa_not_started: 'QR コードの期限が切れました。もう一度取得してください。',
    mfa_code_wrong: 'コードが正しくありません。スマートフォンの時刻を確認してください。',
    login_confirm_wait: 'ログインは他の人の確認を待っています。',
  },
})
