import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { noteAnswer } from './keep-alive.ts'
import { resumeSession, sessionState } from '../../kit/session/login-state.ts'

let asked: string[]
beforeEach(() => {
  asked = []
  vi.useFakeTimers()
  vi.stubGlobal('document', { cookie: '' })
  vi.stubGlobal('fetch', (address: string) => {
    asked.push(address)
    return Promise.resolve(Response.json({ detail: 'no' }, { status: 401 }))
  })
})
afterEach(() => {
  vi.clearAllTimers()
  vi.useRealTimers()
  vi.unstubAllGlobals()
  resumeSession()
})

test('after thirty quiet seconds one call shows whether the session lives, and every answer begins them anew', async () => {
  noteAnswer()
  await vi.advanceTimersByTimeAsync(29_000)
  noteAnswer()
  await vi.advanceTimersByTimeAsync(29_000)
  expect(asked).toEqual([])
  await vi.advanceTimersByTimeAsync(1000)
  expect(asked).toEqual(['/api/v1/users/profile/'])
  await vi.waitFor(() => expect(sessionState()).toBe('ended'))
  await vi.advanceTimersByTimeAsync(60_000)
  expect(asked).toHaveLength(1)
})
