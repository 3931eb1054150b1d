import { Directory } from '@sallyport/contract/resources/directory'
import { callPath } from '@sallyport/contract/resource/calls'
import { api } from '../../kit/api/client.ts'
import { toast } from '../../kit/feedback/toast.ts'
import { FormDialog } from '../../kit/form/form-dialog.tsx'
import { useMessages } from '../../kit/text.ts'

const path = callPath(Directory, Directory.calls.testLogin)

/** Whether somebody would come in, by what is stored. */
export default function TestLoginDialog({ onClose }: { onClose: () => void }) {
  const text = useMessages()
  return (
    <FormDialog
      title={text('settings:ldapTestLogin')}
      describedBy={path}
      method="POST"
      updating={false}
      groups={[['settings:ldapUser', ['username', 'password']]]}
      fields={{ password: { autoComplete: 'off' } }}
      submitText={text('settings:ldapTestLogin')}
      onSubmit={(payload) => api.post<string>(path, payload)}
      onSaved={(said) => {
        toast.success(said)
        onClose()
      }}
      onClose={onClose}
    />
  )
}
