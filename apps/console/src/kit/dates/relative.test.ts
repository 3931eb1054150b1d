import dayjs from 'dayjs'
import { expect, test } from 'vitest'
import { relativeText } from './relative.ts'

const now = dayjs('2026-03-20T12:00:00Z')
const text = (date: string, language = 'en') => relativeText(dayjs(date), now.valueOf(), language, 'just now')

test('a time of this week is told by how long ago it is', () => {
  expect(text('2026-03-20T11:59:40Z')).toBe('just now')
  expect(text('2026-03-20T11:59:20Z')).toBe('40 seconds ago')
  expect(text('2026-03-20T11:57:10Z')).toBe('2 minutes ago')
  expect(text('2026-03-20T08:00:00Z')).toBe('4 hours ago')
  expect(text('2026-03-19T10:00:00Z')).toBe('yesterday')
  expect(text('2026-03-23T13:00:00Z')).toBe('in 3 days')
  expect(text('2026-03-20T11:57:10Z', 'zh-CN')).toBe('2分钟前')
  expect(text('2026-03-20T11:57:10Z', 'ja')).toBe('2 分前')
})

test('before and after that its date is shown', () => {
  expect(text('2026-03-01T12:00:00Z')).toBeUndefined()
  expect(text('2096-03-01T12:00:00Z')).toBeUndefined()
})
