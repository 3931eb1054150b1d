import { AssetPermission } from '@sallyport/contract/resources/perms'
import { listPath } from '../../../kit/api/resource.ts'
import { Dialog } from '../../../kit/dialog/dialog.tsx'
import { ResourceList } from '../../../kit/list/resource-list.tsx'
import { useMessages } from '../../../kit/text.ts'

interface GrantingDialogProps {
  address: string
  /** What the person or group and the asset are called. */
  who: string
  asset: string
  onClose: () => void
}

/** The permissions at an address, as those that let somebody use an asset. */
export default function GrantingDialog({ address, who, asset, onClose }: GrantingDialogProps) {
  const text = useMessages()
  return (
    <Dialog title={text('console:permissionsOfOn', { who, asset })} footer={null} onCancel={onClose}>
      <ResourceList
        resource={AssetPermission}
        path={address}
        describedBy={listPath(AssetPermission.path)}
        base="/console/perms/asset-permissions"
        inAddress={false}
        can="read"
        columns={['name', 'is_valid', 'is_active', 'date_expired', 'comment', 'created_by', 'date_created']}
        defaultColumns={['name', 'is_valid', 'created_by', 'date_created']}
      />
    </Dialog>
  )
}
