import { catalogue } from '../language.ts'

export const labels = catalogue({
  en: {
    input_username: 'Entered username',
    input_secret: 'Entered secret',
    connect_method: 'Connection method',
    from_ticket_info: 'From ticket info',
    expire_time: 'Expires in',
    asset_display: 'Asset',
  },
  zh: {
    input_username: '自定义用户名',
    input_secret: '自定义密码',
    connect_method: '连接方式',
    from_ticket_info: '来自工单的信息',
    expire_time: '过期时间',
    asset_display: '资产名称',
  },
  ja: {
    input_username: '入力ユーザー名',
    input_secret: '入力シークレット',
    connect_method: '接続方法',
    from_ticket_info: 'チケットの情報',
    expire_time: '残り時間',
    asset_display: '資産の表示名',
  },
})

export const choices = catalogue({
  en: {},
  zh: {},
  ja: {},
})

export const models = catalogue({
  en: {
    'authentication.accesskey': 'API key',
    'authentication.connectiontoken': 'Connection token',
    'authentication.superconnectiontoken': 'Super connection token',
    'authentication.confirm': 'Confirmation',
  },
  zh: {
    'authentication.accesskey': 'API 密钥',
    'authentication.connectiontoken': '连接令牌',
    'authentication.superconnectiontoken': '超级连接令牌',
    'authentication.confirm': '身份确认',
  },
  ja: {
    'authentication.accesskey': 'API キー',
    'authentication.connectiontoken': '接続トークン',
    'authentication.superconnectiontoken': 'スーパー接続トークン',
    'authentication.confirm': '本人確認',
  },
})

export const errors = catalogue({
  en: {
    password_failed:
      'The username or password is wrong. Tries left: {times}; after that the user is locked for {minutes minute|minutes}.',
    block_login:
      'The user is locked. Ask an administrator to unlock it, or try again after {minutes minute|minutes}.',
    block_global_ip_login:
      'Your address is locked. Ask an administrator to unlock it, or try again after {minutes minute|minutes}.',
    user_expired: 'This user has expired. Ask an administrator.',
    user_inactive: 'This user is disabled. Ask an administrator.',
    password_expired: 'The password has expired. Log in to the web console and choose a new one.',
    need_update_password:
      'The password must be changed first. Log in to the web console and choose a new one.',
    public_key_needs_component: 'Only a gateway can log users in with a public key.',
    public_key_unknown: 'This public key is not known here.',
    confirm_required: 'Confirm that it is you before you do this.',
    confirm_failed: 'The password is not correct.',
    confirm_login_too_old: 'Login over {minutes minute|minutes}, please log in again',
    confirm_needs_sign_in: 'An API key cannot confirm who is calling. Log in for this.',
    confirm_unavailable: 'There is no way to confirm who you are for this action.',
    sign_in_ended:
      'Your login has ended: you logged out, your user was disabled or changed, or your password was changed. Log in again, or ask an administrator.',
    invalid_token: 'The token is not valid, or has expired.',
    invalid_signature: 'Invalid signature.',
    signature_used: 'This signature was already used.',
    signed_body_differs: 'The body is not the one that was signed.',
    stale_signature:
      'The Date of the request is more than {minutes minute|minutes} away from the time of the server.',
    connection_token_expired: 'Token is expired',
    connection_token_renewed: 'The connection token is renewed. It expires on {date}.',
    connect_method_unsupported: 'The connect method {method} has no client address.',
  },
  zh: {
    password_failed:
      '您输入的用户名或密码不正确，请重新输入。您还可以尝试 {times} 次（用户将被临时锁定 {minutes} 分钟）',
    block_login: '用户已被锁定（请联系管理员解锁或 {minutes} 分钟后重试）',
    block_global_ip_login: 'IP 已被锁定（请联系管理员解锁或 {minutes} 分钟后重试）',
    user_expired: '该用户已过期，请联系管理员。',
    user_inactive: '该用户已被禁用，请联系管理员。',
    password_expired: '密码已过期，请登录 Web 控制台设置新密码。',
    need_update_password: '必须先修改密码，请登录 Web 控制台设置新密码。',
    public_key_needs_component: '只有网关可以使用公钥为用户登录。',
    public_key_unknown: '此公钥未登记。',
    confirm_required: '该操作需要确认当前用户',
    confirm_failed: '密码不正确。',
    confirm_login_too_old: '登录已超过 {minutes} 分钟，请重新登录',
    confirm_needs_sign_in: 'API 密钥无法确认是谁在操作，请登录后再试。',
    confirm_unavailable: '没有可用的方式来确认您的身份。',
    sign_in_ended:
      '登录已结束：您已退出登录、您的用户被禁用或变更，或者密码已变更。请重新登录，或联系管理员。',
    invalid_token: '令牌无效或已失效。',
    invalid_signature: '签名无效。',
    signature_used: '该签名已被使用。',
    signed_body_differs: '请求体与签名不符。',
    stale_signature: '请求的 Date 与服务器时间相差超过 {minutes} 分钟。',
    connection_token_expired: '令牌已过期',
    connection_token_renewed: '令牌已续期，过期时间：{date}',
    connect_method_unsupported: '连接方式 {method} 没有客户端地址。',
  },
  ja: {
    password_failed:
      'ユーザー名またはパスワードが正しくありません。もう一度入力してください。あと {times} 回試行できます（ユーザーは一時的に {minutes} 分間ロックされます）',
    block_login:
      'ユーザーがロックされています（管理者に解除を依頼するか、{minutes} 分後に再試行してください）',
    block_global_ip_login:
      'IP アドレスがロックされています（管理者に解除を依頼するか、{minutes} 分後に再試行してください）',
    user_expired: 'このユーザーは期限切れです。管理者に連絡してください。',
    user_inactive: 'このユーザーは無効です。管理者に連絡してください。',
    password_expired:
      'パスワードの有効期限が切れています。Web コンソールにログインして新しいパスワードを設定してください。',
    need_update_password:
      '先にパスワードの変更が必要です。Web コンソールにログインして新しいパスワードを設定してください。',
    public_key_needs_component: '公開鍵でユーザーをログインさせられるのはゲートウェイだけです。',
    public_key_unknown: 'この公開鍵は登録されていません。',
    confirm_required: 'この操作には本人確認が必要です',
    confirm_failed: 'パスワードが正しくありません。',
    confirm_login_too_old: 'ログインから {minutes} 分以上経過しています。もう一度ログインしてください',
    confirm_needs_sign_in: 'API キーでは本人確認ができません。ログインしてから操作してください。',
    confirm_unavailable: '本人確認に使える方法がありません。',
    sign_in_ended:
      'ログインが終了しました：ログアウトしたか、ユーザーが無効化または変更されたか、パスワードが変更されました。もう一度ログインするか、管理者に連絡してください。',
    invalid_token: 'トークンが無効か、期限切れです。',
    invalid_signature: '署名が無効です。',
    signature_used: 'この署名は使用済みです。',
    signed_body_differs: '本文が署名されたものと異なります。',
    stale_signature: 'リクエストの Date がサーバーの時刻から {minutes} 分以上ずれています。',
    connection_token_expired: 'トークンは期限切れです',
    connection_token_renewed: 'トークンを更新しました。有効期限: {date}',
    connect_method_unsupported: '接続方法 {method} にはクライアントのアドレスがありません。',
  },
})

export const calls = catalogue({
  en: {
    'authentication.accesskey.create': 'Create',
    'users.serviceaccount.register': 'Register',
  },
  zh: {
    'authentication.accesskey.create': '创建',
    'users.serviceaccount.register': '注册',
  },
  ja: {
    'authentication.accesskey.create': '作成',
    'users.serviceaccount.register': '登録',
  },
})
