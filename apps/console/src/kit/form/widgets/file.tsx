import { UploadOutlined } from '@ant-design/icons'
import { useEffect, useMemo } from 'react'
import type { WidgetProps } from '../form-spec.ts'
import styles from '../form.module.css'
import { pictureTypes } from '../rules.ts'
import { FileButton } from './file-button.tsx'

/** A file of the person's own; the value is that file, or the address of the one there is. Of a picture it is shown. */
export default function FileWidget({ id, value, onChange, field, disabled, describedBy }: WidgetProps) {
  const isPicture = field.meta.type === 'image upload'
  const preview = usePreview(isPicture ? value : undefined)
  return (
    <div className={styles.file}>
      {preview && <img src={preview} alt="" data-ground={field.ground} />}
      <FileButton
        id={id}
        icon={<UploadOutlined aria-hidden />}
        accept={isPicture ? pictureTypes.join() : undefined}
        describedBy={describedBy}
        disabled={disabled}
        onChosen={onChange}
      >
        {value instanceof File && <span>{value.name}</span>}
      </FileButton>
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
