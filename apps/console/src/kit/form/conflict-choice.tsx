import { Alert, Button, Space } from 'antd'
import { type KitText, useKitText } from '../text.ts'
import { relatedItems } from '../relation/relation.ts'
import { dateFormat, parseDate } from '../dates/dates.ts'
import { plainValue } from '../values/plain-value.ts'
import { UnreadableText } from '../values/unreadable-text.ts'
import type { FieldDescription } from './form-spec.ts'
import type { FormStore } from './form-store.ts'
import styles from './form.module.css'
import { valueAt } from './paths.ts'
import { useFormState } from './use-form.ts'
import { isRelation } from './values.ts'

/** Two people changed the same field: both values, and which of them shall hold. */
export function ConflictChoice({ form, field }: { form: FormStore; field: FieldDescription }) {
  const t = useKitText()
  const { name } = field
  const theirs = useFormState(form, (state) => state.conflicts[name])
  const mine = useFormState(form, (state) => valueAt(state.values, name))
  return (
    <Alert
      className={styles.conflict}
      type="warning"
      showIcon
      role="alert"
      title={t('conflict')}
      description={
        <>
          <dl>
            <dt>{t('conflictTheirs')}</dt>
            <dd>{fieldText(field, theirs, t)}</dd>
            <dt>{t('conflictMine')}</dt>
            <dd>{fieldText(field, mine, t)}</dd>
          </dl>
          <Space wrap>
            <Button size="small" onClick={() => form.takeTheirs(name)}>
              {t('takeTheirs')}
            </Button>
            <Button size="small" type="primary" onClick={() => form.keepMine(name)}>
              {t('keepMine')}
            </Button>
          </Space>
        </>
      }
    />
  )
}

/** A field's value as a person reads it. */
function fieldText(field: FieldDescription, value: unknown, t: KitText): string {
  if (isRelation(field)) {
    return plainValue(
      relatedItems(value, field.relation).map(({ id, label }) => label ?? id),
      t,
    )
  }
  const values: unknown[] = Array.isArray(value) ? value : [value]
  const texts = values.map(
    (one) =>
      field.choices.find((choice) => choice.value === one)?.label ?? plainValue(asShown(field, one), t),
  )
  return texts.length > 0 ? texts.join(', ') : plainValue(undefined, t)
}

/** A date as its field shows it, and what is no date or number as it was typed. */
function asShown({ widget, meta }: FieldDescription, value: unknown): unknown {
  if (value instanceof UnreadableText) return value.text
  const date = widget === 'datetime' ? parseDate(value) : undefined
  return date?.format(dateFormat(meta.type === 'date')) ?? value
}
