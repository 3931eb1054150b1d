import { useEffect, useState } from 'react'
import { useText } from '../text.ts'
import { Dialog } from '../ui/dialog.tsx'
import type { Reviewing } from './use-review.ts'

/** Asked before reviewers are, and shown while they have not decided. */
export function ReviewDialog({
  reviewing: { assetName, ticket, isUnreachable, go, cancel },
}: {
  reviewing: Reviewing
}) {
  const t = useText()
  return (
    <Dialog
      title={t('reviewTitle', { name: assetName })}
      onClose={cancel}
      {...(ticket === undefined && { submit: { label: t('reviewAsk'), onSubmit: go } })}
    >
      {ticket === undefined ? (
        <p>{t('reviewText')}</p>
      ) : (
        <>
          <p role="status">
            {t('reviewWaiting', { names: ticket.assignees.join(', ') })}
            {isUnreachable && ` ${t('reviewUnreachable')}`}
          </p>
          <p>
            <Seconds />{' '}
            <a href={ticket.ticket_detail_page_url} target="_blank" rel="noreferrer">
              {t('reviewTicket')}
            </a>
          </p>
        </>
      )}
    </Dialog>
  )
}

/** How long it has been waited for. */
function Seconds() {
  const t = useText()
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setSeconds((count) => count + 1), 1000)
    return () => clearInterval(timer)
  }, [])
  return <span>{t('reviewSeconds', { count: seconds })}</span>
}
