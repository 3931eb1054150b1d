import { rootOrgId } from '@sallyport/contract/constants'
import { type SubscriptionGroup, SystemMsgSubscription } from '@sallyport/contract/resources/notifications'
import { User } from '@sallyport/contract/resources/users'
import { api } from '../../kit/api/client.ts'
import { detailPath } from '../../kit/api/resource.ts'
import { FormDialog } from '../../kit/form/form-dialog.tsx'
import type { RelationSource } from '../../kit/relation/relation.ts'
import { useMessages } from '../../kit/text.ts'

/** Anybody of the system, by name and sign-in name. */
const everybody: RelationSource = {
  path: User.path,
  query: { fields_size: 'mini', order: 'name', oid: rootOrgId },
  labelOf: ({ name, username }) => `${String(name)}(${String(username)})`,
}

interface ReceiversDialogProps {
  subscription: SubscriptionGroup['children'][number]
  onSaved: () => void
  onClose: () => void
}

/** Who hears of it; groups that were set otherwise stay. */
export default function ReceiversDialog({ subscription, onSaved, onClose }: ReceiversDialogProps) {
  const text = useMessages()
  const { message_type: type, message_type_label: label, receivers, users } = subscription
  const path = detailPath(SystemMsgSubscription.path, type)
  return (
    <FormDialog
      title={`${text('settings:changeReceivers')}: ${label}`}
      describedBy={path}
      method="PUT"
      updating
      groups={[['settings:receivers', ['users']]]}
      fields={{ users: { relation: everybody } }}
      initial={{
        // Receivers are called by both names already.
        users: receivers.filter(({ id }) => users.includes(id)).map(({ id, name }) => ({ id, label: name })),
      }}
      onSubmit={(payload) => api.patch(path, { users: payload['users'] })}
      onSaved={onSaved}
      onClose={onClose}
    />
  )
}
