/** The directory people come from (LDAP): its settings, and what trying it says. */
import { catalogue } from '../language.ts'

export const labels = catalogue({
  en: {
    AUTH_LDAP_SERVER_URI: 'LDAP server',
    AUTH_LDAP_START_TLS: 'StartTLS',
    AUTH_LDAP_BIND_DN: 'Bind DN',
    AUTH_LDAP_BIND_PASSWORD: 'Bind password',
    AUTH_LDAP_SEARCH_OU: 'User OU',
    AUTH_LDAP_SEARCH_FILTER: 'User search filter',
    AUTH_LDAP_USER_ATTR_MAP: 'User attributes',
    AUTH_LDAP_SYNC_ORG_ID: 'Organization of users from LDAP',
    AUTH_LDAP_CONNECT_TIMEOUT: 'Connect timeout (seconds)',
    AUTH_LDAP_SEARCH_PAGED_SIZE: 'Entries on a page of a search',
    AUTH_LDAP_USER_LOGIN_ONLY_IN_USERS: 'Only users who were imported log in',
    AUTH_LDAP: 'Enable LDAP authentication',
    ONLY_ALLOW_EXIST_USER_AUTH: 'Only users who exist log in',
    existing: 'Exists here',
    username_list: 'Usernames',
  },
  zh: {
    AUTH_LDAP_SERVER_URI: 'LDAP 地址',
    AUTH_LDAP_START_TLS: 'StartTLS',
    AUTH_LDAP_BIND_DN: '绑定 DN',
    AUTH_LDAP_BIND_PASSWORD: '绑定密码',
    AUTH_LDAP_SEARCH_OU: '用户 OU',
    AUTH_LDAP_SEARCH_FILTER: '用户过滤器',
    AUTH_LDAP_USER_ATTR_MAP: '用户属性映射',
    AUTH_LDAP_SYNC_ORG_ID: 'LDAP 用户导入的组织',
    AUTH_LDAP_CONNECT_TIMEOUT: '连接超时（秒）',
    AUTH_LDAP_SEARCH_PAGED_SIZE: '搜索每页条数',
    AUTH_LDAP_USER_LOGIN_ONLY_IN_USERS: '仅允许已导入的用户登录',
    AUTH_LDAP: '启用 LDAP 认证',
    ONLY_ALLOW_EXIST_USER_AUTH: '仅允许已存在的用户登录',
    existing: '已存在',
    username_list: '用户名',
  },
  ja: {
    AUTH_LDAP_SERVER_URI: 'LDAP サーバー',
    AUTH_LDAP_START_TLS: 'StartTLS',
    AUTH_LDAP_BIND_DN: 'バインド DN',
    AUTH_LDAP_BIND_PASSWORD: 'バインドパスワード',
    AUTH_LDAP_SEARCH_OU: 'ユーザー OU',
    AUTH_LDAP_SEARCH_FILTER: 'ユーザー検索フィルター',
    AUTH_LDAP_USER_ATTR_MAP: 'ユーザー属性の対応',
    AUTH_LDAP_SYNC_ORG_ID: 'LDAP ユーザーの組織',
    AUTH_LDAP_CONNECT_TIMEOUT: '接続タイムアウト（秒）',
    AUTH_LDAP_SEARCH_PAGED_SIZE: '検索のページサイズ',
    AUTH_LDAP_USER_LOGIN_ONLY_IN_USERS: '取り込み済みのユーザーだけがログインできる',
    AUTH_LDAP: 'LDAP 認証を有効にする',
    ONLY_ALLOW_EXIST_USER_AUTH: '既存のユーザーだけがログインできる',
    existing: '登録済み',
    username_list: 'ユーザー名',
  },
})
export const help = catalogue({
  en: {
    AUTH_LDAP_SERVER_URI:
      'ldap://host:389 or ldaps://host:636. By ldap:// without StartTLS, passwords can be read on the way.',
    AUTH_LDAP_START_TLS: 'Of ldap:// only: nothing is said before the connection is encrypted.',
    AUTH_LDAP_SEARCH_OU: 'Where users are searched; several are separated by |.',
    AUTH_LDAP_SEARCH_FILTER: '%(user)s stands for the username, as in (uid=%(user)s).',
    AUTH_LDAP_USER_ATTR_MAP:
      'What of a user is which attribute there: username, name and email; groups may be memberOf.',
    AUTH_LDAP_SYNC_ORG_ID:
      'Users who log in for the first time belong to it; those who are imported, unless said.',
    AUTH_LDAP_USER_LOGIN_ONLY_IN_USERS: 'Otherwise users are created when they log in for the first time.',
  },
  zh: {
    AUTH_LDAP_SERVER_URI:
      'ldap://主机:389 或 ldaps://主机:636。使用 ldap:// 且未启用 StartTLS 时，密码可能在传输中被读取。',
    AUTH_LDAP_START_TLS: '仅用于 ldap://：连接加密之前不发送任何内容。',
    AUTH_LDAP_SEARCH_OU: '在其中搜索用户；多个 OU 用 | 分隔。',
    AUTH_LDAP_SEARCH_FILTER: '%(user)s 代表用户名，例如 (uid=%(user)s)。',
    AUTH_LDAP_USER_ATTR_MAP:
      '用户的各项对应目录中的哪个属性：username、name 和 email；groups 可以是 memberOf。',
    AUTH_LDAP_SYNC_ORG_ID: '首次登录的用户属于该组织；导入的用户在未指定时也属于该组织。',
    AUTH_LDAP_USER_LOGIN_ONLY_IN_USERS: '否则用户会在首次登录时创建。',
  },
  ja: {
    AUTH_LDAP_SERVER_URI:
      'ldap://ホスト:389 または ldaps://ホスト:636。StartTLS なしの ldap:// では、パスワードが途中で読み取られるおそれがあります。',
    AUTH_LDAP_START_TLS: 'ldap:// 専用です。接続が暗号化されるまで何も送信しません。',
    AUTH_LDAP_SEARCH_OU: 'ユーザーを検索する場所です。複数の場合は | で区切ります。',
    AUTH_LDAP_SEARCH_FILTER: '%(user)s はユーザー名を表します。例: (uid=%(user)s)',
    AUTH_LDAP_USER_ATTR_MAP:
      'ユーザーの各項目がどの属性に当たるか: username、name、email。groups は memberOf にできます。',
    AUTH_LDAP_SYNC_ORG_ID:
      '初めてログインしたユーザーが属する組織です。取り込むユーザーも、指定がなければここに属します。',
    AUTH_LDAP_USER_LOGIN_ONLY_IN_USERS: 'オフの場合、ユーザーは初めてのログイン時に作成されます。',
  },
})
export const models = catalogue({
  en: { 'settings.ldapsettings': 'LDAP settings', 'settings.directory': 'LDAP directory' },
  zh: { 'settings.ldapsettings': 'LDAP 设置', 'settings.directory': 'LDAP 目录' },
  ja: { 'settings.ldapsettings': 'LDAP 設定', 'settings.directory': 'LDAP ディレクトリ' },
})
export const errors = catalogue({
  en: {
    ldap_server_invalid: 'Error (Invalid LDAP server): {reason}',
    ldap_bind_invalid: 'Error (Invalid Bind DN): {reason}',
    ldap_map_invalid: 'Error (Invalid user attributes): username, name and email have to be mapped',
    ldap_search_invalid: 'Error (Invalid User OU or User search filter): {reason}',
    ldap_off: 'Error (LDAP authentication is not enabled)',
    ldap_login_failed: 'Authentication failed: the username or password is wrong',
    ldap_scheme: 'an address begins with ldap:// or ldaps://',
    ldap_nobody: 'nobody is found in {base}',
    ldap_too_late: 'the directory did not answer in time',
    ldap_too_much:
      'the directory holds more than {most} users, or too much of them: narrow the search filter',
    ldap_authority_unknown:
      "the directory's certificate is of an authority this server does not know; name yours in NODE_EXTRA_CA_CERTS (a file) and start the server again",
    ldap_tls_refused: 'the server refuses StartTLS',
    ldap_closed: 'the server closed the connection',
    ldap_password_missing: 'type the password of the Bind DN',
    ldap_busy: 'too many are asked at once',
    ldap_password_again: 'Type the password again: it would go to another directory.',
    ldap_map_wrong:
      'Map username, name and email to attributes of the directory, as in {"username": "uid", "name": "cn", "email": "mail"}.',
    ldap_filter_wrong:
      'Not a search filter with %(user)s in the place of the username, as in (uid=%(user)s).',
    ldap_server_wrong: 'Enter an address as ldap://host:389 or ldaps://host:636.',
    ldap_start_tls_wrong: 'StartTLS is for ldap:// only; ldaps:// is encrypted from the first byte.',
    ldap_read_begun: 'The users of the directory are being read, please retry later',
    ldap_read_running: 'The users of the directory are still being read, please retry later',
    ldap_read_failed: 'The users of the directory could not be read: {reason}',
    ldap_read_ended: 'the reading was ended',
    ldap_not_in_directory: 'is not in the directory',
    ldap_other_source: 'exists here already, and comes from elsewhere ({source})',
    directory_unavailable: 'The directory that checks your password does not answer. Try again later.',
    directory_person_refused: 'Your user could not be created here ({reason}). Ask an administrator.',
  },
  zh: {
    ldap_server_invalid: '错误（LDAP 地址无效）：{reason}',
    ldap_bind_invalid: '错误（绑定 DN 无效）：{reason}',
    ldap_map_invalid: '错误（用户属性映射无效）：必须映射 username、name 和 email',
    ldap_search_invalid: '错误（用户 OU 或过滤器无效）：{reason}',
    ldap_off: '错误（未启用 LDAP 认证）',
    ldap_login_failed: '认证失败：用户名或密码错误',
    ldap_scheme: '地址必须以 ldap:// 或 ldaps:// 开头',
    ldap_nobody: '在 {base} 中没有找到用户',
    ldap_too_late: '目录未及时响应',
    ldap_too_much: '目录中的用户超过 {most} 个，或内容过多：请缩小过滤范围',
    ldap_authority_unknown:
      '目录的证书由本服务器不认识的机构签发；请在 NODE_EXTRA_CA_CERTS 中指定该机构的证书文件，然后重启服务器',
    ldap_tls_refused: '服务器拒绝 StartTLS',
    ldap_closed: '服务器关闭了连接',
    ldap_password_missing: '请输入绑定 DN 的密码',
    ldap_busy: '同时查询过多',
    ldap_password_again: '请重新输入密码：它将被发送到另一个目录。',
    ldap_map_wrong:
      '请将 username、name 和 email 映射到目录的属性，例如 {"username": "uid", "name": "cn", "email": "mail"}。',
    ldap_filter_wrong: '不是有效的过滤器：请用 %(user)s 代表用户名，例如 (uid=%(user)s)。',
    ldap_server_wrong: '请输入地址，例如 ldap://主机:389 或 ldaps://主机:636。',
    ldap_start_tls_wrong: 'StartTLS 仅用于 ldap://；ldaps:// 从第一个字节起即已加密。',
    ldap_read_begun: '正在读取目录用户，请稍后重试',
    ldap_read_running: '仍在读取目录用户，请稍后重试',
    ldap_read_failed: '无法读取目录用户：{reason}',
    ldap_read_ended: '读取已结束',
    ldap_not_in_directory: '不在目录中',
    ldap_other_source: '已存在，且来自其他来源（{source}）',
    directory_unavailable: '校验密码的目录没有响应，请稍后重试。',
    directory_person_refused: '无法在此创建您的用户（{reason}），请联系管理员。',
  },
  ja: {
    ldap_server_invalid: 'エラー（LDAP サーバーが無効）: {reason}',
    ldap_bind_invalid: 'エラー（バインド DN が無効）: {reason}',
    ldap_map_invalid: 'エラー（ユーザー属性が無効）: username、name、email を対応付けてください',
    ldap_search_invalid: 'エラー（ユーザー OU または検索フィルターが無効）: {reason}',
    ldap_off: 'エラー（LDAP 認証が有効になっていません）',
    ldap_login_failed: '認証に失敗しました: ユーザー名またはパスワードが正しくありません',
    ldap_scheme: 'アドレスは ldap:// または ldaps:// で始めてください',
    ldap_nobody: '{base} にユーザーが見つかりません',
    ldap_too_late: 'ディレクトリが時間内に応答しませんでした',
    ldap_too_much:
      'ディレクトリのユーザーが {most} 人を超えているか、内容が多すぎます。検索フィルターを絞ってください',
    ldap_authority_unknown:
      'ディレクトリの証明書の認証局をこのサーバーは知りません。NODE_EXTRA_CA_CERTS に認証局の証明書ファイルを指定し、サーバーを再起動してください',
    ldap_tls_refused: 'サーバーが StartTLS を拒否しました',
    ldap_closed: 'サーバーが接続を閉じました',
    ldap_password_missing: 'バインド DN のパスワードを入力してください',
    ldap_busy: '同時の問い合わせが多すぎます',
    ldap_password_again: 'パスワードをもう一度入力してください。別のディレクトリに送られることになります。',
    ldap_map_wrong:
      'username、name、email をディレクトリの属性に対応付けてください。例: {"username": "uid", "name": "cn", "email": "mail"}',
    ldap_filter_wrong:
      '検索フィルターではありません。ユーザー名の位置に %(user)s を置いてください。例: (uid=%(user)s)',
    ldap_server_wrong: 'ldap://ホスト:389 または ldaps://ホスト:636 の形で入力してください。',
    ldap_start_tls_wrong: 'StartTLS は ldap:// 専用です。ldaps:// は最初のバイトから暗号化されています。',
    ldap_read_begun: 'ディレクトリのユーザーを読み込んでいます。後でもう一度お試しください',
    ldap_read_running: 'ディレクトリのユーザーをまだ読み込んでいます。後でもう一度お試しください',
    ldap_read_failed: 'ディレクトリのユーザーを読み込めませんでした: {reason}',
    ldap_read_ended: '読み込みは終了しました',
    ldap_not_in_directory: 'ディレクトリにありません',
    ldap_other_source: 'すでに存在し、別の提供元（{source}）のものです',
    directory_unavailable: 'パスワードを確認するディレクトリが応答しません。後でもう一度お試しください。',
    directory_person_refused: 'ユーザーを作成できませんでした（{reason}）。管理者に連絡してください。',
  },
})
export const texts = catalogue({
  en: {
    ldap_test_done: 'Succeed: Match {count} s user',
    ldap_login_done: 'Authentication success: {username}',
    ldap_imported: 'Imported {count} users successfully (Organization: {org})',
  },
  zh: {
    ldap_test_done: '成功：匹配到 {count} 个用户',
    ldap_login_done: '认证成功：{username}',
    ldap_imported: '成功导入 {count} 个用户（组织：{org}）',
  },
  ja: {
    ldap_test_done: '成功: {count} 人のユーザーが一致しました',
    ldap_login_done: '認証に成功しました: {username}',
    ldap_imported: '{count} 人のユーザーを取り込みました（組織: {org}）',
  },
})
export const calls = catalogue({
  en: { 'settings.directory.import': 'Import users' },
  zh: { 'settings.directory.import': '导入用户' },
  ja: { 'settings.directory.import': 'ユーザーを取り込む' },
})
