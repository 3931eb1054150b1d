import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import { useKitText } from '../text.ts'
import { dayMs, defaultDateRange } from './date-range.ts'
import type { Filters } from './list-state.ts'

/** A day picked means all of it: the times the ends of a period have until others are picked. */
const dayTimes = [dayjs('2000-01-01T00:00:01'), dayjs('2000-01-01T23:59:59')]

interface DateRangeProps {
  filters: Filters
  onChange: (filters: Filters) => void
}

/** The period of time a list shows; it always has one. */
export default function DateRange({ filters, onChange }: DateRangeProps) {
  const t = useKitText()
  const fallback = defaultDateRange()
  const lastDays = (days: number) => () =>
    [dayjs().subtract(days * dayMs), dayjs()] as [dayjs.Dayjs, dayjs.Dayjs]
  return (
    <DatePicker.RangePicker
      showTime={{ defaultOpenValue: dayTimes }}
      allowClear={false}
      aria-label={t('period')}
      value={[
        dayjs(filters['date_from'] ?? fallback['date_from']),
        dayjs(filters['date_to'] ?? fallback['date_to']),
      ]}
      presets={[
        { label: t('last24Hours'), value: lastDays(1) },
        { label: t('lastWeek'), value: lastDays(7) },
        { label: t('lastMonth'), value: lastDays(30) },
        { label: t('last3Months'), value: lastDays(90) },
      ]}
      onChange={(range) => {
        const [from, to] = range ?? []
        if (from && to) {
          onChange({ ...filters, date_from: from.toISOString(), date_to: to.toISOString() })
        }
      }}
    />
  )
}
