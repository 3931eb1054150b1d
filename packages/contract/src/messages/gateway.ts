/** What the gateway says to people. English is the pattern: a key missing in another language fails the type check. */
import { catalogue, translate, type Language, type Params } from './language.ts'

const en = {
  client_left: 'The connection was closed',
  target_closed: 'The session has ended',
  target_failed: 'Connecting failed: {detail}',
  killed: 'This session was ended by {who}',
  idle: 'Disconnected: nothing happened for {minutes} minutes',
  max_time: 'Disconnected: the longest allowed session time of {hours} hours has passed',
  permission_expired: 'Disconnected: your permission for this asset has expired',
  user_disabled: 'Disconnected: your user account was disabled by {who}',
  recording_failed: 'Disconnected: the session could not be recorded. Please tell your administrator',
  gateway_stopped: 'Disconnected: the gateway is shutting down. Please connect again in a moment',
  gateway_lost: 'The gateway lost this session',
  internal_error: 'Disconnected by an internal error. Please tell your administrator (session {id})',
  gateway_stopping:
    'The gateway will restart: this session ends in {seconds} seconds, please finish your work',
  connecting: 'Connecting to {account}@{address} ...',
  refused: 'Access was refused: {detail}',
  server_away: 'The server does not answer at the moment. Please try again later',
  token_expired: 'This connection link was already used or has expired. Please connect again',
  token_of_other_user: 'This connection link belongs to another person',
  connect_not_allowed: 'You have no permission to connect to {asset}',
  too_many_of_user:
    'You have {max} sessions already, and may have no more at one time. Please end one of them',
  too_many_sessions: 'The gateway has no room for another session. Please try again later',
  session_not_found: 'This session has ended or does not exist',
  replaced: 'This session was opened in another window',
  lines_lost: 'Some lines are missing here',
  screen_lost: 'The picture of this screen was lost and begins anew here. The recording is complete.',
  unread_not_shown: '(entered without being shown: {lines})',
  unread_full_screen: '(entered in a full-screen program and not read: {lines})',
  unread_no_terminal: '(entered into a shell without a terminal; see the recording)',
  unread_screen_lost: '(the screen was lost here, commands may be missing; see the recording)',
}

const zh: Record<keyof typeof en, string> = {
  client_left: '连接已关闭',
  target_closed: '会话已结束',
  target_failed: '连接失败:{detail}',
  killed: '此会话已被 {who} 终止',
  idle: '已断开:{minutes} 分钟内没有任何操作',
  max_time: '已断开:已达到最长会话时间 {hours} 小时',
  permission_expired: '已断开:您对该资产的授权已过期',
  user_disabled: '已断开:您的用户已被 {who} 禁用',
  recording_failed: '已断开:无法录制会话,请联系管理员',
  gateway_stopped: '已断开:网关正在关闭,请稍后重新连接',
  gateway_lost: '网关丢失了此会话',
  internal_error: '因内部错误断开,请联系管理员(会话 {id})',
  gateway_stopping: '网关即将重启:此会话将在 {seconds} 秒后结束,请尽快完成操作',
  connecting: '正在连接 {account}@{address} ...',
  refused: '访问被拒绝:{detail}',
  server_away: '服务器暂时没有响应,请稍后再试',
  token_expired: '此连接令牌已被使用或已过期,请重新连接',
  token_of_other_user: '此连接令牌属于其他用户',
  connect_not_allowed: '您没有连接 {asset} 的权限',
  too_many_of_user: '您已有 {max} 个会话,已达到上限。请先结束其中一个',
  too_many_sessions: '网关的会话数已满,请稍后再试',
  session_not_found: '此会话已结束或不存在',
  replaced: '此会话已在另一个窗口中打开',
  lines_lost: '此处缺少部分内容',
  screen_lost: '此屏幕的画面已丢失,从这里重新开始。录像是完整的。',
  unread_not_shown: '(输入时未显示的行数:{lines})',
  unread_full_screen: '(在全屏程序中输入、未能读取的行数:{lines})',
  unread_no_terminal: '(在没有终端的 shell 中输入,请查看录像)',
  unread_screen_lost: '(屏幕画面在此丢失,可能缺少命令,请查看录像)',
}

const ja: Record<keyof typeof en, string> = {
  client_left: '接続が閉じられました',
  target_closed: 'セッションは終了しました',
  target_failed: '接続に失敗しました:{detail}',
  killed: 'このセッションは {who} によって終了されました',
  idle: '切断しました:{minutes} 分間操作がありませんでした',
  max_time: '切断しました:セッションの最長時間 {hours} 時間に達しました',
  permission_expired: '切断しました:この資産への権限の有効期限が切れました',
  user_disabled: '切断しました:あなたのユーザーは {who} によって無効にされました',
  recording_failed: '切断しました:セッションを記録できませんでした。管理者に連絡してください',
  gateway_stopped: '切断しました:ゲートウェイを停止しています。しばらくしてから再接続してください',
  gateway_lost: 'ゲートウェイがこのセッションを失いました',
  internal_error: '内部エラーのため切断しました。管理者に連絡してください(セッション {id})',
  gateway_stopping:
    'ゲートウェイを再起動します:このセッションは {seconds} 秒後に終了します。作業を終えてください',
  connecting: '{account}@{address} に接続しています ...',
  refused: 'アクセスが拒否されました:{detail}',
  server_away: 'サーバーが応答していません。しばらくしてからもう一度お試しください',
  token_expired: 'この接続トークンは使用済みか期限切れです。もう一度接続してください',
  token_of_other_user: 'この接続トークンは別のユーザーのものです',
  connect_not_allowed: '{asset} に接続する権限がありません',
  too_many_of_user:
    'すでに {max} 個のセッションがあり、これ以上は同時に開けません。いずれかを終了してください',
  too_many_sessions: 'ゲートウェイのセッション数が上限に達しています。しばらくしてからもう一度お試しください',
  session_not_found: 'このセッションは終了したか存在しません',
  replaced: 'このセッションは別のウィンドウで開かれました',
  lines_lost: 'ここでは一部の行が欠けています',
  screen_lost: 'この画面の表示が失われたため、ここから新しく始まります。録画は完全です。',
  unread_not_shown: '(表示されずに入力された行数:{lines})',
  unread_full_screen: '(全画面プログラムで入力され、読み取れなかった行数:{lines})',
  unread_no_terminal: '(端末のないシェルに入力されました。録画をご覧ください)',
  unread_screen_lost: '(ここで画面が失われました。コマンドが欠けている可能性があります。録画をご覧ください)',
}

export const gatewayMessages = catalogue({ en, zh, ja })
export type GatewayMessage = keyof typeof en

/** The sentence in that language, with `{name}` replaced from `params`. */
export const gatewayMessage = (language: Language, key: GatewayMessage, params?: Params) =>
  translate(gatewayMessages, language, key, params)
