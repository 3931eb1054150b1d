import { useEffect, useRef } from 'react'
import styles from './sign-in.module.css'
import { confirmState, giveUp, giveUpLeaving } from './submit.ts'
import { useSignInText } from './text.ts'

const askEveryMs = 5000

interface WaitFormProps {
  onConfirmed: () => void
  /** Nobody confirms it any more; `reason` is the server's sentence. */
  onRefused: (reason: string) => void
  onCancel: () => void
}

/** Waits until somebody else has confirmed the login. Who leaves the page gives it up. */
export function WaitForm({ onConfirmed, onRefused, onCancel }: WaitFormProps) {
  const t = useSignInText()
  const told = useRef({ onConfirmed, onRefused })
  useEffect(() => {
    told.current = { onConfirmed, onRefused }
  })
  const isOver = useRef(false)
  useEffect(() => {
    const leaving = new AbortController()
    const { signal } = leaving
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = async () => {
      // A lost network may come back.
      const state = await confirmState(signal).catch(() => undefined)
      if (signal.aborted) return
      if (state === undefined || ('error' in state && state.error === 'login_confirm_wait')) {
        timer = setTimeout(() => void ask(), askEveryMs)
        return
      }
      isOver.current = true
      if ('error' in state) told.current.onRefused(state.msg)
      else told.current.onConfirmed()
    }
    const leave = () => {
      if (!isOver.current) giveUpLeaving()
    }
    addEventListener('pagehide', leave)
    void ask()
    return () => {
      leaving.abort()
      clearTimeout(timer)
      removeEventListener('pagehide', leave)
    }
  }, [])
  const cancel = async () => {
    isOver.current = true
    await giveUp().catch(() => undefined)
    onCancel()
  }
  return (
    <>
      <p className={styles.why} role="status">
        {t('waitHint')}
      </p>
      <div className={styles.waiting} aria-hidden />
      <button type="button" className={styles.back} onClick={() => void cancel()}>
        {t('waitCancel')}
      </button>
    </>
  )
}
