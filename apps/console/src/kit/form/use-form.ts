import { useCallback, useMemo, useState } from 'react'
import type { FieldErrors } from '../api/errors.ts'
import { useKitText } from '../text.ts'
import type { FieldDescription, FormSituation } from './form-spec.ts'
import { type FormValues, withValue } from './paths.ts'
import { checkField, isHidden } from './rules.ts'

/** The state of a form: what is typed, what is wrong with it, and what is hidden. No looks. */
export interface FormState {
  values: FormValues
  errors: FieldErrors
  changed: boolean
  set: (field: FieldDescription, value: unknown) => void
  /** Checks one field, as when the person leaves it. */
  check: (field: FieldDescription) => void
  /** Checks all fields in view; answers the name of the first wrong one. */
  checkAll: (fields: readonly FieldDescription[]) => string | undefined
  setErrors: (errors: FieldErrors) => void
  reset: () => void
  /** Grows with each reset: widgets with a state of their own begin anew. */
  round: number
}

/**
 * `beginning` are the values before anything is typed; when the description of the form changes later (another
 * platform chosen), its new defaults fill the fields still open and nothing typed is touched.
 */
export function useForm(beginning: FormValues, situation: FormSituation): FormState {
  const t = useKitText()
  const [typed, setTyped] = useState<FormValues>()
  const [errors, setErrors] = useState<FieldErrors>({})
  const [round, setRound] = useState(0)
  const values = useMemo(() => (typed ? filledUp(typed, beginning) : beginning), [typed, beginning])

  const set = useCallback(
    (field: FieldDescription, value: unknown) => {
      setTyped((before) => {
        const next = withValue(before ?? beginning, field.name, value)
        return field.consequences ? { ...next, ...field.consequences(value, next) } : next
      })
      setErrors((before) => without(before, field.name))
    },
    [beginning],
  )
  const check = useCallback(
    (field: FieldDescription) => {
      const problem = checkField(field, values, situation, t)
      setErrors((before) => (problem ? { ...before, [field.name]: problem } : before))
    },
    [values, situation, t],
  )
  const checkAll = (fields: readonly FieldDescription[]) => {
    const found: FieldErrors = {}
    for (const field of fields) {
      const problem = isHidden(field, values, situation) ? undefined : checkField(field, values, situation, t)
      if (problem) {
        found[field.name] = problem
      }
    }
    setErrors(found)
    return Object.keys(found)[0]
  }
  const reset = useCallback(() => {
    setTyped(undefined)
    setErrors({})
    setRound((before) => before + 1)
  }, [])
  return { values, errors, changed: typed !== undefined, set, check, checkAll, setErrors, reset, round }
}

function filledUp(typed: FormValues, beginning: FormValues): FormValues {
  const missing = Object.entries(beginning).filter(([name]) => typed[name] === undefined)
  return missing.length > 0 ? { ...typed, ...Object.fromEntries(missing) } : typed
}

function without(errors: FieldErrors, name: string): FieldErrors {
  return name in errors ? Object.fromEntries(Object.entries(errors).filter(([key]) => key !== name)) : errors
}
