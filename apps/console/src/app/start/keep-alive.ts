import { sessionState } from '../../kit/session/login-state.ts'
import { checkSession } from '../../kit/session/login-watch.ts'

const quietMs = 30_000

let timer: ReturnType<typeof setTimeout> | undefined

/** Counts from the last answer: after thirty quiet seconds one silent profile call shows whether the session lives. */
export function noteAnswer(): void {
  clearTimeout(timer)
  if (sessionState() === 'live') timer = setTimeout(() => void checkSession(), quietMs)
}
