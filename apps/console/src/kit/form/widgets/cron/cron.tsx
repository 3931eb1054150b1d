import { isCron, scheduleZone } from '@sallyport/contract/cron'
import { CronExpressionParser } from 'cron-parser'
import { useMemo } from 'react'
import { showDateTime } from '../../dates/dates.ts'
import { useKitText } from '../../text.ts'
import type { WidgetProps } from '../form-spec.ts'
import styles from '../form.module.css'
import { TextWidget } from './texts.tsx'

const timesShown = 5

/** The next times of a schedule, as ISO-8601; none of one that never comes (the 31st of February). */
function nextTimes(schedule: string): string[] {
  if (!isCron(schedule)) return []
  try {
    const times = CronExpressionParser.parse(schedule.trim(), { tz: scheduleZone }).take(timesShown)
    return times.flatMap((time) => time.toISOString() ?? [])
  } catch {
    return []
  }
}

const zoneHere = () => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** A schedule, and when it comes next in the person's own time. */
export default function CronWidget(props: WidgetProps) {
  const t = useKitText()
  const { id, value, describedBy } = props
  const schedule = typeof value === 'string' ? value : ''
  const times = useMemo(() => nextTimes(schedule), [schedule])
  const described = [describedBy, `${id}-parts`].filter(Boolean).join(' ')
  return (
    <>
      <TextWidget
        {...props}
        describedBy={described}
        field={{ ...props.field, placeholder: props.field.placeholder ?? '0 2 * * *' }}
      />
      <div id={`${id}-parts`} className={styles.help}>
        {t('cronParts', { zone: scheduleZone })}
      </div>
      {isCron(schedule) && (
        <div className={styles.next} role="group" aria-label={t('nextTimes')}>
          {t('nextTimes')} ({zoneHere()})
          {times.length === 0 ? (
            <p>{t('nextTimesNone')}</p>
          ) : (
            <ol>
              {times.map((time) => (
                <li key={time}>
                  <time dateTime={time}>{showDateTime(time)}</time>
                </li>
              ))}
            </ol>
          )}
        </div>
      )}
    </>
  )
}
