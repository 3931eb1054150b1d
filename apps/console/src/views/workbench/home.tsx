import { MyLoginLog } from '@sallyport/contract/resources/audits'
import { MySession } from '@sallyport/contract/resources/terminal'
import { Columns } from '../../kit/detail/card.tsx'
import { DetailCard } from '../../kit/detail/detail-card.tsx'
import { Page } from '../../kit/page/page.tsx'
import { useSession } from '../../kit/session/session.ts'
import { useMessages } from '../../kit/text.ts'
import { RecentTable } from './recent-table.tsx'

/** Where a person starts: what was done last, from where, and as whom. */
export default function Home() {
  const text = useMessages()
  const { profile } = useSession()
  return (
    <Page>
      <Columns
        main={
          <RecentTable
            title={text('recentSessions')}
            resource={MySession}
            columns={['asset', 'account', 'protocol', 'remote_addr', 'date_start']}
          />
        }
        side={
          <>
            <DetailCard
              title={text('viewProfile')}
              path="users/profile/"
              row={profile}
              fields={['name', 'username', 'email', 'last_login']}
            />
            <RecentTable
              title={text('recentLogins')}
              resource={MyLoginLog}
              columns={['city', 'ip', 'datetime']}
            />
          </>
        }
      />
    </Page>
  )
}
