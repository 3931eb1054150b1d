import { useEffect, useState } from 'react'
import { parseDate, showDateTime } from '../kit/dates/dates.ts'
import { showDuration } from './duration.ts'
import type { Session } from '@sallyport/contract/resources/terminal'
import { useText } from './text.ts'

/** Who, what, from where and since when; for a running session how long by now. */
export function SessionFacts({ session, isRunning }: { session: Session; isRunning: boolean }) {
  const t = useText()
  const started = parseDate(session.date_start)?.valueOf()
  const now = useNow(isRunning)
  const facts: [string, string][] = [
    [t('sessionUser'), session.user],
    [t('sessionAsset'), session.asset],
    [t('sessionAccount'), session.account],
    [t('sessionFrom'), session.remote_addr ?? '-'],
    [t('sessionSince'), showDateTime(session.date_start)],
  ]
  if (started !== undefined && isRunning) facts.push([t('sessionLasts'), showDuration(now - started)])
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd title={value}>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function useNow(isTicking: boolean) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    if (!isTicking) return undefined
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [isTicking])
  return now
}
