import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../kit/session/session.ts'
import { Link } from '../../kit/routes/navigation.tsx'
import { MessagePage } from './message-page.tsx'
import styles from './pages.module.css'

/** Where the login in a tab of its own ends: the page the person was on stands in another tab, with what was typed there. */
export default function LoggedInPage() {
  const { t } = useTranslation()
  const { settings } = useSession()
  const title = t('loggedInTitle')
  useEffect(() => {
    document.title = `${title} - ${settings.INTERFACE.login_title}`
  }, [title, settings])
  return (
    <MessagePage
      title={title}
      text={t('loggedInText')}
      action={
        <Link className={styles.action} to="/">
          {t('goHome')}
        </Link>
      }
    />
  )
}
