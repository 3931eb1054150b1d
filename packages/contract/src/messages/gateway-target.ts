import { catalogue } from './language.ts'

/** Why a target could not be reached or used, under the code of the error. `{where}` is `address:port`. */
export const gatewayTarget = catalogue({
  en: {
    target_auth_failed: '{where} did not accept the account’s password or key',
    target_key_unusable: 'The stored private key of the account {account} can not be read',
    target_refused: '{where} refused the connection: nothing listens on that port',
    target_no_answer: '{where} does not answer',
    target_unreachable: 'There is no way to {where} from the gateway',
    target_name_not_found: 'The name in {where} is not known',
    target_host_key_changed:
      '{where} shows another host key ({shown}) than before ({known}). Somebody may be in between. If the host was reinstalled, an administrator can forget the old key',
    target_not_ssh: '{where} does not speak SSH',
    target_no_common_algorithm: '{where} and the gateway have no encryption method in common',
    target_channel_refused: '{where} did not open a session',
    target_lost: 'The connection to {where} broke',
  },
  zh: {
    target_auth_failed: '{where} 不接受该账号的密码或密钥',
    target_key_unusable: '无法读取账号 {account} 保存的私钥',
    target_refused: '{where} 拒绝连接:该端口没有服务',
    target_no_answer: '{where} 没有响应',
    target_unreachable: '网关无法到达 {where}',
    target_name_not_found: '{where} 中的主机名无法解析',
    target_host_key_changed:
      '{where} 的主机密钥({shown})与以前({known})不同,可能有人在中间。如果主机已重装,管理员可以清除旧密钥',
    target_not_ssh: '{where} 不是 SSH 服务',
    target_no_common_algorithm: '{where} 与网关没有共同的加密算法',
    target_channel_refused: '{where} 没有打开会话',
    target_lost: '与 {where} 的连接已中断',
  },
  ja: {
    target_auth_failed: '{where} はこのアカウントのパスワードまたは鍵を受け付けませんでした',
    target_key_unusable: 'アカウント {account} の保存された秘密鍵を読み取れません',
    target_refused: '{where} は接続を拒否しました:そのポートでは何も動いていません',
    target_no_answer: '{where} が応答しません',
    target_unreachable: 'ゲートウェイから {where} に到達できません',
    target_name_not_found: '{where} の名前が見つかりません',
    target_host_key_changed:
      '{where} のホスト鍵({shown})が以前({known})と異なります。第三者が介在している可能性があります。ホストを再インストールした場合は、管理者が古い鍵を消去できます',
    target_not_ssh: '{where} は SSH を話しません',
    target_no_common_algorithm: '{where} とゲートウェイに共通の暗号方式がありません',
    target_channel_refused: '{where} はセッションを開きませんでした',
    target_lost: '{where} との接続が切れました',
  },
})
