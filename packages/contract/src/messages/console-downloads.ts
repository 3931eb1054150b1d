/** The download centre. */
export const en = {
  downloads: 'Download center',
  downloadsIntro:
    'Programs that work with this platform. Their makers offer them at these addresses; nothing is downloaded from here.',
  downloadsConnect: 'Connect with an SSH client',
  downloadsConnectHint:
    'Log in with the name and password, or the key, of your account here. You choose the asset after that, or name it at once.',
  downloadsProgram: 'Program',
  downloadsPurpose: 'Used for',
  downloadsSystems: 'Runs on',
  downloadsAddress: 'Address',
  forSsh: 'Connecting over SSH',
  forTerminal: 'A terminal for SSH',
  forCodes: 'Codes of the second factor',
}

type Messages = Record<keyof typeof en, string>

export const zh: Messages = {
  downloads: '下载中心',
  downloadsIntro: '可与本平台配合使用的程序。请到下列官方地址获取，本页不提供下载。',
  downloadsConnect: '使用 SSH 客户端连接',
  downloadsConnectHint: '使用您在本平台的用户名和密码（或密钥）登录，登录后再选择资产，也可以直接指定资产。',
  downloadsProgram: '程序',
  downloadsPurpose: '用途',
  downloadsSystems: '支持的系统',
  downloadsAddress: '地址',
  forSsh: '通过 SSH 连接',
  forTerminal: '用于 SSH 的终端',
  forCodes: '多因子认证的验证码',
}

export const ja: Messages = {
  downloads: 'ダウンロードセンター',
  downloadsIntro:
    'このプラットフォームで使えるプログラムです。各提供元の以下のアドレスから入手してください。ここからはダウンロードされません。',
  downloadsConnect: 'SSH クライアントで接続',
  downloadsConnectHint:
    'このプラットフォームのユーザー名とパスワード、または鍵でログインします。資産はその後で選ぶか、最初から指定できます。',
  downloadsProgram: 'プログラム',
  downloadsPurpose: '用途',
  downloadsSystems: '対応システム',
  downloadsAddress: 'アドレス',
  forSsh: 'SSH 接続',
  forTerminal: 'SSH 用ターミナル',
  forCodes: '多要素認証のコード',
}
