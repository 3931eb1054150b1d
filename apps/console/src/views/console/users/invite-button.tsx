import { Button } from 'antd'
import { useAccess } from '../../../kit/access/access.ts'
import { openDialog } from '../../../kit/actions/open-dialog.tsx'
import { lazyPart } from '../../../kit/loading/lazy-part.tsx'
import { useMessages } from '../../../kit/text.ts'

const InviteDialog = lazyPart(() => import('./invite-dialog.tsx'))

/** Brings people of other organizations into this one; not in the root organization, which has all of them. */
export function InviteButton() {
  const text = useMessages()
  const { can, inRoot, hasLicence } = useAccess()
  if (inRoot || !hasLicence || !can('users.invite_user')) return null
  return (
    <Button onClick={() => openDialog((close) => <InviteDialog onClose={close} />)}>
      {text('console:invite')}
    </Button>
  )
}
