import { type RefObject, useState } from 'react'
import styles from './sign-in.module.css'
import { useSignInText } from './text.ts'

interface PasswordInputProps {
  id: string
  name: string
  label: string
  input: RefObject<HTMLInputElement | null>
  autoComplete: 'current-password' | 'new-password'
  maxLength: number
  isWrong: boolean
  describedBy: string
  autoFocus?: boolean
  onChange?: (value: string) => void
}

/** A password with its label, which can be shown while it is typed. */
export function PasswordInput({
  id,
  label,
  input,
  isWrong,
  describedBy,
  onChange,
  ...rest
}: PasswordInputProps) {
  const t = useSignInText()
  const [isShown, setShown] = useState(false)
  const toggle = t(isShown ? 'hidePassword' : 'showPassword')
  return (
    <>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <div className={styles.password}>
        <input
          {...rest}
          ref={input}
          className={styles.input}
          id={id}
          type={isShown ? 'text' : 'password'}
          required
          aria-invalid={isWrong}
          aria-describedby={describedBy}
          onChange={(event) => onChange?.(event.target.value)}
        />
        <button
          type="button"
          className={styles.reveal}
          aria-pressed={isShown}
          aria-label={toggle}
          title={toggle}
          onClick={() => setShown(!isShown)}
        >
          <Eye crossed={isShown} />
        </button>
      </div>
    </>
  )
}

function Eye({ crossed }: { crossed: boolean }) {
  return (
    <svg
      width="18"
      height="18"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      aria-hidden
    >
      <path d="M2 12s3.6-6.5 10-6.5S22 12 22 12s-3.6 6.5-10 6.5S2 12 2 12z" strokeLinejoin="round" />
      <circle cx="12" cy="12" r="3" />
      {crossed && <path d="M4 20 20 4" strokeLinecap="round" />}
    </svg>
  )
}
