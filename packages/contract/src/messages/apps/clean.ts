/** What the settings of the nightly cleaning are called. */
import { catalogue } from '../language.ts'

export const labels = catalogue({
  en: {
    LOGIN_LOG_KEEP_DAYS: 'Login logs are kept for (days)',
    OPERATE_LOG_KEEP_DAYS: 'Operate logs are kept for (days)',
    ACTIVITY_LOG_KEEP_DAYS: 'Activities are kept for (days)',
    TASK_LOG_KEEP_DAYS: 'Task logs are kept for (days)',
    FTP_LOG_KEEP_DAYS: 'File transfer logs are kept for (days)',
    CLOUD_SYNC_TASK_EXECUTION_KEEP_DAYS: 'Cloud sync records are kept for (days)',
    TERMINAL_SESSION_KEEP_DURATION: 'Sessions and recordings are kept for (days)',
  },
  zh: {
    LOGIN_LOG_KEEP_DAYS: '登录日志保留（天）',
    OPERATE_LOG_KEEP_DAYS: '操作日志保留（天）',
    ACTIVITY_LOG_KEEP_DAYS: '活动记录保留（天）',
    TASK_LOG_KEEP_DAYS: '任务日志保留（天）',
    FTP_LOG_KEEP_DAYS: '文件传输日志保留（天）',
    CLOUD_SYNC_TASK_EXECUTION_KEEP_DAYS: '云同步记录保留（天）',
    TERMINAL_SESSION_KEEP_DURATION: '会话与录像保留（天）',
  },
  ja: {
    LOGIN_LOG_KEEP_DAYS: 'ログインログの保存期間（日）',
    OPERATE_LOG_KEEP_DAYS: '操作ログの保存期間（日）',
    ACTIVITY_LOG_KEEP_DAYS: 'アクティビティの保存期間（日）',
    TASK_LOG_KEEP_DAYS: 'タスクログの保存期間（日）',
    FTP_LOG_KEEP_DAYS: 'ファイル転送ログの保存期間（日）',
    CLOUD_SYNC_TASK_EXECUTION_KEEP_DAYS: 'クラウド同期記録の保存期間（日）',
    TERMINAL_SESSION_KEEP_DURATION: 'セッションと録画の保存期間（日）',
  },
})

export const models = catalogue({
  en: { 'settings.cleansettings': 'Cleaning settings' },
  zh: { 'settings.cleansettings': '定期清理设置' },
  ja: { 'settings.cleansettings': '定期クリーンアップ設定' },
})
