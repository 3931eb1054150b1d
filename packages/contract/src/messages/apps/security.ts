/** What the settings of security are called. */
import { catalogue } from '../language.ts'

export const labels = catalogue({
  en: {
    SECURITY_SERVICE_ACCOUNT_REGISTRATION: 'Components may register',
    SECURITY_MAX_SESSION_TIME: 'Session max time (hours, 0: no limit)',
    SECURITY_MFA_AUTH: 'MFA for',
    SECURITY_MFA_IN_LOGIN_PAGE: 'MFA on the login page',
    SECURITY_LOGIN_CHALLENGE_ENABLED: 'Login dynamic code',
    SECURITY_LOGIN_CAPTCHA_ENABLED: 'Captcha after failed logins',
    VERIFY_CODE_TTL: 'Codes by e-mail expire after (seconds)',
    SECURITY_LOGIN_LIMIT_COUNT: 'Failed logins of a user until locked',
    SECURITY_LOGIN_LIMIT_TIME: 'A user is locked for (minutes)',
    SECURITY_LOGIN_IP_LIMIT_COUNT: 'Failed logins from an IP until blocked',
    SECURITY_LOGIN_IP_LIMIT_TIME: 'An IP is blocked for (minutes)',
    SECURITY_LOGIN_IP_WHITE_LIST: 'IPs never blocked',
    SECURITY_LOGIN_IP_BLACK_LIST: 'IPs always refused',
    USER_LOGIN_SINGLE_MACHINE_ENABLED: 'One device for each user',
    SECURITY_PASSWORD_MIN_LENGTH: 'Minimum length',
    SECURITY_ADMIN_USER_PASSWORD_MIN_LENGTH: 'Minimum length for administrators',
    SECURITY_PASSWORD_UPPER_CASE: 'Must contain capital letters',
    SECURITY_PASSWORD_LOWER_CASE: 'Must contain small letters',
    SECURITY_PASSWORD_NUMBER: 'Must contain digits',
    SECURITY_PASSWORD_SPECIAL_CHAR: 'Must contain special characters',
  },
  zh: {
    SECURITY_SERVICE_ACCOUNT_REGISTRATION: '允许组件注册',
    SECURITY_MAX_SESSION_TIME: '会话最长时间（小时，0 为不限）',
    SECURITY_MFA_AUTH: '全局启用 MFA 认证',
    SECURITY_MFA_IN_LOGIN_PAGE: '在登录页面输入 MFA',
    SECURITY_LOGIN_CHALLENGE_ENABLED: '登录动态码',
    SECURITY_LOGIN_CAPTCHA_ENABLED: '登录失败后需要验证码',
    VERIFY_CODE_TTL: '邮件验证码有效期（秒）',
    SECURITY_LOGIN_LIMIT_COUNT: '锁定用户前的登录失败次数',
    SECURITY_LOGIN_LIMIT_TIME: '用户锁定时间（分钟）',
    SECURITY_LOGIN_IP_LIMIT_COUNT: '禁止 IP 前的登录失败次数',
    SECURITY_LOGIN_IP_LIMIT_TIME: 'IP 禁止时间（分钟）',
    SECURITY_LOGIN_IP_WHITE_LIST: 'IP 白名单',
    SECURITY_LOGIN_IP_BLACK_LIST: 'IP 黑名单',
    USER_LOGIN_SINGLE_MACHINE_ENABLED: '用户只能在一台设备登录',
    SECURITY_PASSWORD_MIN_LENGTH: '密码最小长度',
    SECURITY_ADMIN_USER_PASSWORD_MIN_LENGTH: '管理员密码最小长度',
    SECURITY_PASSWORD_UPPER_CASE: '必须包含大写字母',
    SECURITY_PASSWORD_LOWER_CASE: '必须包含小写字母',
    SECURITY_PASSWORD_NUMBER: '必须包含数字',
    SECURITY_PASSWORD_SPECIAL_CHAR: '必须包含特殊字符',
  },
  ja: {
    SECURITY_SERVICE_ACCOUNT_REGISTRATION: 'コンポーネントの登録を許可',
    SECURITY_MAX_SESSION_TIME: 'セッションの最大時間（時間、0 は無制限）',
    SECURITY_MFA_AUTH: 'MFA の対象',
    SECURITY_MFA_IN_LOGIN_PAGE: 'ログインページで MFA を入力',
    SECURITY_LOGIN_CHALLENGE_ENABLED: 'ログイン動的コード',
    SECURITY_LOGIN_CAPTCHA_ENABLED: 'ログイン失敗後のキャプチャ',
    VERIFY_CODE_TTL: 'メールのコードの有効期間（秒）',
    SECURITY_LOGIN_LIMIT_COUNT: 'ユーザーがロックされるまでの失敗回数',
    SECURITY_LOGIN_LIMIT_TIME: 'ユーザーのロック時間（分）',
    SECURITY_LOGIN_IP_LIMIT_COUNT: 'IP が拒否されるまでの失敗回数',
    SECURITY_LOGIN_IP_LIMIT_TIME: 'IP の拒否時間（分）',
    SECURITY_LOGIN_IP_WHITE_LIST: '拒否しない IP',
    SECURITY_LOGIN_IP_BLACK_LIST: '常に拒否する IP',
    USER_LOGIN_SINGLE_MACHINE_ENABLED: '1 ユーザー 1 デバイス',
    SECURITY_PASSWORD_MIN_LENGTH: '最小文字数',
    SECURITY_ADMIN_USER_PASSWORD_MIN_LENGTH: '管理者の最小文字数',
    SECURITY_PASSWORD_UPPER_CASE: '大文字を含む',
    SECURITY_PASSWORD_LOWER_CASE: '小文字を含む',
    SECURITY_PASSWORD_NUMBER: '数字を含む',
    SECURITY_PASSWORD_SPECIAL_CHAR: '記号を含む',
  },
})

export const choices = catalogue({
  en: { 'mfa_auth.0': 'Nobody', 'mfa_auth.1': 'All users', 'mfa_auth.2': 'Only administrators' },
  zh: { 'mfa_auth.0': '禁用', 'mfa_auth.1': '所有用户', 'mfa_auth.2': '仅管理员' },
  ja: { 'mfa_auth.0': '無効', 'mfa_auth.1': 'すべてのユーザー', 'mfa_auth.2': '管理者のみ' },
})

export const models = catalogue({
  en: { 'settings.securitysettings': 'Security settings' },
  zh: { 'settings.securitysettings': '安全设置' },
  ja: { 'settings.securitysettings': 'セキュリティ設定' },
})

export const errors = catalogue({
  en: { not_addresses: 'Neither an address, a network, a range nor *: {item}' },
  zh: { not_addresses: '不是地址、网段、地址范围或 *：{item}' },
  ja: { not_addresses: 'アドレス、ネットワーク、範囲、* のいずれでもありません: {item}' },
})
