/** What the sign-in page and pages behind it both say: new passwords and their rules, second factors. */
export const en = {
  language: 'Language',
  username: 'Username',
  newPassword: 'New password',
  newPasswordAgain: 'New password again',
  passwordsDiffer: 'The two passwords are not the same.',
  ruleMinLength: 'At least {{min}} characters',
  ruleUpperCase: 'An uppercase letter',
  ruleLowerCase: 'A lowercase letter',
  ruleNumber: 'A digit',
  ruleSpecialChar: 'A symbol, such as - or !',
  ruleFirstChar: 'Starts with a letter, a digit or a common symbol',
  ruleMet: 'met',
  passkeyNeedsName:
    'Passkeys need a name: they work where this page is opened by https and the name of the site, not by an IP address.',
  mfaCode: 'Code',
}
type Messages = Record<keyof typeof en, string>

export const zh: Messages = {
  language: '语言',
  username: '用户名',
  newPassword: '新密码',
  newPasswordAgain: '确认新密码',
  passwordsDiffer: '两次输入的密码不一致。',
  ruleMinLength: '至少 {{min}} 个字符',
  ruleUpperCase: '包含大写字母',
  ruleLowerCase: '包含小写字母',
  ruleNumber: '包含数字',
  ruleSpecialChar: '包含符号，例如 - 或 !',
  ruleFirstChar: '以字母、数字或常用符号开头',
  ruleMet: '已满足',
  passkeyNeedsName: '通行密钥需要域名：只有通过 https 和站点域名（而不是 IP 地址）打开此页面时才能使用。',
  mfaCode: '验证码',
}

export const ja: Messages = {
  language: '言語',
  username: 'ユーザー名',
  newPassword: '新しいパスワード',
  newPasswordAgain: '新しいパスワード（確認）',
  passwordsDiffer: '二つのパスワードが一致しません。',
  ruleMinLength: '{{min}} 文字以上',
  ruleUpperCase: '大文字を含む',
  ruleLowerCase: '小文字を含む',
  ruleNumber: '数字を含む',
  ruleSpecialChar: '- や ! などの記号を含む',
  ruleFirstChar: '文字、数字または一般的な記号で始まる',
  ruleMet: '満たしています',
  passkeyNeedsName:
    'パスキーにはドメイン名が必要です。IP アドレスではなく、https とサイトの名前でこのページを開いた場合に使えます。',
  mfaCode: 'コード',
}
