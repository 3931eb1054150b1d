import { DownOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import dayjs from 'dayjs'
import { useId, useMemo, useState } from 'react'
import { type DateEntry, DateInput } from '../dates/date-input.tsx'
import { dateFormat } from '../dates/dates.ts'
import { useMenu } from '../menu/menu.tsx'
import { useKitText } from '../text.ts'
import { UnreadableText } from '../values/unreadable-text.ts'
import { dayMs, defaultDateRange, type Period, wholeDay, withEnd } from './date-range.ts'
import styles from './list.module.css'
import type { Filters } from './list-state.ts'

interface DateRangeProps {
  filters: Filters
  onChange: (filters: Filters) => void
}

/** How long ago the usual periods begin. */
const shortcuts = [
  ['last24Hours', 1],
  ['lastWeek', 7],
  ['lastMonth', 30],
  ['last3Months', 90],
] as const

const ends = [
  ['date_from', 'periodStart'],
  ['date_to', 'periodEnd'],
] as const

/**
 * The period of time a list shows; it always has one. The usual ones are in a menu, others are picked, or typed and
 * taken when Enter is pressed or the field is left.
 */
export default function DateRange({ filters, onChange }: DateRangeProps) {
  const t = useKitText()
  const id = useId()
  const [typed, setTyped] = useState<Partial<Record<keyof Period, DateEntry>>>({})
  const period = useMemo(() => {
    const { date_from, date_to } = { ...defaultDateRange(), ...filters }
    return { date_from: dayjs(date_from), date_to: dayjs(date_to) }
  }, [filters])
  const choose = (chosen: Period) => {
    setTyped({})
    onChange({
      ...filters,
      date_from: chosen.date_from.toISOString(),
      date_to: chosen.date_to.toISOString(),
    })
  }
  const { trigger, menu } = useMenu({
    label: t('period'),
    entries: shortcuts.map(([key, days]) => ({
      key,
      label: t(key),
      onSelect: () => choose({ date_from: dayjs().subtract(days * dayMs), date_to: dayjs() }),
    })),
  })
  const take = (end: keyof Period, entry: DateEntry | undefined) => {
    if (dayjs.isDayjs(entry) && !entry.isSame(period[end])) choose(withEnd(period, end, entry))
  }
  return (
    <div className={styles.period} role="group" aria-label={t('period')}>
      <Button {...trigger}>
        {t('period')} <DownOutlined aria-hidden />
      </Button>
      {menu}
      {ends.map(([end, label]) => {
        const entry = typed[end]
        const problem =
          entry === null
            ? t('required')
            : entry instanceof UnreadableText
              ? t('notADate', { example: dayjs().format(dateFormat(false)) })
              : undefined
        return (
          <div key={end} className={styles.periodEnd}>
            <DateInput
              label={t(label)}
              isEnd={end === 'date_to'}
              canClear={false}
              value={entry === undefined ? period[end] : entry}
              invalid={problem !== undefined}
              describedBy={problem && `${id}-${end}`}
              onChange={(next, isTyped) =>
                isTyped
                  ? setTyped((before) => ({ ...before, [end]: next }))
                  : take(end, dayjs.isDayjs(next) ? wholeDay(end, next, period[end]) : next)
              }
              onBlur={() => take(end, entry)}
              onEnter={() => take(end, entry)}
            />
            {problem && (
              <div id={`${id}-${end}`} role="alert" className={styles.periodProblem}>
                {problem}
              </div>
            )}
          </div>
        )
      })}
    </div>
  )
}
