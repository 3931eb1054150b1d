import { FileTextOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { type ChangeEvent, useRef, useState } from 'react'
import { useErrorToast } from '../../feedback/errors.ts'
import { useKitText } from '../../text.ts'
import type { WidgetProps } from '../form-spec.ts'
import styles from '../form.module.css'

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
  const input = useRef<HTMLInputElement>(null)
  const showError = useErrorToast()
  const [name, setName] = useState('')
  const longest = field.meta.max_length
  const isChosen = typeof value === 'string' && value !== ''
  const read = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const chosen = target.files?.item(0)
    // The same file can be chosen again once it is mended.
    target.value = ''
    if (!chosen) return
    if (longest !== undefined && chosen.size > longest) {
      showError(new Error(t('tooLong', { max: longest })))
      return
    }
    setName(chosen.name)
    onChange(await chosen.text())
  }
  return (
    <div className={styles.file}>
      <Button
        id={id}
        icon={<FileTextOutlined aria-hidden />}
        aria-labelledby={`${id}-label ${id}`}
        aria-describedby={describedBy}
        disabled={disabled}
        onClick={() => input.current?.click()}
      >
        {t('chooseFile')}
      </Button>
      {isChosen ? (
        <span>{name}</span>
      ) : (
        updating && field.meta.write_only && <span>{t('leaveEmptyToKeep')}</span>
      )}
      <input
        ref={input}
        type="file"
        hidden
        aria-labelledby={`${id}-label`}
        onChange={(event) => void read(event)}
      />
    </div>
  )
}
