import { Select } from 'antd'
import type { WidgetProps } from '../form-spec.ts'
import { sameValue } from '../same-value.ts'
import { nameSeparators, tidyNames } from '../../values/name-list.ts'

/**
 * A list of names or addresses: Enter, a comma or a new line adds one. What the form began with (everybody, mostly) gives way to the first
 * that is named.
 */
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
  const change = (names: readonly string[]) => {
    const preset: unknown = field.initial
    const isNamed = Array.isArray(preset) && sameValue(field, value, preset) && names.length > preset.length
    onChange(isNamed ? names.filter((name) => !preset.includes(name)) : names)
  }
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
      onChange={(names: string[]) => change(tidyNames(names))}
    />
  )
}
