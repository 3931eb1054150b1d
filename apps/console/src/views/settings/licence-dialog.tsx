import { LicenceFiles } from '@sallyport/contract/resources/license'
import { callPath } from '@sallyport/contract/resource/calls'
import { api } from '../../kit/api/client.ts'
import { FormDialog } from '../../kit/form/form-dialog.tsx'
import { useKitText, useMessages } from '../../kit/text.ts'

interface LicenceDialogProps {
  onImported: () => void
  onClose: () => void
}

const path = callPath(LicenceFiles, LicenceFiles.calls.import)

/** Takes the file of a licence; what is wrong with it is told beside it. */
export default function LicenceDialog({ onImported, onClose }: LicenceDialogProps) {
  const t = useKitText()
  const text = useMessages()
  return (
    <FormDialog
      title={text('settings:importLicence')}
      describedBy={path}
      method="POST"
      updating={false}
      groups={[['settingsLicense', ['file']]]}
      submitText={t('import')}
      onSubmit={(payload) => api.post(path, payload)}
      onSaved={onImported}
      onClose={onClose}
    />
  )
}
