import { type FormEvent, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Mailbox } from './forgotten.ts'
import styles from './sign-in.module.css'

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
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    const given = { username: username.current?.value ?? '', email: email.current?.value ?? '' }
    if (given.username.trim() === '' || !given.email.includes('@')) return setProblem(t('mailboxRequired'))
    setProblem('')
    onSubmit(given)
  }
  const text = problem || error
  return (
    <form noValidate onSubmit={submit} aria-busy={isBusy}>
      <p className={styles.why} id={`${id}-hint`}>
        {t('mailboxHint')}
      </p>
      <div className={styles.error} role="alert" id={`${id}-error`}>
        {text && <p>{text}</p>}
      </div>
      <label className={styles.label} htmlFor={`${id}-username`}>
        {t('username')}
      </label>
      <input
        ref={username}
        className={styles.input}
        id={`${id}-username`}
        name="username"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        autoFocus
        required
        maxLength={128}
        aria-describedby={`${id}-hint ${id}-error`}
      />
      <label className={styles.label} htmlFor={`${id}-email`}>
        {t('mailAddress')}
      </label>
      <input
        ref={email}
        className={styles.input}
        id={`${id}-email`}
        name="email"
        type="email"
        autoComplete="email"
        required
        maxLength={128}
        aria-describedby={`${id}-hint ${id}-error`}
      />
      <button type="submit" className={styles.submit} aria-disabled={isBusy}>
        {t('sendCode')}
      </button>
    </form>
  )
}
