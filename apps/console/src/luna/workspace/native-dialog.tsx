import { useText } from '../text.ts'
import { IconButton } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useCopy } from '../../kit/feedback/copy.ts'

interface NativeDialogProps {
  assetName: string
  command: string
  password: string
  onClose: () => void
}

/** What to type into one's own SSH client. The password is the connection token's and works once, for some minutes. */
export function NativeDialog({ assetName, command, password, onClose }: NativeDialogProps) {
  const t = useText()
  const copy = useCopy()
  const line = (label: string, text: string, isSecret = false) => (
    <div className="field">
      <span>{label}</span>
      <div className="copy-line">
        <code>{isSecret ? '••••••••••••' : text}</code>
        <IconButton icon="copy" label={t('copyThing', { name: label })} onClick={() => void copy(text)} />
      </div>
    </div>
  )
  return (
    <Dialog title={t('nativeTitle', { name: assetName })} onClose={onClose} width={560}>
      <p>{t('nativeText')}</p>
      {line(t('command'), command)}
      {line(t('password'), password, true)}
    </Dialog>
  )
}
