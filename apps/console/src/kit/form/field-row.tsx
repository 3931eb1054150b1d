import { InfoCircleOutlined } from '@ant-design/icons'
import { memo, Suspense } from 'react'
import type { FieldDescription } from './form-spec.ts'
import type { FormValues } from './paths.ts'
import styles from './form.module.css'
import { widgets } from './widgets/widgets.ts'

interface FieldRowProps {
  id: string
  field: FieldDescription
  value: unknown
  error: string | undefined
  required: boolean
  disabled: boolean
  updating: boolean
  values: FormValues
  onChange: (field: FieldDescription, value: unknown) => void
  onBlur: (field: FieldDescription) => void
}

/** Widgets that are several controls: their label names a group. */
const grouped = new Set<unknown>(['radio', 'multiple', 'tree', 'switch'])

/** A field with its label, control, help and error. */
export const FieldRow = memo(function FieldRow(props: FieldRowProps) {
  const { id, field, value, values, error, required, disabled, updating, onChange, onBlur } = props
  const Widget = typeof field.widget === 'string' ? widgets[field.widget] : field.widget
  const described = [error && `${id}-error`, field.help && `${id}-help`].filter(Boolean).join(' ')
  return (
    <div className={styles.row} data-field={field.name} data-invalid={error ? true : undefined}>
      <label
        data-required={required || undefined}
        id={`${id}-label`}
        htmlFor={grouped.has(field.widget) ? undefined : id}
        className={styles.label}
      >
        {field.label}
      </label>
      <div className={styles.control}>
        <Suspense fallback={<div className={styles.loading} />}>
          <Widget
            id={id}
            name={field.name}
            value={value}
            values={values}
            field={field}
            disabled={disabled}
            invalid={error !== undefined}
            required={required}
            describedBy={described || undefined}
            updating={updating}
            onChange={(next) => onChange(field, next)}
            onBlur={() => onBlur(field)}
          />
        </Suspense>
        {error && (
          <div id={`${id}-error`} className={styles.error} role="alert">
            {error}
          </div>
        )}
        {field.help && (
          <div id={`${id}-help`} className={styles.help}>
            <InfoCircleOutlined aria-hidden /> {field.help}
          </div>
        )}
      </div>
    </div>
  )
})
