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
    template: '账号模板',
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
    'accounts.account.addToMany': 'Add to assets',
    'accounts.accounttemplatesecret.open': 'View secrets',
    'accounts.accounttemplatesecret.openOne': 'View the secret',
  },
  zh: {
    'accounts.accountsecret.open': '查看密文',
    'accounts.accountsecret.openOne': '查看密文',
    'accounts.accountsecret.histories': '查看历史密文',
    'accounts.account.addToMany': '添加到资产',
    'accounts.accounttemplatesecret.open': '查看密文',
    'accounts.accounttemplatesecret.openOne': '查看密文',
  },
  ja: {
    'accounts.accountsecret.open': 'シークレットの表示',
    'accounts.accountsecret.openOne': 'シークレットの表示',
    'accounts.accountsecret.histories': '過去のシークレットの表示',
    'accounts.account.addToMany': '資産への追加',
    'accounts.accounttemplatesecret.open': 'シークレットの表示',
    'accounts.accounttemplatesecret.openOne': 'シークレットの表示',
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
    'secret_type.api_key': 'API key',
    'account_there.skip': 'Leave it as it is',
    'account_there.update': 'Change it',
    'account_there.error': 'Report an error',
    'account_outcome.created': 'Created',
    'account_outcome.updated': 'Changed',
    'account_outcome.skipped': 'Skipped',
    'account_outcome.error': 'Error',
  },
  zh: {
    'secret_type.password': '密码',
    'secret_type.ssh_key': 'SSH 密钥',
    'secret_type.access_key': 'Access key',
    'secret_type.token': 'Token',
    'account_source.local': '数据库',
    'account_source.collected': '收集',
    'secret_type.api_key': 'API key',
    'account_there.skip': '跳过',
    'account_there.update': '更新',
    'account_there.error': '报告错误',
    'account_outcome.created': '已创建',
    'account_outcome.updated': '已更新',
    'account_outcome.skipped': '已跳过',
    'account_outcome.error': '错误',
  },
  ja: {
    'secret_type.password': 'パスワード',
    'secret_type.ssh_key': 'SSH 鍵',
    'secret_type.access_key': 'アクセスキー',
    'secret_type.token': 'トークン',
    'account_source.local': 'ローカル',
    'account_source.collected': '収集',
    'secret_type.api_key': 'API キー',
    'account_there.skip': 'そのままにする',
    'account_there.update': '変更する',
    'account_there.error': 'エラーとして報告する',
    'account_outcome.created': '作成済み',
    'account_outcome.updated': '変更済み',
    'account_outcome.skipped': 'スキップ',
    'account_outcome.error': 'エラー',
  },
})

export const models = catalogue({
  en: {
    'accounts.account': 'Account',
    'accounts.accountsecret': 'Account secret',
    'accounts.accounttemplate': 'Account template',
    'accounts.accounttemplatesecret': 'Account template secret',
  },
  zh: {
    'accounts.account': '账号',
    'accounts.accountsecret': '账号密文',
    'accounts.accounttemplate': '账号模板',
    'accounts.accounttemplatesecret': '账号模板密文',
  },
  ja: {
    'accounts.account': 'アカウント',
    'accounts.accountsecret': 'アカウントのシークレット',
    'accounts.accounttemplate': 'アカウントテンプレート',
    'accounts.accounttemplatesecret': 'アカウントテンプレートのシークレット',
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
    secret_copy_denied: 'Sending stored secrets elsewhere needs the right to view secrets.',
    secret_special_characters: 'The password can not contain {characters}',
    ssh_key_invalid: 'Not a private key that can be read: check its text.',
    ssh_key_too_slow:
      'Opening this key takes too long: its passphrase is protected by too many rounds. Save it with fewer (ssh-keygen -p -a 24), or without a passphrase.',
    su_from_other_asset: 'Choose an account of the same asset to switch from.',
    ssh_key_locked: 'This private key is locked: give its passphrase.',
    ssh_key_passphrase: 'The passphrase does not open this private key.',
    su_from_cycle:
      'An account cannot switch from itself, nor in a circle: the accounts it switches from lead back to it.',
    su_from_held: 'Other accounts of its asset switch from this one: change them first.',
    su_from_inactive: 'The account {account} switches from {from}, which is not active.',
    account_there: 'The asset has an account of this name, or username and secret type, already.',
    account_name_there: 'Another account of the asset has this name.',
    account_no_assets: 'Choose assets or nodes that hold any.',
    account_too_many_assets: 'These are more than {max} assets: add the account in parts.',
    template_not_here: 'There is no such account template here.',
    template_use_denied: 'Using an account template needs the right to view account templates.',
    secret_of_another_type: 'What is copied has a secret of another type.',
    secret_type_held: 'What is stored is a secret of another type: send the new one along.',
  },
  zh: {
    secret_copy_denied: '将已保存的密文发往别处需要查看密文的权限。',
    secret_special_characters: '密码不能包含 {characters}',
    ssh_key_invalid: '不是可读取的私钥：请检查内容。',
    ssh_key_too_slow:
      '打开此密钥耗时过长：其密钥密码的加密轮数过多。请减少轮数(ssh-keygen -p -a 24)或去掉密钥密码后重新保存。',
    su_from_other_asset: '请选择同一资产的账号作为切换来源。',
    ssh_key_locked: '此私钥已加密：请提供密钥密码。',
    ssh_key_passphrase: '密钥密码无法打开此私钥。',
    su_from_cycle: '账号不能从自身切换，也不能循环切换：其切换来源又回到它自己。',
    su_from_held: '同一资产的其他账号从此账号切换：请先修改它们。',
    su_from_inactive: '账号 {account} 从 {from} 切换，而 {from} 未激活。',
    account_there: '该资产已有此名称或此用户名和密文类型的账号。',
    account_name_there: '该资产的另一账号已使用此名称。',
    account_no_assets: '请选择资产，或包含资产的节点。',
    account_too_many_assets: '资产超过 {max} 个：请分批添加账号。',
    template_not_here: '此处没有该账号模板。',
    template_use_denied: '使用账号模板需要查看账号模板的权限。',
    secret_of_another_type: '被复制的密文是另一种类型。',
    secret_type_held: '已保存的密文是另一种类型：请同时提供新的密文。',
  },
  ja: {
    secret_copy_denied: '保存されたシークレットを別の場所に送るには、シークレットを表示する権限が必要です。',
    secret_special_characters: 'パスワードに {characters} は使えません',
    ssh_key_invalid: '読み取れる秘密鍵ではありません。内容を確認してください。',
    ssh_key_too_slow:
      'この鍵を開くのに時間がかかりすぎます。パスフレーズの保護ラウンド数が多すぎます。ラウンド数を減らす(ssh-keygen -p -a 24)か、パスフレーズなしで保存し直してください。',
    su_from_other_asset: '切替元には同じ資産のアカウントを選択してください。',
    ssh_key_locked: 'この秘密鍵は暗号化されています。パスフレーズを指定してください。',
    ssh_key_passphrase: 'パスフレーズではこの秘密鍵を開けません。',
    su_from_cycle:
      'アカウントを自身から、または循環して切り替えることはできません。切替元をたどると自身に戻ります。',
    su_from_held:
      '同じ資産の他のアカウントがこのアカウントから切り替わります。先にそれらを変更してください。',
    su_from_inactive: 'アカウント {account} の切替元 {from} は無効です。',
    account_there:
      'この資産には、この名前、またはこのユーザー名とシークレットの種類のアカウントがすでにあります。',
    account_name_there: 'この資産の別のアカウントがこの名前を使っています。',
    account_no_assets: '資産、または資産を含むノードを選択してください。',
    account_too_many_assets: '資産が {max} 件を超えています。分けて追加してください。',
    template_not_here: 'このアカウントテンプレートはここにはありません。',
    template_use_denied: 'アカウントテンプレートの使用には、アカウントテンプレートを表示する権限が必要です。',
    secret_of_another_type: 'コピー元のシークレットは別の種類です。',
    secret_type_held: '保存されているシークレットは別の種類です。新しいシークレットも送ってください。',
  },
})
