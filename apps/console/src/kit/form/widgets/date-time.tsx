import { DatePicker } from 'antd'
import { parseDate, sendDate } from '../../dates/dates.ts'
import type { WidgetProps } from '../form-spec.ts'

export default function DateTimeWidget({
  id,
  value,
  onChange,
  onBlur,
  field,
  disabled,
  invalid,
  describedBy,
}: WidgetProps) {
  const dateOnly = field.meta.type === 'date'
  return (
    <DatePicker
      id={id}
      showTime={!dateOnly}
      format={dateOnly ? 'L' : 'L LTS'}
      value={parseDate(value) ?? null}
      disabled={disabled}
      status={invalid ? 'error' : undefined}
      aria-describedby={describedBy}
      style={{ width: '100%', maxWidth: 320 }}
      onBlur={onBlur}
      onChange={(date) => onChange(date && (dateOnly ? date.format('YYYY-MM-DD') : sendDate(date)))}
    />
  )
}
