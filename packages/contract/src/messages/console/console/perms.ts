/** Texts of permissions, asset login rules and command filters. */
export const en = {
  sessionsGoOn:
    'No new session can be opened through it. Those that are open go on until they end or are terminated.',
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
  actionsHelp: 'What users may do once they are connected',
  accountsOfTemplates: 'Accounts of templates',
  accountsOfTemplatesHelp: 'where an asset has no such account yet, it is created as this is saved',
  allAccountsHelp: 'every account on the asset',
  allAssets: 'All assets covered',
  allUsers: 'All users covered',
  assetsAndNodes: 'Assets and nodes',
  effective: 'Effective',
  fromTicket: 'From ticket',
  manualAccountHelp: 'username and password are entered when connecting',
  permittedActions: 'Actions',
  notBegun: 'Not begun',
  hasEnded: 'Ended',
  noEffect: 'No effect',
  sameAccountHelp: 'the account with the username of the user',
  specifiedAccountsHelp: 'accounts with these usernames',
  usernames: 'Usernames',
  usersAndGroups: 'Users and groups',
}
type Messages = Record<keyof typeof en, string>

export const zh: Messages = {
  sessionsGoOn: '停用后不能再通过它打开新会话，已打开的会话会继续，直到结束或被终断。',
  ruleUsers: '用户',
  ruleAssets: '资产',
  ruleUsersHelp: '完整的用户名，* 表示所有用户。',
  ruleAssetsHelp: '完整的资产名称，* 表示所有资产。',
  ruleAddressesHelp:
    '每项可以是 *、IP 地址、网段（如 10.0.0.0/8）、范围（如 10.0.0.1-10.0.0.9）或主机名，支持 IPv6。',
  ruleAccountsHelp: '完整的用户名，@INPUT 表示手动账号，@USER 表示同名账号，* 表示所有账号。',
  ruleRejectsAll: '此规则会拒绝所有用户使用任何账号登录任何资产。确定要这样吗？',
  filterRejectsAll: '此过滤规则会在所有资产上拒绝所有用户执行这些命令。确定要这样吗？',
  ruleActionHelp: '告警和通知会放行，并通知审批人；未指定审批人时通知管理员。告警还会通知用户本人。',
  commandGroupCommands: 'rm\nreboot',
  commandGroupRegex: 'rm.*|reboot|shutdown',
  commandFilterPromise:
    '命令过滤检查在 Shell 中输入的内容，以及不经 Shell 直接发送的命令。它可以防止误操作，但有意绕过的人仍能以其他方式执行命令。',
  actionsHelp: '用户连接后可以执行的操作',
  accountsOfTemplates: '模板账号',
  accountsOfTemplatesHelp: '资产上没有该账号时，保存后会自动创建',
  allAccountsHelp: '资产上的全部账号',
  allAssets: '全部授权资产',
  allUsers: '全部授权用户',
  assetsAndNodes: '资产和节点',
  effective: '生效中',
  fromTicket: '来自工单',
  manualAccountHelp: '连接时输入用户名和密码',
  permittedActions: '动作',
  notBegun: '未开始',
  hasEnded: '已结束',
  noEffect: '不生效',
  sameAccountHelp: '与用户的用户名相同的账号',
  specifiedAccountsHelp: '使用这些用户名的账号',
  usernames: '用户名',
  usersAndGroups: '用户和用户组',
}

export const ja: Messages = {
  sessionsGoOn:
    'これを使って新しいセッションは開けなくなります。開いているセッションは、終わるか終了されるまで続きます。',
  ruleUsers: 'ユーザー',
  ruleAssets: '資産',
  ruleUsersHelp: 'ユーザー名をそのまま入力します。* は全員です。',
  ruleAssetsHelp: '資産名をそのまま入力します。* はすべてです。',
  ruleAddressesHelp:
    '*、IP アドレス、ネットワーク（10.0.0.0/8）、範囲（10.0.0.1-10.0.0.9）、ホスト名のいずれか。IPv6 も使えます。',
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
  actionsHelp: '接続後にユーザーができる操作',
  accountsOfTemplates: 'テンプレートのアカウント',
  accountsOfTemplatesHelp: '資産にそのアカウントがない場合は、保存時に作成されます',
  allAccountsHelp: '資産上のすべてのアカウント',
  allAssets: '対象のすべての資産',
  allUsers: '対象のすべてのユーザー',
  assetsAndNodes: '資産とノード',
  effective: '有効',
  fromTicket: 'チケットから',
  manualAccountHelp: '接続時にユーザー名とパスワードを入力します',
  permittedActions: 'アクション',
  notBegun: '開始前',
  hasEnded: '終了',
  noEffect: '効果なし',
  sameAccountHelp: 'ユーザーと同じ名前のアカウント',
  specifiedAccountsHelp: '指定したユーザー名のアカウント',
  usernames: 'ユーザー名',
  usersAndGroups: 'ユーザーとグループ',
}
