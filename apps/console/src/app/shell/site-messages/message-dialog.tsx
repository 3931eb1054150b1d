import type { SiteMessage } from '@sallyport/contract/resources/notifications'
import { Button } from 'antd'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { showDateTime } from '../../../kit/dates/dates.ts'
import { Dialog } from '../../../kit/dialog/dialog.tsx'
import { useErrorToast } from '../../../kit/feedback/errors.ts'
import { useKitText } from '../../../kit/text.ts'
import { cleanHtml } from './clean-html.ts'
import styles from './site-messages.module.css'

interface MessageDialogProps {
  message: SiteMessage
  onRead: () => Promise<void>
  onClose: () => void
}

/** One message. What it holds was written by anybody: it is shown as cleaned HTML. */
export function MessageDialog({
  message: { content, has_read, date_created },
  onRead,
  onClose,
}: MessageDialogProps) {
  const { t } = useTranslation()
  const kit = useKitText()
  const showError = useErrorToast()
  const [isBusy, setBusy] = useState(false)
  const html = useMemo(() => ({ __html: cleanHtml(content.message) }), [content.message])
  const read = async () => {
    setBusy(true)
    try {
      await onRead()
    } catch (error) {
      showError(error)
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={content.subject}
      footer={
        has_read ? (
          <Button onClick={onClose}>{kit('close')}</Button>
        ) : (
          <Button type="primary" loading={isBusy} onClick={() => void read()}>
            {t('markRead')}
          </Button>
        )
      }
      onCancel={onClose}
    >
      <p className={styles.from}>
        {content.sender && <span>{content.sender}</span>} <span>{showDateTime(date_created)}</span>
      </p>
      {/* oxlint-disable-next-line react/no-danger -- cleanHtml leaves words, their markup and links: no script, no handler, no style, nothing that loads */}
      <div className={styles.content} dangerouslySetInnerHTML={html} />
    </Dialog>
  )
}
