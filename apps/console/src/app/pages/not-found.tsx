import { useTranslation } from 'react-i18next'
import { MessagePage } from './message-page.tsx'
import styles from './pages.module.css'
import { Link } from '../../kit/routes/navigation.tsx'

export function NotFoundPage() {
  const { t } = useTranslation()
  return (
    <MessagePage
      code="404"
      title={t('notFoundTitle')}
      text={t('notFoundText')}
      action={
        <Link className={styles.action} to="/">
          {t('goHome')}
        </Link>
      }
    />
  )
}
