import { isRecord } from '../api/errors.ts'

/** The values of any form, by the names of its fields. */
export type FormValues = Readonly<Record<string, unknown>>

/** The value of a field; a dot leads into a nested object (`spec_info.sso`). */
export function valueAt(values: FormValues, name: string): unknown {
  let value: unknown = values
  for (const key of name.split('.')) {
    value = isRecord(value) ? value[key] : undefined
  }
  return value
}

/** The same values with one field changed. */
export function withValue(values: FormValues, name: string, value: unknown): FormValues {
  const [key = '', ...rest] = name.split('.')
  if (rest.length === 0) {
    return { ...values, [key]: value }
  }
  const inner = values[key]
  return { ...values, [key]: withValue(isRecord(inner) ? inner : {}, rest.join('.'), value) }
}
