import { MyGrants } from '@sallyport/contract/resources/grants'
import { GrantedAsset } from '@sallyport/contract/resources/perms'
import { useQuery } from '@tanstack/react-query'
import { Dialog } from '../../kit/dialog/dialog.tsx'
import { call } from '../../kit/api/call.ts'
import { listPath } from '../../kit/api/resource.ts'
import { DetailCard } from '../../kit/detail/detail-card.tsx'
import { describeError } from '../../kit/feedback/errors.ts'
import { useKitText, useMessages } from '../../kit/text.ts'
import { nameOf } from '../../kit/values/name-of.ts'
import { nothing } from '../../kit/values/plain-value.ts'

const shown: readonly (keyof GrantedAsset | 'accounts')[] = [
  'name',
  'address',
  'protocols',
  'accounts',
  'category',
  'type',
  'platform',
  'is_active',
  'comment',
]

/** An asset as the person who may use it sees it, with the accounts to connect with. */
export default function MyAssetDialog({ asset, onClose }: { asset: GrantedAsset; onClose: () => void }) {
  const t = useKitText()
  const text = useMessages()
  const accounts = useQuery({
    queryKey: ['my-accounts', asset.id],
    queryFn: ({ signal }) => call(MyGrants, 'accounts', { asset: asset.id }, { signal }),
  })
  const accountNames = accounts.error
    ? describeError(accounts.error, t)
    : (accounts.data?.map(({ name }) => name).join(', ') ?? t('loading')) || nothing
  return (
    <Dialog title={nameOf(asset)} footer={null} onCancel={onClose}>
      <DetailCard
        row={{ ...asset, accounts: accountNames }}
        path={listPath(GrantedAsset.path)}
        fields={shown}
        labels={{ accounts: text('accounts') }}
        values={{
          protocols: () =>
            asset.protocols.map(({ name, port }) => `${name}/${String(port)}`).join(', ') || nothing,
        }}
      />
    </Dialog>
  )
}
