/** Messages to people: what they say, and what their settings are called. */
import { catalogue } from '../language.ts'

export const labels = catalogue({
  en: {
    SITE_URL: 'Site url',
    USER_GUIDE_URL: 'User guide url',
    FORGOT_PASSWORD_URL: 'Forgot password url',
    GLOBAL_ORG_DISPLAY_NAME: 'Global organization name',
    EMAIL_HOST: 'SMTP host',
    EMAIL_PORT: 'SMTP port',
    EMAIL_HOST_USER: 'SMTP account',
    EMAIL_HOST_PASSWORD: 'SMTP password',
    EMAIL_FROM: 'Send user',
    EMAIL_RECIPIENT: 'Test recipient',
    EMAIL_USE_SSL: 'Use SSL',
    EMAIL_USE_TLS: 'Use TLS',
    EMAIL_SUBJECT_PREFIX: 'Subject prefix',
    EMAIL_CUSTOM_USER_CREATED_SUBJECT: 'Create user email subject',
    EMAIL_CUSTOM_USER_CREATED_HONORIFIC: 'Create user honorific',
    EMAIL_CUSTOM_USER_CREATED_BODY: 'Create user email content',
    EMAIL_CUSTOM_USER_CREATED_SIGNATURE: 'Signature',
    msg: 'Message',
  },
  zh: {
    SITE_URL: '当前站点 URL',
    USER_GUIDE_URL: '用户向导 URL',
    FORGOT_PASSWORD_URL: '忘记密码 URL',
    GLOBAL_ORG_DISPLAY_NAME: '全局组织名',
    EMAIL_HOST: 'SMTP 主机',
    EMAIL_PORT: 'SMTP 端口',
    EMAIL_HOST_USER: 'SMTP 账号',
    EMAIL_HOST_PASSWORD: 'SMTP 密码',
    EMAIL_FROM: '发件人',
    EMAIL_RECIPIENT: '测试收件人',
    EMAIL_USE_SSL: '使用 SSL',
    EMAIL_USE_TLS: '使用 TLS',
    EMAIL_SUBJECT_PREFIX: '主题前缀',
    EMAIL_CUSTOM_USER_CREATED_SUBJECT: '创建用户邮件的主题',
    EMAIL_CUSTOM_USER_CREATED_HONORIFIC: '创建用户邮件的敬语',
    EMAIL_CUSTOM_USER_CREATED_BODY: '创建用户邮件的内容',
    EMAIL_CUSTOM_USER_CREATED_SIGNATURE: '署名',
    msg: '消息',
  },
  ja: {
    SITE_URL: 'サイト URL',
    USER_GUIDE_URL: 'ユーザーガイド URL',
    FORGOT_PASSWORD_URL: 'パスワード忘れ URL',
    GLOBAL_ORG_DISPLAY_NAME: 'グローバル組織名',
    EMAIL_HOST: 'SMTP ホスト',
    EMAIL_PORT: 'SMTP ポート',
    EMAIL_HOST_USER: 'SMTP アカウント',
    EMAIL_HOST_PASSWORD: 'SMTP パスワード',
    EMAIL_FROM: '送信者',
    EMAIL_RECIPIENT: 'テスト受信者',
    EMAIL_USE_SSL: 'SSL を使用',
    EMAIL_USE_TLS: 'TLS を使用',
    EMAIL_SUBJECT_PREFIX: '件名の接頭辞',
    EMAIL_CUSTOM_USER_CREATED_SUBJECT: 'ユーザー作成メールの件名',
    EMAIL_CUSTOM_USER_CREATED_HONORIFIC: 'ユーザー作成メールの敬称',
    EMAIL_CUSTOM_USER_CREATED_BODY: 'ユーザー作成メールの本文',
    EMAIL_CUSTOM_USER_CREATED_SIGNATURE: '署名',
    msg: 'メッセージ',
  },
})
export const help = catalogue({
  en: {
    EMAIL_HOST_PASSWORD: 'Some providers want a token in its place.',
    EMAIL_FROM: 'The SMTP account where it is empty.',
    EMAIL_RECIPIENT: 'For the test only.',
    EMAIL_USE_SSL: 'TLS from the first byte, usually on port 465.',
    EMAIL_USE_TLS: 'STARTTLS, usually on port 587; nothing is sent without it.',
    EMAIL_SUBJECT_PREFIX: 'Stands before the subject of every mail.',
    EMAIL_CUSTOM_USER_CREATED_BODY: '{username}, {name} and {email} are replaced.',
  },
  zh: {
    EMAIL_HOST_PASSWORD: '一些邮件提供商需要输入令牌。',
    EMAIL_FROM: '为空时使用 SMTP 账号。',
    EMAIL_RECIPIENT: '仅用于测试。',
    EMAIL_USE_SSL: '从第一个字节起使用 TLS，端口通常为 465。',
    EMAIL_USE_TLS: '使用 STARTTLS，端口通常为 587；不支持则不发送。',
    EMAIL_SUBJECT_PREFIX: '位于每封邮件主题之前。',
    EMAIL_CUSTOM_USER_CREATED_BODY: '{username}、{name} 和 {email} 会被替换。',
  },
  ja: {
    EMAIL_HOST_PASSWORD: 'プロバイダーによってはトークンが必要です。',
    EMAIL_FROM: '空の場合は SMTP アカウントを使用します。',
    EMAIL_RECIPIENT: 'テスト専用です。',
    EMAIL_USE_SSL: '最初のバイトから TLS を使用します(通常はポート 465)。',
    EMAIL_USE_TLS: 'STARTTLS を使用します(通常はポート 587)。使えない場合は送信しません。',
    EMAIL_SUBJECT_PREFIX: 'すべてのメールの件名の先頭に付きます。',
    EMAIL_CUSTOM_USER_CREATED_BODY: '{username}、{name}、{email} は置き換えられます。',
  },
})
export const models = catalogue({
  en: {
    'settings.basicsettings': 'Basic settings',
    'settings.emailsettings': 'Email settings',
    'settings.emailcontentsettings': 'Email content settings',
    'settings.mailserver': 'Mail server',
  },
  zh: {
    'settings.basicsettings': '基本设置',
    'settings.emailsettings': '邮件设置',
    'settings.emailcontentsettings': '邮件内容设置',
    'settings.mailserver': '邮件服务器',
  },
  ja: {
    'settings.basicsettings': '基本設定',
    'settings.emailsettings': 'メール設定',
    'settings.emailcontentsettings': 'メール内容設定',
    'settings.mailserver': 'メールサーバー',
  },
})
export const errors = catalogue({
  en: {
    mail_not_set: 'No mail server is set. Set its host and account first.',
    mail_test_failed: 'The mail could not be sent: {reason}',
    not_host_name: 'Enter a host name or an address, without a port.',
    not_port: 'Enter a port between 1 and 65535.',
  },
  zh: {
    mail_not_set: '尚未设置邮件服务器，请先设置主机和账号。',
    mail_test_failed: '邮件发送失败：{reason}',
    not_host_name: '请输入主机名或地址，不含端口。',
    not_port: '请输入 1 到 65535 之间的端口。',
  },
  ja: {
    mail_not_set: 'メールサーバーが設定されていません。先にホストとアカウントを設定してください。',
    mail_test_failed: 'メールを送信できませんでした: {reason}',
    not_host_name: 'ホスト名またはアドレスを、ポートなしで入力してください。',
    not_port: '1 から 65535 のポートを入力してください。',
  },
})
export const texts = catalogue({
  en: {
    mail_test_subject: 'Test',
    mail_test_text: 'The mail server is set up rightly.',
    mail_test_sent: 'Test mail sent to {to}, please check',
  },
  zh: {
    mail_test_subject: '测试',
    mail_test_text: '邮件服务器设置正确。',
    mail_test_sent: '测试邮件已发送至 {to}，请查收',
  },
  ja: {
    mail_test_subject: 'テスト',
    mail_test_text: 'メールサーバーは正しく設定されています。',
    mail_test_sent: '{to} にテストメールを送信しました。ご確認ください',
  },
})
export const mail = catalogue({
  en: {
    signature: 'Sallyport privileged access',
    'UserCreatedMsg.subject': 'Create account successfully',
    'UserCreatedMsg.body':
      'Hello {name},\nYour account {username} has been created.\nSet its password here within {hours} hour; the link works once:\n{link}\nAfter that, "Forgot password" on the sign-in page sends you another link.',
    'ResetPasswordMsg.subject': 'Reset password',
    'ResetPasswordMsg.body':
      'Hello {name},\nA new password for your account {username} was asked for.\nSet it here within {hours} hour; the link works once:\n{link}\nIf it was not you, nothing has changed, and nothing needs to be done.',
    'ResetPasswordSuccessMsg.subject': 'Reset password success',
    'ResetPasswordSuccessMsg.body':
      'Hello {name},\nThe password of your account {username} was changed.\nAddress: {ip}\nBrowser: {browser}\nIf it was not you, tell an administrator at once.',
    'ResetPublicKeySuccessMsg.subject': 'Reset public key success',
    'ResetPublicKeySuccessMsg.body':
      'Hello {name},\nThe SSH public key of your account {username} was changed.\nAddress: {ip}\nBrowser: {browser}\nIf it was not you, tell an administrator at once.',
    'ResetSSHKeyMsg.subject': 'Reset SSH Key',
    'ResetSSHKeyMsg.body':
      'Hello {name},\nAn administrator removed the SSH public key of your account {username}.\nSet a new one here:\n{link}',
    'ResetMFAMsg.subject': 'Reset MFA',
    'ResetMFAMsg.body':
      'Hello {name},\nAn administrator reset the second factors of your account {username}.\nSet them up again here:\n{link}',
    'PasswordExpirationReminderMsg.subject': 'Password is about expire',
    'PasswordExpirationReminderMsg.body':
      'Hello {name},\nThe password of your account {username} expires in {days} days.\nSet a new one here:\n{link}',
    'UserExpirationReminderMsg.subject': 'Account is about expire',
    'UserExpirationReminderMsg.body':
      'Hello {name},\nYour account {username} expires on {date}.\nIf you need it for longer, tell an administrator.',
    'PermedAssetsWillExpireUserMsg.subject': 'You permed assets is about to expire',
    'PermedAssetsWillExpireUserMsg.body':
      'Hello {name},\nThese permissions of yours expire within three days: {permissions}\nYour assets:\n{link}',
    'DifferentCityLoginMessage.subject': 'Different city login reminder',
    'DifferentCityLoginMessage.body':
      'Hello {name},\nYour account {username} signed in from an unusual place.\nTime: {time}\nAddress: {ip}\nPlace: {city}\nIf it was not you, change your password at once and tell an administrator.',
    'VerifyCodeMsg.subject': 'Verification code',
    'VerifyCodeMsg.body':
      'Hello {name},\nYour verification code is {code}\nIt works once, within {seconds} seconds. Tell it to nobody.',
  },
  zh: {
    signature: 'Sallyport 特权访问',
    'UserCreatedMsg.subject': '创建账号成功',
    'UserCreatedMsg.body':
      '{name}，您好：\n您的账号 {username} 已创建。\n请在 {hours} 小时内通过以下链接设置密码，链接仅可使用一次：\n{link}\n过期后，可在登录页通过“忘记密码”重新获取链接。',
    'ResetPasswordMsg.subject': '重置密码',
    'ResetPasswordMsg.body':
      '{name}，您好：\n有人请求为您的账号 {username} 设置新密码。\n请在 {hours} 小时内通过以下链接设置，链接仅可使用一次：\n{link}\n如果不是您本人操作，则未做任何更改，无需处理。',
    'ResetPasswordSuccessMsg.subject': '重置密码成功',
    'ResetPasswordSuccessMsg.body':
      '{name}，您好：\n您的账号 {username} 的密码已更改。\nIP 地址：{ip}\n浏览器：{browser}\n如果不是您本人操作，请立即联系管理员。',
    'ResetPublicKeySuccessMsg.subject': '重置公钥成功',
    'ResetPublicKeySuccessMsg.body':
      '{name}，您好：\n您的账号 {username} 的 SSH 公钥已更改。\nIP 地址：{ip}\n浏览器：{browser}\n如果不是您本人操作，请立即联系管理员。',
    'ResetSSHKeyMsg.subject': '重置 SSH 密钥',
    'ResetSSHKeyMsg.body':
      '{name}，您好：\n管理员已移除您的账号 {username} 的 SSH 公钥。\n请在此设置新的公钥：\n{link}',
    'ResetMFAMsg.subject': '重置 MFA',
    'ResetMFAMsg.body':
      '{name}，您好：\n管理员已重置您的账号 {username} 的多因子认证。\n请在此重新设置：\n{link}',
    'PasswordExpirationReminderMsg.subject': '密码即将过期',
    'PasswordExpirationReminderMsg.body':
      '{name}，您好：\n您的账号 {username} 的密码将在 {days} 天后过期。\n请在此设置新密码：\n{link}',
    'UserExpirationReminderMsg.subject': '账号即将过期',
    'UserExpirationReminderMsg.body':
      '{name}，您好：\n您的账号 {username} 将于 {date} 过期。\n如需继续使用，请联系管理员。',
    'PermedAssetsWillExpireUserMsg.subject': '您的资产授权即将过期',
    'PermedAssetsWillExpireUserMsg.body':
      '{name}，您好：\n您的以下授权将在三天内过期：{permissions}\n您的资产：\n{link}',
    'DifferentCityLoginMessage.subject': '异地登录提醒',
    'DifferentCityLoginMessage.body':
      '{name}，您好：\n您的账号 {username} 在非常用地点登录。\n时间：{time}\nIP 地址：{ip}\n地点：{city}\n如果不是您本人操作，请立即修改密码并联系管理员。',
    'VerifyCodeMsg.subject': '验证码',
    'VerifyCodeMsg.body':
      '{name}，您好：\n您的验证码是 {code}\n仅可使用一次，{seconds} 秒内有效。请勿告诉他人。',
  },
  ja: {
    signature: 'Sallyport 特権アクセス',
    'UserCreatedMsg.subject': 'アカウントが作成されました',
    'UserCreatedMsg.body':
      '{name} 様\nアカウント {username} が作成されました。\n{hours} 時間以内に次のリンクからパスワードを設定してください(1 回のみ有効)。\n{link}\n期限が切れた場合は、サインインページの「パスワードを忘れた場合」から新しいリンクを受け取れます。',
    'ResetPasswordMsg.subject': 'パスワードの再設定',
    'ResetPasswordMsg.body':
      '{name} 様\nアカウント {username} の新しいパスワードの設定が要求されました。\n{hours} 時間以内に次のリンクから設定してください(1 回のみ有効)。\n{link}\nお心当たりがない場合、何も変更されていません。対応は不要です。',
    'ResetPasswordSuccessMsg.subject': 'パスワードが変更されました',
    'ResetPasswordSuccessMsg.body':
      '{name} 様\nアカウント {username} のパスワードが変更されました。\nIP アドレス: {ip}\nブラウザー: {browser}\nお心当たりがない場合は、すぐに管理者へご連絡ください。',
    'ResetPublicKeySuccessMsg.subject': '公開鍵が変更されました',
    'ResetPublicKeySuccessMsg.body':
      '{name} 様\nアカウント {username} の SSH 公開鍵が変更されました。\nIP アドレス: {ip}\nブラウザー: {browser}\nお心当たりがない場合は、すぐに管理者へご連絡ください。',
    'ResetSSHKeyMsg.subject': 'SSH キーのリセット',
    'ResetSSHKeyMsg.body':
      '{name} 様\n管理者がアカウント {username} の SSH 公開鍵を削除しました。\n新しい鍵はこちらで設定してください。\n{link}',
    'ResetMFAMsg.subject': 'MFA のリセット',
    'ResetMFAMsg.body':
      '{name} 様\n管理者がアカウント {username} の多要素認証をリセットしました。\nこちらで再設定してください。\n{link}',
    'PasswordExpirationReminderMsg.subject': 'パスワードの有効期限が近づいています',
    'PasswordExpirationReminderMsg.body':
      '{name} 様\nアカウント {username} のパスワードはあと {days} 日で期限切れになります。\n新しいパスワードはこちらで設定してください。\n{link}',
    'UserExpirationReminderMsg.subject': 'アカウントの有効期限が近づいています',
    'UserExpirationReminderMsg.body':
      '{name} 様\nアカウント {username} は {date} に期限切れになります。\n引き続き必要な場合は、管理者へご連絡ください。',
    'PermedAssetsWillExpireUserMsg.subject': '資産の許可の有効期限が近づいています',
    'PermedAssetsWillExpireUserMsg.body':
      '{name} 様\n次の許可は 3 日以内に期限切れになります: {permissions}\nお使いの資産:\n{link}',
    'DifferentCityLoginMessage.subject': '異なる場所からのログイン通知',
    'DifferentCityLoginMessage.body':
      '{name} 様\nアカウント {username} が普段と異なる場所からサインインしました。\n日時: {time}\nIP アドレス: {ip}\n場所: {city}\nお心当たりがない場合は、すぐにパスワードを変更し、管理者へご連絡ください。',
    'VerifyCodeMsg.subject': '確認コード',
    'VerifyCodeMsg.body':
      '{name} 様\n確認コードは {code} です。\n{seconds} 秒以内に 1 回のみ有効です。誰にも教えないでください。',
  },
})
