import { catalogue } from '../language.ts'

export const labels = catalogue({
  en: {
    subscription_id: 'Subscription ID',
    corporation: 'Licensed to',
    'xpack.license.date_expired': 'Valid until',
    'xpack.license.asset_count': 'Asset limit',
    current_asset_count: 'Assets',
    edition: 'Edition',
    'xpack.license.file': 'Licence file',
    serial_no: 'Serial number',
    remark: 'Comment',
  },
  zh: {
    subscription_id: '订阅授权 ID',
    corporation: '授权公司',
    'xpack.license.date_expired': '有效期至',
    'xpack.license.asset_count': '资产数量上限',
    current_asset_count: '资产数量',
    edition: '版本',
    'xpack.license.file': '许可证文件',
    serial_no: '序列号',
    remark: '备注',
  },
  ja: {
    subscription_id: 'サブスクリプション ID',
    corporation: 'ライセンス先',
    'xpack.license.date_expired': '有効期限',
    'xpack.license.asset_count': '資産数の上限',
    current_asset_count: '資産数',
    edition: 'エディション',
    'xpack.license.file': 'ライセンスファイル',
    serial_no: 'シリアル番号',
    remark: '備考',
  },
})

export const models = catalogue({
  en: { 'xpack.license': 'Licence' },
  zh: { 'xpack.license': '许可证' },
  ja: { 'xpack.license': 'ライセンス' },
})

export const calls = catalogue({
  en: { 'xpack.license.import': 'Import', 'xpack.license.remove': 'Remove' },
  zh: { 'xpack.license.import': '导入', 'xpack.license.remove': '移除' },
  ja: { 'xpack.license.import': 'インポート', 'xpack.license.remove': '削除' },
})

export const errors = catalogue({
  en: {
    license_required: 'This needs a valid licence. Import one in the settings under Licence.',
    license_unreadable: 'This is no licence file.',
    license_forged: 'The signature of this licence is not that of the issuer known here.',
    license_without_key:
      'No public key of an issuer is configured here (SALLYPORT_LICENSE_KEY), so that no licence can be checked.',
    license_expired: 'This licence expired on {date}.',
  },
  zh: {
    license_required: '此操作需要有效的许可证，请在系统设置的许可证页面导入。',
    license_unreadable: '这不是许可证文件。',
    license_forged: '该许可证的签名不是此处已知签发者的签名。',
    license_without_key: '未配置签发者的公钥（SALLYPORT_LICENSE_KEY），无法校验许可证。',
    license_expired: '该许可证已于 {date} 过期。',
  },
  ja: {
    license_required: 'この操作には有効なライセンスが必要です。設定のライセンスでインポートしてください。',
    license_unreadable: 'これはライセンスファイルではありません。',
    license_forged: 'このライセンスの署名は、ここで知られている発行者のものではありません。',
    license_without_key:
      '発行者の公開鍵（SALLYPORT_LICENSE_KEY）が設定されていないため、ライセンスを確認できません。',
    license_expired: 'このライセンスは {date} に期限切れになりました。',
  },
})

export const texts = catalogue({
  en: {
    license_imported: 'The licence was imported.',
    license_for_test: 'license for test',
    license_edition_test: 'Test',
  },
  zh: {
    license_imported: '许可证已导入。',
    license_for_test: '测试许可证',
    license_edition_test: '测试版',
  },
  ja: {
    license_imported: 'ライセンスをインポートしました。',
    license_for_test: 'テスト用ライセンス',
    license_edition_test: 'テスト版',
  },
})
