import { UserSession } from '@sallyport/contract/resources/temp-tokens'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { call } from '../../kit/api/call.ts'
import { ask } from '../../kit/confirm/ask.ts'
import { showDateTime } from '../../kit/dates/dates.ts'
import { Card } from '../../kit/detail/card.tsx'
import { useMessages } from '../../kit/text.ts'
import { Explained } from '../../kit/values/explained.tsx'
import { browserName } from './browser-name.ts'
import styles from './login-security.module.css'

/** Where the person is logged in, each to be ended. */
export function BrowsersCard() {
  const text = useMessages()
  const list = useQuery({ queryKey: ['own-sessions'], queryFn: () => call(UserSession, 'list', {}) })
  const own = Array.isArray(list.data) ? list.data : []
  const end = (session: string) =>
    ask({
      title: text('profile:endLoginQuestion'),
      danger: true,
      onConfirm: async () => {
        await call(UserSession, 'end', { session })
        await list.refetch()
      },
    })
  return (
    <Card title={text('profile:loggedInBrowsers')}>
      <ul className={styles.list}>
        {own.map((one) => (
          <li key={one.id}>
            <span>{one.remote_addr}</span>
            <BrowserName userAgent={one.user_agent} />
            <span className={styles.dim}>
              {text('profile:lastUsed')}: {showDateTime(one.date_last_used)}
            </span>
            {one.is_current ? (
              <strong>{text('profile:thisBrowser')}</strong>
            ) : (
              <Button size="small" danger onClick={() => end(one.id)}>
                {text('profile:endLogin')}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** What the browser is called; what it says of itself in full as a tooltip. */
function BrowserName({ userAgent }: { userAgent: string }) {
  const text = useMessages()
  const known = browserName(userAgent)
  if (known === undefined) return <span className={styles.dim}>{userAgent}</span>
  return (
    <Explained title={userAgent} className={styles.dim}>
      {text('profile:browserOnSystem', known)}
    </Explained>
  )
}
