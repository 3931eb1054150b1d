import type { AccessKey } from '@sallyport/contract/resources/authentication'
import { Lines } from '../../kit/detail/lines.tsx'
import { Dialog } from '../../kit/dialog/dialog.tsx'
import { useKitText, useMessages } from '../../kit/text.ts'
import { ShownOnce } from '../../kit/unsaved/shown-once.tsx'
import { SecretText } from '../../kit/values/secret-text.tsx'

interface Props {
  made: AccessKey & { secret: string }
  onClose: () => void
}

/** The only time the secret of a key is to be seen. */
export function NewKeyDialog({ made, onClose }: Props) {
  const t = useKitText()
  const text = useMessages()
  return (
    <Dialog title={text('profile:accessKeyMade')} footer={null} onCancel={onClose}>
      <ShownOnce kept={text('profile:accessKeyKept')} done={t('close')} onDone={onClose}>
        <p>{text('profile:accessKeyShownOnce')}</p>
        <Lines
          lines={[
            { key: 'id', label: text('profile:accessKeyId'), value: made.id },
            {
              key: 'secret',
              label: text('profile:secretKey'),
              value: <SecretText secret={made.secret} fileName="key.txt" />,
            },
          ]}
        />
      </ShownOnce>
    </Dialog>
  )
}
