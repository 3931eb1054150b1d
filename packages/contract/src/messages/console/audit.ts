/** Texts of the audit view. English is the source of the keys. */
export const en = {
  passwordChangedBy: '{{by}} changed the password of {{user}}',
  passwordChangedOwn: '{{user}} changed their own password',
  loginSucceeded: '{{user}} logged in from {{ip}}',
  loginFailed: '{{user}} could not log in from {{ip}}: {{reason}}',
  whatHappened: 'What happened',
  sessionActions: 'Session',
  terminateManyQuestion: 'Terminate {{count}} sessions?',
  terminateSelected: 'Terminate selected',
  duration: 'Duration',
  sessionsOnline: 'Online',
  sessionsEnded: 'Ended',
  replay: 'Replay',
  download: 'Download',
  viewChanges: 'Changes',
}
type Messages = Record<keyof typeof en, string>

export const zh: Messages = {
  passwordChangedBy: '{{by}} 修改了 {{user}} 的密码',
  passwordChangedOwn: '{{user}} 修改了自己的密码',
  loginSucceeded: '{{user}} 从 {{ip}} 登录',
  loginFailed: '{{user}} 从 {{ip}} 登录失败：{{reason}}',
  whatHappened: '事件',
  sessionActions: '会话',
  terminateManyQuestion: '终断 {{count}} 个会话？',
  terminateSelected: '终断所选',
  duration: '时长',
  sessionsOnline: '在线',
  sessionsEnded: '已结束',
  replay: '回放',
  download: '下载',
  viewChanges: '变更',
}

export const ja: Messages = {
  passwordChangedBy: '{{by}} が {{user}} のパスワードを変更しました',
  passwordChangedOwn: '{{user}} が自分のパスワードを変更しました',
  loginSucceeded: '{{user}} が {{ip}} からログインしました',
  loginFailed: '{{user}} は {{ip}} からログインできませんでした：{{reason}}',
  whatHappened: '内容',
  sessionActions: 'セッション',
  terminateManyQuestion: '{{count}} 件のセッションを終了しますか？',
  terminateSelected: '選択した行を終了',
  duration: '時間',
  sessionsOnline: 'オンライン',
  sessionsEnded: '終了済み',
  replay: '再生',
  download: 'ダウンロード',
  viewChanges: '変更内容',
}
