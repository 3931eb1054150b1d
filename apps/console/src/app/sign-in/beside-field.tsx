import type { SignInState } from '@sallyport/contract/resources/sign-in'
import { CaptchaField } from './captcha-field.tsx'
import styles from './sign-in.module.css'
import { useSignInText } from './text.ts'

export type Beside = SignInState['beside']
/** What was typed into it, as it is sent. */
export type BesideAnswer = Partial<Record<'challenge' | 'code' | 'captcha_0' | 'captcha_1', string>>

interface BesideFieldProps {
  kind: Beside
  id: string
  /** Of what says what is wrong. */
  errorId: string
}

const names = { mfa: 'code', challenge: 'challenge' } as const

/** What the platform asks for together with name and password. */
export function BesideField({ kind, id, errorId }: BesideFieldProps) {
  const t = useSignInText()
  if (kind === null) return null
  if (kind === 'captcha') return <CaptchaField id={id} errorId={errorId} />
  return (
    <>
      <label className={styles.label} htmlFor={id}>
        {t(`beside_${kind}`)}
      </label>
      <input
        className={styles.input}
        id={id}
        name={names[kind]}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={128}
        aria-describedby={`${id}-hint ${errorId}`}
      />
      <p className={styles.hint} id={`${id}-hint`}>
        {t(`beside_${kind}_hint`)}
      </p>
    </>
  )
}

/** What stands in the fields inside `box`; undefined where a captcha is not answered. */
export function besideIn(box: HTMLElement | null): BesideAnswer | undefined {
  const inputs = [...(box?.querySelectorAll('input') ?? [])].filter(({ name }) => name !== '')
  if (inputs.some((input) => input.required && input.value.trim() === '')) return undefined
  return Object.fromEntries(
    inputs.map(({ name, value }) => [name, value.trim()]).filter(([, value]) => value),
  )
}
