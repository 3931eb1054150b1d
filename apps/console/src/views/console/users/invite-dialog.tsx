import { User } from '@sallyport/contract/resources/users'
import { useQueryClient } from '@tanstack/react-query'
import { addressOf, call } from '../../../kit/api/call.ts'
import { queryKeys } from '../../../kit/api/keys.ts'
import { Dialog } from '../../../kit/dialog/dialog.tsx'
import { toast } from '../../../kit/feedback/toast.ts'
import { Form } from '../../../kit/form/form.tsx'
import type { OwnFieldSpec } from '../../../kit/form/form-spec.ts'
import { refreshProfile } from '../../../kit/session/refresh-profile.ts'
import { useSession } from '../../../kit/session/session.ts'
import { useKitText, useMessages } from '../../../kit/text.ts'
import { orgRoleSource, userSource } from '../sources.ts'

const nothing = {}
const groups = [['basic', ['users', 'org_roles']]] as const
const asked = { widget: 'relations', required: true, submit: true } as const
const fields = {
  users: {
    ...asked,
    label: 'console:invitedUsers',
    relation: { path: addressOf(User, 'suggestions', {}), labelOf: userSource.labelOf, plain: true },
  },
  org_roles: {
    ...asked,
    label: 'console:orgRoles',
    help: 'console:inviteHelp',
    relation: { ...orgRoleSource, plain: true },
  },
} satisfies Record<string, OwnFieldSpec>

/** Gives people of any organization roles in the current one. */
export default function InviteDialog({ onClose }: { onClose: () => void }) {
  const t = useKitText()
  const text = useMessages()
  const client = useQueryClient()
  const { profile } = useSession()
  return (
    <Dialog
      width={{ xs: '80%', lg: '50vw' }}
      title={text('console:inviteTitle')}
      footer={null}
      mask={{ closable: false }}
      onCancel={onClose}
    >
      <Form
        groups={groups}
        metas={nothing}
        own={fields}
        initial={nothing}
        updating={false}
        submitText={t('confirm')}
        onSubmit={({ users, org_roles: roles }) =>
          call(User, 'invite', { body: { users: users as string[], org_roles: roles as string[] } })
        }
        onSaved={({ users }) => {
          toast.success(text('console:inviteSuccess'))
          void client.invalidateQueries({ queryKey: queryKeys.resource(User.path) })
          // They may have a view more to go to.
          if (users.includes(profile.id)) void refreshProfile()
          onClose()
        }}
      />
    </Dialog>
  )
}
