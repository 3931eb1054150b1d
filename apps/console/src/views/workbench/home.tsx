import { MyLoginLog } from '@sallyport/contract/resources/audits'
import { MyGrants } from '@sallyport/contract/resources/grants'
import { GrantedAsset } from '@sallyport/contract/resources/perms'
import { MySession } from '@sallyport/contract/resources/terminal'
import { Profile } from '@sallyport/contract/resources/users'
import { Button } from 'antd'
import { useAccess } from '../../kit/access/access.ts'
import { addressOf } from '../../kit/api/call.ts'
import { listPath } from '../../kit/api/resource.ts'
import { Columns } from '../../kit/detail/card.tsx'
import { DetailCard } from '../../kit/detail/detail-card.tsx'
import { Page } from '../../kit/page/page.tsx'
import { Link } from '../../kit/routes/navigation.tsx'
import { useSession } from '../../kit/session/session.ts'
import { useMessages } from '../../kit/text.ts'
import { accountCell } from '../../asset-words/account-text.tsx'
import { connectTo } from './connect.ts'
import { RecentTable } from './recent-table.tsx'
import styles from './workbench.module.css'

const favouritesPath = addressOf(MyGrants, 'favoriteAssets', {})

/** Where a person starts: back to what they work with, what was done last, from where, and as whom. */
export default function Home() {
  const text = useMessages()
  const { profile } = useSession()
  const { can } = useAccess()
  const connect = (assetId: string, name: string) => (
    <Button
      size="small"
      aria-label={text('workbench:connectTo', { name })}
      onClick={() => connectTo(assetId)}
    >
      {text('workbench:connect')}
    </Button>
  )
  const canConnect = can('rbac.view_webterminal')
  const toMyAssets = can('perms.view_myassets') && (
    <Link to="/workbench/assets" className={styles.more}>
      {text('myAssets')}
    </Link>
  )
  return (
    <Page>
      <Columns
        main={
          <>
            {can('perms.view_myassets') && (
              <RecentTable
                title={text('workbench:favourites')}
                resource={GrantedAsset}
                path={favouritesPath}
                columns={['name', 'address', 'platform']}
                empty="workbench:noFavourites"
                extra={toMyAssets}
                action={canConnect ? (asset) => asset.is_active && connect(asset.id, asset.name) : undefined}
              />
            )}
            <RecentTable
              title={text('workbench:recentSessions')}
              resource={MySession}
              columns={['asset', 'account', 'protocol', 'remote_addr', 'date_start']}
              cells={{ account: accountCell }}
              action={
                canConnect
                  ? (session) => session.asset_id && connect(session.asset_id, session.asset)
                  : undefined
              }
            />
          </>
        }
        side={
          <>
            <DetailCard
              title={text('viewProfile')}
              path={listPath(Profile.path)}
              row={profile}
              fields={['name', 'username', 'email', 'last_login']}
            />
            <RecentTable
              title={text('workbench:recentLogins')}
              resource={MyLoginLog}
              columns={['city', 'ip', 'status', 'datetime']}
            />
          </>
        }
      />
    </Page>
  )
}
