/** Texts of the console's kit. English is the source. */
export const en = {
  close: 'Close',
  cancel: 'Cancel',
  confirm: 'Confirm',
  copied: 'Copied',
  copyFailed: 'Copying failed. Select the text and copy it by hand.',
  errorBadRequest: 'Request error, please check what you filled in',
  errorSignedOut: 'Your session has ended, please sign in again',
  errorForbidden: 'Request error, no permission for this operation',
  errorNotFound: 'Object not found or deleted',
  errorBusy: 'Being updated, please retry later',
  errorTooLarge: 'What was sent is too large',
  errorTimeout: 'The server did not answer in time, please try again',
  errorNetwork: 'The server cannot be reached. Check the connection and try again.',
  errorStatus: 'The server answered with an error ({{status}})',
  errorUnknown: 'Something went wrong',
}

type Catalogue = Record<keyof typeof en, string>

export const zh: Catalogue = {
  close: '关闭',
  cancel: '取消',
  confirm: '确认',
  copied: '已复制',
  copyFailed: '复制失败，请选中文本后手动复制。',
  errorBadRequest: '请求错误，请检查填写内容',
  errorSignedOut: '会话已结束，请重新登录',
  errorForbidden: '请求错误，没有权限执行此操作',
  errorNotFound: '对象不存在或已被删除',
  errorBusy: '正在更新，请稍后重试',
  errorTooLarge: '提交的内容过大',
  errorTimeout: '服务器未及时响应，请重试',
  errorNetwork: '无法连接服务器，请检查网络后重试。',
  errorStatus: '服务器返回错误（{{status}}）',
  errorUnknown: '出现错误',
}

export const ja: Catalogue = {
  close: '閉じる',
  cancel: 'キャンセル',
  confirm: '確認',
  copied: 'コピーしました',
  copyFailed: 'コピーできませんでした。テキストを選択して手動でコピーしてください。',
  errorBadRequest: 'リクエストエラーです。入力内容を確認してください',
  errorSignedOut: 'セッションが終了しました。再度サインインしてください',
  errorForbidden: 'リクエストエラーです。この操作の権限がありません',
  errorNotFound: 'オブジェクトが見つからないか、削除されています',
  errorBusy: '更新中です。しばらくしてから再試行してください',
  errorTooLarge: '送信内容が大きすぎます',
  errorTimeout: 'サーバーから応答がありません。再試行してください',
  errorNetwork: 'サーバーに接続できません。接続を確認して再試行してください。',
  errorStatus: 'サーバーがエラーを返しました（{{status}}）',
  errorUnknown: 'エラーが発生しました',
}
