import { catalogue } from '../language.ts'

export const labels = catalogue({
  en: {
    login_title: 'Title of login page',
    theme: 'Theme',
    logo_index: 'Logo (with text)',
    logo_logout: 'Logo (without text)',
    favicon: 'Website icon',
    login_image: 'Image of login page',
  },
  zh: {
    login_title: '登录页面标题',
    theme: '主题',
    logo_index: 'Logo (带文字)',
    logo_logout: 'Logo (不带文字)',
    favicon: '网站图标',
    login_image: '登录页面图片',
  },
  ja: {
    login_title: 'ログインページのタイトル',
    theme: 'テーマ',
    logo_index: 'ロゴ（文字あり）',
    logo_logout: 'ロゴ（文字なし）',
    favicon: 'サイトのアイコン',
    login_image: 'ログインページの画像',
  },
})

export const models = catalogue({
  en: { 'xpack.interface': 'Interface' },
  zh: { 'xpack.interface': '界面' },
  ja: { 'xpack.interface': 'インターフェース' },
})

export const choices = catalogue({
  en: {
    'interface_theme.classic_green': 'Green',
    'interface_theme.classic_blue': 'Blue',
    'interface_theme.classic_purple': 'Purple',
    'interface_theme.graphite': 'Graphite',
  },
  zh: {
    'interface_theme.classic_green': '经典绿',
    'interface_theme.classic_blue': '经典蓝',
    'interface_theme.classic_purple': '经典紫',
    'interface_theme.graphite': '石墨',
  },
  ja: {
    'interface_theme.classic_green': 'グリーン',
    'interface_theme.classic_blue': 'ブルー',
    'interface_theme.classic_purple': 'パープル',
    'interface_theme.graphite': 'グラファイト',
  },
})

export const calls = catalogue({
  en: { 'xpack.interface.restore': 'Restore default' },
  zh: { 'xpack.interface.restore': '恢复默认' },
  ja: { 'xpack.interface.restore': '既定に戻す' },
})

export const help = catalogue({
  en: {
    logo_index: '185x55 pixels, at the top of every page. PNG, JPEG, GIF or WebP, at most 1 MB.',
    logo_logout: '82x82 pixels, on the login page and in About. PNG, JPEG, GIF or WebP, at most 1 MB.',
    favicon: '16x16 pixels, 64x64 for sharp screens. PNG or ICO, at most 1 MB.',
    login_image: '492x472 pixels, beside the login form. PNG, JPEG, GIF or WebP, at most 1 MB.',
  },
  zh: {
    logo_index: '185x55 像素，显示在每个页面顶部。PNG、JPEG、GIF 或 WebP，最大 1 MB。',
    logo_logout: '82x82 像素，显示在登录页面和“关于”中。PNG、JPEG、GIF 或 WebP，最大 1 MB。',
    favicon: '16x16 像素，高分辨率屏幕可用 64x64。PNG 或 ICO，最大 1 MB。',
    login_image: '492x472 像素，显示在登录表单旁。PNG、JPEG、GIF 或 WebP，最大 1 MB。',
  },
  ja: {
    logo_index: '185x55 ピクセル。各ページの上部に表示されます。PNG、JPEG、GIF、WebP、最大 1 MB。',
    logo_logout: '82x82 ピクセル。ログインページと「情報」に表示されます。PNG、JPEG、GIF、WebP、最大 1 MB。',
    favicon: '16x16 ピクセル。高解像度の画面では 64x64。PNG または ICO、最大 1 MB。',
    login_image: '492x472 ピクセル。ログインフォームの横に表示されます。PNG、JPEG、GIF、WebP、最大 1 MB。',
  },
})

export const errors = catalogue({
  en: { not_picture: 'Choose a picture: PNG, JPEG, GIF, WebP or ICO.' },
  zh: { not_picture: '请选择图片：PNG、JPEG、GIF、WebP 或 ICO。' },
  ja: { not_picture: '画像（PNG、JPEG、GIF、WebP、ICO）を選択してください。' },
})

export const texts = catalogue({
  en: { interface_restored: 'The defaults were restored.' },
  zh: { interface_restored: '已恢复默认设置。' },
  ja: { interface_restored: '既定に戻しました。' },
})
