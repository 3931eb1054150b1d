import { UploadOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useRef } from 'react'
import { useKitText } from '../../text.ts'
import type { WidgetProps } from '../form-spec.ts'
import styles from '../form.module.css'

/** A file of the person's own; the value is that file. */
export default function FileWidget({ id, value, onChange, disabled, describedBy }: WidgetProps) {
  const t = useKitText()
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className={styles.file}>
      <Button
        id={id}
        icon={<UploadOutlined aria-hidden />}
        aria-labelledby={`${id}-label ${id}`}
        aria-describedby={describedBy}
        disabled={disabled}
        onClick={() => input.current?.click()}
      >
        {t('chooseFile')}
      </Button>
      {value instanceof File && <span>{value.name}</span>}
      <input
        ref={input}
        type="file"
        hidden
        onChange={({ target }) => {
          const chosen = target.files?.item(0)
          if (chosen) onChange(chosen)
          // The same file can be chosen again once it is mended.
          target.value = ''
        }}
      />
    </div>
  )
}
