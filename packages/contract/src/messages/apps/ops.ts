import { catalogue } from '../language.ts'

export const labels = catalogue({
  en: {
    kind: 'Kind',
    kwargs: 'Input',
    trigger: 'Trigger',
    'ops.celerytaskexecution.user': 'Started by',
    attempt: 'Attempt',
    progress: 'Progress',
    summary: 'Summary',
    error: 'Error',
    error_display: 'Reason',
    timeout_seconds: 'Time limit (s)',
    time_cost: 'Time (s)',
    timedelta: 'Time (s), as text',
    is_success: 'Is success',
    date_published: 'Date published',
    date_finished: 'Date finished',
    done: 'Done',
    total: 'Total',
  },
  zh: {
    kind: '类型',
    kwargs: '输入',
    trigger: '触发方式',
    'ops.celerytaskexecution.user': '发起人',
    attempt: '次数',
    progress: '进度',
    summary: '汇总',
    error: '错误',
    error_display: '原因',
    timeout_seconds: '时限（秒）',
    time_cost: '耗时（秒）',
    timedelta: '耗时（秒，文本）',
    is_success: '是否成功',
    date_published: '发布日期',
    date_finished: '结束日期',
    done: '已完成',
    total: '总数',
  },
  ja: {
    kind: '種類',
    kwargs: '入力',
    trigger: 'トリガー',
    'ops.celerytaskexecution.user': '開始した人',
    attempt: '回数',
    progress: '進捗',
    summary: '概要',
    error: 'エラー',
    error_display: '理由',
    timeout_seconds: '制限時間（秒）',
    time_cost: '所要時間（秒）',
    timedelta: '所要時間（秒、文字列）',
    is_success: '成功',
    date_published: '発行日時',
    date_finished: '終了日時',
    done: '完了',
    total: '合計',
  },
})

export const models = catalogue({
  en: { 'ops.celerytaskexecution': 'Task execution' },
  zh: { 'ops.celerytaskexecution': '任务执行' },
  ja: { 'ops.celerytaskexecution': 'タスクの実行' },
})

export const choices = catalogue({
  en: {
    'execution_status.pending': 'Waiting',
    'execution_status.running': 'Running',
    'execution_status.success': 'Success',
    'execution_status.failed': 'Failed',
    'execution_status.error': 'Error',
    'execution_status.canceled': 'Canceled',
    'execution_status.timeout': 'Timed out',
    'execution_trigger.manual': 'By hand',
    'execution_trigger.timing': 'By schedule',
  },
  zh: {
    'execution_status.pending': '等待中',
    'execution_status.running': '运行中',
    'execution_status.success': '成功',
    'execution_status.failed': '失败',
    'execution_status.error': '错误',
    'execution_status.canceled': '已取消',
    'execution_status.timeout': '超时',
    'execution_trigger.manual': '手动',
    'execution_trigger.timing': '定时',
  },
  ja: {
    'execution_status.pending': '待機中',
    'execution_status.running': '実行中',
    'execution_status.success': '成功',
    'execution_status.failed': '失敗',
    'execution_status.error': 'エラー',
    'execution_status.canceled': 'キャンセル済み',
    'execution_status.timeout': 'タイムアウト',
    'execution_trigger.manual': '手動',
    'execution_trigger.timing': 'スケジュール',
  },
})

export const calls = catalogue({
  en: { 'ops.celerytaskexecution.cancel': 'Cancel', 'ops.celerytaskexecution.log': 'Log' },
  zh: { 'ops.celerytaskexecution.cancel': '取消', 'ops.celerytaskexecution.log': '日志' },
  ja: { 'ops.celerytaskexecution.cancel': 'キャンセル', 'ops.celerytaskexecution.log': 'ログ' },
})

export const errors = catalogue({
  en: {
    execution_timeout: 'It took longer than it may and was stopped.',
    worker_lost: 'The server that worked on it died.',
    worker_stopped: 'The server that worked on it was stopped.',
    execution_not_yours: 'Only who started it, or a system administrator, can cancel it.',
    execution_is_over: 'It has ended already.',
  },
  zh: {
    execution_timeout: '超过时限，已停止。',
    worker_lost: '执行它的服务器已崩溃。',
    worker_stopped: '执行它的服务器已停止。',
    execution_not_yours: '只有发起人或系统管理员可以取消。',
    execution_is_over: '已经结束。',
  },
  ja: {
    execution_timeout: '制限時間を超えたため停止しました。',
    worker_lost: '実行していたサーバーが異常終了しました。',
    worker_stopped: '実行していたサーバーが停止しました。',
    execution_not_yours: 'キャンセルできるのは、開始した人またはシステム管理者だけです。',
    execution_is_over: 'すでに終了しています。',
  },
})

/** What an execution's log is told by the server itself. */
export const texts = catalogue({
  en: {
    execution_canceled: 'It was cancelled.',
    execution_begins_again: 'It begins again.',
    execution_lines_left_out: 'The log is full: {count} further lines were left out.',
    execution_not_found: 'Task {task} was not found',
  },
  zh: {
    execution_canceled: '已被取消。',
    execution_begins_again: '将重新开始。',
    execution_lines_left_out: '日志已满：另有 {count} 行未保存。',
    execution_not_found: '未找到任务 {task}',
  },
  ja: {
    execution_canceled: 'キャンセルされました。',
    execution_begins_again: '最初からやり直します。',
    execution_lines_left_out: 'ログがいっぱいです。さらに {count} 行を省きました。',
    execution_not_found: 'タスク {task} が見つかりません',
  },
})
