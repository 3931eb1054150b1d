import { Dialog } from '../dialog/dialog.tsx'
import { useMetadata } from '../api/hooks.ts'
import type { WriteMethod } from '../api/metadata.ts'
import { describeError } from '../feedback/errors.ts'
import { useKitText } from '../text.ts'
import { Form, type FormProps } from './form.tsx'
import styles from './form.module.css'

interface FormDialogProps extends Omit<FormProps, 'metas'> {
  title: string
  /** The address whose description the form follows, and which of its methods. */
  describedBy: string
  method: WriteMethod
  onClose: () => void
}

/** A form over the page. It stays open until what it sends is accepted, or the person closes it. */
export function FormDialog({ title, describedBy, method, onClose, ...form }: FormDialogProps) {
  const t = useKitText()
  const metadata = useMetadata(describedBy)
  const metas = metadata.data && (metadata.data.actions?.[method] ?? {})
  return (
    <Dialog open title={title} footer={null} mask={{ closable: false }} onCancel={onClose}>
      {metadata.error ? (
        <p role="alert">{describeError(metadata.error, t)}</p>
      ) : metas ? (
        <Form {...form} metas={metas} />
      ) : (
        <div className={styles.waiting} role="status" aria-label={t('loading')} />
      )}
    </Dialog>
  )
}
