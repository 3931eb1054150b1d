import { Input } from 'antd'
import { useState } from 'react'
import { readTypedNumber } from '../../values/typed-number.ts'
import { UnreadableText } from '../../values/unreadable-text.ts'
import type { WidgetProps } from '../form-spec.ts'
import { inputProps } from './texts.tsx'

/**
 * A number as it is typed: a text that is none is refused by the form instead of being exchanged for what could be
 * read of it, and a number the server does not take is refused by the rules of the form, never bent.
 */
export function NumberWidget(props: WidgetProps) {
  const { value, field, onChange, onBlur } = props
  const [typed, setTyped] = useState<string>()
  const input = inputProps(props)
  const read = (text: string) => {
    if (text.trim() === '') return null
    return readTypedNumber(text, field.meta.type === 'integer') ?? new UnreadableText(text)
  }
  const isStillTyped = typed !== undefined && read(typed) === value
  return (
    <Input
      {...input}
      inputMode={field.meta.type === 'integer' ? 'numeric' : 'decimal'}
      style={{ width: '100%', maxWidth: 240 }}
      value={value instanceof UnreadableText ? value.text : isStillTyped ? typed : input.value}
      onChange={({ target }) => {
        setTyped(target.value)
        onChange(read(target.value))
      }}
      onBlur={() => {
        setTyped(undefined)
        onBlur()
      }}
    />
  )
}
