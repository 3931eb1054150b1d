import { DatePicker } from 'antd'
import type { Dayjs } from 'dayjs'
import { type FormEvent, useMemo, useState } from 'react'
import { parseDate, sendDate } from '../../dates/dates.ts'
import { readTypedDate } from '../../dates/typed-date.ts'
import type { WidgetProps } from '../form-spec.ts'
import { UnreadableDate } from '../rules.ts'

/** What is being typed: the date it is typed over, and what of it is no date (yet). */
interface Typing {
  over: Dayjs | null
  unreadable?: UnreadableDate | undefined
}

/**
 * A date, picked or typed. The form holds at every moment what is seen here: a pick counts without being confirmed,
 * and a text that is no date is refused by the form instead of being exchanged for the date before.
 */
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
  const [typing, setTyping] = useState<Typing>()
  const [round, setRound] = useState(0)
  const date = useMemo(() => parseDate(value) ?? null, [value])
  if (typing?.unreadable && typing.unreadable !== value) {
    // Somebody else gave the field another value: the picker begins anew, without the text it keeps.
    setTyping(undefined)
    setRound(round + 1)
  }
  const take = (next: Dayjs | null) =>
    onChange(next && (dateOnly ? next.format('YYYY-MM-DD') : sendDate(next)))
  const type = ({ target }: FormEvent) => {
    const text = target instanceof HTMLInputElement ? target.value : ''
    const read = readTypedDate(text)
    const unreadable = text.trim() && !read ? new UnreadableDate(text) : undefined
    // The picker is not told while somebody types: it would spell the text anew under their hands.
    setTyping({ over: typing ? typing.over : date, unreadable })
    if (unreadable) onChange(unreadable)
    else take(read ?? null)
  }
  return (
    <div onInput={type} style={{ maxWidth: 320 }}>
      <DatePicker
        key={round}
        id={id}
        showTime={!dateOnly}
        needConfirm={false}
        preserveInvalidOnBlur
        previewValue={false}
        format={dateOnly ? 'L' : 'L LTS'}
        value={typing ? typing.over : date}
        disabled={disabled}
        status={invalid ? 'error' : undefined}
        aria-describedby={describedBy}
        style={{ width: '100%' }}
        onBlur={() => {
          if (!typing?.unreadable) setTyping(undefined)
          onBlur()
        }}
        onCalendarChange={(picked: Dayjs | Dayjs[] | null) => {
          setTyping(undefined)
          take(Array.isArray(picked) ? null : picked)
        }}
      />
    </div>
  )
}
