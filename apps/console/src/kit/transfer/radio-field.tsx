import { Radio } from 'antd'
import { useId } from 'react'

interface RadioFieldProps<T extends string> {
  label: string
  value: T
  options: readonly { value: T; label: string; disabled?: boolean }[]
  isClosed?: boolean
  onChange: (value: T) => void
}

/** One of a few, beside what it is for; in a `dl`. */
export function RadioField<T extends string>({
  label,
  value,
  options,
  isClosed = false,
  onChange,
}: RadioFieldProps<T>) {
  const id = useId()
  return (
    <>
      <dt id={id}>{label}</dt>
      <dd>
        <Radio.Group
          aria-labelledby={id}
          value={value}
          disabled={isClosed}
          onChange={(event) => onChange(event.target.value as T)}
          options={[...options]}
        />
      </dd>
    </>
  )
}
