import { useKitText } from '../../kit/text.ts'
import { MessagePage } from '../pages/message-page.tsx'
import styles from '../pages/pages.module.css'

/** In the place of a page whose person is logged in no more, and somebody else is. */
export function OtherUser() {
  const t = useKitText()
  return (
    <MessagePage
      title={t('otherUserTitle')}
      text={t('otherUserText')}
      action={
        <button type="button" className={styles.action} onClick={() => location.reload()}>
          {t('loadAgain')}
        </button>
      }
    />
  )
}
