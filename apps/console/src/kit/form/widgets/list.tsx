import { Select } from 'antd'
import type { WidgetProps } from '../form-spec.ts'
import { nameSeparators, tidyNames } from '../../values/name-list.ts'

/** A list of names or addresses: Enter, a comma or a new line adds one. */
export function ListWidget({
  id,
  value,
  onChange,
  onBlur,
  field,
  disabled,
  invalid,
  describedBy,
}: WidgetProps) {
  return (
    <Select
      id={id}
      mode="tags"
      open={false}
      suffixIcon={null}
      aria-describedby={describedBy}
      status={invalid ? 'error' : undefined}
      value={Array.isArray(value) ? value.map(String) : []}
      disabled={disabled}
      placeholder={field.placeholder}
      tokenSeparators={nameSeparators}
      style={{ width: '100%' }}
      onBlur={onBlur}
      onChange={(names: string[]) => onChange(tidyNames(names))}
    />
  )
}
