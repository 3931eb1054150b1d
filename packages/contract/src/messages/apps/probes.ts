/** Tests of assets and accounts, and gathering of facts. */
import { catalogue } from '../language.ts'

export const labels = catalogue({
  en: { connectivity_reason: 'Reason' },
  zh: { connectivity_reason: '原因' },
  ja: { connectivity_reason: '理由' },
})

export const models = catalogue({
  en: {
    'assets.assettasks': 'Asset task',
    'accounts.accounttasks': 'Account task',
    'terminal.probebatches': 'Targets to be tested',
  },
  zh: {
    'assets.assettasks': '资产任务',
    'accounts.accounttasks': '账号任务',
    'terminal.probebatches': '待测试的目标',
  },
  ja: {
    'assets.assettasks': '資産タスク',
    'accounts.accounttasks': 'アカウントタスク',
    'terminal.probebatches': 'テスト対象',
  },
})

export const calls = catalogue({
  en: { 'terminal.probebatches.claim': 'Take targets to be tested' },
  zh: { 'terminal.probebatches.claim': '领取待测试的目标' },
  ja: { 'terminal.probebatches.claim': 'テスト対象の取得' },
})

/** Lines of the log of a task. */
export const texts = catalogue({
  en: {
    probe_reached: '{name}: reachable ({ms} ms)',
    probe_signed_in: '{name}: reachable, signed in as {account} ({ms} ms)',
    probe_leads_on: '{name}: signed in as {account}, and it leads on to its port {port} ({ms} ms)',
    probe_failed: '{name}: unreachable. {reason}',
    probe_verified: '{account} on {name}: the secret is right ({ms} ms)',
    probe_refuted: '{account} on {name}: {reason}',
    probe_gathered: '{name}: {facts}',
    probe_not_gathered: '{name}: nothing could be gathered. {reason}',
    probe_port_only: '{name}: only the port is tested, because {why}',
    probe_no_account: 'no active account with a secret for it is stored',
    probe_protocol_unknown: 'signing in by {protocol} is not supported',
    probe_skipped: '{name}: left out, because {why}',
    probe_inactive: 'it is not active',
    probe_switched_off: 'its platform does not allow it',
    probe_no_ssh: 'facts are gathered by SSH, which it does not speak',
    probe_no_port: 'it has no protocol to be reached by',
    probe_no_secret: 'it has no secret, or none that can be tested',
    probe_account_untestable: 'signing in by {protocol} cannot be tested',
    probe_again: 'A gateway was lost. What it had left goes to another one.',
    probe_unknown: '{name}: not known. {reason}',
    probe_summary: '{ok} of {total} succeeded',
    amounts_right: 'All amounts of assets are right',
    amounts_healed: '{count} amounts were wrong, and are right again',
  },
  zh: {
    probe_reached: '{name}：可连接（{ms} 毫秒）',
    probe_signed_in: '{name}：可连接，已用 {account} 登录（{ms} 毫秒）',
    probe_leads_on: '{name}：已用 {account} 登录，并可转发到其端口 {port}（{ms} 毫秒）',
    probe_failed: '{name}：不可连接。{reason}',
    probe_verified: '{name} 上的 {account}：密文正确（{ms} 毫秒）',
    probe_refuted: '{name} 上的 {account}：{reason}',
    probe_gathered: '{name}：{facts}',
    probe_not_gathered: '{name}：未能收集信息。{reason}',
    probe_port_only: '{name}：仅测试端口，因为{why}',
    probe_no_account: '没有保存可用的启用账号及密文',
    probe_protocol_unknown: '不支持以 {protocol} 登录',
    probe_skipped: '{name}：已跳过，因为{why}',
    probe_inactive: '未启用',
    probe_switched_off: '其系统平台不允许',
    probe_no_ssh: '信息通过 SSH 收集，而它不支持 SSH',
    probe_no_port: '没有可连接的协议',
    probe_no_secret: '没有密文，或密文无法测试',
    probe_account_untestable: '无法测试以 {protocol} 登录',
    probe_again: '一个网关已丢失，剩余目标转交其他网关。',
    probe_unknown: '{name}：未知。{reason}',
    probe_summary: '{total} 个中有 {ok} 个成功',
    amounts_right: '所有资产数量均正确',
    amounts_healed: '有 {count} 处数量不正确，现已更正',
  },
  ja: {
    probe_reached: '{name}：接続できます（{ms} ミリ秒）',
    probe_signed_in: '{name}：接続でき、{account} でログインしました（{ms} ミリ秒）',
    probe_leads_on: '{name}：{account} でログインし、ポート {port} への転送を確認しました（{ms} ミリ秒）',
    probe_failed: '{name}：接続できません。{reason}',
    probe_verified: '{name} の {account}：シークレットは正しいです（{ms} ミリ秒）',
    probe_refuted: '{name} の {account}：{reason}',
    probe_gathered: '{name}：{facts}',
    probe_not_gathered: '{name}：情報を収集できませんでした。{reason}',
    probe_port_only: '{name}：ポートのみテストします（{why}）',
    probe_no_account: '有効なアカウントとシークレットが保存されていません',
    probe_protocol_unknown: '{protocol} でのログインには対応していません',
    probe_skipped: '{name}：対象外です（{why}）',
    probe_inactive: '無効になっています',
    probe_switched_off: 'プラットフォームで許可されていません',
    probe_no_ssh: '情報は SSH で収集しますが、SSH に対応していません',
    probe_no_port: '接続できるプロトコルがありません',
    probe_no_secret: 'シークレットがないか、テストできない種類です',
    probe_account_untestable: '{protocol} でのログインはテストできません',
    probe_again: 'ゲートウェイが失われました。残りは別のゲートウェイに渡します。',
    probe_unknown: '{name}：不明。{reason}',
    probe_summary: '{total} 件中 {ok} 件が成功しました',
    amounts_right: 'すべての資産数は正しいです',
    amounts_healed: '{count} 件の数が誤っていたため、修正しました',
  },
})

export const errors = catalogue({
  en: {
    asset_test_unsupported: 'The platform of this asset does not allow its connectivity to be tested.',
    account_test_unsupported: 'The platform of this asset does not allow its accounts to be tested.',
    account_push_unsupported: 'Accounts cannot be pushed yet.',
    number_required: 'Number required',
    probe_no_gateway: 'No gateway is online that could do it. Start one, then try again.',
  },
  zh: {
    asset_test_unsupported: '该资产的系统平台不允许测试可连接性。',
    account_test_unsupported: '该资产的系统平台不允许测试账号。',
    account_push_unsupported: '暂不支持推送账号。',
    number_required: '请输入数字',
    probe_no_gateway: '没有在线的网关可以执行。请启动网关后重试。',
  },
  ja: {
    asset_test_unsupported: 'この資産のプラットフォームでは、接続性のテストが許可されていません。',
    account_test_unsupported: 'この資産のプラットフォームでは、アカウントのテストが許可されていません。',
    account_push_unsupported: 'アカウントの配信にはまだ対応していません。',
    number_required: '数字を入力してください',
    probe_no_gateway: '実行できるゲートウェイがオンラインではありません。起動してから再試行してください。',
  },
})
