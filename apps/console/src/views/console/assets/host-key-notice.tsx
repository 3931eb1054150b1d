import type { Asset } from '@sallyport/contract/resources/assets'
import { HostKey } from '@sallyport/contract/resources/host-keys'
import { Fragment, Suspense } from 'react'
import { lazyPart } from '../../../kit/loading/lazy-part.tsx'
import { useAccess } from '../../../kit/access/access.ts'
import { useList } from '../../../kit/api/hooks.ts'
import { viewPermission } from '../../../kit/api/resource.ts'
import { Link } from '../../../kit/routes/navigation.tsx'
import { useMessages } from '../../../kit/text.ts'
import { hostKeysTab } from './host-keys.tsx'

// Nearly always nothing waits.
const Notice = lazyPart(() => import('../../../kit/feedback/notice.tsx'))

const namedAtMost = 10

/** The keys that wait for a decision: of one asset, or of all. */
function useWaiting(asset?: Asset) {
  const isAllowed = useAccess().can(viewPermission(HostKey))
  const { data } = useList<HostKey>(
    HostKey.path,
    { state: 'pending', limit: namedAtMost, ...(asset && { asset: asset.id }) },
    { enabled: isAllowed },
  )
  return isAllowed && data ? data : { count: 0, results: [] }
}

const keysOf = (asset: { id: string }) => `/console/assets/assets/${asset.id}?activeTab=${hostKeysTab}`

/** Above an asset that showed a key nobody has decided about. */
export function HostKeyWaits({ asset }: { asset: Asset }) {
  const text = useMessages()
  const { count } = useWaiting(asset)
  return (
    count > 0 && (
      <Suspense>
        <Notice action={<Link to={keysOf(asset)}>{text('console:hostKeysShow')}</Link>}>
          {text('console:hostKeyWaits')}
        </Notice>
      </Suspense>
    )
  )
}

/** Above the list of assets: which of them showed a key nobody has decided about. */
export function HostKeysWait() {
  const text = useMessages()
  const { count, results } = useWaiting()
  const assets = [...new Map(results.map(({ asset }) => [asset.id, asset])).values()]
  return (
    count > 0 && (
      <Suspense>
        <Notice>
          {text('console:hostKeysWait')}{' '}
          {assets.map((asset, at) => (
            <Fragment key={asset.id}>
              {at > 0 && ', '}
              <Link to={keysOf(asset)}>{asset.name}</Link>
            </Fragment>
          ))}
          {count > results.length && ', …'}
        </Notice>
      </Suspense>
    )
  )
}
