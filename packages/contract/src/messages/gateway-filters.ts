/** What command filters say to the person whose command they are about. A key missing in another language fails the type check. */
import { catalogue, type Language, type ParamsOf } from './language.ts'
import { translateForTerminal } from './terminal-text.ts'

const en = {
  command_forbidden: 'Command `{command}` is forbidden',
  line_forbidden: 'This line is forbidden',
  command_warned: 'Command `{command}` is watched: the reviewers are told of it',
  line_unread: 'This line could not be read, so it was not run. Type it again',
  key_unread:
    'What this key would run cannot be checked, so it was not run. Type the command and press Enter',
  history_unread:
    'What ! and ^ fetch from the history cannot be checked, so it was not run. Fetch the line with the arrow keys',
  filter_broken: 'The command filter {rule} cannot be used, so this was not run. Tell your administrator',
  review_question: 'Command `{command}` needs a review by {reviewers}. Ask and wait? [Y/n]: ',
  review_asked: 'Command `{command}` waits for a review by {reviewers}. Ctrl-C gives up',
  review_ticket: 'Ticket: {url}',
  review_waited: 'Waiting: {seconds} s',
  review_approved: '{who} approved',
  review_rejected: '{who} rejected `{command}`',
  review_too_long:
    'More than {max} characters cannot be shown to the reviewers: `{command}` was not run. Put what is long into a file',
  review_given_up: 'Given up: `{command}` was not run',
  review_late: 'Nobody decided in time: `{command}` was not run',
  review_failed: 'The reviewers could not be asked: `{command}` was not run',
  review_hidden: 'A line that is not shown cannot be reviewed, so it was not run',
  login_review_question: 'Connecting to {asset} as {account} needs a review. Ask and wait? [Y/n]: ',
  login_review_asked: 'Connecting to {asset} as {account} waits for a review by {reviewers}. Ctrl-C gives up',
  login_review_rejected: '{who} rejected connecting to {asset}',
  login_review_late: 'nobody decided in time about connecting to {asset}',
  login_review_given_up: 'connecting to {asset} needs a review, which was given up',
} as const

const zh: Record<keyof typeof en, string> = {
  command_forbidden: '命令 `{command}` 被禁止',
  line_forbidden: '此行被禁止',
  command_warned: '命令 `{command}` 受到监控:已通知审批人',
  line_unread: '无法读取此行,因此未执行。请重新输入',
  key_unread: '无法检查此按键将执行的内容,因此未执行。请输入命令并按回车键',
  history_unread: '无法检查 ! 和 ^ 从历史记录中取出的内容,因此未执行。请用方向键取出该命令',
  filter_broken: '命令过滤规则 {rule} 无法使用,因此未执行。请联系管理员',
  review_question: '命令 `{command}` 需要 {reviewers} 审批。是否申请并等待?[Y/n]:',
  review_asked: '命令 `{command}` 正在等待 {reviewers} 审批。按 Ctrl-C 放弃',
  review_ticket: '工单:{url}',
  review_waited: '已等待:{seconds} 秒',
  review_approved: '{who} 已同意',
  review_rejected: '{who} 已拒绝 `{command}`',
  review_too_long: '超过 {max} 个字符的内容无法展示给审批人:未执行 `{command}`。请将较长的内容放入文件',
  review_given_up: '已放弃:未执行 `{command}`',
  review_late: '审批超时:未执行 `{command}`',
  review_failed: '无法提交审批:未执行 `{command}`',
  review_hidden: '未显示的输入无法审批,因此未执行',
  login_review_question: '以 {account} 连接 {asset} 需要审批。是否申请并等待?[Y/n]:',
  login_review_asked: '以 {account} 连接 {asset} 正在等待 {reviewers} 审批。按 Ctrl-C 放弃',
  login_review_rejected: '{who} 已拒绝连接 {asset}',
  login_review_late: '连接 {asset} 的审批超时',
  login_review_given_up: '连接 {asset} 需要审批,已放弃',
}

const ja: Record<keyof typeof en, string> = {
  command_forbidden: 'コマンド `{command}` は禁止されています',
  line_forbidden: 'この行は禁止されています',
  command_warned: 'コマンド `{command}` は監視されています:承認者に通知されます',
  line_unread: 'この行を読み取れなかったため、実行されませんでした。もう一度入力してください',
  key_unread:
    'このキーが実行する内容は確認できないため、実行されませんでした。コマンドを入力して Enter を押してください',
  history_unread:
    '! や ^ が履歴から取り出す内容は確認できないため、実行されませんでした。矢印キーで呼び出してください',
  filter_broken:
    'コマンドフィルター {rule} を使用できないため、実行されませんでした。管理者に連絡してください',
  review_question: 'コマンド `{command}` には {reviewers} の承認が必要です。依頼して待ちますか?[Y/n]: ',
  review_asked: 'コマンド `{command}` は {reviewers} の承認を待っています。Ctrl-C で取りやめます',
  review_ticket: 'チケット:{url}',
  review_waited: '待機中:{seconds} 秒',
  review_approved: '{who} が承認しました',
  review_rejected: '{who} が `{command}` を却下しました',
  review_too_long:
    '{max} 文字を超える内容は承認者に表示できません:`{command}` は実行されませんでした。長い内容はファイルに入れてください',
  review_given_up: '取りやめました:`{command}` は実行されませんでした',
  review_late: '時間内に判断されませんでした:`{command}` は実行されませんでした',
  review_failed: '承認を依頼できませんでした:`{command}` は実行されませんでした',
  review_hidden: '表示されない行は承認できないため、実行されませんでした',
  login_review_question: '{account} での {asset} への接続には承認が必要です。依頼して待ちますか?[Y/n]: ',
  login_review_asked:
    '{account} での {asset} への接続は {reviewers} の承認を待っています。Ctrl-C で取りやめます',
  login_review_rejected: '{who} が {asset} への接続を却下しました',
  login_review_late: '{asset} への接続は時間内に判断されませんでした',
  login_review_given_up: '{asset} への接続には承認が必要ですが、取りやめられました',
}

export const filterMessages = catalogue({ en, zh, ja })
export type FilterMessage = keyof typeof en

/** The sentence in that language, with `{name}` replaced from `params`. */
export const filterMessage = <K extends FilterMessage>(
  language: Language,
  key: K,
  ...[params]: ParamsOf<(typeof en)[K]>
) => translateForTerminal(filterMessages, language, key, params)
