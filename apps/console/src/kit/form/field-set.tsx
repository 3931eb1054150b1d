import { memo } from 'react'
import type { DescribedGroup } from './describe.ts'
import { FieldRow } from './field-row.tsx'
import type { FormSituation } from './form-spec.ts'
import type { FormState, FormStore } from './form-store.ts'
import styles from './form.module.css'
import { isHidden } from './rules.ts'
import { useFormState } from './use-form.ts'

interface FieldSetProps {
  form: FormStore
  formId: string
  group: DescribedGroup
  situation: FormSituation
}

/** A heading and those of its fields that are in view; nothing when none is. */
export const FieldSet = memo(function FieldSet({ form, formId, group, situation }: FieldSetProps) {
  const shownIn = ({ values }: FormState) =>
    group.fields.filter((field) => !isHidden(field, values, situation)).map((field) => field.name)
  // One text, so that it is the same as long as the same fields are in view.
  const names = new Set(useFormState(form, (state) => shownIn(state).join(' ')).split(' '))
  const shown = group.fields.filter((field) => names.has(field.name))
  return (
    shown.length > 0 && (
      <fieldset className={styles.group}>
        <legend>{group.title}</legend>
        {shown.map((field) => (
          <FieldRow
            key={field.name}
            form={form}
            id={`${formId}-${field.name.replaceAll('.', '-')}`}
            field={field}
            situation={situation}
          />
        ))}
      </fieldset>
    )
  )
})
