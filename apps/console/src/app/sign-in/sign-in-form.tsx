import type { FormEvent, ReactNode } from 'react'
import { FormError } from './form-error.tsx'
import styles from './sign-in.module.css'

interface SignInFormProps {
  /** Its fields are described by `${id}-hint` and `${id}-error`. */
  id: string
  hint?: string
  error: string
  isBusy: boolean
  /** The word on the button. */
  action: string
  /** Asked for once at a time. */
  onSubmit: () => void
  children: ReactNode
}

/** One step on the way in: what it is for, what was wrong, its fields and its button. */
export function SignInForm({ id, hint, error, isBusy, action, onSubmit, children }: SignInFormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isBusy) onSubmit()
  }
  return (
    <form noValidate onSubmit={submit} aria-busy={isBusy}>
      {hint !== undefined && (
        <p className={styles.why} id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <FormError id={`${id}-error`}>{error}</FormError>
      {children}
      <button type="submit" className={styles.submit} aria-disabled={isBusy}>
        {action}
      </button>
    </form>
  )
}
