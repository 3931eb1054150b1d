import { useTranslation } from 'react-i18next'
import { MessagePage } from './message-page.tsx'
import styles from './pages.module.css'
import { Link } from '../../kit/routes/navigation.tsx'

/** Shown where a person may be but sees nothing: a view in which he holds no right. */
export function ForbiddenPage() {
  const { t } = useTranslation()
  return (
    <MessagePage
      code="403"
      title={t('forbiddenTitle')}
      text={t('forbiddenText')}
      action={
        <Link className={styles.action} to="/workbench">
          {t('goHome')}
        </Link>
      }
    />
  )
}
