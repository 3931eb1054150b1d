import { ownPictures } from '@sallyport/contract/constants'
import { languages } from '@sallyport/contract/messages/language'
import { OpenSettings } from '@sallyport/contract/resources/settings'
import { type ReactNode, useEffect, useState } from 'react'
import { currentLanguage, languageNames, switchLanguage } from '../../i18n/index.ts'
import { ApiError } from '../../kit/api/errors.ts'
import { readOne } from '../../kit/api/one.ts'
import type { InterfaceSettings } from '../../kit/session/types.ts'
import { applyInterface, interfaceTitle } from '../../kit/theme/interface.ts'
import { Logo } from '../shell/logo.tsx'
import styles from './sign-in.module.css'
import { useSignInText } from './text.ts'

interface FrameProps {
  title: string
  /** The platform's name stands in its place. */
  isFirst?: boolean
  children: ReactNode
}

/** What pages look like before anybody is signed in. */
export function Frame({ title, isFirst = false, children }: FrameProps) {
  const t = useSignInText()
  const appearance = useAppearance()
  const image = appearance?.login_image
  const productTitle = appearance?.login_title || interfaceTitle()
  useEffect(() => {
    document.title = `${title} - ${productTitle}`
  }, [title, productTitle])
  return (
    <div className={styles.page}>
      <div className={styles.stage}>
        {image !== undefined && image !== '' && image !== ownPictures.login_image && (
          <img className={styles.picture} src={image} alt="" />
        )}
        <main className={styles.card}>
          <div className={styles.logo}>
            <Logo image={appearance?.logo_logout ?? ''} />
          </div>
          <h1 className={styles.title}>{isFirst ? appearance?.login_title || title : title}</h1>
          {children}
        </main>
      </div>
      <label className={styles.language}>
        <span>{t('kit:language')}</span>
        <select
          value={currentLanguage()}
          onChange={(event) => {
            const chosen = languages.find((language) => language === event.target.value)
            if (chosen !== undefined) switchLanguage(chosen)
          }}
        >
          {languages.map((language) => (
            <option key={language} value={language} lang={language}>
              {languageNames[language]}
            </option>
          ))}
        </select>
      </label>
    </div>
  )
}

/** The platform's looks. Signing in works without them. */
function useAppearance(): InterfaceSettings | undefined {
  const [appearance, setAppearance] = useState<InterfaceSettings>()
  useEffect(() => {
    const leaving = new AbortController()
    const load = async () => {
      try {
        const settings = await readOne(OpenSettings, { signal: leaving.signal })
        applyInterface(settings.INTERFACE)
        setAppearance(settings.INTERFACE)
      } catch (error) {
        // Our own looks stay; that the server does not answer is said when signing in.
        if (!(error instanceof ApiError) && !leaving.signal.aborted) throw error
      }
    }
    void load()
    return () => leaving.abort()
  }, [])
  return appearance
}
