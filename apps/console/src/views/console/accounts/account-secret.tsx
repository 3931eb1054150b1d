import { FileTextOutlined } from '@ant-design/icons'
import { Button, Input } from 'antd'
import { type ChangeEvent, useRef } from 'react'
import { useErrorToast } from '../../../kit/feedback/errors.ts'
import type { WidgetProps } from '../../../kit/form/form-spec.ts'
import { useFieldValue } from '../../../kit/form/use-form.ts'
import { PasswordWidget } from '../../../kit/form/widgets/texts.tsx'
import { useKitText, useMessages } from '../../../kit/text.ts'
import styles from './accounts.module.css'

/** A password on a line of its own; keys and tokens as text, typed or out of a file. */
export default function AccountSecret(props: WidgetProps) {
  const type = useFieldValue(props.form, 'secret_type')
  return type === 'password' ? <PasswordWidget {...props} /> : <KeyText {...props} />
}

function KeyText({
  id,
  value,
  onChange,
  onBlur,
  disabled,
  invalid,
  describedBy,
  updating,
  field,
}: WidgetProps) {
  const t = useKitText()
  const text = useMessages()
  const file = useRef<HTMLInputElement>(null)
  const showError = useErrorToast()
  const longest = field.meta.max_length
  const read = async (event: ChangeEvent<HTMLInputElement>) => {
    const [chosen] = event.target.files ?? []
    event.target.value = ''
    if (!chosen) return
    if (longest !== undefined && chosen.size > longest) {
      showError(new Error(t('tooLong', { max: longest })))
      return
    }
    onChange(await chosen.text())
  }
  return (
    <div className={styles.key}>
      <Input.TextArea
        id={id}
        value={typeof value === 'string' ? value : ''}
        rows={5}
        spellCheck={false}
        autoComplete="off"
        disabled={disabled}
        status={invalid ? 'error' : undefined}
        aria-invalid={invalid}
        aria-describedby={describedBy}
        maxLength={longest}
        placeholder={updating ? t('leaveEmptyToKeep') : undefined}
        onBlur={onBlur}
        onChange={(event) => onChange(event.target.value)}
      />
      <Button
        icon={<FileTextOutlined aria-hidden />}
        disabled={disabled}
        onClick={() => file.current?.click()}
      >
        {text('console:selectFile')}
      </Button>
      <input
        ref={file}
        type="file"
        hidden
        aria-label={text('console:selectFile')}
        onChange={(event) => void read(event)}
      />
    </div>
  )
}
