import { Checkbox, Radio, Select } from 'antd'
import { useClear } from '../../values/use-clear.tsx'
import type { WidgetProps } from '../form-spec.ts'

type Value = string | number | boolean

const isValue = (value: unknown): value is Value => ['string', 'number', 'boolean'].includes(typeof value)

// Boolean values are keyed as text: a select cannot hold them.
const keyOf = (value: unknown) => (isValue(value) ? String(value) : undefined)

export function RadioWidget({ id, value, onChange, field, disabled, describedBy }: WidgetProps) {
  return (
    <Radio.Group
      id={id}
      aria-labelledby={`${id}-label`}
      aria-describedby={describedBy}
      value={keyOf(value)}
      disabled={disabled}
      options={field.choices.map((choice) => ({
        value: String(choice.value),
        label: choice.label,
        disabled: field.closed?.includes(choice.value),
      }))}
      onChange={(event) =>
        onChange(field.choices.find((choice) => String(choice.value) === event.target.value)?.value)
      }
    />
  )
}

export function SelectWidget({
  id,
  value,
  onChange,
  onBlur,
  field,
  disabled,
  invalid,
  required,
  describedBy,
}: WidgetProps) {
  const clear = useClear()
  return (
    <Select
      id={id}
      aria-describedby={describedBy}
      aria-invalid={invalid}
      aria-required={required}
      status={invalid ? 'error' : undefined}
      value={keyOf(value)}
      disabled={disabled}
      placeholder={field.placeholder}
      allowClear={!field.meta.required && clear}
      showSearch={{ optionFilterProp: 'label' }}
      style={{ width: '100%' }}
      options={field.choices.map((choice) => ({ value: String(choice.value), label: choice.label }))}
      onBlur={onBlur}
      onChange={(key: string | undefined) =>
        onChange(field.choices.find((choice) => String(choice.value) === key)?.value ?? null)
      }
    />
  )
}

export function MultipleWidget({ id, value, onChange, field, disabled }: WidgetProps) {
  const chosen = Array.isArray(value) ? value.map(String) : []
  return (
    <div id={id} role="group" aria-labelledby={`${id}-label`}>
      <Checkbox.Group
        value={chosen}
        disabled={disabled}
        options={field.choices.map((choice) => ({ value: String(choice.value), label: choice.label }))}
        onChange={(keys) =>
          onChange(
            field.choices
              .filter((choice) => keys.includes(String(choice.value)))
              .map((choice) => choice.value),
          )
        }
      />
    </div>
  )
}
