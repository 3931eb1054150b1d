import { useMemo } from 'react'
import { DateInput } from '../../dates/date-input.tsx'
import { parseDate, sendDate } from '../../dates/dates.ts'
import { UnreadableText } from '../../values/unreadable-text.ts'
import type { WidgetProps } from '../form-spec.ts'

/** What expires on a day is good for all of it. */
const isEnd = (name: string) => name === 'date_expired'

/** A date, picked or typed. The form holds at every moment what is seen here: a pick counts without being confirmed. */
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
  const date = useMemo(() => (value instanceof UnreadableText ? value : (parseDate(value) ?? null)), [value])
  return (
    <DateInput
      id={id}
      value={date}
      dateOnly={dateOnly}
      isEnd={isEnd(field.name)}
      disabled={disabled}
      invalid={invalid}
      describedBy={describedBy}
      onBlur={onBlur}
      onChange={(next) =>
        onChange(
          next && !(next instanceof UnreadableText)
            ? dateOnly
              ? next.format('YYYY-MM-DD')
              : sendDate(next)
            : next,
        )
      }
    />
  )
}
