import { maxPasswordLength } from '@sallyport/contract/password-rules'
import { useId, useRef, useState } from 'react'
import { PasswordInput } from './password-input.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { useSignInText } from './text.ts'

interface ForgottenPasswordFormProps {
  error: string
  isBusy: boolean
  onSubmit: (password: string, again: string) => void
}

/** The new password, twice. The server says which rules it breaks. */
export function ForgottenPasswordForm({ error, isBusy, onSubmit }: ForgottenPasswordFormProps) {
  const t = useSignInText()
  const id = useId()
  const [problem, setProblem] = useState('')
  const password = useRef<HTMLInputElement>(null)
  const again = useRef<HTMLInputElement>(null)
  const submit = () => {
    const [typed = '', repeated = ''] = [password.current?.value, again.current?.value]
    if (typed === '') return setProblem(t('newPasswordRequired'))
    if (typed !== repeated) return setProblem(t('kit:passwordsDiffer'))
    setProblem('')
    onSubmit(typed, repeated)
  }
  const text = problem || error
  const common = {
    autoComplete: 'new-password' as const,
    maxLength: maxPasswordLength,
    describedBy: `${id}-error`,
  }
  return (
    <SignInForm id={id} error={text} isBusy={isBusy} action={t('setNewPassword')} onSubmit={submit}>
      <PasswordInput
        {...common}
        id={`${id}-password`}
        name="new_password"
        label={t('kit:newPassword')}
        input={password}
        isWrong={text !== ''}
        autoFocus
      />
      <PasswordInput
        {...common}
        id={`${id}-again`}
        name="confirm_password"
        label={t('kit:newPasswordAgain')}
        input={again}
        isWrong={text !== ''}
      />
    </SignInForm>
  )
}
