import { useSyncExternalStore } from 'react'
import { useKitText } from '../text.ts'
import { nothing } from '../values/plain-value.ts'
import { parseDate, showDateTime } from './dates.ts'
import { relativeText } from './relative.ts'

const tickMs = 30_000
const listeners = new Set<() => void>()
let ticker: ReturnType<typeof setInterval> | undefined
let nowMs = Date.now()

/** One clock for all times of the page, which runs while one of them is shown. */
function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) nowMs = Date.now()
  listeners.add(listener)
  ticker ??= setInterval(() => {
    nowMs = Date.now()
    for (const one of listeners) one()
  }, tickMs)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(ticker)
    ticker = undefined
  }
}

/** A time of the server as people say it (`2 minutes ago`), the full one under the pointer; older than a week its date. */
export function Time({ value }: { value: unknown }) {
  const t = useKitText()
  const date = parseDate(value)
  const text = useSyncExternalStore(subscribe, () =>
    date
      ? (relativeText(date, nowMs, document.documentElement.lang, t('justNow')) ?? date.format('L LT'))
      : nothing,
  )
  if (!date) return nothing
  return (
    <time dateTime={date.toISOString()} title={showDateTime(value)}>
      {text}
    </time>
  )
}
