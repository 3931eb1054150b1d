import { DownOutlined } from '@ant-design/icons'
import { Button, DatePicker } from 'antd'
import dayjs from 'dayjs'
import { useMenu } from '../menu/menu.tsx'
import { useKitText } from '../text.ts'
import { dayMs, defaultDateRange } from './date-range.ts'
import styles from './list.module.css'
import type { Filters } from './list-state.ts'

/** A day picked means all of it: the times the ends of a period have until others are picked. */
const dayTimes = [dayjs('2000-01-01T00:00:01'), dayjs('2000-01-01T23:59:59')]

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

/** The period of time a list shows; it always has one. The usual ones are in a menu, others are typed or picked. */
export default function DateRange({ filters, onChange }: DateRangeProps) {
  const t = useKitText()
  const fallback = defaultDateRange()
  const choose = (from: dayjs.Dayjs, to: dayjs.Dayjs) =>
    onChange({ ...filters, date_from: from.toISOString(), date_to: to.toISOString() })
  const { trigger, menu } = useMenu({
    label: t('period'),
    entries: shortcuts.map(([key, days]) => ({
      key,
      label: t(key),
      onSelect: () => choose(dayjs().subtract(days * dayMs), dayjs()),
    })),
  })
  return (
    <div className={styles.period}>
      <Button {...trigger}>
        {t('period')} <DownOutlined aria-hidden />
      </Button>
      {menu}
      <DatePicker.RangePicker
        showTime={{ defaultOpenValue: dayTimes }}
        allowClear={false}
        needConfirm={false}
        aria-label={t('period')}
        value={[
          dayjs(filters['date_from'] ?? fallback['date_from']),
          dayjs(filters['date_to'] ?? fallback['date_to']),
        ]}
        onChange={(range) => {
          const [from, to] = range ?? []
          if (from && to) choose(from, to)
        }}
      />
    </div>
  )
}
