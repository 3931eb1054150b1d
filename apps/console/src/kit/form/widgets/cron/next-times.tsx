import { isCron, scheduleZone } from '@sallyport/contract/cron'
import { CronExpressionParser } from 'cron-parser'
import { useMemo } from 'react'
import { showDateTime } from '../../../dates/dates.ts'
import { useKitText } from '../../../text.ts'
import styles from '../../form.module.css'

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

/** When a schedule comes next, in the person's own time; nothing of a text that is none. */
export function NextTimes({ schedule }: { schedule: string }) {
  const t = useKitText()
  const times = useMemo(() => nextTimes(schedule), [schedule])
  if (!isCron(schedule)) return null
  return (
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
  )
}
