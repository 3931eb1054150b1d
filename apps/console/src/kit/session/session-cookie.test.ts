import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { hasSessionCookie, keepSessionCookie } from './session-cookie.ts'

let written: string[]
const browserWith = (cookie: string) =>
  vi.stubGlobal('document', {
    get cookie() {
      return cookie
    },
    set cookie(given: string) {
      written.push(given)
    },
  })
const renewed = 'jms_session_expire=close; path=/; samesite=lax; max-age=120'

beforeEach(() => {
  written = []
  vi.useFakeTimers()
})
afterEach(() => {
  vi.clearAllTimers()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a session that ends with the browser is renewed every ten seconds, for two minutes each', () => {
  browserWith('jms_session_expire=close')
  keepSessionCookie()
  expect(written).toEqual([renewed])
  vi.advanceTimersByTime(30_000)
  expect(written).toEqual([renewed, renewed, renewed, renewed])
})

test('one that ends by age is left alone, and without the cookie there is none', () => {
  browserWith('jms_session_expire=age')
  keepSessionCookie()
  vi.advanceTimersByTime(30_000)
  expect(written).toEqual([])
  expect(hasSessionCookie()).toBe(true)
  browserWith('')
  expect(hasSessionCookie()).toBe(false)
})
