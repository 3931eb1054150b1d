import { Input, Select, Space } from 'antd'
import { useKitText } from '../../text.ts'
import { phoneText } from '../../values/phone-text.ts'
import type { WidgetProps } from '../form-spec.ts'

const codes = ['+86', '+852', '+853', '+886', '+1', '+7', '+33', '+44', '+49', '+81', '+82', '+91']
const longestNumber = 20

/** A country's code and a number; the value is `code number`, empty without a number. */
export function PhoneWidget({ id, value, onChange, onBlur, disabled, invalid, describedBy }: WidgetProps) {
  const t = useKitText()
  const [code = '', number = ''] = phoneText(value).split(' ', 2)
  const chosen = code || codes[0] || ''
  const change = (nextCode: string, nextNumber: string) =>
    onChange(nextNumber ? `${nextCode} ${nextNumber}` : '')
  return (
    <Space.Compact style={{ width: '100%', maxWidth: 360 }}>
      <Select
        aria-label={t('countryCode')}
        value={chosen}
        disabled={disabled}
        style={{ width: 96 }}
        options={codes.map((option) => ({ value: option, label: option }))}
        onChange={(next: string) => change(next, number)}
      />
      <Input
        id={id}
        type="tel"
        inputMode="tel"
        autoComplete="off"
        maxLength={longestNumber}
        value={number}
        disabled={disabled}
        status={invalid ? 'error' : undefined}
        aria-describedby={describedBy}
        onBlur={onBlur}
        onChange={(event) => change(chosen, event.target.value.trim())}
      />
    </Space.Compact>
  )
}
