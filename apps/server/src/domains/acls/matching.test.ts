import { describe, expect, test } from 'vitest'
import { isPeriod, matches } from './matching.ts'

const allWeek = [0, 1, 2, 3, 4, 5, 6].map((id) => ({ id, value: '00:00~00:00' }))
/** A Wednesday. */
const at = (time: string) => new Date(`2026-03-18T${time}:00`)
const anywhere = ['*']

describe('a rule is about', () => {
  test.each([
    ['*', '203.0.113.9', true],
    ['203.0.113.9', '203.0.113.9', true],
    ['203.0.113.9', '203.0.113.90', false],
    ['10.0.0.0/8', '10.200.3.4', true],
    ['10.0.0.0/8', '11.0.0.1', false],
    ['10.0.0.5-10.0.0.9', '10.0.0.4', false],
    ['10.0.0.5-10.0.0.9', '10.0.0.5', true],
    ['10.0.0.5-10.0.0.9', '10.0.0.7', true],
    ['10.0.0.5-10.0.0.9', '10.0.0.9', true],
    ['10.0.0.9-10.0.0.5', '10.0.0.7', true],
    ['10.0.0.5-10.0.0.9', '10.0.0.10', false],
    ['2001:db8::/32', '2001:db8::1', true],
    ['10.0.0.0/8', '::ffff:10.1.2.3', true],
    ['::ffff:0:0/96', '2001:db8::1', false],
    ['10.0.0.0/99', '10.0.0.1', false],
    ['example.com', '10.0.0.1', false],
    ['10.0.0.1-nowhere', '10.0.0.1', false],
    ['0.0.0.0/0', '255.255.255.255', true],
    ['128.0.0.0/1', '127.255.255.255', false],
    ['10.9.8.7/8', '10.0.0.1', true],
  ])('the addresses %s, and so %s: %s', (item, ip, expected) => {
    expect(matches({ ip_group: [item], time_period: allWeek }, ip, at('12:00'))).toBe(expected)
  })

  test.each([
    ['00:00~00:00', '23:59', true],
    ['08:00~18:00', '08:00', true],
    ['08:00~18:00', '18:00', true],
    ['08:00~18:00', '18:01', false],
    ['00:00~07:30、10:00~13:00', '09:00', false],
    ['00:00~07:30、10:00~13:00', '12:59', true],
    ['20:00~00:00', '23:30', true],
    ['', '12:00', false],
    ['nonsense', '12:00', false],
  ])('the hours %s of a day, and so %s: %s', (value, time, expected) => {
    const periods = [{ id: 3, value }]
    expect(matches({ ip_group: anywhere, time_period: periods }, '10.0.0.1', at(time))).toBe(expected)
  })

  test('no day that is not named', () => {
    for (const time_period of [[], [{ id: 2, value: '00:00~00:00' }]])
      expect(matches({ ip_group: anywhere, time_period }, '10.0.0.1', at('12:00'))).toBe(false)
  })
})

test.each([
  ['08:00~12:00、13:00~18:00', true],
  ['00:00~24:00', true],
  ['', true],
  ['8:00~12:00', false],
  ['08:00~25:00', false],
  ['08:00-12:00', false],
])('%s says which hours are meant: %s', (value, expected) => {
  expect(isPeriod(value)).toBe(expected)
})
