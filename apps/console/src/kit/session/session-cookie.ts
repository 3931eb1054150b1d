import { readCookie, writeCookie } from '../api/cookies.ts'

const refreshMs = 10_000
const lifetimeSeconds = 120

function cookieName(): string {
  return `${readCookie('SESSION_COOKIE_NAME_PREFIX') ?? 'jms_'}session_expire`
}

/** Whether this browser was signed in and is still: the cookie goes with the browser, or by age. */
export function hasSessionCookie(): boolean {
  return readCookie(cookieName()) !== undefined
}

let refresher: ReturnType<typeof setInterval> | undefined

/**
 * A session that ends with the browser is kept alive while a page is open: its cookie lives two minutes and is
 * renewed every ten seconds. One that ends by age is left alone.
 */
export function keepSessionCookie(): void {
  clearInterval(refresher)
  const name = cookieName()
  if (readCookie(name) !== 'close') return
  const renew = () => writeCookie(name, 'close', lifetimeSeconds)
  renew()
  refresher = setInterval(renew, refreshMs)
}
