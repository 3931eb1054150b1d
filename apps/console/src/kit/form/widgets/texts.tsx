import { Checkbox, Input, Switch } from 'antd'
import { useSealing } from '../../secrets/secrets.ts'
import { useKitText } from '../../text.ts'
import type { WidgetProps } from '../form-spec.ts'

const textRows = 3

const textOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : ''

/** What all fields that are typed into have in common. */
export function inputProps({
  id,
  name,
  value,
  onChange,
  onBlur,
  field,
  disabled,
  invalid,
  required,
  describedBy,
}: WidgetProps) {
  return {
    id,
    name,
    value: textOf(value),
    disabled,
    status: invalid ? ('error' as const) : undefined,
    'aria-invalid': invalid,
    'aria-required': required,
    'aria-describedby': describedBy,
    placeholder: field.placeholder,
    maxLength: field.meta.max_length,
    autoComplete: field.autoComplete ?? 'off',
    onBlur,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  }
}

export function TextWidget(props: WidgetProps) {
  return <Input {...inputProps(props)} />
}

export function EmailWidget(props: WidgetProps) {
  return <Input {...inputProps(props)} type="email" inputMode="email" />
}

export function TextareaWidget(props: WidgetProps) {
  return (
    <Input.TextArea {...inputProps(props)} rows={textRows} autoSize={{ minRows: textRows, maxRows: 12 }} />
  )
}

/** A secret: one that exists is never shown, only replaced. */
export function PasswordWidget(props: WidgetProps) {
  const t = useKitText()
  useSealing()
  const mayStay = props.updating && !props.required
  const placeholder = props.field.placeholder ?? (mayStay ? t('leaveEmptyToKeep') : undefined)
  return (
    <Input.Password
      {...inputProps(props)}
      placeholder={placeholder}
      autoComplete={props.field.autoComplete ?? 'new-password'}
    />
  )
}

export function SwitchWidget({ id, value, onChange, disabled, describedBy }: WidgetProps) {
  return (
    <Switch
      id={id}
      aria-labelledby={`${id}-label`}
      aria-describedby={describedBy}
      checked={value === true}
      disabled={disabled}
      onChange={onChange}
    />
  )
}

export function CheckboxWidget({ id, value, onChange, disabled, describedBy, field }: WidgetProps) {
  return (
    <Checkbox
      id={id}
      aria-describedby={describedBy}
      checked={value === true}
      disabled={disabled}
      onChange={(event) => onChange(event.target.checked)}
    >
      {field.placeholder}
    </Checkbox>
  )
}
