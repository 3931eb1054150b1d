import { useEffect, useState } from 'react'

/** Until another code may be sent. */
export const resendAfterSeconds = 60

/** Seconds that are left, and how they begin. By the clock: a page nobody looks at ticks late. */
export function useCountdown(): [secondsLeft: number, begin: (seconds: number) => void] {
  const [endsMs, setEndsMs] = useState(0)
  const [secondsLeft, setSecondsLeft] = useState(0)
  useEffect(() => {
    if (endsMs === 0) {
      return undefined
    }
    const timer = setInterval(() => {
      const left = Math.max(0, Math.ceil((endsMs - Date.now()) / 1000))
      setSecondsLeft(left)
      if (left === 0) {
        clearInterval(timer)
      }
    }, 1000)
    return () => clearInterval(timer)
  }, [endsMs])
  const begin = (seconds: number) => {
    setSecondsLeft(seconds)
    setEndsMs(Date.now() + seconds * 1000)
  }
  return [secondsLeft, begin]
}
