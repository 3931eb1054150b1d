import { DatePicker, type GetRef } from 'antd'
import dayjs, { type Dayjs } from 'dayjs'
import { type FormEvent, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { UnreadableText } from '../values/unreadable-text.ts'
import styles from './date-input.module.css'
import { dateFormat } from './dates.ts'
import { readTypedDate } from './typed-date.ts'

/** A date, nothing, or a text that is no date (yet). */
export type DateEntry = Dayjs | UnreadableText | null

/** What is being typed: the date it is typed over, and what of it is no date (yet). */
interface Typing {
  over: Dayjs | null
  unreadable?: UnreadableText | undefined
}

interface DateInputProps {
  id?: string
  /** Where no label stands beside it. */
  label?: string
  value: DateEntry
  dateOnly?: boolean
  /** A day typed without a time is all of it, to its last second. */
  isEnd?: boolean
  /** False where there always is a date. */
  canClear?: boolean
  disabled?: boolean
  invalid?: boolean
  describedBy?: string | undefined
  /** `isTyped`: key by key, so that more may follow. */
  onChange: (value: DateEntry, isTyped: boolean) => void
  onBlur: () => void
  onEnter?: () => void
}

/** Where a calendar has room neither below nor above its field, it lies over it. */
const popupAlign = {
  offset: [0, 0],
  overflow: { adjustX: true, adjustY: true, shiftX: true, shiftY: true },
}

/** Whether the person's language counts the hours of a day in two halves. */
const hasHalves = () => /[AP]M/iu.test(dayjs().format('LTS'))

/**
 * A date, picked or typed in any of the usual spellings. A text that is no date stays as it was typed, for the person to
 * be told, instead of being exchanged for the date before.
 */
export function DateInput(props: DateInputProps) {
  const {
    id,
    label,
    value,
    dateOnly = false,
    isEnd = false,
    canClear = true,
    disabled,
    invalid = false,
    describedBy,
    onChange,
  } = props
  const [typing, setTyping] = useState<Typing>()
  const [round, setRound] = useState(0)
  const [isOpen, setOpen] = useState(false)
  const picker = useRef<GetRef<typeof DatePicker>>(null)
  const date = value instanceof UnreadableText ? null : value
  if (typing?.unreadable && typing.unreadable !== value) {
    // Somebody else gave the field another value: the picker begins anew, without the text it keeps.
    setTyping(undefined)
    setRound(round + 1)
  }
  const type = ({ target }: FormEvent) => {
    const text = target instanceof HTMLInputElement ? target.value : ''
    const read = readTypedDate(text, isEnd)
    const unreadable = text.trim() && !read ? new UnreadableText(text) : undefined
    // The picker is not told while somebody types: it would spell the text anew under their hands.
    setTyping({ over: typing ? typing.over : date, unreadable })
    onChange(unreadable ?? read ?? null, true)
  }
  /** Spells what was typed as dates are spelled; a text that is no date stays. */
  const settle = () => {
    if (!typing || typing.unreadable) return
    // A picker writes its text only where its date is another, and the one that was typed may be the one it has. With none it would lose its
    // button, which has the focus when the field is left by Tab.
    flushSync(() => setTyping({ over: date?.add(1, 'second') ?? null }))
    setTyping(undefined)
  }
  const open = (isOpening: boolean) => {
    // What closes under the keyboard or a press leads back to the field.
    if (!isOpening && document.activeElement?.closest('.ant-picker-dropdown')) picker.current?.focus()
    setOpen(isOpening)
  }
  return (
    <div onInput={type} className={styles.field}>
      <DatePicker
        key={round}
        ref={picker}
        id={id}
        open={isOpen}
        onOpenChange={open}
        popupAlign={popupAlign}
        showTime={dateOnly ? false : { use12Hours: hasHalves() }}
        needConfirm={false}
        preserveInvalidOnBlur
        previewValue={false}
        allowClear={canClear && value !== null}
        format={dateFormat(dateOnly)}
        value={typing ? typing.over : date}
        disabled={disabled}
        status={invalid ? 'error' : undefined}
        aria-label={label}
        aria-describedby={describedBy}
        className={styles.picker}
        classNames={{ popup: { root: styles.popup } }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          // It ends the date, and not yet the form.
          if (isOpen || (typing && !typing.unreadable)) event.preventDefault()
          setOpen(false)
          props.onEnter?.()
          if (!typing || typing.unreadable) return
          settle()
        }}
        onBlur={() => {
          settle()
          props.onBlur()
        }}
        onCalendarChange={(picked: Dayjs | Dayjs[] | null) => {
          setTyping(undefined)
          onChange(Array.isArray(picked) ? null : picked, false)
        }}
      />
    </div>
  )
}
