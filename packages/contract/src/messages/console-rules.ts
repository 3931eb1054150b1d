/** Texts of the screens of asset login rules, command filters and command groups; part of the console's catalogue. */
export const en = {
  assetLoginRules: 'Asset login rules',
  assetLoginRule: 'asset login rule',
  commandFilters: 'Command filters',
  commandFilter: 'command filter',
  commandGroups: 'Command groups',
  commandGroup: 'command group',
  ruleUsers: 'User',
  ruleAssets: 'Asset',
  ruleUsersHelp: 'Usernames as they are, or * for everybody.',
  ruleAssetsHelp: 'Names as they are, or * for all.',
  ruleAddressesHelp:
    'One of: *, an address, a network as 10.0.0.0/8, a range as 10.0.0.1-10.0.0.9, a host name; IPv6 too.',
  ruleAccountsHelp: 'Usernames as they are, @INPUT for manual and @USER for same accounts, or * for all.',
  ruleRejectsAll:
    'This rule rejects everybody, on every asset and with every account. Is that what you mean?',
  filterRejectsAll: 'This filter rejects its commands for everybody, on every asset. Is that what you mean?',
  ruleActionHelp:
    'Warn and notify allow it and inform the reviewers, or the administrators if no reviewers are named. Warn also tells the user.',
  commandGroupCommands: 'rm\nreboot',
  commandGroupRegex: 'rm.*|reboot|shutdown',
  commandFilterPromise:
    'Filters look at what is typed into a shell and at commands sent without one. They prevent mistakes. Someone determined can still run a command another way.',
}
type Messages = Record<keyof typeof en, string>

export const zh: Messages = {
  assetLoginRules: '资产登录规则',
  assetLoginRule: '资产登录规则',
  commandFilters: '命令过滤',
  commandFilter: '命令过滤规则',
  commandGroups: '命令组',
  commandGroup: '命令组',
  ruleUsers: '用户',
  ruleAssets: '资产',
  ruleUsersHelp: '完整的用户名，* 表示所有用户。',
  ruleAssetsHelp: '完整的资产名称，* 表示所有资产。',
  ruleAddressesHelp:
    '每项可以是 *、IP 地址、网段(如 10.0.0.0/8)、范围(如 10.0.0.1-10.0.0.9)或主机名，支持 IPv6。',
  ruleAccountsHelp: '完整的用户名，@INPUT 表示手动账号，@USER 表示同名账号，* 表示所有账号。',
  ruleRejectsAll: '此规则会拒绝所有用户使用任何账号登录任何资产。确定要这样吗？',
  filterRejectsAll: '此过滤规则会在所有资产上拒绝所有用户执行这些命令。确定要这样吗？',
  ruleActionHelp: '告警和通知会放行，并通知审批人；未指定审批人时通知管理员。告警还会通知用户本人。',
  commandGroupCommands: 'rm\nreboot',
  commandGroupRegex: 'rm.*|reboot|shutdown',
  commandFilterPromise:
    '命令过滤检查在 Shell 中输入的内容，以及不经 Shell 直接发送的命令。它可以防止误操作，但有意绕过的人仍能以其他方式执行命令。',
}

export const ja: Messages = {
  assetLoginRules: '資産ログインルール',
  assetLoginRule: '資産ログインルール',
  commandFilters: 'コマンドフィルター',
  commandFilter: 'コマンドフィルター',
  commandGroups: 'コマンドグループ',
  commandGroup: 'コマンドグループ',
  ruleUsers: 'ユーザー',
  ruleAssets: '資産',
  ruleUsersHelp: 'ユーザー名をそのまま入力します。* は全員です。',
  ruleAssetsHelp: '資産名をそのまま入力します。* はすべてです。',
  ruleAddressesHelp:
    '*、IP アドレス、ネットワーク (10.0.0.0/8)、範囲 (10.0.0.1-10.0.0.9)、ホスト名のいずれか。IPv6 も使えます。',
  ruleAccountsHelp:
    'ユーザー名をそのまま入力します。@INPUT は手動アカウント、@USER は同名アカウント、* はすべてです。',
  ruleRejectsAll:
    'このルールは、すべてのユーザーのすべての資産とアカウントへのログインを拒否します。よろしいですか？',
  filterRejectsAll:
    'このフィルターは、すべての資産ですべてのユーザーのこれらのコマンドを拒否します。よろしいですか？',
  ruleActionHelp:
    '警告と通知は通したうえで承認者に知らせます。承認者がいなければ管理者に知らせます。警告は本人にも知らせます。',
  commandGroupCommands: 'rm\nreboot',
  commandGroupRegex: 'rm.*|reboot|shutdown',
  commandFilterPromise:
    'フィルターは、シェルに入力された内容とシェルなしで送られたコマンドを調べます。誤操作は防げますが、意図的に別の方法で実行することは防げません。',
}
