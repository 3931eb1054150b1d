import { useTranslation } from 'react-i18next'
import styles from './pages.module.css'

/** While the session starts. */
export function StartingPage() {
  const { t } = useTranslation()
  return (
    <div className={styles.starting}>
      <div className={styles.spinner} role="status" aria-label={t('loading')} />
    </div>
  )
}
