import { useCallback, useMemo, useState } from 'react'
import type { FieldErrors } from '../api/errors.ts'
import { useKitText } from '../text.ts'
import type { FieldDescription, FormSituation } from './form-spec.ts'
import { type FormValues, withValue } from './paths.ts'
import { changeProblem, checkField, isHidden, leaveProblem } from './rules.ts'

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

interface Typing {
  /** Undefined until something is. */
  typed: FormValues | undefined
  errors: FieldErrors
}

const untouched: Typing = { typed: undefined, errors: {} }

/**
 * `beginning` are the values before anything is typed; when the description of the form changes later (another
 * platform chosen), its new defaults fill the fields still open and nothing typed is touched.
 */
export function useForm(beginning: FormValues, situation: FormSituation): FormState {
  const t = useKitText()
  const [{ typed, errors }, setState] = useState<Typing>(untouched)
  const [round, setRound] = useState(0)
  const values = useMemo(() => (typed ? filledUp(typed, beginning) : beginning), [typed, beginning])

  const setErrors = useCallback(
    (change: (before: FieldErrors) => FieldErrors) =>
      setState((before) => ({ ...before, errors: change(before.errors) })),
    [],
  )

  const set = useCallback(
    (field: FieldDescription, value: unknown) =>
      setState((before) => {
        const changed = withValue(before.typed ?? beginning, field.name, value)
        const next = field.consequences ? { ...changed, ...field.consequences(value, changed) } : changed
        const problem = changeProblem(field, next, situation, t)
        const rest = without(before.errors, field.name)
        return { typed: next, errors: problem ? { ...rest, [field.name]: problem } : rest }
      }),
    [beginning, situation, t],
  )
  const check = useCallback(
    (field: FieldDescription) => {
      const problem = leaveProblem(field, values, situation, t)
      setErrors((before) => (problem ? { ...before, [field.name]: problem } : before))
    },
    [values, situation, t, setErrors],
  )
  const checkAll = (fields: readonly FieldDescription[]) => {
    const found: FieldErrors = {}
    for (const field of fields) {
      const problem = isHidden(field, values, situation) ? undefined : checkField(field, values, situation, t)
      if (problem) {
        found[field.name] = problem
      }
    }
    setErrors(() => found)
    return Object.keys(found)[0]
  }
  const reset = useCallback(() => {
    setState(untouched)
    setRound((before) => before + 1)
  }, [])
  return {
    values,
    errors,
    changed: typed !== undefined,
    set,
    check,
    checkAll,
    setErrors: (found) => setErrors(() => found),
    reset,
    round,
  }
}

function filledUp(typed: FormValues, beginning: FormValues): FormValues {
  const missing = Object.entries(beginning).filter(([name]) => typed[name] === undefined)
  return missing.length > 0 ? { ...typed, ...Object.fromEntries(missing) } : typed
}

function without(errors: FieldErrors, name: string): FieldErrors {
  return name in errors ? Object.fromEntries(Object.entries(errors).filter(([key]) => key !== name)) : errors
}
