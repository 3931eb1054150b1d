import { catalogue } from '../language.ts'

export const labels = catalogue({
  en: {
    id: 'ID',
    name: 'Name',
    comment: 'Comment',
    created_by: 'Created by',
    updated_by: 'Updated by',
    date_created: 'Created on',
    date_updated: 'Updated on',
    org_id: 'Organization ID',
    org_name: 'Organization',
    is_active: 'Active',
  },
  zh: {
    id: 'ID',
    name: '名称',
    comment: '备注',
    created_by: '创建者',
    updated_by: '更新者',
    date_created: '创建日期',
    date_updated: '更新日期',
    org_id: '组织 ID',
    org_name: '组织名称',
    is_active: '激活',
  },
  ja: {
    id: 'ID',
    name: '名前',
    comment: 'コメント',
    created_by: '作成者',
    updated_by: '更新者',
    date_created: '作成日',
    date_updated: '更新日',
    org_id: '組織 ID',
    org_name: '組織名',
    is_active: '有効',
  },
})

export const choices = catalogue({
  en: { 'yes_no.true': 'Yes', 'yes_no.false': 'No' },
  zh: { 'yes_no.true': '是', 'yes_no.false': '否' },
  ja: { 'yes_no.true': 'はい', 'yes_no.false': 'いいえ' },
})
