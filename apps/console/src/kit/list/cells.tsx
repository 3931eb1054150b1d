import { CheckCircleFilled, CloseCircleFilled } from '@ant-design/icons'
import type { ReactNode } from 'react'
import type { FieldMeta } from '../api/metadata.ts'
import { Time } from '../dates/time.tsx'
import { StatusTag } from '../status/status-tag.tsx'
import { toneOf } from '../status/tones.ts'
import type { Row } from '../api/resource.ts'
import { type KitText, useKitText } from '../text.ts'
import { nothing, plainValue } from '../values/plain-value.ts'
import { isDateColumn } from './columns.ts'
import styles from './table.module.css'

/** A state as a tag, undefined for a field that is none. */
export function statusOf(name: string, value: unknown, t: KitText): ReactNode {
  const tone = toneOf(name, value)
  if (tone === undefined) return undefined
  const words = { is_active: ['active', 'disabled'], is_valid: ['valid', 'invalid'] } as const
  if (typeof value === 'boolean' && (name === 'is_active' || name === 'is_valid')) {
    return <StatusTag tone={tone}>{t(words[name][value ? 0 : 1])}</StatusTag>
  }
  return <StatusTag tone={tone}>{plainValue(value, t)}</StatusTag>
}

/** Whether somebody may come in, and that they are switched off where that is why they may not. */
export const validOrDisabled = {
  render: (row: { is_valid: boolean; is_active: boolean }) => <Validity {...row} />,
}
function Validity({ is_valid: isValid, is_active: isActive }: { is_valid: boolean; is_active: boolean }) {
  const t = useKitText()
  return isActive ? statusOf('is_valid', isValid, t) : statusOf('is_active', false, t)
}

/** A yes or no with its sign. */
function Flag({ value, yes, no }: { value: unknown; yes: string; no: string }) {
  if (typeof value !== 'boolean') {
    return nothing
  }
  return (
    <span className={styles.flag} data-on={value}>
      {value ? <CheckCircleFilled aria-hidden /> : <CloseCircleFilled aria-hidden />} {value ? yes : no}
    </span>
  )
}

/** A cell that says something only where it is so. */
export function onlyWhenTrue<R extends Row>(holds: (row: R) => boolean): { render: (row: R) => ReactNode } {
  return { render: (row) => (holds(row) ? <Yes /> : nothing) }
}
function Yes() {
  const t = useKitText()
  return <Flag value yes={t('yes')} no={t('no')} />
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
  const status = statusOf(name, value, t)
  if (status !== undefined) {
    return status
  }
  if (meta?.type === 'boolean') {
    return <Flag value={value} yes={t('yes')} no={t('no')} />
  }
  if (isDateColumn(name, meta)) {
    return <Time value={value} />
  }
  return plainValue(value, t)
}
