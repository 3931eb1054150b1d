import { useSyncExternalStore } from 'react'
import type { FormState, FormStore } from './form-store.ts'
import { valueAt } from './paths.ts'

/** A part of a form's state; draws again only when that part is another. `select` must not make new objects. */
export function useFormState<T>(form: FormStore, select: (state: FormState) => T): T {
  return useSyncExternalStore(form.subscribe, () => select(form.state))
}

/** The value of a field, for a widget that depends on it. */
export function useFieldValue(form: FormStore, name: string): unknown {
  return useFormState(form, (state) => valueAt(state.values, name))
}
