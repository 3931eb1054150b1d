import { BellOutlined } from '@ant-design/icons'
import { Ticket } from '@sallyport/contract/resources/tickets'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryKeys } from '../../../kit/api/keys.ts'
import { listPath } from '../../../kit/api/resource.ts'
import { toast } from '../../../kit/feedback/toast.ts'
import { lazyPart } from '../../../kit/loading/lazy-part.tsx'
import header from '../header.module.css'
import styles from './site-messages.module.css'
import { useUnread } from './unread-socket.ts'

const SiteMessagesDrawer = lazyPart(() => import('./drawer.tsx'))
const mostShown = 99

/** The way to the messages of the site, with how many have not been read. */
export function SiteMessagesBell() {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const client = useQueryClient()
  const { count, set } = useUnread({
    failed: () => toast.error(t('socketFailed')),
    // It may tell of a ticket.
    more: () => void client.invalidateQueries({ queryKey: queryKeys.resource(listPath(Ticket.path)) }),
  })
  const label = count > 0 ? t('siteMessagesUnread', { count }) : t('siteMessages')
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  return (
    <>
      <button
        ref={button}
        type="button"
        className={header.tool}
        title={label}
        aria-label={label}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <span className={styles.bell}>
          <BellOutlined />
          {count > 0 && (
            <span className={styles.badge} aria-hidden>
              {count > mostShown ? `${mostShown}+` : count}
            </span>
          )}
        </span>
      </button>
      {isOpen && (
        <Suspense>
          <SiteMessagesDrawer unread={count} onUnread={set} onClose={close} />
        </Suspense>
      )}
    </>
  )
}
