import { Platform } from '@sallyport/contract/resources/platforms'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../../kit/api/client.ts'
import { queryKeys } from '../../../kit/api/keys.ts'
import { detailPath } from '../../../kit/api/resource.ts'
import { toast } from '../../../kit/feedback/toast.ts'
import { FormDialog } from '../../../kit/form/form-dialog.tsx'
import type { FieldName } from '../../../kit/form/form-spec.ts'
import { useKitText, useMessages } from '../../../kit/text.ts'
import { platformForm } from './platform-form.ts'

export type PlatformPart = readonly FieldName<typeof Platform>[]

export type PlatformPartTitle = 'console:automation' | 'console:enableSwitching' | 'console:protocols'

interface PlatformPartDialogProps {
  title: PlatformPartTitle
  fields: PlatformPart
  platform: Platform
  onClose: () => void
}

/** A few fields of a platform, as its form has them. */
export default function PlatformPartDialog({ title, fields, platform, onClose }: PlatformPartDialogProps) {
  const t = useKitText()
  const text = useMessages()
  const client = useQueryClient()
  const address = detailPath(Platform.path, platform.id)
  return (
    <FormDialog<typeof Platform, never>
      title={text(title)}
      describedBy={address}
      method="PATCH"
      updating
      row={{ path: Platform.path, id: platform.id }}
      groups={[[title, fields]]}
      fields={platformForm.fields}
      onSubmit={(payload, call) => api.patch(address, payload, call)}
      onSaved={() => {
        toast.success(t('updateSuccess'))
        void client.invalidateQueries({ queryKey: queryKeys.resource(Platform.path) })
        onClose()
      }}
      onClose={onClose}
    />
  )
}
