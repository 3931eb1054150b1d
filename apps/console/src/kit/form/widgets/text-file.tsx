import { FileTextOutlined } from '@ant-design/icons'
import { useState } from 'react'
import { useErrorToast } from '../../feedback/errors.ts'
import { useKitText } from '../../text.ts'
import type { WidgetProps } from '../form-spec.ts'
import styles from '../form.module.css'
import { FileButton } from './file-button.tsx'

/** A text out of a file of the person's own, as a certificate; the value is what is in it. */
export default function TextFile({
  id,
  value,
  onChange,
  field,
  disabled,
  describedBy,
  updating,
}: WidgetProps) {
  const t = useKitText()
  const showError = useErrorToast()
  const [name, setName] = useState('')
  const longest = field.meta.max_length
  const isChosen = typeof value === 'string' && value !== ''
  const read = async (chosen: File) => {
    if (longest !== undefined && chosen.size > longest) {
      showError(new Error(t('tooLong', { max: longest })))
      return
    }
    setName(chosen.name)
    onChange(await chosen.text())
  }
  return (
    <div className={styles.file}>
      <FileButton
        id={id}
        icon={<FileTextOutlined aria-hidden />}
        describedBy={describedBy}
        disabled={disabled}
        onChosen={(file) => void read(file)}
      >
        {isChosen ? (
          <span>{name}</span>
        ) : (
          updating && field.meta.write_only && <span>{t('leaveEmptyToKeep')}</span>
        )}
      </FileButton>
    </div>
  )
}
