import { useEffect, useId, useRef, useState } from 'react'
import { SignInForm } from './sign-in-form.tsx'
import styles from './sign-in.module.css'
import { TextInput } from './text-input.tsx'
import { useSignInText } from './text.ts'

/** Until another code may be asked for. */
const waitSeconds = 60

interface ForgottenCodeFormProps {
  error: string
  isBusy: boolean
  onSubmit: (code: string) => void
  onAgain: () => void
}

/** The code that was mailed, if there is such an account. */
export function ForgottenCodeForm({ error, isBusy, onSubmit, onAgain }: ForgottenCodeFormProps) {
  const t = useSignInText()
  const id = useId()
  const code = useRef<HTMLInputElement>(null)
  const [left, setLeft] = useState(waitSeconds)
  useEffect(() => {
    const timer = setInterval(() => setLeft((seconds) => Math.max(0, seconds - 1)), 1000)
    return () => clearInterval(timer)
  }, [])
  const submit = () => {
    const typed = code.current?.value.trim() ?? ''
    if (typed !== '') onSubmit(typed)
  }
  return (
    <>
      <SignInForm
        id={id}
        hint={t('codeMailed')}
        error={error}
        isBusy={isBusy}
        action={t('mailCodeCheck')}
        onSubmit={submit}
      >
        <TextInput
          ref={code}
          id={`${id}-code`}
          label={t('mailCode')}
          name="code"
          autoComplete="one-time-code"
          inputMode="numeric"
          autoFocus
          maxLength={6}
          aria-invalid={error !== ''}
          aria-describedby={`${id}-hint ${id}-error`}
        />
      </SignInForm>
      <button
        type="button"
        className={styles.back}
        disabled={left > 0 || isBusy}
        onClick={() => {
          setLeft(waitSeconds)
          onAgain()
        }}
      >
        {left > 0 ? t('sendCodeIn', { seconds: left }) : t('sendCodeAgain')}
      </button>
    </>
  )
}
