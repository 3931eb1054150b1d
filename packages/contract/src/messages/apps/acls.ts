import { catalogue } from '../language.ts'

export const labels = catalogue({
  en: {
    'acls.loginacl.priority': 'Priority',
    'acls.loginacl.user': 'User',
    'acls.loginacl.action': 'Action',
    rules: 'Rule',
    ip_group: 'IP group',
    time_period: 'Time period',
    reviewers: 'Reviewers',
    reviewers_amount: 'Number of reviewers',
    'acls.loginacl.user_display': 'User',
  },
  zh: {
    'acls.loginacl.priority': '优先级',
    'acls.loginacl.user': '用户',
    'acls.loginacl.action': '动作',
    rules: '规则',
    ip_group: 'IP 组',
    time_period: '时段',
    reviewers: '审批人',
    reviewers_amount: '审批人数量',
    'acls.loginacl.user_display': '用户名称',
  },
  ja: {
    'acls.loginacl.priority': '優先度',
    'acls.loginacl.user': 'ユーザー',
    'acls.loginacl.action': 'アクション',
    rules: 'ルール',
    ip_group: 'IP グループ',
    time_period: '期間',
    reviewers: '承認者',
    reviewers_amount: '承認者数',
    'acls.loginacl.user_display': 'ユーザー',
  },
})

export const choices = catalogue({
  en: {
    'login_acl_action.reject': 'Reject',
    'login_acl_action.accept': 'Accept',
    'login_acl_action.review': 'Review',
    'login_acl_action.notice': 'Notify',
  },
  zh: {
    'login_acl_action.reject': '拒绝',
    'login_acl_action.accept': '接受',
    'login_acl_action.review': '审批',
    'login_acl_action.notice': '通知',
  },
  ja: {
    'login_acl_action.reject': '拒否',
    'login_acl_action.accept': '許可',
    'login_acl_action.review': '承認',
    'login_acl_action.notice': '通知',
  },
})

export const models = catalogue({
  en: { 'acls.loginacl': 'Login rule' },
  zh: { 'acls.loginacl': '用户登录规则' },
  ja: { 'acls.loginacl': 'ログインルール' },
})

export const help = catalogue({
  en: { acl_priority: '1-100, the higher value matches first' },
  zh: { acl_priority: '优先级可选范围为 1-100 (数值越大越优先)' },
  ja: { acl_priority: '1～100。数値が大きいものから照合されます' },
})

export const errors = catalogue({
  en: {
    acl_error: 'Your address or the time of day is not allowed for logging in.',
    login_review_unavailable:
      'This login has to be confirmed, and nobody is there who could. Ask an administrator to change the login rule.',
    login_review_too_often: 'Too many logins of yours were waiting for confirmation. Wait {minutes} minutes.',
    login_confirm_rejected: 'Login confirm ticket was Rejected',
    login_confirm_closed: 'Login confirm ticket was closed, or nobody decided in time. Begin again.',
    login_confirm_void: 'The confirmation of this login does not count any more. Begin again.',
    own_login_rule: 'Rules about your own login are for somebody else to decide.',
    own_login_review: 'Nobody confirms their own login. Name somebody else, too.',
    ip_invalid: 'IP address invalid: `{ip}`',
    time_period_invalid: 'Not a time period: `{value}`. Write for example 08:00~12:00、13:00~18:00.',
  },
  zh: {
    acl_error: '您的 IP 或登录时段不被允许登录。',
    login_review_unavailable: '此次登录需要他人审批，但目前没有可审批的人。请联系管理员修改登录规则。',
    login_review_too_often: '等待审批的登录过多，请在 {minutes} 分钟后重试。',
    login_confirm_rejected: '登录复核工单已被拒绝',
    login_confirm_closed: '登录复核工单已关闭，或未及时处理。请重新登录。',
    login_confirm_void: '此次登录的审批已失效，请重新登录。',
    own_login_rule: '关于您自己登录的规则须由他人决定。',
    own_login_review: '本人不能审批自己的登录，请再指定其他人。',
    ip_invalid: 'IP 地址无效：`{ip}`',
    time_period_invalid: '时段无效：`{value}`，例如 08:00~12:00、13:00~18:00。',
  },
  ja: {
    acl_error: 'この IP アドレスまたは時間帯からのログインは許可されていません。',
    login_review_unavailable:
      'このログインには承認が必要ですが、承認できる人がいません。管理者にログインルールの変更を依頼してください。',
    login_review_too_often: '承認待ちのログインが多すぎます。{minutes} 分後にもう一度お試しください。',
    login_confirm_rejected: 'ログイン確認チケットは却下されました',
    login_confirm_closed:
      'ログイン確認チケットは閉じられたか、期限内に処理されませんでした。最初からやり直してください。',
    login_confirm_void: 'このログインの承認は無効になりました。最初からやり直してください。',
    own_login_rule: '自分のログインに関するルールは、ほかの人が決めます。',
    own_login_review: '自分のログインは承認できません。ほかの人も指定してください。',
    ip_invalid: 'IP アドレスが無効です：`{ip}`',
    time_period_invalid: '期間が無効です：`{value}`。例：08:00~12:00、13:00~18:00',
  },
})
