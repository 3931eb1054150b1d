import { CheckCircleFilled, CloseCircleFilled } from '@ant-design/icons'
import type { ReactNode } from 'react'
import type { FieldMeta } from '../api/metadata.ts'
import { showDateTime } from '../dates/dates.ts'
import type { KitText } from '../text.ts'
import { nothing, plainValue } from '../values/plain-value.ts'
import { isDateColumn } from './columns.ts'
import styles from './list.module.css'

/** A yes or no with its sign; `yes` and `no` may carry other words. */
export function Flag({ value, yes, no }: { value: unknown; yes: string; no: string }) {
  if (typeof value !== 'boolean') {
    return nothing
  }
  return (
    <span className={styles.flag} data-on={value}>
      {value ? <CheckCircleFilled aria-hidden /> : <CloseCircleFilled aria-hidden />} {value ? yes : no}
    </span>
  )
}

/** A cell by the column's name and type. */
export function cellOf(name: string, value: unknown, meta: FieldMeta | undefined, t: KitText): ReactNode {
  if (name === 'id' && typeof value === 'string') {
    return (
      <span className={styles.id} title={value}>
        {value}
      </span>
    )
  }
  if (name === 'is_active') {
    return <Flag value={value} yes={t('active')} no={t('disabled')} />
  }
  if (meta?.type === 'boolean' || name === 'is_valid') {
    return <Flag value={value} yes={t('yes')} no={t('no')} />
  }
  if (isDateColumn(name, meta)) {
    return showDateTime(value)
  }
  return plainValue(value, t)
}
