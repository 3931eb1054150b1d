/** Texts of the workbench view. English is the source of the keys. */
export const en = {
  connect: 'Connect',
  favourite: 'Add to favourites',
  favouriteAdded: 'Added to favourites',
  favouriteRemoved: 'Removed from favourites',
  unfavourite: 'Remove from favourites',
  recentSessions: 'Recent sessions',
  recentLogins: 'Recent logins',
  nothingYet: 'Nothing yet',
  favourites: 'Favourites',
  noFavourites: 'Mark assets as favourites in My assets, and they are one click away here.',
  connectTo: 'Connect to {{name}}',
}
type Messages = Record<keyof typeof en, string>

export const zh: Messages = {
  connect: '连接',
  favourite: '收藏',
  favouriteAdded: '已收藏',
  favouriteRemoved: '已取消收藏',
  unfavourite: '取消收藏',
  recentSessions: '最近会话',
  recentLogins: '最近登录',
  nothingYet: '暂无记录',
  favourites: '收藏的资产',
  noFavourites: '在“我的资产”中收藏资产，即可在此一键连接。',
  connectTo: '连接 {{name}}',
}

export const ja: Messages = {
  connect: '接続',
  favourite: 'お気に入り',
  favouriteAdded: 'お気に入りに追加しました',
  favouriteRemoved: 'お気に入りから外しました',
  unfavourite: 'お気に入り解除',
  recentSessions: '最近のセッション',
  recentLogins: '最近のログイン',
  nothingYet: 'まだありません',
  favourites: 'お気に入り',
  noFavourites: '「マイ資産」でお気に入りに登録すると、ここからすぐに接続できます。',
  connectTo: '{{name}} に接続',
}
