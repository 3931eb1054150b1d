/** Why a target cannot be used, for people. A key missing in another language fails the type check. */
import { catalogue, translate, type Language, type NamesIn, type ParamsOf } from './language.ts'

const en = {
  target_auth_failed: '{where} refused the account: its password or key is wrong',
  target_question_unanswered:
    '{where} asks a question nobody can answer here: {question} - connect with a terminal to be asked (ssh -t)',
  target_question_given_up: 'What {where} asked was not answered: {question}',
  target_answers_refused: '{where} did not accept the answers to its questions',
  target_asks_too_much: '{where} asks more questions than are answered here',
  target_key_unusable: 'The private key of the account cannot be read, or its passphrase is wrong',
  target_refused: '{where} refused the connection: nothing listens there',
  target_no_answer: '{where} does not answer',
  target_unreachable: 'There is no way to {where}',
  target_name_not_found: 'The name of {where} is not known',
  target_host_key_changed:
    'The host key of {where} has changed ({shown} instead of {known}). Someone may be listening in; ask your administrator',
  target_host_key_refused:
    '{where} shows a host key ({shown}) that no administrator has accepted. Someone may be listening in; ask your administrator',
  target_not_ssh: '{where} does not speak SSH',
  target_no_common_algorithm:
    '{where} offers only algorithms that are not accepted here. If it cannot be updated, an administrator can allow the old ones in its platform (ssh, "Old SSH version")',
  target_channel_refused: '{where} does not open a terminal or command',
  target_lost: 'The connection to {where} broke',
  target_other_protocol: '{where} does not speak {protocol}',
  target_refused_sign_in: '{where} refused the account: {said}',
  target_sign_in_unsupported: '{where} asks for a way of signing in that is not supported here: {way}',
  target_tls_failed: 'The encrypted connection to {where} failed: {said}',
  target_no_tls: '{where} offers no encryption, and the asset asks for it',
  target_http_status: '{where} answered with status {status}',
  target_no_url: '{address} is no address of the web',
  target_said_nothing_usable: '{where} did not tell what machine it is',
  target_probe_late: '{where} took too long',
  target_gateway_lost: 'The gateway that tested it was lost',
  target_server_away: 'The gateway that tested it could not ask the server',
  gateway_leads_nowhere: '{where} does not forward connections to its own port {port}: {said}',
  zone_without_gateway:
    'There is no way to {where}: the domain {zone} has no gateway that is in use. Tell your administrator',
  zone_unreachable:
    'None of the gateways of the domain {zone} leads to {where} at the moment. Tell your administrator',
  zone_gateway_failed: 'The gateway {gateway} of the domain {zone} cannot be used: {reason}',
  zone_gateway_without_account:
    'The gateway {gateway} of the domain {zone} has no account with a password or key to sign in with',
  zone_gateway_refuses:
    'The gateway {gateway} of the domain {zone} does not forward connections to {where}. Tell your administrator',
  zone_target_unreachable: '{where} cannot be reached from the gateway {gateway} of the domain {zone}',
  zone_gateway_lost: 'The connection to the gateway {gateway} of the domain {zone} broke',
  target_unusable: 'The asset could not be used. Tell your administrator',
  protocol_unsupported: 'The gateway does not support the protocol {protocol}',
  secret_missing: 'No password or key is stored for the account {account}',
  secret_of_no_login:
    'The account {account} has a secret that is neither a password nor an SSH key, and SSH takes no other',
  su_refused: '{where} did not let {from} become {to}: the password is wrong, or {from} may not switch',
  su_silent: '{where} did not answer when {from} was to become {to}',
  su_password_unusable: 'To become {to} on {where} takes a password, and none that can be typed is stored',
} as const

const zh: Record<keyof typeof en, string> = {
  target_auth_failed: '{where} 拒绝了该账号:密码或密钥错误',
  target_question_unanswered:
    '{where} 提出了此处无人能回答的问题:{question} - 请使用终端连接以便回答(ssh -t)',
  target_question_given_up: '{where} 的问题未得到回答:{question}',
  target_answers_refused: '{where} 不接受对其问题的回答',
  target_asks_too_much: '{where} 提出的问题过多,无法在此回答',
  target_key_unusable: '无法读取账号的私钥,或私钥密码错误',
  target_refused: '{where} 拒绝连接:该端口没有服务',
  target_no_answer: '{where} 没有响应',
  target_unreachable: '无法到达 {where}',
  target_name_not_found: '无法解析 {where} 的名称',
  target_host_key_changed: '{where} 的主机密钥已更改(现为 {shown},原为 {known})。可能存在窃听,请联系管理员',
  target_host_key_refused: '{where} 的主机密钥({shown})未被管理员接受。可能存在窃听,请联系管理员',
  target_not_ssh: '{where} 不是 SSH 服务',
  target_no_common_algorithm:
    '{where} 只提供此处不接受的算法。如果无法升级,管理员可以在其系统平台中允许旧算法(ssh,“旧版本 SSH”)',
  target_channel_refused: '{where} 无法打开终端或执行命令',
  target_lost: '与 {where} 的连接已中断',
  target_other_protocol: '{where} 不是 {protocol} 服务',
  target_refused_sign_in: '{where} 拒绝了该账号：{said}',
  target_sign_in_unsupported: '{where} 要求此处不支持的登录方式：{way}',
  target_tls_failed: '与 {where} 的加密连接失败：{said}',
  target_no_tls: '{where} 不提供加密，而该资产要求加密',
  target_http_status: '{where} 返回状态码 {status}',
  target_no_url: '{address} 不是网址',
  target_said_nothing_usable: '{where} 没有返回可用的机器信息',
  target_probe_late: '{where} 耗时过长',
  target_gateway_lost: '执行测试的网关已丢失',
  target_server_away: '执行测试的网关无法向服务器查询',
  gateway_leads_nowhere: '{where} 不允许转发到其自身的端口 {port}:{said}',
  zone_without_gateway: '无法到达 {where}:网域 {zone} 没有启用的网关,请联系管理员',
  zone_unreachable: '网域 {zone} 的所有网关目前都无法到达 {where},请联系管理员',
  zone_gateway_failed: '无法使用网域 {zone} 的网关 {gateway}:{reason}',
  zone_gateway_without_account: '网域 {zone} 的网关 {gateway} 没有可用于登录的密码或密钥账号',
  zone_gateway_refuses: '网域 {zone} 的网关 {gateway} 不允许转发到 {where},请联系管理员',
  zone_target_unreachable: '从网域 {zone} 的网关 {gateway} 无法到达 {where}',
  zone_gateway_lost: '与网域 {zone} 的网关 {gateway} 的连接已中断',
  target_unusable: '无法使用该资产,请联系管理员',
  protocol_unsupported: '网关不支持协议 {protocol}',
  secret_missing: '账号 {account} 没有保存密码或密钥',
  secret_of_no_login: '账号 {account} 的密文既不是密码也不是 SSH 密钥,SSH 只接受这两种',
  su_refused: '{where} 不允许 {from} 切换为 {to}:密码错误,或 {from} 无权切换',
  su_silent: '{from} 切换为 {to} 时 {where} 没有响应',
  su_password_unusable: '在 {where} 上切换为 {to} 需要密码,但没有保存可输入的密码',
}

const ja: Record<keyof typeof en, string> = {
  target_auth_failed: '{where} がアカウントを拒否しました:パスワードまたは鍵が正しくありません',
  target_question_unanswered:
    '{where} からの質問に、ここでは誰も答えられません:{question} - ターミナルで接続すると答えられます(ssh -t)',
  target_question_given_up: '{where} の質問に回答がありませんでした:{question}',
  target_answers_refused: '{where} は質問への回答を受け入れませんでした',
  target_asks_too_much: '{where} の質問が多すぎるため、ここでは回答できません',
  target_key_unusable: 'アカウントの秘密鍵を読み取れないか、パスフレーズが正しくありません',
  target_refused: '{where} が接続を拒否しました:そのポートは待ち受けていません',
  target_no_answer: '{where} が応答しません',
  target_unreachable: '{where} に到達できません',
  target_name_not_found: '{where} の名前を解決できません',
  target_host_key_changed:
    '{where} のホスト鍵が変わりました({known} から {shown})。盗聴の可能性があります。管理者に確認してください',
  target_host_key_refused:
    '{where} のホスト鍵({shown})は管理者に承認されていません。盗聴の可能性があります。管理者に確認してください',
  target_not_ssh: '{where} は SSH ではありません',
  target_no_common_algorithm:
    '{where} が提示するアルゴリズムはここでは受け入れられません。更新できない場合、管理者はプラットフォームで古いものを許可できます(ssh、「旧バージョンの SSH」)',
  target_channel_refused: '{where} はターミナルまたはコマンドを開けません',
  target_lost: '{where} との接続が切れました',
  target_other_protocol: '{where} は {protocol} ではありません',
  target_refused_sign_in: '{where} がアカウントを拒否しました：{said}',
  target_sign_in_unsupported: '{where} は、ここで対応していないログイン方法を求めています：{way}',
  target_tls_failed: '{where} との暗号化接続に失敗しました：{said}',
  target_no_tls: '資産は暗号化を求めていますが、{where} は対応していません',
  target_http_status: '{where} はステータス {status} を返しました',
  target_no_url: '{address} はウェブのアドレスではありません',
  target_said_nothing_usable: '{where} から機器の情報を得られませんでした',
  target_probe_late: '{where} は時間がかかりすぎました',
  target_gateway_lost: 'テストしていたゲートウェイが失われました',
  target_server_away: 'テストしていたゲートウェイがサーバーに問い合わせできませんでした',
  gateway_leads_nowhere: '{where} は自身のポート {port} への転送を許可していません:{said}',
  zone_without_gateway:
    '{where} への経路がありません:ネットワークドメイン {zone} には有効なゲートウェイがありません。管理者に連絡してください',
  zone_unreachable:
    'ネットワークドメイン {zone} のどのゲートウェイからも、現在 {where} に到達できません。管理者に連絡してください',
  zone_gateway_failed: 'ネットワークドメイン {zone} のゲートウェイ {gateway} を使用できません:{reason}',
  zone_gateway_without_account:
    'ネットワークドメイン {zone} のゲートウェイ {gateway} には、ログインに使えるパスワードまたは鍵のアカウントがありません',
  zone_gateway_refuses:
    'ネットワークドメイン {zone} のゲートウェイ {gateway} は {where} への転送を許可していません。管理者に連絡してください',
  zone_target_unreachable:
    'ネットワークドメイン {zone} のゲートウェイ {gateway} から {where} に到達できません',
  zone_gateway_lost: 'ネットワークドメイン {zone} のゲートウェイ {gateway} との接続が切れました',
  target_unusable: '資産を使用できませんでした。管理者に連絡してください',
  protocol_unsupported: 'ゲートウェイはプロトコル {protocol} に対応していません',
  secret_missing: 'アカウント {account} のパスワードまたは鍵が保存されていません',
  secret_of_no_login:
    'アカウント {account} のシークレットはパスワードでも SSH 鍵でもありません。SSH はそれ以外を受け付けません',
  su_refused:
    '{where} は {from} から {to} への切り替えを許しませんでした:パスワードが正しくないか、{from} に権限がありません',
  su_silent: '{from} から {to} への切り替えに {where} が応答しません',
  su_password_unusable:
    '{where} で {to} に切り替えるにはパスワードが必要ですが、入力できるものが保存されていません',
}

export const targetMessages = catalogue({ en, zh, ja })
export type TargetMessage = keyof typeof en
/** What has to be said with it. */
export type TargetParams<K extends TargetMessage> = Readonly<Record<NamesIn<(typeof en)[K]>, string>>

/** The sentence in that language, with `{name}` replaced from `params`. */
export const targetMessage = <K extends TargetMessage>(
  language: Language,
  key: K,
  ...[params]: ParamsOf<(typeof en)[K]>
) => translate(targetMessages, language, key, params)
