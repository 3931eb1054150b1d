import { useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Mailbox } from './forgotten.ts'
import { SignInForm } from './sign-in-form.tsx'
import { TextInput } from './text-input.tsx'

interface MailboxFormProps {
  error: string
  isBusy: boolean
  onSubmit: (mailbox: Mailbox) => void
}

/** Whose password it is, and the address the account has. */
export function MailboxForm({ error, isBusy, onSubmit }: MailboxFormProps) {
  const { t } = useTranslation()
  const id = useId()
  const username = useRef<HTMLInputElement>(null)
  const email = useRef<HTMLInputElement>(null)
  const [problem, setProblem] = useState('')
  const submit = () => {
    const given = { username: username.current?.value ?? '', email: email.current?.value ?? '' }
    if (given.username.trim() === '' || !given.email.includes('@')) return setProblem(t('mailboxRequired'))
    setProblem('')
    onSubmit(given)
  }
  const common = { maxLength: 128, 'aria-describedby': `${id}-hint ${id}-error` }
  return (
    <SignInForm
      id={id}
      hint={t('mailboxHint')}
      error={problem || error}
      isBusy={isBusy}
      action={t('sendCode')}
      onSubmit={submit}
    >
      <TextInput
        {...common}
        ref={username}
        id={`${id}-username`}
        label={t('username')}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
      />
      <TextInput
        {...common}
        ref={email}
        id={`${id}-email`}
        label={t('mailAddress')}
        name="email"
        type="email"
        autoComplete="email"
      />
    </SignInForm>
  )
}
