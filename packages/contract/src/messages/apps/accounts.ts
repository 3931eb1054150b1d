import { catalogue } from '../language.ts'

export const labels = catalogue({
  en: {
    secret: 'Secret',
    secret_type: 'Secret type',
    passphrase: 'Passphrase',
    has_secret: 'Has secret',
    privileged: 'Privileged',
    su_from: 'Switches from',
    version: 'Version',
    template: 'Template',
    push_now: 'Push now',
    ssh_key_fingerprint: 'SSH key fingerprint',
  },
  zh: {
    secret: '密文',
    secret_type: '密文类型',
    passphrase: '密钥密码',
    has_secret: '已托管密码',
    privileged: '特权账号',
    su_from: '切换自',
    version: '版本',
    template: '账号模版',
    push_now: '立即推送',
    ssh_key_fingerprint: 'SSH 密钥指纹',
  },
  ja: {
    secret: 'シークレット',
    secret_type: 'シークレットの種類',
    passphrase: 'パスフレーズ',
    has_secret: 'シークレットあり',
    privileged: '特権',
    su_from: '切替元',
    version: 'バージョン',
    template: 'テンプレート',
    push_now: '今すぐ配信',
    ssh_key_fingerprint: 'SSH 鍵フィンガープリント',
  },
})

export const calls = catalogue({
  en: {
    'accounts.accountsecret.open': 'View secrets',
    'accounts.accountsecret.openOne': 'View the secret',
    'accounts.accountsecret.histories': 'View past secrets',
  },
  zh: {
    'accounts.accountsecret.open': '查看密文',
    'accounts.accountsecret.openOne': '查看密文',
    'accounts.accountsecret.histories': '查看历史密文',
  },
  ja: {
    'accounts.accountsecret.open': 'シークレットの表示',
    'accounts.accountsecret.openOne': 'シークレットの表示',
    'accounts.accountsecret.histories': '過去のシークレットの表示',
  },
})

export const choices = catalogue({
  en: {
    'secret_type.password': 'Password',
    'secret_type.ssh_key': 'SSH key',
    'secret_type.access_key': 'Access key',
    'secret_type.token': 'Token',
    'account_source.local': 'Local',
    'account_source.collected': 'Collected',
  },
  zh: {
    'secret_type.password': '密码',
    'secret_type.ssh_key': 'SSH 密钥',
    'secret_type.access_key': 'Access key',
    'secret_type.token': 'Token',
    'account_source.local': '数据库',
    'account_source.collected': '收集',
  },
  ja: {
    'secret_type.password': 'パスワード',
    'secret_type.ssh_key': 'SSH 鍵',
    'secret_type.access_key': 'アクセスキー',
    'secret_type.token': 'トークン',
    'account_source.local': 'ローカル',
    'account_source.collected': '収集',
  },
})

export const models = catalogue({
  en: {
    'accounts.account': 'Account',
    'accounts.accountsecret': 'Account secret',
  },
  zh: {
    'accounts.account': '账号',
    'accounts.accountsecret': '账号密文',
  },
  ja: {
    'accounts.account': 'アカウント',
    'accounts.accountsecret': 'アカウントのシークレット',
  },
})

export const texts = catalogue({
  en: {
    manual_input: 'Manual input',
    dynamic_user: 'Dynamic user',
  },
  zh: {
    manual_input: '手动输入',
    dynamic_user: '同名账号',
  },
  ja: {
    manual_input: '手動入力',
    dynamic_user: '同名アカウント',
  },
})

export const errors = catalogue({
  en: {
    secret_copy_denied: "Copying another account's secret needs the right to view secrets.",
    secret_special_characters: 'The password can not contain {characters}',
    ssh_key_invalid: 'Not a private key that can be read: check the text and the passphrase.',
    ssh_key_too_slow:
      'Opening this key takes too long: its passphrase is protected by too many rounds. Save it with fewer (ssh-keygen -p -a 24), or without a passphrase.',
    su_from_other_asset: 'Choose an account of the same asset to switch from.',
    su_from_cycle: 'An account cannot be switched to from itself.',
    account_fields_unique: 'The fields {fields} must make a unique set.',
  },
  zh: {
    secret_copy_denied: '复制其他账号的密文需要查看密文的权限。',
    secret_special_characters: '密码不能包含 {characters}',
    ssh_key_invalid: '不是可读取的私钥：请检查内容和密钥密码。',
    ssh_key_too_slow:
      '打开此密钥耗时过长：其密钥密码的加密轮数过多。请减少轮数(ssh-keygen -p -a 24)或去掉密钥密码后重新保存。',
    su_from_other_asset: '请选择同一资产的账号作为切换来源。',
    su_from_cycle: '账号不能从自身切换。',
    account_fields_unique: '字段 {fields} 必须能构成唯一集合。',
  },
  ja: {
    secret_copy_denied:
      '他のアカウントのシークレットをコピーするには、シークレットを表示する権限が必要です。',
    secret_special_characters: 'パスワードに {characters} は使えません',
    ssh_key_invalid: '読み取れる秘密鍵ではありません。内容とパスフレーズを確認してください。',
    ssh_key_too_slow:
      'この鍵を開くのに時間がかかりすぎます。パスフレーズの保護ラウンド数が多すぎます。ラウンド数を減らす(ssh-keygen -p -a 24)か、パスフレーズなしで保存し直してください。',
    su_from_other_asset: '切替元には同じ資産のアカウントを選択してください。',
    su_from_cycle: 'アカウントを自身から切り替えることはできません。',
    account_fields_unique: '項目 {fields} の組み合わせは一意である必要があります。',
  },
})
