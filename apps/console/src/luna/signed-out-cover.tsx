import { signInPages } from '@sallyport/contract/addresses'
import { useLayoutEffect, useRef, useSyncExternalStore } from 'react'
import { sessionState, subscribeToSessionState } from '../kit/session/login-state.ts'
import { useText } from './text.ts'

/** Where the login has ended, nobody sees what the page shows or types into it, until its person has logged in again in another tab. */
export function SignedOutCover() {
  const state = useSyncExternalStore(subscribeToSessionState, sessionState)
  return state === 'ended' ? <Cover /> : null
}

function Cover() {
  const t = useText()
  const ref = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    const dialog = ref.current
    const keepOpen = (event: KeyboardEvent) => {
      if (event.key === 'Escape') event.preventDefault()
    }
    dialog?.showModal()
    document.addEventListener('keydown', keepOpen, true)
    return () => {
      document.removeEventListener('keydown', keepOpen, true)
      // Closed before it goes, it gives the keyboard back to where it was.
      dialog?.close()
    }
  }, [])
  return (
    <dialog
      ref={ref}
      className="dialog is-cover"
      aria-label={t('signedOutTitle')}
      // A phone's gesture closes it without a key.
      onClose={() => ref.current?.showModal()}
    >
      <div className="notice">
        <h1>{t('signedOutTitle')}</h1>
        <p>{t('signedOutText')}</p>
        <a
          className="button button-primary"
          href={`${signInPages.signIn}?next=${encodeURIComponent('/ui/logged-in')}`}
          target="_blank"
          rel="noopener"
        >
          {t('signIn')}
        </a>
      </div>
    </dialog>
  )
}
