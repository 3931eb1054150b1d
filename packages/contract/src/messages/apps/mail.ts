/** Messages to people: what they say. */
import { catalogue } from '../language.ts'

export const mail = catalogue({
  en: {
    'ServerPerformanceMessage.subject': 'Terminal health check warning',
    'ServerPerformanceMessage.body': 'These components do not work as they should:\n{components}',
    'MailUndeliveredMessage.subject': 'A mail could not be delivered',
    'MailUndeliveredMessage.body':
      'A mail to {address} was given up.\nReason: {reason}\nOthers of this hour are told in the log of the server only.',
    'CommandAlertMessage.subject': 'Dangerous command alert: {command}',
    'CommandAlertMessage.body': 'Asset: {asset}\nUser: {user}\nCommand: {command}\n{link}',
    'CommandExecutionAlert.subject': 'Dangerous batch command alert: {command}',
    'CommandExecutionAlert.body': 'Assets: {assets}\nUser: {user}\nCommand: {command}',
    signature: 'Sallyport privileged access',
    'UserCreatedMsg.subject': 'Create account successfully',
    'UserCreatedMsg.body':
      'Hello {name},\nYour account {username} has been created.\nSet its password here within {hours hour|hours}; the link works once:\n{link}\nAfter that, "Forgot password" on the login page sends you another link.',
    'ResetPasswordMsg.subject': 'Reset password',
    'ResetPasswordMsg.body':
      'Hello {name},\nA new password for your account {username} was asked for.\nSet it here within {hours hour|hours}; the link works once:\n{link}\nIf it was not you, nothing has changed, and nothing needs to be done.',
    'ResetPasswordSuccessMsg.subject': 'Reset password success',
    'ResetPasswordSuccessMsg.body':
      'Hello {name},\nThe password of your account {username} was changed.\nAddress: {ip}\nChanged by: {by}\nIf it was not you, tell an administrator at once.',
    'ResetPublicKeySuccessMsg.subject': 'Reset public key success',
    'ResetPublicKeySuccessMsg.body':
      'Hello {name},\nThe SSH public key of your account {username} was changed.\nAddress: {ip}\nChanged by: {by}\nIf it was not you, tell an administrator at once.',
    'ResetSSHKeyMsg.subject': 'Reset SSH Key',
    'ResetSSHKeyMsg.body':
      'Hello {name},\nAn administrator removed the SSH public key of your account {username}.\nSet a new one here:\n{link}',
    'MFABoundMsg.subject': 'Authenticator app set up',
    'MFABoundMsg.body':
      'Hello {name},\nAn authenticator app was set up for your account {username}.\nAddress: {ip}\nChanged by: {by}\nIf it was not you, tell an administrator at once.',
    'MFADisabledMsg.subject': 'Authenticator app removed',
    'MFADisabledMsg.body':
      'Hello {name},\nThe authenticator app of your account {username} was removed.\nAddress: {ip}\nChanged by: {by}\nIf it was not you, tell an administrator at once.',
    'RecoveryCodesRenewedMsg.subject': 'New recovery codes',
    'RecoveryCodesRenewedMsg.body':
      'Hello {name},\nNew recovery codes were made for your account {username}; those from before are no longer valid.\nAddress: {ip}\nChanged by: {by}\nIf it was not you, tell an administrator at once.',
    'PasskeyAddedMsg.subject': 'Passkey added',
    'PasskeyAddedMsg.body':
      'Hello {name},\nA passkey was added to your account {username}.\nAddress: {ip}\nChanged by: {by}\nIf it was not you, tell an administrator at once.',
    'PasskeyRemovedMsg.subject': 'Passkey removed',
    'PasskeyRemovedMsg.body':
      'Hello {name},\nA passkey of your account {username} was removed.\nAddress: {ip}\nChanged by: {by}\nIf it was not you, tell an administrator at once.',
    'ResetMFAMsg.subject': 'Reset MFA',
    'ResetMFAMsg.body':
      'Hello {name},\nAn administrator reset the second factors of your account {username}.\nSet them up again here:\n{link}',
    'PasswordExpirationReminderMsg.subject': 'Password is about expire',
    'PasswordExpirationReminderMsg.body':
      'Hello {name},\nThe password of your account {username} expires in {days day|days}.\nSet a new one here:\n{link}',
    'UserExpirationReminderMsg.subject': 'Account is about expire',
    'UserExpirationReminderMsg.body':
      'Hello {name},\nYour account {username} expires on {date}.\nIf you need it for longer, tell an administrator.',
    'PermedAssetsWillExpireUserMsg.subject': 'You permed assets is about to expire',
    'PermedAssetsWillExpireUserMsg.body':
      'Hello {name},\nThese permissions of yours expire within three days: {permissions}\nYour assets:\n{link}',
    'AssetPermsWillExpireForOrgAdminMsg.subject': 'Asset permissions is about to expire',
    'AssetPermsWillExpireForOrgAdminMsg.body':
      'Hello {name},\n{count permission|permissions} of your organization will expire within three days: {permissions}\nAll permissions:\n{link}',
    'DifferentCityLoginMessage.subject': 'Different city login reminder',
    'DifferentCityLoginMessage.body':
      'Hello {name},\nYour account {username} logged in from an unusual place.\nTime: {time}\nAddress: {ip}\nIf it was not you, change your password at once and tell an administrator.',
    'LoginNoticeMsg.subject': 'A login you are told of',
    'LoginNoticeMsg.body':
      'Dear {name},\n{user} has logged in from {ip} on {time}. The login rule {rule} asks to tell you.',
    'AssetLoginNoticeMsg.subject': 'A connection you are told of: {asset}',
    'AssetLoginNoticeMsg.body':
      'Dear {name},\n{user} has connected to {asset} as {account} from {ip} on {time}. The asset login rule {rule} asks to tell you.',
    'AssetLoginWarningMsg.subject': 'Your connection to {asset} was reported',
    'AssetLoginWarningMsg.body':
      'Hello {name},\nYou connected to {asset} as {account} from {ip} on {time}. The asset login rule {rule} warns of it, and those who look after the asset were told.',
    'CommandNoticeMsg.subject': 'A command you are told of: {command}',
    'CommandNoticeMsg.body':
      'Dear {name},\n{user} typed a command the rule {rule} asks to tell you of.\nAsset: {asset}\nAccount: {account}\nCommand: {command}\n{link}',
    'TicketAppliedToAssigneeMessage.subject': '{applicant}: New Ticket - {title}',
    'TicketAppliedToAssigneeMessage.body':
      'Dear {name},\n{applicant} asks you to decide about a ticket: {title}\nNumber: {number}\n{link}',
    'TicketApprovedToApplicantMessage.subject': 'Ticket has processed - {title} ({processor})',
    'TicketApprovedToApplicantMessage.body':
      'Dear {name},\nYour ticket {number} was approved by {processor}: {title}\n{link}',
    'TicketRejectedToApplicantMessage.subject': 'Ticket has processed - {title} ({processor})',
    'TicketRejectedToApplicantMessage.body':
      'Dear {name},\nYour ticket {number} was rejected by {processor}: {title}\n{link}',
    'VerifyCodeMsg.subject': 'Verification code',
    'VerifyCodeMsg.body':
      'Hello {name},\nYour verification code is {code}\nIt works once, within {seconds second|seconds}. Tell it to nobody.',
  },
  zh: {
    'ServerPerformanceMessage.subject': '终端健康状况告警',
    'ServerPerformanceMessage.body': '以下组件状态异常：\n{components}',
    'MailUndeliveredMessage.subject': '邮件未能送达',
    'MailUndeliveredMessage.body':
      '发往 {address} 的邮件已放弃发送。\n原因：{reason}\n一小时内的其他失败仅记录在服务器日志中。',
    'CommandAlertMessage.subject': '危险命令告警：{command}',
    'CommandAlertMessage.body': '资产：{asset}\n用户：{user}\n命令：{command}\n{link}',
    'CommandExecutionAlert.subject': '批量危险命令告警：{command}',
    'CommandExecutionAlert.body': '资产：{assets}\n用户：{user}\n命令：{command}',
    signature: 'Sallyport 特权访问',
    'UserCreatedMsg.subject': '创建账号成功',
    'UserCreatedMsg.body':
      '{name}，您好：\n您的账号 {username} 已创建。\n请在 {hours} 小时内通过以下链接设置密码，链接仅可使用一次：\n{link}\n过期后，可在登录页通过“忘记密码”重新获取链接。',
    'ResetPasswordMsg.subject': '重置密码',
    'ResetPasswordMsg.body':
      '{name}，您好：\n有人请求为您的账号 {username} 设置新密码。\n请在 {hours} 小时内通过以下链接设置，链接仅可使用一次：\n{link}\n如果不是您本人操作，则未做任何更改，无需处理。',
    'ResetPasswordSuccessMsg.subject': '重置密码成功',
    'ResetPasswordSuccessMsg.body':
      '{name}，您好：\n您的账号 {username} 的密码已更改。\nIP 地址：{ip}\n操作人：{by}\n如果不是您本人操作，请立即联系管理员。',
    'ResetPublicKeySuccessMsg.subject': '重置公钥成功',
    'ResetPublicKeySuccessMsg.body':
      '{name}，您好：\n您的账号 {username} 的 SSH 公钥已更改。\nIP 地址：{ip}\n操作人：{by}\n如果不是您本人操作，请立即联系管理员。',
    'ResetSSHKeyMsg.subject': '重置 SSH 密钥',
    'ResetSSHKeyMsg.body':
      '{name}，您好：\n管理员已移除您的账号 {username} 的 SSH 公钥。\n请在此设置新的公钥：\n{link}',
    'MFABoundMsg.subject': '已绑定身份验证器',
    'MFABoundMsg.body':
      '{name}，您好：\n您的账号 {username} 已绑定身份验证器应用。\nIP 地址：{ip}\n操作人：{by}\n如果不是您本人操作，请立即联系管理员。',
    'MFADisabledMsg.subject': '已解绑身份验证器',
    'MFADisabledMsg.body':
      '{name}，您好：\n您的账号 {username} 的身份验证器应用已解绑。\nIP 地址：{ip}\n操作人：{by}\n如果不是您本人操作，请立即联系管理员。',
    'RecoveryCodesRenewedMsg.subject': '恢复码已更新',
    'RecoveryCodesRenewedMsg.body':
      '{name}，您好：\n您的账号 {username} 已生成新的恢复码，之前的恢复码已失效。\nIP 地址：{ip}\n操作人：{by}\n如果不是您本人操作，请立即联系管理员。',
    'PasskeyAddedMsg.subject': '已添加通行密钥',
    'PasskeyAddedMsg.body':
      '{name}，您好：\n您的账号 {username} 已添加一个通行密钥。\nIP 地址：{ip}\n操作人：{by}\n如果不是您本人操作，请立即联系管理员。',
    'PasskeyRemovedMsg.subject': '已移除通行密钥',
    'PasskeyRemovedMsg.body':
      '{name}，您好：\n您的账号 {username} 的一个通行密钥已被移除。\nIP 地址：{ip}\n操作人：{by}\n如果不是您本人操作，请立即联系管理员。',
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
    'AssetPermsWillExpireForOrgAdminMsg.subject': '资产授权即将过期',
    'AssetPermsWillExpireForOrgAdminMsg.body':
      '{name}，您好：\n您所在组织的 {count} 条授权将在三天内过期：{permissions}\n全部授权：\n{link}',
    'DifferentCityLoginMessage.subject': '异地登录提醒',
    'DifferentCityLoginMessage.body':
      '{name}，您好：\n您的账号 {username} 在非常用地点登录。\n时间：{time}\nIP 地址：{ip}\n如果不是您本人操作，请立即修改密码并联系管理员。',
    'AssetLoginNoticeMsg.subject': '资产登录通知：{asset}',
    'AssetLoginNoticeMsg.body':
      '尊敬的 {name}：\n{user} 于 {time} 从 {ip} 以账号 {account} 登录资产 {asset}。资产登录规则 {rule} 要求通知您。',
    'AssetLoginWarningMsg.subject': '您对 {asset} 的登录已被通报',
    'AssetLoginWarningMsg.body':
      '{name}，您好：\n您于 {time} 从 {ip} 以账号 {account} 登录了资产 {asset}。资产登录规则 {rule} 对此告警，资产负责人已收到通知。',
    'CommandNoticeMsg.subject': '命令通知：{command}',
    'CommandNoticeMsg.body':
      '尊敬的 {name}：\n{user} 输入了命令过滤规则 {rule} 要求通知您的命令。\n资产：{asset}\n账号：{account}\n命令：{command}\n{link}',
    'TicketAppliedToAssigneeMessage.subject': '{applicant}：新工单 - {title}',
    'TicketAppliedToAssigneeMessage.body':
      '尊敬的 {name}：\n{applicant} 请您处理工单：{title}\n编号：{number}\n{link}',
    'TicketApprovedToApplicantMessage.subject': '工单已处理 - {title} ({processor})',
    'TicketApprovedToApplicantMessage.body':
      '尊敬的 {name}：\n您的工单 {number} 已由 {processor} 同意：{title}\n{link}',
    'TicketRejectedToApplicantMessage.subject': '工单已处理 - {title} ({processor})',
    'TicketRejectedToApplicantMessage.body':
      '尊敬的 {name}：\n您的工单 {number} 已被 {processor} 拒绝：{title}\n{link}',
    'LoginNoticeMsg.subject': '用户登录通知',
    'LoginNoticeMsg.body': '尊敬的 {name}：\n{user} 于 {time} 从 {ip} 登录。登录规则 {rule} 要求通知您。',
    'VerifyCodeMsg.subject': '验证码',
    'VerifyCodeMsg.body':
      '{name}，您好：\n您的验证码是 {code}\n仅可使用一次，{seconds} 秒内有效。请勿告诉他人。',
  },
  ja: {
    'ServerPerformanceMessage.subject': 'ターミナルの状態の警告',
    'ServerPerformanceMessage.body': '次のコンポーネントに異常があります。\n{components}',
    'MailUndeliveredMessage.subject': 'メールを配達できませんでした',
    'MailUndeliveredMessage.body':
      '{address} 宛てのメールの送信を中止しました。\n理由: {reason}\n1 時間以内のほかの失敗は、サーバーのログにのみ記録されます。',
    'CommandAlertMessage.subject': '危険なコマンドの警告: {command}',
    'CommandAlertMessage.body': '資産: {asset}\nユーザー: {user}\nコマンド: {command}\n{link}',
    'CommandExecutionAlert.subject': '一括実行の危険なコマンドの警告: {command}',
    'CommandExecutionAlert.body': '資産: {assets}\nユーザー: {user}\nコマンド: {command}',
    signature: 'Sallyport 特権アクセス',
    'UserCreatedMsg.subject': 'アカウントが作成されました',
    'UserCreatedMsg.body':
      '{name} 様\nアカウント {username} が作成されました。\n{hours} 時間以内に次のリンクからパスワードを設定してください（1 回のみ有効）。\n{link}\n期限が切れた場合は、ログインページの「パスワードを忘れた場合」から新しいリンクを受け取れます。',
    'ResetPasswordMsg.subject': 'パスワードの再設定',
    'ResetPasswordMsg.body':
      '{name} 様\nアカウント {username} の新しいパスワードの設定が要求されました。\n{hours} 時間以内に次のリンクから設定してください（1 回のみ有効）。\n{link}\nお心当たりがない場合、何も変更されていません。対応は不要です。',
    'ResetPasswordSuccessMsg.subject': 'パスワードが変更されました',
    'ResetPasswordSuccessMsg.body':
      '{name} 様\nアカウント {username} のパスワードが変更されました。\nIP アドレス: {ip}\n変更者: {by}\nお心当たりがない場合は、すぐに管理者へご連絡ください。',
    'ResetPublicKeySuccessMsg.subject': '公開鍵が変更されました',
    'ResetPublicKeySuccessMsg.body':
      '{name} 様\nアカウント {username} の SSH 公開鍵が変更されました。\nIP アドレス: {ip}\n変更者: {by}\nお心当たりがない場合は、すぐに管理者へご連絡ください。',
    'ResetSSHKeyMsg.subject': 'SSH 鍵のリセット',
    'ResetSSHKeyMsg.body':
      '{name} 様\n管理者がアカウント {username} の SSH 公開鍵を削除しました。\n新しい鍵はこちらで設定してください。\n{link}',
    'MFABoundMsg.subject': '認証アプリが登録されました',
    'MFABoundMsg.body':
      '{name} 様\nアカウント {username} に認証アプリが登録されました。\nIP アドレス: {ip}\n変更者: {by}\nお心当たりがない場合は、すぐに管理者へご連絡ください。',
    'MFADisabledMsg.subject': '認証アプリが解除されました',
    'MFADisabledMsg.body':
      '{name} 様\nアカウント {username} の認証アプリが解除されました。\nIP アドレス: {ip}\n変更者: {by}\nお心当たりがない場合は、すぐに管理者へご連絡ください。',
    'RecoveryCodesRenewedMsg.subject': 'リカバリーコードが更新されました',
    'RecoveryCodesRenewedMsg.body':
      '{name} 様\nアカウント {username} の新しいリカバリーコードが作成されました。以前のコードは無効です。\nIP アドレス: {ip}\n変更者: {by}\nお心当たりがない場合は、すぐに管理者へご連絡ください。',
    'PasskeyAddedMsg.subject': 'パスキーが追加されました',
    'PasskeyAddedMsg.body':
      '{name} 様\nアカウント {username} にパスキーが追加されました。\nIP アドレス: {ip}\n変更者: {by}\nお心当たりがない場合は、すぐに管理者へご連絡ください。',
    'PasskeyRemovedMsg.subject': 'パスキーが削除されました',
    'PasskeyRemovedMsg.body':
      '{name} 様\nアカウント {username} のパスキーが削除されました。\nIP アドレス: {ip}\n変更者: {by}\nお心当たりがない場合は、すぐに管理者へご連絡ください。',
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
    'AssetPermsWillExpireForOrgAdminMsg.subject': '資産許可の有効期限が近づいています',
    'AssetPermsWillExpireForOrgAdminMsg.body':
      '{name} 様\n組織の許可 {count} 件が 3 日以内に期限切れになります: {permissions}\nすべての許可:\n{link}',
    'DifferentCityLoginMessage.subject': '異なる場所からのログイン通知',
    'DifferentCityLoginMessage.body':
      '{name} 様\nアカウント {username} が普段と異なる場所からログインしました。\n日時: {time}\nIP アドレス: {ip}\nお心当たりがない場合は、すぐにパスワードを変更し、管理者へご連絡ください。',
    'AssetLoginNoticeMsg.subject': '資産への接続のお知らせ：{asset}',
    'AssetLoginNoticeMsg.body':
      '{name} 様\n{user} が {time} に {ip} から {account} として {asset} に接続しました。資産ログインルール {rule} に基づくお知らせです。',
    'AssetLoginWarningMsg.subject': '{asset} への接続が報告されました',
    'AssetLoginWarningMsg.body':
      '{name} 様\n{time} に {ip} から {account} として {asset} に接続しました。資産ログインルール {rule} の警告対象であり、資産の担当者に通知されました。',
    'CommandNoticeMsg.subject': 'コマンドのお知らせ：{command}',
    'CommandNoticeMsg.body':
      '{name} 様\n{user} が、コマンドフィルター {rule} の通知対象のコマンドを入力しました。\n資産：{asset}\nアカウント：{account}\nコマンド：{command}\n{link}',
    'TicketAppliedToAssigneeMessage.subject': '{applicant}：新しいチケット - {title}',
    'TicketAppliedToAssigneeMessage.body':
      '{name} 様\n{applicant} さんからチケットの承認依頼があります：{title}\n番号：{number}\n{link}',
    'TicketApprovedToApplicantMessage.subject': 'チケットが処理されました - {title} ({processor})',
    'TicketApprovedToApplicantMessage.body':
      '{name} 様\nチケット {number} は {processor} により承認されました：{title}\n{link}',
    'TicketRejectedToApplicantMessage.subject': 'チケットが処理されました - {title} ({processor})',
    'TicketRejectedToApplicantMessage.body':
      '{name} 様\nチケット {number} は {processor} により却下されました：{title}\n{link}',
    'LoginNoticeMsg.subject': 'ログインのお知らせ',
    'LoginNoticeMsg.body':
      '{name} 様\n{user} が {time} に {ip} からログインしました。ログインルール {rule} に基づくお知らせです。',
    'VerifyCodeMsg.subject': '認証コード',
    'VerifyCodeMsg.body':
      '{name} 様\n認証コードは {code} です。\n{seconds} 秒以内に 1 回のみ有効です。誰にも教えないでください。',
  },
})
