import { UploadOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { useEffect, useMemo, useRef } from 'react'
import { useKitText } from '../../text.ts'
import type { WidgetProps } from '../form-spec.ts'
import styles from '../form.module.css'
import { pictureTypes } from '../rules.ts'

/** A file of the person's own; the value is that file, or the address of the one there is. Of a picture it is shown. */
export default function FileWidget({ id, value, onChange, field, disabled, describedBy }: WidgetProps) {
  const t = useKitText()
  const input = useRef<HTMLInputElement>(null)
  const isPicture = field.meta.type === 'image upload'
  const preview = usePreview(isPicture ? value : undefined)
  return (
    <div className={styles.file}>
      {preview && <img src={preview} alt="" data-ground={field.ground} />}
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
        accept={isPicture ? pictureTypes.join() : undefined}
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

/** Where the browser finds a picture: at its address, or in the file that was chosen. */
function usePreview(value: unknown): string | undefined {
  const isShown = value instanceof File && pictureTypes.includes(value.type)
  const chosen = useMemo(() => (isShown ? URL.createObjectURL(value) : undefined), [isShown, value])
  useEffect(() => () => URL.revokeObjectURL(chosen ?? ''), [chosen])
  return chosen ?? (typeof value === 'string' && value ? value : undefined)
}
