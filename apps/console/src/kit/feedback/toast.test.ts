import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { currentToast, dismissToast, toast } from './toast.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  dismissToast()
  vi.useRealTimers()
})

test('one message is shown at a time: a new one takes the place of the last, an error stays five seconds', () => {
  toast.success('Saved')
  vi.advanceTimersByTime(2000)
  toast.error('Refused')
  expect(currentToast()?.content).toBe('Refused')
  vi.advanceTimersByTime(4999)
  expect(currentToast()?.content).toBe('Refused')
  vi.advanceTimersByTime(1)
  expect(currentToast()).toBeUndefined()
})
