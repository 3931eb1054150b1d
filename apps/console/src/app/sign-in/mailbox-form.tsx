import { useId, useRef, useState } from 'react'
import { type BesideAnswer, besideIn } from './beside-field.tsx'
import { CaptchaField } from './captcha-field.tsx'
import type { Mailbox } from './forgotten.ts'
import { SignInForm } from './sign-in-form.tsx'
import { TextInput } from './text-input.tsx'
import { useSignInText } from './text.ts'

interface MailboxFormProps {
  error: string
  isBusy: boolean
  /** Which captcha it is that is asked for, where one is. */
  captchaRound: number | undefined
  onSubmit: (mailbox: Mailbox, captcha: BesideAnswer) => void
}

/** Whose password it is, and the address the account has. */
export function MailboxForm({ error, isBusy, captchaRound, onSubmit }: MailboxFormProps) {
  const t = useSignInText()
  const id = useId()
  const username = useRef<HTMLInputElement>(null)
  const email = useRef<HTMLInputElement>(null)
  const captchaBox = useRef<HTMLDivElement>(null)
  const [problem, setProblem] = useState('')
  const submit = () => {
    const given = { username: username.current?.value ?? '', email: email.current?.value ?? '' }
    if (given.username.trim() === '' || !given.email.includes('@')) return setProblem(t('mailboxRequired'))
    const captcha = besideIn(captchaBox.current)
    if (captcha === undefined) return setProblem(t('captchaRequired'))
    setProblem('')
    onSubmit(given, captcha)
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
        label={t('kit:username')}
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
      {captchaRound !== undefined && (
        <div ref={captchaBox} key={captchaRound}>
          <CaptchaField id={`${id}-captcha`} errorId={`${id}-error`} />
        </div>
      )}
    </SignInForm>
  )
}
