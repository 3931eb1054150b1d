import { type FieldErrors, isRecord } from '../api/errors.ts'
import type { WidgetProps } from './form-spec.ts'
import type { FormValues } from './paths.ts'
import { useFormState } from './use-form.ts'

/** One object of a list in a form. */
export interface ObjectRow {
  row: FormValues
  /** What is wrong with it, by column. */
  errors: FieldErrors
  replace: (row: FormValues) => void
  remove: () => void
}

/** A field that is a list of objects, without looks: its rows with what is wrong in each, and how to change them. */
export function useRows({
  form,
  name,
  value,
  onChange,
}: Pick<WidgetProps, 'form' | 'name' | 'value' | 'onChange'>) {
  const errors = useFormState(form, (state) => state.errors)
  const rows = Array.isArray(value) ? value.filter(isRecord) : []
  return {
    rows: rows.map((row, index): ObjectRow => ({
      row,
      errors: below(errors, `${name}.${index}.`),
      replace: (next) => onChange(rows.map((other, place) => (place === index ? next : other))),
      remove: () => onChange(rows.filter((_other, place) => place !== index)),
    })),
    add: (row: FormValues) => onChange([...rows, { ...row }]),
  }
}

function below(errors: FieldErrors, prefix: string): FieldErrors {
  const inside = Object.entries(errors).filter(([name]) => name.startsWith(prefix))
  return Object.fromEntries(inside.map(([name, problem]) => [name.slice(prefix.length), problem]))
}
