import { InfoCircleOutlined } from '@ant-design/icons'
import { memo, Suspense, useCallback } from 'react'
import { useKitText } from '../text.ts'
import { ConflictChoice } from './conflict-choice.tsx'
import type { FieldDescription, FormSituation } from './form-spec.ts'
import type { FormStore } from './form-store.ts'
import styles from './form.module.css'
import { valueAt } from './paths.ts'
import { changeProblem, isDisabled, isRequired, leaveProblem } from './rules.ts'
import { useFormState } from './use-form.ts'
import { widgets } from './widgets/widgets.ts'

interface FieldRowProps {
  form: FormStore
  id: string
  field: FieldDescription
  situation: FormSituation
}

/** Widgets that are several controls: their label names a group. */
const grouped = new Set<unknown>(['radio', 'multiple', 'tree', 'switch', 'objects', 'attributes'])
const blurPauseMs = 200

/** A field with its label, control, help and error. Drawn again only when something of its own changes. */
export const FieldRow = memo(function FieldRow({ form, id, field, situation }: FieldRowProps) {
  const t = useKitText()
  const { name } = field
  const value = useFormState(form, (state) => valueAt(state.values, name))
  const error = useFormState(form, (state) => state.errors[name])
  const required = useFormState(form, ({ values }) => isRequired(field, values, situation))
  const disabled = useFormState(form, ({ values }) => isDisabled(field, values, situation))
  const isContested = useFormState(form, (state) => name in state.conflicts)
  const change = useCallback(
    (next: unknown) => {
      form.set(name, next)
      const problem = changeProblem(field, form.state.values, situation, t)
      if (problem) form.setError(name, problem)
    },
    [form, field, name, situation, t],
  )
  const check = useCallback(() => {
    const left = valueAt(form.state.values, name)
    // Not at once: an error that appears while a button is being pressed would move the button away.
    setTimeout(() => {
      // Saved meanwhile, it is as it begins.
      if (valueAt(form.state.values, name) !== left) return
      const problem = leaveProblem(field, form.state.values, situation, t)
      if (problem) form.setError(name, problem)
    }, blurPauseMs)
  }, [form, field, name, situation, t])
  const Widget = typeof field.widget === 'string' ? widgets[field.widget] : field.widget
  const described = [error && `${id}-error`, field.help && `${id}-help`].filter(Boolean).join(' ')
  return (
    <div className={styles.row} data-field={name} data-invalid={error || isContested ? true : undefined}>
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
            name={name}
            value={value}
            form={form}
            field={field}
            disabled={disabled}
            invalid={error !== undefined}
            required={required}
            describedBy={described || undefined}
            updating={situation.updating}
            onChange={change}
            onBlur={check}
          />
        </Suspense>
        {error && (
          <div id={`${id}-error`} className={styles.error} role="alert">
            {error}
          </div>
        )}
        {isContested && <ConflictChoice form={form} field={field} />}
        {field.help && (
          <div id={`${id}-help`} className={styles.help}>
            <InfoCircleOutlined aria-hidden /> {field.help}
          </div>
        )}
      </div>
    </div>
  )
})
