import { expect, test } from 'vitest'
import { hoursOf, slotsIn, weekOf } from './hours.ts'

test.each(['', '00:00~00:00', '08:00~12:00、13:30~18:00', '00:00~07:30、22:00~00:00'])(
  'the hours %s are the same after they were shown',
  (value) => {
    expect(hoursOf(slotsIn(value))).toBe(value)
  },
)

test('hours that touch are one range, and what is no time is nothing', () => {
  expect(hoursOf(slotsIn('08:00~09:00、09:00~10:00、noon'))).toBe('08:00~10:00')
})

test('a week has seven days, Monday first, whatever is kept', () => {
  expect(weekOf([{ id: '3', value: '08:00~09:00' }]).map(({ id, value }) => `${id}${value}`)).toEqual([
    '1',
    '2',
    '308:00~09:00',
    '4',
    '5',
    '6',
    '0',
  ])
})
